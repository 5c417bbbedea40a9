"""Tests of the merchants' clients in five languages."""
