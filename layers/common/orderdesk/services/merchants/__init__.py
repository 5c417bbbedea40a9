"""Who calls the merchant API, and what it owns."""
