"""`make soak`: half an hour of mixed traffic; warm containers must not grow."""
