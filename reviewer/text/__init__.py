"""Texts, whatever they mean: made fit for a screen, cut into sentences, looked into where they are JSON. Pure."""
