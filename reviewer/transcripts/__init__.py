"""Conversations and where they are kept.

Owns the values everybody uses (`model`, `refs`, `digests`), what tools mean (`desk/`), the SQLite store (`store/`), the
filter language (`query/`) and the rules that find personal data in a text (`particulars/`).
It must not know people's marks, suggestions or screens.
Read first: `model`, `store.schema`, `query.selection`.
"""
