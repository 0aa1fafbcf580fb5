"""Other people's files -> values -> the writer. Nothing here speaks SQL or knows a screen."""
