"""Callbacks: events, signatures, targets, and how delivery goes on."""
