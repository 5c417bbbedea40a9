"""Sending one callback over HTTP to a checked public address, within bounds."""
