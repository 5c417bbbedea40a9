"""`python -m bench.costs`: the cost sheet on the terminal."""

from bench.costs import cost_sheet, markdown

if __name__ == "__main__":
    print(markdown(cost_sheet()), end="")
