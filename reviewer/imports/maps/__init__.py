"""Tables of any kind, read by a map: a TOML file that says what the columns mean."""
