"""`python -m bench.model`: every scenario, as tables on the terminal."""

import sys

from bench.model.runs import run_all
from bench.report import model_tables

if __name__ == "__main__":
    figures = run_all(lambda line: print(line, file=sys.stderr))
    print("\n\n".join(model_tables(figures)))
