"""docs/openapi.yaml, written from the code that parses and renders: `make openapi`."""
