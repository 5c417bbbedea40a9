"""Sending one callback over HTTP to a checked public address, within time and byte limits."""
