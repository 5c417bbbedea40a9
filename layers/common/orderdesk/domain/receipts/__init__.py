"""Files that prove a transfer: what is accepted."""
