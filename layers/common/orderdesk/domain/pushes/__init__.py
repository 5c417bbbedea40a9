"""Web Push: notify a trader's browser of an order while the desk is closed."""
