"""What every room needs, and what knows nothing about transcripts.

Owns errors as a sentence with a remedy, text made safe to print, JSON and TOML texts, signs, and whole-file writes.
It must not import another room.
Read first: `errors`, `clean`, `jsonspans`.
"""
