"""`python -m bench.model`: every scenario, as tables on the terminal."""

import sys
import time

from bench.model.report import print_report
from bench.model.runs import run_all

if __name__ == "__main__":
    started = time.monotonic()
    print_report(run_all(lambda line: print(line, file=sys.stderr)))
    print(f"\n{time.monotonic() - started:.0f} s", file=sys.stderr)
