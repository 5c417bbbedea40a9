"""The merchants' clients, in five languages: formatted, correct, and at home on the stack."""
