"""Numbers across conversations: pure arithmetic on what `reviewer.store.tallies` reads."""
