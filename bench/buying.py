"""Run by a bare interpreter: make buys with one contestant's handler and measure each.

Standard input: a job as JSON (`bench.buys.run_buys`). Standard output: JSON (`make_buys`).
Fails if a buy does not succeed; the last line of standard error has the answer.
"""

import importlib
import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = str(Path(__file__).resolve().parent.parent)
# X-Ray samples the first request of each second and one in twenty of the others. At many buys a
# second, about one in twenty is sampled.
SAMPLED_ONE_IN = 20
SUCCESS_CODE = 1

type Event = dict[str, Any]


class NotBought(Exception):
    """A buy did not succeed; the text is the handler's answer."""


@dataclass(frozen=True, slots=True)
class Context:
    """The fields of Lambda's context that Powertools reads."""

    aws_request_id: str
    function_name: str = "create-order"
    memory_limit_in_mb: int = 1769
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:create-order"


def make_buys(job: Mapping[str, Any]) -> dict[str, Any]:
    """Warm up, make the buys, and return one entry a buy in each list; times in microseconds.

    `requests` counts the requests to DynamoDB by operation, over all buys. Raises: NotBought.
    """
    events, stubbed = job["events"], job["is_stubbed"]
    sys.path.append(REPOSITORY)
    transport = importlib.import_module("bench.transport")
    sys.path.remove(REPOSITORY)
    sys.path[:0] = job["path"]
    requests = transport.replace_transport(job["answers"], stubbed=stubbed, buys=len(events))
    handler: Callable[[Event, object], Mapping[str, Any]] = importlib.import_module("app").handler
    wall_us, cpu_us, data = list[float](), list[float](), None
    for number, event in enumerate(events):
        if number == job["warm_up"]:
            requests.clear()
            wall_us.clear()
            cpu_us.clear()
        context = _invocation(number, event)
        wall, cpu = time.perf_counter_ns(), time.process_time_ns()
        answer = handler(event, context)
        cpu, wall = time.process_time_ns() - cpu, time.perf_counter_ns() - wall
        wall_us.append(wall / 1000)
        cpu_us.append(cpu / 1000)
        data = _data_of(answer)
    return {"wall_us": wall_us, "cpu_us": cpu_us, "requests": dict(requests), "data": data}


def _invocation(number: int, event: Event) -> Context:
    """Set the trace id in the environment, as Lambda's runtime does before each call."""
    sampled = int(number % SAMPLED_ONE_IN == 0)
    root = f"1-{int(time.time()):08x}-{number:024x}"
    os.environ["_X_AMZN_TRACE_ID"] = f"Root={root};Parent={number:016x};Sampled={sampled}"
    return Context(event["requestContext"]["requestId"])


def _data_of(answer: Mapping[str, Any]) -> Any:
    envelope = json.loads(answer["body"])
    if envelope["code"] != SUCCESS_CODE:
        raise NotBought(answer["body"])
    return envelope["data"]


if __name__ == "__main__":
    job = json.load(sys.stdin)
    os.environ.clear()
    os.environ.update(job["environment"])
    # The handlers' logs are discarded; the figures go to the original standard output.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as figures:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        json.dump(make_buys(job), figures)
