"""What all tests share: laws are tried without a deadline, since a busy machine is no fault of the code."""

from __future__ import annotations

import signal

from hypothesis import settings

settings.register_profile("reviewer", deadline=None)
settings.load_profile("reviewer")

# A shell that starts us in the background has Ctrl-C ignored, and what we start would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
