"""The needs in docs/capacity.md are those of docs/costs.md for 300 orders per second."""

import re

import pytest

from tests.support.template import ROOT, template

PER_SECOND, DAY_SECONDS = 300, 86_400
CAPACITY = (ROOT / "docs" / "capacity.md").read_text(encoding="utf-8")
COSTS = (ROOT / "docs" / "costs.md").read_text(encoding="utf-8")
TAKEN = COSTS.partition("## What one order takes")[2]
# Other machines and small changes move the cost sheet by less. Review the page after more.
CLOSE = 0.15


def numbers(text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in re.findall(r"\d[\d,.]*(?:e-\d+)?", text)]


def row(page: str, name: str) -> list[str]:
    """Return the cells of the first row that begins with a name."""
    line = next(line for line in page.splitlines() if line.startswith(f"| {name}"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def taken(name: str) -> float:
    """Return the use per second in the unit of the cost sheet. Half of the orders are buys."""
    return numbers(row(TAKEN, f"{name} |")[4])[0] * PER_SECOND


def written(table: str) -> float:
    cells = row(COSTS, f"{table} | writes |")
    return sum(numbers(" ".join(cells[2:]))) / 2 * PER_SECOND


NEEDS = {
    "API Gateway, requests": taken("API Gateway, REST"),
    "the stage's throttle": taken("API Gateway, REST"),
    "Lambda, runs at once": taken("Lambda ms") / 1000,
    "DynamoDB, a table's units": taken("DynamoDB, writes"),
    "DynamoDB, a new on-demand table": written("Ledger"),
    "KMS": taken("KMS"),
    "S3, one prefix": taken("S3, PUT and POST"),
    "SQS": taken("SQS"),
    "CloudWatch Logs": taken("Logs, ingested") * 1000,
    "X-Ray": taken("X-Ray"),
}


@pytest.mark.parametrize("name", NEEDS)
def test_a_need_is_that_of_the_cost_sheet(name: str) -> None:
    assert numbers(row(CAPACITY, name)[2])[0] == pytest.approx(NEEDS[name], rel=CLOSE)


def test_a_default_that_suffices_has_a_margin() -> None:
    suffices = CAPACITY.partition("## What suffices")[2].partition("## One partition")[0]
    for name, need in NEEDS.items():
        same_unit = name != "CloudWatch Logs"  # a quota of requests; the sheet counts bytes
        if f"| {name}" in suffices and same_unit and (default := numbers(row(CAPACITY, name)[1])):
            assert default[0] >= 1.5 * need


def test_the_cost_of_a_day_is_that_of_the_cost_sheet() -> None:
    million = numbers(row(COSTS, "US dollars a million orders")[3])[0]
    orders = PER_SECOND * DAY_SECONDS
    assert numbers(row(CAPACITY, "orders |")[1])[0] == orders
    day = numbers(row(CAPACITY, "dollars, without")[1])[0]
    assert day == pytest.approx(million * orders / 1e6, rel=CLOSE)


def test_concurrent_callbacks_are_those_of_the_template() -> None:
    sender = template()["Resources"]["SendCallbackFunction"]["Properties"]
    most = sender["Events"]["Callbacks"]["Properties"]["ScalingConfig"]["MaximumConcurrency"]
    assert numbers(row(CAPACITY, "the queue of callbacks")[1])[0] == most
