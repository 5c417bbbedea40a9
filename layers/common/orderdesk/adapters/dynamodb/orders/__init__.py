"""Orders and drafts in the Orders table."""
