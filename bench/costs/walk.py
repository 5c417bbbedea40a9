"""A buy and a sell from createOrder to completed, through the functions' own handlers on moto."""

import os
from dataclasses import dataclass, replace
from statistics import median
from unittest.mock import patch

from moto import mock_aws

from bench.costs.floor import Floor
from bench.costs.meter import Meter
from bench.costs.records import Invocation
from bench.costs.schema import tables
from tests.support.world import ENVIRONMENT, World

TRADERS_ONLINE = 100
ORDERS_MEASURED = 3
# As Lambda sets it; the logger puts it into every line.
_TRACE = {"_X_AMZN_TRACE_ID": "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8"}

type Life = tuple[Invocation, ...]


@dataclass(frozen=True, slots=True)
class Walk:
    """What each step of an order's life took: one invocation a step, its CPU time the median."""

    buy: Life
    sell: Life
    idle: Life


def walk(traders: int = TRADERS_ONLINE, orders: int = ORDERS_MEASURED) -> Walk:
    """Take so many orders of each kind through their lives, after one to warm up; a few seconds.

    So many traders are in rotation, with three receiving methods each.
    """
    meter = Meter(tables())
    nobodys = {name: v for name, v in os.environ.items() if not name.startswith("AWS_")}
    environment = nobodys | ENVIRONMENT | _TRACE
    with patch.dict(os.environ, environment, clear=True), mock_aws(), meter.watching():
        floor = Floor(World(), meter, traders)
        lives = [_measured(meter, floor) for _ in range(1 + orders)][1:]
    buys, sells, idles = zip(*lives, strict=True)
    return Walk(_typical(buys), _typical(sells), _typical(idles))


def _measured(meter: Meter, floor: Floor) -> tuple[Life, Life, Life]:
    lives = []
    for live in (floor.buy, floor.sell, floor.idle):
        meter.invocations.clear()
        live()
        lives.append(tuple(meter.invocations))
    return lives[0], lives[1], lives[2]


def _typical(lives: tuple[Life, ...]) -> Life:
    """Give the last life, each step with the median CPU time of all of them."""
    return tuple(_with_cpu(steps) for steps in zip(*lives, strict=True))


def _with_cpu(steps: tuple[Invocation, ...]) -> Invocation:
    assert len({step.label for step in steps}) == 1
    return replace(steps[-1], cpu_ms=median(step.cpu_ms for step in steps))
