"""People's judgements, and the files that hold them.

Owns the journals, the ledger that folds them, anchors that find tagged words again, the codebook, queues, and the verbs
of a review (`review/`). It must not know suggestions, figures or screens.
Read first: `journal`, `ledger`, `review/__init__`.
"""
