"""The cost sheet: quantities of an order, cost of a million orders, saving of each lever."""

import gzip
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import yaml

from bench.costs.basis import Basis
from tests.model.seen_requests import Step, Walk, walk
from tests.support.template import resources


class Price(NamedTuple):
    """US dollars for `per` units, AWS's page about it, and where the number was found."""

    usd: str
    per: int
    unit: str
    page: str
    found: str

    def of(self, quantity: Decimal) -> Decimal:
        """Return the price of a quantity in US dollars."""
        return quantity * Decimal(self.usd) / self.per


_FILES = (Path(__file__).parent / f"{name}.yaml" for name in ("prices", "levers", "storage"))
_PRICES, _LEVERS, STORAGE = (yaml.safe_load(path.read_text("utf-8")) for path in _FILES)
PRICES = {name: Price(**each) for name, each in _PRICES.items()}
MILLION, GB = 1_000_000, Decimal(10**9)
FULL_CPU_MB = 1769  # a function with less memory has only part of a CPU
MINUTES_A_MONTH = 730 * 60
_S3 = {"PutObject": "S3, PUT and POST", "DeleteObject": "S3, DELETE (free)"}
_S3 |= dict.fromkeys(("GetObject", "HeadObject"), "S3, GET")

type Quantities = Mapping[str, Decimal]
"""By the name of the price; "API calls" and "Lambda ms" are billed under other names."""


@dataclass(frozen=True, slots=True)
class CostSheet:
    """The quantities of an order by side: "buy", "sell", and "mix" (half of each).

    `steps` has each step's name, times per order, and quantities of one time. `month` has the
    quantities of a month without orders. `units` has DynamoDB's units of one order by kind and
    table or index. A lever saves dollars per million orders and per month, and API calls an order.
    """

    basis: Basis
    steps: Mapping[str, list[tuple[str, Decimal, Quantities]]]
    order: Mapping[str, Quantities]
    month: Quantities
    units: Mapping[str, Mapping[tuple[str, str], Decimal]]
    levers: list[tuple[str, Decimal, Decimal, Decimal]]

    def million_usd(self, side: str = "mix") -> Decimal:
        """Return the cost of a million orders in US dollars."""
        return usd(self.order[side]) * MILLION


def cost_sheet(seen: Walk | None = None, create_ms: float | None = None) -> CostSheet:
    """Create the sheet; `create_ms` is a better measurement of createOrder's CPU time."""
    basis, seen = Basis(), seen or walk()
    if create_ms is not None:
        seen["buy"][0].cpu_ms = create_ms - 2 * float(basis.request_cpu_ms)
    now, levers = _sheet(seen, basis), []
    for what, change in _LEVERS.items():
        then = _sheet(seen, replace(basis, **change))
        saved = now.million_usd() - then.million_usd(), usd(now.month) - usd(then.month)
        calls = now.order["mix"]["API calls"] - then.order["mix"]["API calls"]
        levers.append((what, *saved, calls))
    return replace(now, levers=sorted(levers, key=lambda lever: -sum(lever[1:3])))


def _sheet(seen: Walk, basis: Basis) -> CostSheet:
    steps = {side: _steps(seen, side, basis) for side in ("buy", "sell")}
    order = {side: _total((once, times) for _, times, once in steps[side]) for side in steps}
    order["mix"] = _total((each, Decimal("0.5")) for each in order.values())
    units = {side: _total((s.units, basis.times(s.name)) for s in seen[side]) for side in steps}
    return CostSheet(basis, steps, order, _month(seen, basis), units, [])


def usd(quantities: Quantities) -> Decimal:
    """Return the cost of quantities in US dollars."""
    priced = (PRICES[name].of(taken) for name, taken in quantities.items() if name in PRICES)
    return sum(priced, Decimal(0))


def _steps(seen: Walk, side: str, basis: Basis) -> list[tuple[str, Decimal, Quantities]]:
    idle = {run.name: _taken(run, basis) for run in seen["idle"]}
    steps: list[tuple[str, Decimal, Quantities]] = []
    for step in seen[side]:
        # The cost of a scheduled run with nothing to do belongs to the month.
        parts = [(_taken(step, basis), 1), (idle.get(step.name, {}), -1)]
        steps.append((step.name, basis.times(step.name), _total(parts)))
    taken = {"S3, PUT and POST": Decimal(1), "S3, GET": Decimal(4)}
    taken["Data out"] = basis.receipt_kb / MILLION
    return [*steps, ("receipt: S3 and browsers", Decimal(1), taken)]


