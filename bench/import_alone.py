"""Run by a bare interpreter: import a function's `app` and measure it.

Standard input: JSON with `path` and `environment`. Standard output: JSON with `cpu_us` and
the names of the imported modules.
"""

import json
import os
import sys
import time

job = json.load(sys.stdin)
os.environ.clear()
os.environ.update(job["environment"])
sys.path[:0] = job["path"]
before = set(sys.modules)
cpu = time.process_time_ns()
import app  # noqa: E402 - this import is measured

cpu = time.process_time_ns() - cpu
assert callable(app.handler)
json.dump({"cpu_us": cpu // 1000, "modules": sorted(set(sys.modules) - before)}, sys.stdout)
