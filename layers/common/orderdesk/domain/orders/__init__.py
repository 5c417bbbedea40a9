"""Orders and drafts: creation, transitions, lists."""
