"""Creating, matching, moving and reading orders and drafts."""
