"""Traders: limits, balances, and the choice of the trader for the next order."""
