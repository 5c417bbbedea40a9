"""Callbacks: from the change of an order to the merchant's response."""
