"""Wiring that several Lambda functions share; each function's own module wires the rest."""
