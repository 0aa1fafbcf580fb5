"""Bytes out of what holds them: gzip, zips of any method, YAML; within bounds, with a sentence for what is wrong."""
