"""The cost of refusing a hostile body: `python -m tests.unit.refusal_cost` prints a table.

Each body is refused in its own process with the memory of a function of 512 MB. With another tree's
`layers/common` as PYTHONPATH it measures that code.
"""

import json
import resource
import subprocess
import sys
import time
from typing import Any

from orderdesk.web.body import MAX_BODY_BYTES, read_body
from orderdesk.web.codes import InvalidParameters
from orderdesk.web.http import Request, request_of
from orderdesk.web.merchant.create_order import CreateRoute, read_order
from orderdesk.web.merchant.parameters import read_common
from tests.support.events import proxy_event

PATH = "/merchant/createOrder"
FUNCTION_BYTES = 512 * 1024**2

HOSTILE: dict[str, dict[str, Any]] = {
    "half path, half leaves": {"a": {"k" * 32_000: [1] * 16_000}},
    "long path, many leaves": {"a": {"k" * 8_000: [1] * 6_000}},
    "many leaves": {"a": [1] * 30_000},
    "many names": {f"N{i}": 1 for i in range(6_000)},
    "deep paths": {"a": {"b" * 500: {"c" * 500: {"d" * 500: [None] * 12_000}}}},
    "wide objects": {"a": [{"b": 1}] * 7_000},
    "payment method": {"order_type": 2, "payment_method": {"x" * 8_000: [1] * 6_000}},
    "long names": {"é" * 20_000: 1},
}


def request_with(body: dict[str, Any]) -> Request:
    """Return an unsigned request with a body within the size limit."""
    data = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    assert len(data) <= MAX_BODY_BYTES
    headers = {"Content-Type": "application/json"}
    return request_of(proxy_event("POST", PATH, body=data, headers=headers))


def refusal_of(request: Request) -> InvalidParameters:
    """Read a request as createOrder does; return the refusal."""
    params = read_body(request)
    parsed = read_order(params, CreateRoute.LIVE, allow_loopback=False)
    call, problems = read_common(request, params)
    assert call is None
    return InvalidParameters([*problems, *parsed.problems])


def measured(name: str) -> str:
    """Refuse a body; return its row: bytes, bytes of the answer, CPU ms, MB of memory."""
    request = request_with(HOSTILE[name])
    refusal_of(request_with({"a": 1}))  # warm up
    resource.setrlimit(resource.RLIMIT_AS, (FUNCTION_BYTES, FUNCTION_BYTES))
    before_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    try:
        answer = str(len(json.dumps(refusal_of(request).data)))
    except MemoryError:
        answer = "none: out of memory"
    cpu_ms = (time.process_time() - began) * 1000
    mb = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kb) / 1024
    return f"{name:<24}{len(request.body):>8}{answer:>22}{cpu_ms:>10.0f}{mb:>8.0f}"


def main() -> None:
    if len(sys.argv) > 1:
        print(measured(sys.argv[1]))
        return
    print(f"{'body':<24}{'bytes':>8}{'answer, bytes':>22}{'CPU, ms':>10}{'MB':>8}", flush=True)
    for name in HOSTILE:
        subprocess.run([sys.executable, "-m", "tests.unit.refusal_cost", name], check=False)


if __name__ == "__main__":
    main()
