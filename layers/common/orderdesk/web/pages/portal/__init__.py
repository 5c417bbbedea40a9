"""The merchants' portal (contract section 12): one module for each page, each with its routes."""
