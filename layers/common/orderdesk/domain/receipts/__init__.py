"""Proofs of transfer: which files are accepted."""
