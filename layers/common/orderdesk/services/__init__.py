"""The use cases: one a module, as functions that take their ports. They do not depend on AWS."""
