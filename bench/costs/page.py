"""The cost sheet as Markdown: docs/costs.md."""

from decimal import Decimal
from pathlib import Path

from bench.costs.sheet import MILLION, PRICES, STORAGE, CostSheet, usd
from tools.markdown import table

HEAD = (Path(__file__).parent / "head.md").read_text("utf-8").strip()
_WHOLE_ABOVE = 100
_STEPHEADS = ("step", "times", "write units", "read units", "Lambda ms", "$ a million")


def markdown(sheet: CostSheet) -> str:
    """Return the sheet as a page."""
    sides, month = sheet.order, sheet.month
    dollars = [f"{sheet.million_usd(side):,.2f}" for side in sides]
    kept = [(name, _count(month[name]), _usd(name, month[name])) for name in month]
    steps = (f"## A {s}'s steps\n\n{table(_STEPHEADS, _steps(sheet, s))}" for s in sheet.steps)
    # Adding 0 to a rounded -0.00 removes its sign.
    levers = [(what, *(f"{round(n, 2) + 0:,.2f}" for n in its)) for what, *its in sheet.levers]
    prices = [(n, f"${p.usd} per {p.per:,} {p.unit}", p.page, p.found) for n, p in PRICES.items()]
    spans = ("quantity", "in_three_years")
    taken = [{name: Decimal(each[span]) for name, each in STORAGE.items()} for span in spans]
    stored = [
        (name, PRICES[name].unit, *(_usd(name, each[name]) for each in taken), STORAGE[name]["why"])
        for name in STORAGE
    ]
    parts = [
        HEAD,
        table(("", *sides), [("US dollars a million orders", *dollars)]),
        "## What one order takes",
        table(("", "unit", *sides, "$ a million, mix"), _quantities(sheet)),
        "## DynamoDB's units of one order",
        table(("table/index", "", *sheet.units), _units(sheet)),
        *steps,
        "## Storage of a million orders",
        table(("", "unit", "$ of the first year", "$ of three years", "the first year"), stored),
        f"In all {' and '.join(f'{usd(each):,.2f}' for each in taken)} US dollars.",
        "## A month without orders",
        table(("", "quantity", "$ a month"), kept),
        f"In all {usd(month):,.2f} US dollars.",
        "## What changes would save",
        table(("change", "$ a million orders", "$ a month", "API calls an order"), levers),
        "## Assumed, not measured",
        table(("", ""), sheet.basis.assumptions()),
        "## Prices",
        table(("", "price", "AWS's page", "found"), prices),
    ]
    return "\n\n".join(parts) + "\n"


def _quantities(sheet: CostSheet) -> list[tuple[str, ...]]:
    mix = sheet.order["mix"]
    dearest = sorted(mix, key=lambda name: -usd({name: mix[name]}))
    sides = sheet.order.values()
    taken = {name: [each.get(name, Decimal(0)) for each in sides] for name in dearest}
    units = {name: PRICES[name].unit if name in PRICES else "" for name in taken}
    return [(n, units[n], *map(_count, q), _usd(n, mix[n] * MILLION)) for n, q in taken.items()]


def _units(sheet: CostSheet) -> list[tuple[str, ...]]:
    sides = sheet.units.values()
    places = sorted({place for units in sides for place in units if units[place]})
    counts = ([_count(units.get(place, Decimal(0))) for units in sides] for place in places)
    return [(at, kind, *taken) for (kind, at), taken in zip(places, counts, strict=True)]


def _steps(sheet: CostSheet, side: str) -> list[tuple[str, ...]]:
    shown = ("DynamoDB, writes", "DynamoDB, reads", "Lambda ms")
    rows = []
    for name, times, once in sheet.steps[side]:
        counts = (_count(once.get(each, Decimal(0))) for each in shown)
        rows.append((name, str(times), *counts, f"{usd(once) * times * MILLION:,.2f}"))
    return rows


def _count(quantity: Decimal) -> str:
    return f"{quantity:,.0f}" if quantity > _WHOLE_ABOVE else f"{float(quantity):.4g}"


def _usd(name: str, quantity: Decimal) -> str:
    return f"{usd({name: quantity}):,.2f}" if name in PRICES else ""
