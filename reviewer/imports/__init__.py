"""Other people's files, read into conversations.

Owns how a file is recognised and read: containers, formats (one module each), messages, maps of tables, and which run a
conversation belongs to. It must not write SQL, and must not know marks or screens.
Read first: `importer`, `source`, `formats/__init__`.
"""
