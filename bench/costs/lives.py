"""What an order's whole life is billed for: each step as often as it happens."""

from dataclasses import dataclass
from decimal import Decimal

from bench.costs.floor import ASSIGNER, IDLE_ASSIGNER
from bench.costs.prices import PRICES
from bench.costs.quantities import Basis, Quantities, billed_ms, quantities_of, scaled, total
from bench.costs.records import Invocation
from bench.costs.walk import Life, Walk

MILLION = 1_000_000
_RECEIPT = "receipt, uploaded and looked at"


@dataclass(frozen=True, slots=True)
class StepCost:
    """One step of a life; the units of one time, dollars of a million orders."""

    label: str
    function: str
    times: int
    writes: Decimal
    reads: Decimal
    billed_ms: int
    usd: Decimal


@dataclass(frozen=True, slots=True)
class LifeCost:
    """A life's steps, and all that one order is billed for."""

    steps: tuple[StepCost, ...]
    quantities: Quantities


def life_cost(life: Life, idle: Life, basis: Basis) -> LifeCost:
    """Count a life's steps."""
    steps, parts = [], []
    for step in life:
        times = _times(step, basis)
        once = _without_the_schedule(step, idle, basis)
        parts.append(scaled(once, Decimal(times)))
        steps.append(_step_cost(step, times, once, basis))
    receipt = _receipt(basis)
    steps.append(StepCost(_RECEIPT, "S3", 1, Decimal(0), Decimal(0), 0, usd_of_million(receipt)))
    return LifeCost(tuple(steps), total([*parts, receipt]))


def usd_of_million(quantities: Quantities) -> Decimal:
    """Give what a million times these quantities cost."""
    return sum((PRICES[name].of(q) for name, q in quantities.items()), Decimal(0)) * MILLION


def mixed(buy: Quantities, sell: Quantities, buy_share: Decimal) -> Quantities:
    """Give the quantities of an average order."""
    return total([scaled(buy, buy_share), scaled(sell, 1 - buy_share)])


def lives(walk: Walk, basis: Basis) -> tuple[LifeCost, LifeCost]:
    """Count a buy's life and a sell's."""
    return life_cost(walk.buy, walk.idle, basis), life_cost(walk.sell, walk.idle, basis)


def _times(step: Invocation, basis: Basis) -> int:
    match step.label:
        case "pay status":
            return basis.assumptions.pay_polls
        case "desk: status":
            return basis.assumptions.desk_polls
        case _:
            return 1


def _without_the_schedule(step: Invocation, idle: Life, basis: Basis) -> Quantities:
    """Leave out what the assigner's run takes with nothing to do: that is the schedule's."""
    once = quantities_of(step, basis)
    if step.label != ASSIGNER:
        return once
    [nothing] = [run for run in idle if run.label == IDLE_ASSIGNER]
    return total([once, scaled(quantities_of(nothing, basis), Decimal(-1))])


def _step_cost(step: Invocation, times: int, once: Quantities, basis: Basis) -> StepCost:
    return StepCost(
        label=step.label,
        function=step.function,
        times=times,
        writes=once.get("DynamoDB, writes", Decimal(0)),
        reads=once.get("DynamoDB, reads", Decimal(0)),
        billed_ms=billed_ms(step, basis),
        usd=usd_of_million(scaled(once, Decimal(times))),
    )


def _receipt(basis: Basis) -> Quantities:
    """What browsers and S3 have to do with each other: one upload, some downloads."""
    assumed = basis.assumptions
    gigabytes = assumed.receipt_kb / MILLION
    return {
        "S3, PUT and POST": Decimal(1),
        "S3, GET": assumed.receipt_downloads,
        "Data out": assumed.receipt_downloads * gigabytes,
    }
