"""Pieces of one format or of a few: what would make its module too long to read."""
