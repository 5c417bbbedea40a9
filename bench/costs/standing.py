"""What is billed by the month, whether orders come or not; and what orders leave behind."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from bench.costs import schema
from bench.costs.lives import MILLION, lives, mixed
from bench.costs.prices import PRICES
from bench.costs.quantities import GB, Basis, Quantities, quantities_of, scaled, total
from bench.costs.units import STORED_OVERHEAD_BYTES, Table, WireItem
from bench.costs.walk import Life, Walk
from bench.model.sizes import item_bytes

MINUTES_A_MONTH = Decimal(730 * 60)
DAYS_A_MONTH = Decimal("30.4")
RECEIPTS = "receipts in S3"
_GONE_SOON = "Guards"
_TTL_TABLE = "Callbacks"


@dataclass(frozen=True, slots=True)
class Stored:
    """What a million orders leave behind: how much, for how long, and what it costs a month."""

    what: str
    gigabytes: Decimal
    months: Decimal | None
    usd_a_month: Decimal


def standing(walk: Walk, basis: Basis) -> Quantities:
    """Give the quantities of a month without an order."""
    assumed = basis.assumptions
    runs = [scaled(quantities_of(run, basis), MINUTES_A_MONTH) for run in walk.idle]
    own_metrics = {name for step in (*walk.buy, *walk.sell, *walk.idle) for name in step.metrics}
    by_filters = min(1, schema.count_of("AWS::Logs::MetricFilter"))
    of_methods = (
        schema.api_methods() * assumed.metrics_an_api_method if basis.detailed_metrics else 0
    )
    kept = {
        "Scheduler": MINUTES_A_MONTH * len(walk.idle),
        "SQS": MINUTES_A_MONTH * assumed.idle_receives_a_minute,
        "CloudWatch, metrics": Decimal(len(own_metrics) + by_filters + of_methods),
        "CloudWatch, alarms": Decimal(schema.count_of("AWS::CloudWatch::Alarm")),
        "CloudWatch, dashboards": Decimal(schema.count_of("AWS::CloudWatch::Dashboard")),
        "KMS, keys": Decimal(schema.count_of("AWS::KMS::Key")),
    }
    return total([*runs, kept])


def stored(walk: Walk, basis: Basis, buy_share: Decimal) -> tuple[Stored, ...]:
    """Give what a million orders leave behind, in the mix."""
    shares = ((walk.buy, buy_share), (walk.sell, 1 - buy_share))
    per_table: dict[str, tuple[Decimal, Decimal]] = {}
    for name, table in basis.tables.items():
        sizes = [(_left_bytes(life, name, table), share) for life, share in shares]
        own = sum((Decimal(size[0]) * share for size, share in sizes), Decimal(0))
        indexed = sum((Decimal(size[1]) * share for size, share in sizes), Decimal(0))
        per_table[name] = own * MILLION / GB, indexed * MILLION / GB
    receipts = basis.assumptions.receipt_kb * 1000 * MILLION / GB
    buy, sell = lives(walk, basis)
    order = mixed(buy.quantities, sell.quantities, buy_share)
    logs = order["Logs, ingested"] * MILLION
    return (
        *(_of_table(name, *sizes) for name, sizes in per_table.items() if sum(sizes)),
        Stored(
            RECEIPTS,
            receipts,
            _months("ReceiptRetentionDays"),
            PRICES["S3, stored"].of(receipts),
        ),
        Stored("logs", logs, _months("LogRetentionDays"), PRICES["Logs, stored"].of(logs)),
    )


def _of_table(name: str, own: Decimal, indexed: Decimal) -> Stored:
    usd = PRICES["DynamoDB, stored"].of(own + indexed)
    usd += PRICES["DynamoDB, point-in-time recovery"].of(own)
    months = _months("CallbackRetentionDays") if name == _TTL_TABLE else None
    return Stored(f"{name}, with its indexes", own + indexed, months, usd)


def _months(parameter: str) -> Decimal:
    return schema.parameter_default(parameter) / DAYS_A_MONTH


def _left_bytes(life: Life, name: str, table: Table) -> tuple[int, int]:
    """Give the bytes of what a life adds to a table, and to its indexes."""
    if name == _GONE_SOON:
        return 0, 0
    added = list(_added_items(life, name))
    own = sum(item_bytes(item) + STORED_OVERHEAD_BYTES for item in added)
    entries = (index.entry(item, table.keys) for index in table.indexes for item in added)
    indexed = sum(item_bytes(e) + STORED_OVERHEAD_BYTES for e in entries if e is not None)
    return own, indexed


def _added_items(life: Life, name: str) -> Iterable[WireItem]:
    """Give the last state of each item that was not there before the life."""
    writes = [w for step in life for r in step.requests for w in r.writes if w.table == name]
    last = {_text_of(write.key): write for write in writes}
    first = {_text_of(write.key): write for write in reversed(writes)}
    for key, write in last.items():
        if first[key].before is None and write.after is not None:
            yield write.after


def _text_of(key: Mapping[str, object]) -> str:
    return str(sorted(key.items()))
