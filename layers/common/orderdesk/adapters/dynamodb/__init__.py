"""The store: one module an aggregate; `keys` has the names of all tables, keys and indexes."""
