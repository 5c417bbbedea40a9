"""The core: money, pricing, orders, matching, signing. Pure: time and randomness are arguments."""
