"""Messages, calls and results in their many spellings -> ours: what several formats share."""
