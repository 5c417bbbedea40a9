"""Callbacks: events, signatures, targets, and the steps of a delivery."""
