"""The fuzzer: whole requests of every route, mutated, and what no answer may ever be."""
