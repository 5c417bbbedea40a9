"""Inside the worker: the buys, one after the other, each measured around the handler alone.

Imports what a contestant's artifact brings, and the standard library; nothing else is there.
"""

import cProfile
import importlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

from bench.signed_events import signed_events
from bench.transport import replace_transport

# X-Ray's default rule: the first request of each second and one in twenty of the rest. Buys follow
# each other faster than that: one in twenty.
SAMPLED_ONE_IN = 20
SUCCESS_CODE = 1

type Event = dict[str, Any]
type Handler = Callable[[Event, object], Mapping[str, Any]]


class NotBought(Exception):
    """A buy did not succeed; the text is the handler's answer."""


@dataclass(frozen=True, slots=True)
class Context:
    """Lambda's context, as far as Powertools reads it."""

    aws_request_id: str
    function_name: str = "create-order"
    memory_limit_in_mb: int = 1769
    invoked_function_arn: str = "arn:aws:lambda:us-east-1:123456789012:function:create-order"


def make_buys(job: Mapping[str, Any]) -> dict[str, Any]:
    """Warm up, make the buys, give their figures: one of each list a buy, times in microseconds.

    `requests` are DynamoDB's, by operation, over all buys. Raises: NotBought.
    """
    number = job["warm_up"] + job["buys"]
    sent = replace_transport(job["answers"], stubbed=job["transport"] == "stub", buys=number)
    handler: Handler = importlib.import_module("app").handler
    events = signed_events(job, number)
    profile = cProfile.Profile() if job.get("profile") else None
    for number, event in enumerate(events[: job["warm_up"]]):
        _require_success(handler(event, _invocation(number, event)))
    sent.waited_us.clear()
    wall_us, cpu_us, requests_each = [], [], []
    requests: Counter[str] = Counter()
    answer: Mapping[str, Any] = {}
    for number, event in enumerate(events[job["warm_up"] :]):
        context = _invocation(number, event)
        sent.count.clear()
        if profile:
            profile.enable()
        wall, cpu = time.perf_counter_ns(), time.process_time_ns()
        answer = handler(event, context)
        cpu, wall = time.process_time_ns() - cpu, time.perf_counter_ns() - wall
        if profile:
            profile.disable()
        _require_success(answer)
        wall_us.append(wall / 1000)
        cpu_us.append(cpu / 1000)
        requests_each.append(sent.count.total())
        requests += sent.count
    if profile:
        profile.dump_stats(job["profile"])
    return {
        "wall_us": wall_us,
        "cpu_us": cpu_us,
        "requests_each": requests_each,
        "requests": dict(requests),
        "waited_us": {name: median(waited) for name, waited in sent.waited_us.items()},
        "data": json.loads(answer["body"])["data"],
    }


def _invocation(number: int, event: Event) -> Context:
    """Do what Lambda's runtime does before each call: the trace id goes into the environment."""
    sampled = int(number % SAMPLED_ONE_IN == 0)
    root = f"1-{int(time.time()):08x}-{number:024x}"
    os.environ["_X_AMZN_TRACE_ID"] = f"Root={root};Parent={number:016x};Sampled={sampled}"
    return Context(event["requestContext"]["requestId"])


def _require_success(answer: Mapping[str, Any]) -> None:
    if json.loads(answer["body"])["code"] != SUCCESS_CODE:
        raise NotBought(answer["body"])
