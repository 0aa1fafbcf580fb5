"""Machine suggestions, and what people decided about them.

Owns the rules that read a transcript (`reads/`), scans of a store, the file of their findings, suggestions by others,
the record of how good each read is, and questions that ask about marks and suggestions together.
It must not know figures or screens. A suggestion never becomes a tag without a person.
Read first: `reads/__init__`, `scans`, `suggestions`.
"""
