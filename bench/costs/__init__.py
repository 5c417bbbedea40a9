"""What a million orders cost on AWS, counted from what the project's own handlers do."""

from bench.costs.page import markdown
from bench.costs.sheet import CostSheet, cost_sheet

__all__ = ["CostSheet", "cost_sheet", "markdown"]
