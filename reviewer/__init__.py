"""Read support-agent transcripts message by message, beside the tool calls, and tag what went wrong."""

__version__ = "0.1.0"
