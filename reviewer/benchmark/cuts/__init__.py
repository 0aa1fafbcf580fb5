"""Stored conversations made into cases that go on from a cut: where, what is replaced, how it is written."""
