"""The desk: the traders' pages."""
