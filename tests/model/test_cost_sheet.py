"""The cost sheet adds up, and counts what the handlers do."""

import re
import tomllib
from decimal import Decimal

import pytest

from bench.costs.page import HEAD, markdown
from bench.costs.sheet import MILLION, MINUTES_A_MONTH, PRICES, STORAGE, CostSheet, cost_sheet, usd
from tests.model.seen_requests import Walk, walk
from tests.support.template import ROOT, resources, template


@pytest.fixture(scope="module")
def seen() -> Walk:
    return walk(traders=20)


@pytest.fixture(scope="module")
def sheet(seen: Walk) -> CostSheet:
    return cost_sheet(seen)


def test_the_sheet_adds_up(sheet: CostSheet) -> None:
    for side, steps in sheet.steps.items():
        by_step = sum(usd(once) * times * MILLION for _, times, once in steps)
        assert by_step == pytest.approx(sheet.million_usd(side))
        names = PRICES.keys() & sheet.order[side].keys()
        by_price = sum(PRICES[name].of(sheet.order[side][name] * MILLION) for name in names)
        assert by_price == pytest.approx(sheet.million_usd(side))
        written = sum(units for (kind, _), units in sheet.units[side].items() if kind == "writes")
        assert written == sheet.order[side]["DynamoDB, writes"]
    both = sheet.million_usd("buy") + sheet.million_usd("sell")
    assert sheet.million_usd() == pytest.approx(both / 2)


def test_a_buys_creation_takes_two_requests_and_a_sells_one(seen: Walk) -> None:
    creations = [seen[side][0].requests for side in ("buy", "sell")]
    query, transaction = ("dynamodb", "Query"), ("dynamodb", "TransactWriteItems")
    assert creations == [[query, transaction], [transaction]]
    assert {place: units for place, units in seen["buy"][0].units.items() if units} == {
        ("reads", "Traders/rotation"): Decimal("1.5"),
        ("writes", "Guards"): 2,  # the nonce
        ("writes", "Orders"): 2 + 2 + 2,  # the number's reservation, the counter, the order
        ("writes", "Orders/all_orders"): 1,
        ("writes", "Orders/by_merchant"): 1 + 1,  # the order; its number in any case
        ("writes", "Orders/desk"): 1 + 1,  # the order; its ending
        ("writes", "Orders/due"): 1,
        ("writes", "Traders"): 2,
        ("writes", "Traders/rotation"): 2,  # moved to the end: deleted and put
    }


def test_an_order_costs_at_most_the_target(sheet: CostSheet) -> None:
    """The bounds: 18 API calls an order, 8 s of delay, and what an order costs.

    A page that shows an end within 10 s at any age takes 3 polls and 12 dollars more than the 15
    and 190 that were the targets. Lambda's compute (26 dollars) depends on the machine that
    measures it, so it is left out here. The page has it.
    """
    compute = "Lambda, compute (arm64)"
    assert sheet.million_usd() - PRICES[compute].of(sheet.order["mix"][compute] * MILLION) <= 176.5
    assert sheet.order["mix"]["API calls"] <= 18
    assert sheet.basis.confirmation.median_delay <= 8


def test_the_pages_figure_is_within_the_target_with_compute() -> None:
    page = (ROOT / "docs" / "costs.md").read_text("utf-8")
    assert page.startswith(HEAD)
    ((*_, mix),) = re.findall(
        r"^\| US dollars a million orders \| (.*) \| (.*) \| (.*) \|$", page, re.MULTILINE
    )
    table = page.partition("## What one order takes")[2].partition("##")[0]
    rows = dict(re.findall(r"^\| ([^|]+) \| .* \| ([\d.]+) \|$", table, re.MULTILINE))
    assert float(rows["Lambda, compute (arm64)"]) > 0
    assert sum(map(float, rows.values())) == pytest.approx(float(mix), abs=0.1)
    assert float(mix) <= 205, "the target is 190; polls every 9 s show an end within 10 s"