def _taken(step: Step, basis: Basis) -> Quantities:
    """Return the billed quantities of one run of a step."""
    taken: defaultdict[str, Decimal] = defaultdict(Decimal)
    for (kind, _), units in step.units.items():
        taken[f"DynamoDB, {kind}"] += units
    for service, operation in step.requests:
        if service in {"s3", "sqs"}:
            taken["SQS" if service == "sqs" else _S3[operation]] += 1
    ms = taken["Lambda ms"] = _billed_ms(step, basis)
    taken["Lambda, requests"] += 1
    taken["Lambda, compute (arm64)"] += ms / 1000 * basis.memory_mb[step.function] / 1024
    if basis.tracing.get(step.function) == "Active":
        taken["X-Ray"] += basis.traced_share
    printed = sum(len(line.encode()) + basis.log_line_bytes for line in step.log)
    taken["Logs, ingested"] += printed / GB
    if "statusCode" in step.answer:
        body = str(step.answer.get("body") or "").encode()
        headers = sum(len(f"{n}: {v}\r\n") for n, v in step.answer["headers"].items())
        is_small = len(body) < basis.compressed_from
        sent = len(body) if is_small else len(gzip.compress(body))
        taken["API calls"] = taken[basis.api] = Decimal(1)
        if basis.has_web_acl:
            taken["WAF, requests"] = Decimal(1)
        if basis.has_access_logs:
            taken["Logs, ingested"] += (basis.access_log_bytes + basis.log_line_bytes) / GB
        taken["Data out"] += (sent + headers + basis.header_bytes) / GB
    if step.name == "send_callback":
        taken["SQS"] += 2  # Lambda receives the message and deletes it
        taken["Data out"] += basis.callback_bytes / GB
    if step.function == "create_order" or step.name == "send_callback":
        taken["DynamoDB, reads"] += 2 / basis.cached_orders  # the merchant and the rates
        taken["KMS"] += basis.cold_share
    return taken


def _billed_ms(step: Step, basis: Basis) -> Decimal:
    """Return CPU time at the function's share of a CPU, plus waits, plus a share of cold starts."""
    waits = {"GetItem": basis.get_ms, "TransactWriteItems": basis.transaction_ms}
    own = {"send_callback": basis.callback_ms, "render_receipt": basis.drawing_ms}
    waits["Invoke"] = basis.drawing_ms + 3 * basis.other_ms
    ms = own.get(step.name, Decimal(0))
    for service, operation in step.requests:
        usual_ms = basis.dynamodb_ms if service == "dynamodb" else basis.other_ms
        ms += waits.get(operation, usual_ms)
    if step.function == "render_receipt":  # it stores its files at the same time
        ms -= (step.requests.count(("s3", "PutObject")) - 1) * basis.other_ms
    cpu_ms = Decimal(step.cpu_ms) + len(step.requests) * basis.request_cpu_ms
    slower = Decimal(FULL_CPU_MB) / min(basis.memory_mb[step.function], FULL_CPU_MB)
    return math.ceil(ms + cpu_ms * slower) + basis.cold_share * basis.cold_ms


def _total[T](parts: Iterable[tuple[Mapping[T, Decimal], Decimal | int]]) -> Mapping[T, Decimal]:
    """Add up the quantities of each part, times its number."""
    added: defaultdict[T, Decimal] = defaultdict(Decimal)
    for part, times in parts:
        for name, quantity in part.items():
            added[name] += quantity * times
    return added


def _month(seen: Walk, basis: Basis) -> Quantities:
    printed = "".join(line for steps in seen.values() for step in steps for line in step.log)
    metrics = len(set(re.findall(r'"Name": ?"(\w+)", ?"Unit"', printed)))
    functions = resources("AWS::Serverless::Function")
    events = [event for each in functions for event in each.get("Events", {}).values()]
    pollers = sum(event["Type"] == "SQS" for event in events)
    watched = [each.get("Metrics", []) for each in resources("AWS::CloudWatch::Alarm")]
    alarms = sum(sum("MetricStat" in each for each in metrics) or 1 for metrics in watched)
    idle = [(run, _runs_a_month(run.function)) for run in seen["idle"]]
    kept = {
        "Scheduler": sum((runs for _, runs in idle), Decimal(0)),
        "SQS": MINUTES_A_MONTH * basis.idle_receives * pollers,
        "CloudWatch, metrics": Decimal(metrics),
        "CloudWatch, alarms": Decimal(alarms),
        "CloudWatch, dashboards": Decimal(len(resources("AWS::CloudWatch::Dashboard"))),
        "KMS, keys": Decimal(len(resources("AWS::KMS::Key"))),
    }
    if basis.has_web_acl:
        rules = sum(len(each["Rules"]) for each in resources("AWS::WAFv2::WebACL"))
        kept |= {"WAF, web ACLs": Decimal(1), "WAF, rules": Decimal(rules)}
    return _total([(kept, 1), *((_taken(run, basis), runs) for run, runs in idle)])


def _runs_a_month(function: str) -> Decimal:
    """Return how often the most frequent schedule invokes a function, as prod runs it."""
    (properties,) = (
        each
        for each in resources("AWS::Serverless::Function")
        if each["CodeUri"].endswith(f"/{function}")
    )
    schedules = [each for each in properties["Events"].values() if each["Type"] == "ScheduleV2"]
    written = [each["Properties"]["ScheduleExpression"] for each in schedules]
    minutes = (re.search(r"rate\((\d+) minutes?\)\W*$", str(rate)) for rate in written)
    return Decimal(MINUTES_A_MONTH) / min(int(each[1]) for each in minutes if each)
