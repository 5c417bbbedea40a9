"""Orders and drafts: how they are created, and how they move."""
