"""The operators' use cases: one a module."""
