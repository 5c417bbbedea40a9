"""From an order's change to a callback that the merchant has received."""
