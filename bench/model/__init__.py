"""A DynamoDB in virtual time, for what no emulator shows: transactions that conflict.

The project's own matching code runs in it unchanged: `create_order`, `NewOrderStore` with its real
expressions, `Contention`, `retrying`. Only the client below it, the clock and the randomness are
the model's, so a run is the same for the same seed on any machine.
"""
