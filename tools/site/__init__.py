"""Builds the documentation site: pages, reference, error catalogue, pictures (`make docs`)."""
