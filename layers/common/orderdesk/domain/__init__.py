"""The core: money, pricing, orders, matching, signing. Pure; time, ids and randomness come in."""
