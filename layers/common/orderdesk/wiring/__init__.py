"""Wiring that several functions share: use cases with their adapters, each written once.

A function's own module wires the rest. A module here loads only what all its functions need.
"""
