"""Merchants: authentication and balance."""
