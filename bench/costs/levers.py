"""What a change would be worth: the same run counted again, as if the change had been made."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from bench.costs.lives import lives, mixed, usd_of_million
from bench.costs.prices import PRICES
from bench.costs.quantities import Basis
from bench.costs.records import Invocation, Request, Write
from bench.costs.standing import RECEIPTS, standing, stored
from bench.costs.units import Index, WireItem
from bench.costs.walk import Walk

_LEAST_USD = Decimal("0.05")
_SHORT_PAGE = 16
_NEEDED_TO_MATCH = frozenset(
    {
        "available_micro",
        "daily_cap_fen",
        "daily_day",
        "daily_used_fen",
        "held_micro",
        "max_cny_fen",
        "max_open",
        "methods",
        "min_cny_fen",
        "open_orders",
        "version",
    }
)


@dataclass(frozen=True, slots=True)
class Lever:
    """A change, and what it saves in US dollars: of a million orders, or `per` something else."""

    what: str
    usd: Decimal
    per: str = "million orders"
    but: str = ""


def levers(walk: Walk, basis: Basis, buy_share: Decimal) -> tuple[Lever, ...]:
    """Give what is worth anything, the largest first."""
    now = _usd(walk, basis, buy_share)

    def saved(what: str, changed: Basis, but: str = "", *, seen: Walk = walk) -> Lever:
        return Lever(what, now - _usd(seen, changed, buy_share), but=but)

    assumed = basis.assumptions
    slow_desk = replace(assumed, desk_poll_seconds=2 * assumed.desk_poll_seconds)
    one_download = replace(assumed, receipt_downloads=Decimal(1))
    one_percent = replace(assumed, traced_share=Decimal("0.01"))
    found = [
        saved(
            "HTTP API instead of REST API",
            replace(basis, api_price="API Gateway, HTTP"),
            "no WAF, no gateway responses: the contract's envelope on every answer asks for REST",
        ),
        saved("API Gateway compresses answers", replace(basis, pages_compressed=True)),
        saved("Lambda logs no lines of its own", replace(basis, lambda_logs_each_run=False)),
        saved("X-Ray traces 1 %", replace(basis, assumptions=one_percent)),
        saved(
            "desks ask every ten seconds, not five",
            replace(basis, assumptions=slow_desk),
            "a trader sees an order five seconds later",
        ),
        saved(
            "a browser loads a receipt once: its address is signed for a rounded time",
            replace(basis, assumptions=one_download),
        ),
        saved(
            "Callbacks/by_order holds keys only",
            _with_index(basis, "Callbacks", "by_order", frozenset()),
            "an operator's list reads each delivery by its key",
        ),
        saved(
            "a delivery keeps its event's fields, not its JSON in JSON: below 1 KB",
            basis,
            seen=_with_steps(walk, _event_as_fields),
        ),
        saved(
            f"a match first reads {_SHORT_PAGE} traders of the rotation, not 64",
            basis,
            "more requests where few of them fit, and less choice under contention",
            seen=_with_steps(walk, _short_rotation),
        ),
        saved(
            "Traders/rotation holds what matching needs",
            _with_index(basis, "Traders", "rotation", _NEEDED_TO_MATCH),
            "an entry is no whole trader any more",
        ),
        _metrics_lever(walk, basis),
        _receipts_lever(walk, basis, buy_share),
    ]
    worth_it = [lever for lever in found if lever.usd >= _LEAST_USD]
    return tuple(sorted(worth_it, key=lambda lever: -lever.usd))


def _usd(walk: Walk, basis: Basis, buy_share: Decimal) -> Decimal:
    buy, sell = lives(walk, basis)
    return usd_of_million(mixed(buy.quantities, sell.quantities, buy_share))


def _metrics_lever(walk: Walk, basis: Basis) -> Lever:
    now = standing(walk, basis)["CloudWatch, metrics"]
    then = standing(walk, replace(basis, detailed_metrics=False))["CloudWatch, metrics"]
    usd = PRICES["CloudWatch, metrics"].of(now - then)
    return Lever("API Gateway keeps no metrics of each method", usd, "month, all methods in use")


def _receipts_lever(walk: Walk, basis: Basis, buy_share: Decimal) -> Lever:
    [receipts] = [each for each in stored(walk, basis, buy_share) if each.what == RECEIPTS]
    assert receipts.months is not None
    months = receipts.months - 1
    cold = PRICES["S3 Glacier Instant Retrieval, stored"]
    saved = (receipts.usd_a_month - cold.of(receipts.gigabytes)) * months
    moved = PRICES["S3 Glacier Instant Retrieval, moved"].of(Decimal(1_000_000))
    what = "receipts move to Glacier Instant Retrieval after 30 days"
    return Lever(what, saved - moved, "million orders, over the receipts' life")


def _with_index(basis: Basis, table: str, name: str, projected: frozenset[str]) -> Basis:
    """Change what an index holds."""
    old = basis.tables[table]
    indexes = tuple(
        Index(index.name, index.keys, projected) if index.name == name else index
        for index in old.indexes
    )
    return replace(basis, tables={**basis.tables, table: replace(old, indexes=indexes)})


def _with_steps(walk: Walk, change: Callable[[Request], Request]) -> Walk:
    """Change every request."""

    def step(seen: Invocation) -> Invocation:
        return replace(seen, requests=tuple(map(change, seen.requests)))

    return replace(walk, buy=tuple(map(step, walk.buy)), sell=tuple(map(step, walk.sell)))


def _short_rotation(seen: Request) -> Request:
    if seen.read is None or seen.read.index != "rotation":
        return seen
    return replace(seen, read=replace(seen.read, items=seen.read.items[:_SHORT_PAGE]))


def _event_as_fields(seen: Request) -> Request:
    """Write deliveries with what their event's JSON holds and they do not."""

    def write(each: Write) -> Write:
        return replace(each, before=_flat(each.before), after=_flat(each.after))

    return replace(seen, writes=tuple(map(write, seen.writes)))


def _flat(item: WireItem | None) -> WireItem | None:
    if item is None or "event" not in item:
        return item
    event: Mapping[str, Any] = json.loads(item["event"]["S"])
    rest = {name: value for name, value in item.items() if name != "event"}
    fields = {"body": {"S": event["body"]}, "timestamp": {"N": str(event["timestamp"])}}
    own_url = event["callback_url"]
    return {**rest, **fields, **({"callback_url": {"S": own_url}} if own_url else {})}
