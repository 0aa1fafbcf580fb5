"""What all tests share: laws are tried without a deadline, since a busy machine is no fault of the code."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("reviewer", deadline=None)
settings.load_profile("reviewer")
