"""The use cases: one a module, functions taking what they need. They know no AWS."""
