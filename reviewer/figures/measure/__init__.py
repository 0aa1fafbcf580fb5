"""Numbers across conversations: pure arithmetic on what `reviewer.transcripts.store.tallies` reads."""
