"""Merchants: agreement, credentials, signing."""
