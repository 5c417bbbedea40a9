"""Sample events, one folder a function, and what fills and signs them."""
