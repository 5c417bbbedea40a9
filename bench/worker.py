"""Run by a bare interpreter: make buys with one contestant's handler and tell what each took.

Standard input: a job as JSON (`bench.buys.run_buys`). Standard output: one line of JSON (see
`bench.buying.make_buys`). Fails where a buy does not succeed; the last line of standard error has
the answer. The contestant's artifact is all that it can import beside the standard library and two
modules of `bench`.
"""

import importlib
import json
import os
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent


def main() -> None:
    """Do the job that standard input names."""
    job = json.load(sys.stdin)
    os.environ.clear()
    os.environ.update(job["environment"])
    sys.path.append(str(REPOSITORY))
    buying = importlib.import_module("bench.buying")
    sys.path.remove(str(REPOSITORY))
    sys.path[:0] = job["path"]
    # What the handlers log is thrown away, for all alike; the figures go to the old stdout.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as figures:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        json.dump(buying.make_buys(job), figures)


if __name__ == "__main__":
    main()
