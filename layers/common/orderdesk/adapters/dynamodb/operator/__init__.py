"""Reads and writes of operators; each change writes an audit entry."""
