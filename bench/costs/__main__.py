"""`python -m bench.costs`: the cost sheet on the terminal."""

from bench.costs.page import markdown
from bench.costs.sheet import cost_sheet

print(markdown(cost_sheet()), end="")
