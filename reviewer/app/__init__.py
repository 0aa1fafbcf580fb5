"""The Textual application.

Owns the screens, a folder for each feature, what they share (`shared/`), how messages become lines (`layout/`) and the
table of keys (`keys/`). It must not hold SQL, and must not write a journal except by the verbs of `marks.review`.
Read first: `app`, `reading.review_screen`, `keys.action_table`.
"""
