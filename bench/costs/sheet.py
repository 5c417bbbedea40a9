"""The cost sheet: what a million orders cost, step by step and service by service."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

from bench.costs.assumptions import Assumptions
from bench.costs.levers import Lever, levers
from bench.costs.lives import MILLION, LifeCost, StepCost, lives, mixed
from bench.costs.prices import PRICES
from bench.costs.quantities import Basis, Quantities, units_of
from bench.costs.standing import Stored, standing, stored
from bench.costs.walk import Life, Walk, walk
from bench.model.sizes import item_bytes

EVEN = Decimal("0.5")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a bill."""

    name: str
    quantity: Decimal
    unit: str
    usd: Decimal


@dataclass(frozen=True, slots=True)
class Bill:
    """Lines, the dearest first, and their sum in US dollars."""

    lines: tuple[Line, ...]

    @property
    def usd(self) -> Decimal:
        """Add the lines up."""
        return sum((line.usd for line in self.lines), Decimal(0))

    def line(self, name: str) -> Line:
        """Give a line by the name of its price."""
        return next(line for line in self.lines if line.name == name)


@dataclass(frozen=True, slots=True)
class ItemSize:
    """An item's size where it is largest in an order's life."""

    table: str
    what: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class CostSheet:
    """Bills of a million orders, of a month without any, and what could be saved."""

    assumptions: Assumptions
    buy_share: Decimal
    buy: Bill
    sell: Bill
    mix: Bill
    buy_steps: tuple[StepCost, ...]
    sell_steps: tuple[StepCost, ...]
    buy_units: Mapping[tuple[str, str], Decimal]
    sell_units: Mapping[tuple[str, str], Decimal]
    sizes: tuple[ItemSize, ...]
    stored: tuple[Stored, ...]
    standing: Bill
    levers: tuple[Lever, ...]

    @property
    def stored_usd(self) -> Decimal:
        """Give what it costs a month to keep what a million orders leave behind."""
        return sum((each.usd_a_month for each in self.stored), Decimal(0))


def cost_sheet(
    assumptions: Assumptions | None = None,
    *,
    buy_share: Decimal = EVEN,
    buy_cpu_ms: Mapping[str, float] | None = None,
    seen: Walk | None = None,
) -> CostSheet:
    """Count what a buy and a sell take from createOrder to completed.

    `buy_cpu_ms` replaces the CPU time of a buy's steps by labels, where it was measured better than
    on moto: {"createOrder": 4.2}. `seen` is a walk made before; without it one is made (seconds).
    """
    basis = Basis.of_template(assumptions or Assumptions())
    seen = _with_cpu(seen or walk(), buy_cpu_ms or {})
    buy, sell = lives(seen, basis)
    return CostSheet(
        assumptions=basis.assumptions,
        buy_share=buy_share,
        buy=_bill_of_million(buy),
        sell=_bill_of_million(sell),
        mix=_bill(mixed(buy.quantities, sell.quantities, buy_share), MILLION),
        buy_steps=buy.steps,
        sell_steps=sell.steps,
        buy_units=_units_of_life(seen.buy, buy, basis),
        sell_units=_units_of_life(seen.sell, sell, basis),
        sizes=tuple(_sizes(seen)),
        stored=stored(seen, basis, buy_share),
        standing=_bill(standing(seen, basis), 1),
        levers=levers(seen, basis, buy_share),
    )


def _bill_of_million(life: LifeCost) -> Bill:
    return _bill(life.quantities, MILLION)


def _bill(quantities: Quantities, times: int) -> Bill:
    lines = (
        Line(name, quantity * times, PRICES[name].unit, PRICES[name].of(quantity * times))
        for name, quantity in quantities.items()
        if quantity
    )
    return Bill(tuple(sorted(lines, key=lambda line: -line.usd)))


def _with_cpu(seen: Walk, cpu_ms: Mapping[str, float]) -> Walk:
    assert cpu_ms.keys() <= {step.label for step in seen.buy}, "no such step"
    steps = (replace(step, cpu_ms=cpu_ms.get(step.label, step.cpu_ms)) for step in seen.buy)
    return replace(seen, buy=tuple(steps))


def _units_of_life(life: Life, cost: LifeCost, basis: Basis) -> dict[tuple[str, str], Decimal]:
    """Give one order's units by (read or write, table or table/index), repeats included."""
    times = {step.label: step.times for step in cost.steps}
    units: dict[tuple[str, str], Decimal] = {}
    for step in life:
        for request in step.requests:
            for place, taken in units_of(request, basis.tables).items():
                units[place] = units.get(place, Decimal(0)) + taken * times[step.label]
    return {place: taken for place, taken in units.items() if taken}


def _sizes(seen: Walk) -> Iterator[ItemSize]:
    """Name every kind of item that was written, by what tells them apart."""
    largest: dict[tuple[str, str], int] = {}
    for side, life in (("buy", seen.buy), ("sell", seen.sell)):
        for write in (w for step in life for request in step.requests for w in request.writes):
            if write.after is not None:
                kind = _kind_of(write.table, write.after, side)
                size = max(largest.get((write.table, kind), 0), item_bytes(write.after))
                largest[write.table, kind] = size
    for (table, kind), size in sorted(largest.items()):
        yield ItemSize(table, kind, size)


def _kind_of(table: str, item: Mapping[str, Mapping[str, str]], side: str) -> str:
    match table:
        case "Orders":
            kind = item["kind"]["S"]
            return f"{kind} ({side})" if kind == "order" else kind
        case "Traders":
            return "trader"
        case "Ledger":
            return "posting" if "amount_micro" in item else "balance"
        case "Guards":
            return item["pk"]["S"].partition("#")[0]
        case _:
            return "delivery" if "event" in item else "lanes"
