"""Orders and drafts: how they begin, and how they move."""