def test_what_the_sheet_leaves_out_is_not_billed() -> None:
    """A successful run writes no line of Lambda's own, and only some functions are traced."""
    functions = template()["Globals"]["Function"]
    assert functions["LoggingConfig"] == {"SystemLogLevel": "WARN"}
    assert functions["Tracing"] == "PassThrough"


def test_the_lives_are_whole(seen: Walk) -> None:
    """An order costs API calls from creation to completion, and two callbacks."""
    for side, pages in (("buy", 11), ("sell", 7)):
        functions = [step.function for step in seen[side]]
        assert sum("statusCode" in step.answer for step in seen[side]) == pages
        assert functions[0] == "create_order"
        assert functions.count("send_callback") == 2
    scheduled = {
        each["CodeUri"].removeprefix("functions/")
        for each in resources("AWS::Serverless::Function")
        if any(event["Type"] == "ScheduleV2" for event in each.get("Events", {}).values())
    }
    assert {step.function for step in seen["idle"]} == scheduled


def test_the_sheet_has_what_prod_switches_on(seen: Walk, sheet: CostSheet) -> None:
    prod = tomllib.loads((ROOT / "samconfig.toml").read_text("utf-8"))["prod"]
    given = prod["global"]["parameters"]["parameter_overrides"]
    assert sheet.basis.has_web_acl is ("WebAcl=true" in given)
    assert sheet.basis.has_access_logs is ("AccessLogs=true" in given)
    assert sheet.order["mix"]["WAF, requests"] == sheet.order["mix"]["API calls"]
    assert sheet.month["WAF, rules"] == 3


def test_an_idle_stack_pays_for_each_metric_of_an_alarm_and_each_poller(sheet: CostSheet) -> None:
    alarms = resources("AWS::CloudWatch::Alarm")
    assert sheet.month["CloudWatch, alarms"] > len(alarms)
    functions = resources("AWS::Serverless::Function")
    events = [event for each in functions for event in each.get("Events", {}).values()]
    polled = sum(event["Type"] == "SQS" for event in events)
    assert sheet.month["SQS"] == MINUTES_A_MONTH * sheet.basis.idle_receives * polled


def test_a_receipt_is_stored_as_the_bucket_keeps_it() -> None:
    rules = resources("AWS::S3::Bucket")[1]["LifecycleConfiguration"]["Rules"]
    (originals,) = (rule for rule in rules if rule.get("Prefix") == "originals/")
    days = originals["NoncurrentVersionExpiration"]["NoncurrentDays"]
    days += template()["Parameters"]["OriginalRetentionDays"]["Default"]
    stored = STORAGE["S3 Standard, stored"]
    file_kb, kept, page_kb, small_kb, months, least = map(int, re.findall(r"\d+", stored["why"]))
    assert kept == days
    assert stored["quantity"] == file_kb * days / 30 + (page_kb + small_kb) * months
    assert page_kb < least, "S3 does not archive such objects"


def test_measured_cpu_replaces_the_walks(seen: Walk, sheet: CostSheet) -> None:
    name = "Lambda, compute (arm64)"
    before = sheet.order["buy"][name]
    step = seen["buy"][0]
    walked_ms = step.cpu_ms
    slower = cost_sheet(seen, create_ms=1000.0)
    step.cpu_ms = walked_ms
    assert slower.order["buy"][name] - before > 1


def test_every_lever_is_worth_something_and_the_page_tells_all(sheet: CostSheet) -> None:
    page = markdown(sheet)
    worth = {what: orders + month for what, orders, month, _ in sheet.levers}
    assert worth.pop("a trader takes 20 orders an hour, not 60") < 0
    assert all(saved > 0 for saved in worth.values())
    names = [what for what, *_ in sheet.levers] + [name for name, *_ in sheet.steps["sell"]]
    for name in [*names, *PRICES, *(value for value, _ in sheet.basis.assumptions())]:
        assert f"| {name} |" in page
    assert page.isascii()
