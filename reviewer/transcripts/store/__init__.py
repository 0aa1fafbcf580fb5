"""The transcript store: one SQLite file of evidence. All SQL of the project stands in this package."""
