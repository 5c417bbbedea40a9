"""A DynamoDB in virtual time, for transactions that conflict, which no emulator shows.

The project's matching code runs in it unchanged: `create_order`, `NewOrderStore` with its real
expressions, `Contention`, `retrying`. Only the client, the clock and the randomness are the
model's, so a seed results in the same run on any machine.
"""
