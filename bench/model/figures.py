"""Statistics of many values."""

from collections.abc import Sequence


def percentile(values: Sequence[int], percent: int) -> int:
    """Return the smallest value that `percent` of the values do not exceed; 0 if there are none."""
    rank = -(-len(values) * percent // 100)
    return sorted(values)[max(rank, 1) - 1] if values else 0
