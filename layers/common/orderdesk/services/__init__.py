"""The use cases: one a module, as functions that take their ports. They know no AWS."""
