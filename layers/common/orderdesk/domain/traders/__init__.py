"""Traders: limits, balances, and who takes the next order."""
