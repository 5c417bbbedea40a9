"""Figures from many values."""

from collections.abc import Sequence


def percentile(values: Sequence[int], percent: int) -> int:
    """Give the smallest value that at least so many percent do not exceed; 0 of no values."""
    rank = -(-len(values) * percent // 100)
    return sorted(values)[max(rank, 1) - 1] if values else 0
