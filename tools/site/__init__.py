"""What the documentation site generates: reference, error catalogue, pictures (`make docs`)."""
