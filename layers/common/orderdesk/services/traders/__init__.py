"""Traders: sessions, duty, and the desk (the traders' page)."""
