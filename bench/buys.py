"""Measures warm buys: the contestants' handlers run alternately, each in a bare interpreter."""

import json
import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any

from bench.artifacts import Artifact, Progress, run_alone
from bench.seed_rows import AMOUNTS_CNY, API_KEY, API_SECRET
from bench.seeding import PROJECTS, answers_for, seed_endpoint
from events.samples import sample_at
from events.sign import filled, fresh
from local.places import REPOSITORY
from local.progress import LocalError

WORKER = REPOSITORY / "bench" / "buying.py"
BUY, SELL = (REPOSITORY / f"events/create_order/{side}_bank.json" for side in ("buy", "sell"))
SAMPLE_AMOUNT_CNY = "1000.00"
SELLS = 20
ROUNDS = 7
BUYS = 300
WARM_UP = 50
# DynamoDB Local runs on a JVM, which compiles code only after many runs.
ENDPOINT_WARM_UP = 1000


@dataclass(frozen=True, slots=True)
class Buys:
    """One worker's buys: times (us), requests to DynamoDB, and the last answer's data."""

    wall_us: Sequence[float]
    cpu_us: Sequence[float]
    requests: Mapping[str, int]
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Measured:
    """A contestant's rounds, and the median time of each."""

    medians_us: Sequence[float]
    rounds: Sequence[Buys]

    @property
    def requests_a_buy(self) -> dict[str, float]:
        """The requests per buy, by operation."""
        sent: Counter[str] = Counter()
        for buys in self.rounds:
            sent.update(buys.requests)
        made = sum(len(buys.wall_us) for buys in self.rounds)
        return {name: sent[name] / made for name in sorted(sent)}


def measure_cpu(artifacts: Sequence[Artifact], progress: Progress) -> dict[str, Measured]:
    """Measure the CPU time of a buy with the network stubbed, by contestant. Raises: LocalError."""
    return _in_turn(artifacts, progress, "CPU per buy", None)


def measure_end_to_end(
    artifacts: Sequence[Artifact], endpoint_url: str, progress: Progress
) -> dict[str, Measured]:
    """Measure the wall time of a buy against a fresh DynamoDB endpoint, one buy at a time.

    Create and fill the tables first. Raises: LocalError.
    """
    progress("tables and traders for the buys")
    seed_endpoint(endpoint_url, artifacts)
    progress("warm-up of the endpoint")
    for artifact in artifacts:
        run_buys(artifact, endpoint_url=endpoint_url, buys=ENDPOINT_WARM_UP)
    return _in_turn(artifacts, progress, "buy, end to end", endpoint_url)


def _in_turn(
    artifacts: Sequence[Artifact], progress: Progress, what: str, endpoint_url: str | None
) -> dict[str, Measured]:
    done: dict[str, list[Buys]] = defaultdict(list)
    for turn in range(ROUNDS):
        progress(f"{what}: round {turn + 1} of {ROUNDS}")
        for artifact in artifacts:
            done[artifact.contestant].append(run_buys(artifact, endpoint_url=endpoint_url))
    alike = [_without_chance(each[0].data) for each in done.values()]
    if any(other != alike[0] for other in alike[1:]):
        raise LocalError(f"the contestants answer the same buy differently: {alike}")
    times = attrgetter("wall_us" if endpoint_url else "cpu_us")
    return {n: Measured([median(times(each)) for each in buys], buys) for n, buys in done.items()}


def _without_chance(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer without random values and those of the trader; keep the names."""
    drawn = data.keys() & {"order_no", "merchant_order_no", "createtime", "pay_url"}
    return {**data, **dict.fromkeys(drawn, ""), "payment_method": sorted(data["payment_method"])}


def run_buys(
    artifact: Artifact,
    *,
    endpoint_url: str | None = None,
    buys: int = BUYS,
    warm_up: int = WARM_UP,
    sample: Path = BUY,
) -> Buys:
    """Make buys in a worker process: on an endpoint, or with every answer stubbed.

    Raises: LocalError, with the answer or error that ended the worker.
    """
    environment = {**artifact.environment, **PROJECTS[artifact.contestant].settings}
    if endpoint_url is not None:
        environment["AWS_ENDPOINT_URL_DYNAMODB"] = endpoint_url
    job = {
        "path": [str(place) for place in artifact.path],
        "environment": environment,
        "is_stubbed": endpoint_url is None,
        "answers": answers_for(artifact),
        "events": signed_events(sample, warm_up + buys),
        "warm_up": warm_up,
    }
    return Buys(**run_alone(WORKER, job, f"{artifact.contestant} did not make its buys"))


def signed_events(sample: Path, number: int) -> list[dict[str, Any]]:
    """Create events from a sample for its merchant, each with a new nonce and number."""
    text, run = json.dumps(sample_at(sample)), secrets.token_hex(6)
    merchants = {"merchant": {"api_key": API_KEY, "api_secret": API_SECRET}}
    texts = (text.replace(SAMPLE_AMOUNT_CNY, amount) for amount in cycle(AMOUNTS_CNY))
    return [
        filled(json.loads(filled_in), merchants, fresh(int(time.time()), f"{run}-{each:06d}"))
        for each, filled_in in zip(range(number), texts, strict=False)
    ]


def requests_a_sell(artifact: Artifact) -> dict[str, float]:
    """Return the requests to DynamoDB of a warm sell, by operation."""
    return Measured([], [run_buys(artifact, buys=SELLS, warm_up=1, sample=SELL)]).requests_a_buy
