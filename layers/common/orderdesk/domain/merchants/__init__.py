"""Merchants: terms, credentials, signing."""
