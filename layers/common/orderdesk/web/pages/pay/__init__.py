"""The pay page: what a payer sees of an order, and the payer's moves."""
