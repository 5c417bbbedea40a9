"""The fuzzer: mutated whole requests of every route, and rules for every answer."""
