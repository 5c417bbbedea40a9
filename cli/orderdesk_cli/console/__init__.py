"""`orderdesk console`: the operator's work as pages, served on this machine alone (section 9)."""
