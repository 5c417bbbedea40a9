"""A dispute on the pay page and at the desk: its story, its forms, its texts."""
