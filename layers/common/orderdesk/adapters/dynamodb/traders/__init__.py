"""Traders in the Traders table."""
