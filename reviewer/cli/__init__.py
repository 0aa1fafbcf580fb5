"""The command line: arguments in, one call, words out. Heavy imports stand inside the functions."""

from __future__ import annotations


def main() -> None:
    """Run the program; what a person should read goes to stderr as one sentence, never as a traceback."""
