"""The store: one module an aggregate; `keys` names tables, keys and indexes in one place."""
