"""The cost sheet as Markdown: `docs/costs.md`."""

from collections.abc import Iterator
from decimal import Decimal

from bench.costs.assumptions import EXPLAINED
from bench.costs.lives import StepCost
from bench.costs.markdown_table import count, table, usd
from bench.costs.prices import PRICES, PRICES_AS_OF
from bench.costs.sheet import CostSheet, Line
from bench.costs.standing import DAYS_A_MONTH

_DOMINATES = 4

_HEAD = """\
# What it costs

Written by `make bench`: do not edit. Every request of an order's life, from createOrder to
completed with its callbacks, as the functions' own handlers send them. DynamoDB's units are
computed from the items that were really read and written, by its documented rules: in a transaction
an item of a table costs twice, its index entries once. Dollars at list prices of us-east-1 as of
{as_of}, without free tiers and volume discounts. **Check the prices before you rely on them**;
where each was found is at the end.
"""

_NOT_COUNTED = """\
Not counted: retries, refusals, drafts and their identity checks, log-ins, a merchant's own queries,
a WAF, and what KMS bills for the tables' encryption by a key that AWS manages.
"""


def markdown(sheet: CostSheet) -> str:
    """Write the sheet as a page."""
    sections = (_summary, _assumed, _bills, _steps, _units, _items, _storage, _month, _saving)
    parts = [_HEAD.format(as_of=PRICES_AS_OF), *("\n".join(part(sheet)) for part in sections)]
    return "\n".join([*parts, *_prices()]) + "\n"


def _summary(sheet: CostSheet) -> Iterator[str]:
    buys = f"{sheet.buy_share:.0%}"
    yield from table(
        ("", "US dollars"),
        (
            ("a million buys", usd(sheet.buy.usd)),
            ("a million sells", usd(sheet.sell.usd)),
            (f"a million orders, {buys} of them buys", usd(sheet.mix.usd)),
            ("a month without orders", usd(sheet.standing.usd)),
            ("a month of keeping what a million orders leave behind", usd(sheet.stored_usd)),
        ),
    )
    dearest = sheet.mix.lines[:_DOMINATES]
    shares = ", ".join(f"{line.name} {line.usd / sheet.mix.usd:.0%}" for line in dearest)
    yield f"What dominates, in the mix: {shares}."
    yield ""


def _assumed(sheet: CostSheet) -> Iterator[str]:
    yield "## Assumed, not measured"
    yield ""
    rows = ((f"{getattr(sheet.assumptions, name)}", text) for name, text in EXPLAINED)
    yield from table(("", ""), rows)
    looks = sheet.assumptions
    yield f"So a pay page asks for its status {looks.pay_polls} times in all, and a desk"
    yield f"{looks.desk_polls} times an order."
    yield ""
    yield _NOT_COUNTED


def _bills(sheet: CostSheet) -> Iterator[str]:
    yield "## A million orders, by service"
    yield ""
    bills = (sheet.buy, sheet.sell, sheet.mix)
    by_name = [{line.name: line for line in bill.lines} for bill in bills]
    rows = [
        (
            line.name,
            line.unit,
            *(_cell(lines, line.name) for lines in by_name),
        )
        for line in sheet.mix.lines
    ]
    total = ("**total**", "", *(f"**{usd(bill.usd)}**" for bill in bills))
    yield from table(("", "unit", "buys", "sells", "mix"), [*rows, total])


def _cell(lines: dict[str, Line], name: str) -> str:
    line = lines.get(name)
    return "" if line is None else f"{count(line.quantity)} · {usd(line.usd)}"


def _steps(sheet: CostSheet) -> Iterator[str]:
    for name, steps in (("buy", sheet.buy_steps), ("sell", sheet.sell_steps)):
        yield f"## A {name}'s steps"
        yield ""
        head = (
            "step",
            "function",
            "times",
            "write units",
            "read units",
            "billed ms",
            "$ a million",
        )
        yield from table(head, map(_step_row, steps))


_STEP_HEAD = (
    "step",
    "function",
    "times",
    "write units",
    "read units",
    "billed ms",
    "$ a million",
)


def _step_row(step: StepCost) -> tuple[str, ...]:
    return (
        step.label,
        step.function,
        str(step.times),
        count(step.writes),
        count(step.reads),
        str(step.billed_ms),
        usd(step.usd),
    )


def _units(sheet: CostSheet) -> Iterator[str]:
    yield "## Request units of one order, by table and index"
    yield ""
    places = sorted({*sheet.buy_units, *sheet.sell_units}, key=lambda place: (place[1], place[0]))
    rows = (
        (
            place,
            kind,
            count(sheet.buy_units.get((kind, place), Decimal(0))),
            count(sheet.sell_units.get((kind, place), Decimal(0))),
        )
        for kind, place in places
    )
    yield from table(("table/index", "", "buy", "sell"), rows)


def _items(sheet: CostSheet) -> Iterator[str]:
    yield "## Items"
    yield ""
    rows = ((size.table, size.what, str(size.size_bytes)) for size in sheet.sizes)
    yield from table(("table", "item", "bytes at most"), rows)


def _storage(sheet: CostSheet) -> Iterator[str]:
    yield "## What a million orders leave behind"
    yield ""
    rows = (
        (
            each.what,
            f"{each.gigabytes:.1f}",
            "for ever" if each.months is None else f"{each.months * DAYS_A_MONTH:.0f} days",
            usd(each.usd_a_month),
        )
        for each in sheet.stored
    )
    yield from table(("", "GB", "kept", "$ a month"), rows)


def _month(sheet: CostSheet) -> Iterator[str]:
    yield "## A month without orders"
    yield ""
    rows = (
        (line.name, count(line.quantity), line.unit, usd(line.usd)) for line in sheet.standing.lines
    )
    yield from table(("", "quantity", "unit", "$ a month"), rows)


def _saving(sheet: CostSheet) -> Iterator[str]:
    yield "## What changes would save"
    yield ""
    rows = ((lever.what, usd(lever.usd), lever.per, lever.but) for lever in sheet.levers)
    yield from table(("change", "$ saved", "per", "but"), rows)


def _prices() -> Iterator[str]:
    yield "## Prices"
    yield ""
    rows = (
        (name, f"${price.usd} per {price.per:,} {price.unit}", price.source)
        for name, price in PRICES.items()
    )
    yield from table(("", "price", "found"), rows)
