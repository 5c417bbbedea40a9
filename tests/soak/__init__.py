"""`make soak`: half an hour of mixed traffic, and whether a warm container grows."""
