"""Accounts, postings, settlement, and the check of the ledger."""
