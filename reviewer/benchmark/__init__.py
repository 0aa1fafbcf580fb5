"""Making conversations.

Owns desks of plain files that can be played (`desks/`), the Northline sample (`northline/`), runs on live models with
judges and forks (`live/`), and stored conversations cut into new cases (`cuts/`).
It must not know screens, and nothing but `app` and `cli` may know it.
Read first: `desks.desk_folder`, `live.live_run`, `northline.sample_conversations`.
"""
