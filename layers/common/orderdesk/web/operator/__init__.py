"""The operators' API: reads requests that AWS has authenticated, and renders results as JSON."""
