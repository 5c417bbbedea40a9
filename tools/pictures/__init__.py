"""The README's pictures, taken from the running local stack (`make pictures`)."""
