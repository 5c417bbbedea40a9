"""The contract and its guides agree with the code: their tables are compared with the code's."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import click
import pytest

from orderdesk.adapters.callback_http.wire import DEFAULT_LIMITS
from orderdesk.domain.callbacks.delivery import DeliveryState
from orderdesk.domain.callbacks.events import CallbackType, callback_type
from orderdesk.domain.callbacks.schedule import GAPS_SECONDS
from orderdesk.domain.merchants.signing import JsonNumber, JsonValue, sign, string_to_sign
from orderdesk.domain.money import format_rate, format_usdt
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.domain.orders.order import DecidedClaim, OrderStatus, Refund, Reversal
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import FeePolicy, OrderType, Quote, quote
from orderdesk.services import attempt_limits
from orderdesk.web.codes import CODES, SUCCESS, BodyTooLarge, WrongContentType, code_of
from orderdesk.web.merchant import views
from orderdesk.web.merchant.create_order import BuyParameters, IdentityParameters, SellParameters
from orderdesk.web.merchant.parameters import integer
from orderdesk.web.operator.declare import Command
from orderdesk.web.operator.endpoint import COMMANDS
from orderdesk.web.operator.refusals import OPERATOR_CODES
from orderdesk.web.pages.pay.page import PACES
from orderdesk_cli.main import app
from tests.infra.markdown import code_spans, read_document, sections, table, tables
from tests.support.orders import held_draft, order_in
from tests.support.programs import printed
from tests.support.template import ROOT, template
from tests.support.world import desk_routes, load_function, open_world
from tools import modules

CONTRACT = read_document("docs/contract.md")
# The guides continue the numbers of the contract's sections.
GUIDES = {
    8: ("docs/pages.md", "docs/traders.md"),
    9: ("docs/operators.md",),
    10: ("docs/local-stack.md",),
    11: ("docs/operators-api.md",),
    12: ("docs/portal.md",),
    13: ("docs/books.md",),
}
SECTIONS = sections(CONTRACT) | {
    number: "\n".join(map(read_document, names)) for number, names in GUIDES.items()
}
NOW = 1_763_700_000


def code(cell: str) -> str:
    """Return a cell without its backticks."""
    return cell.strip("`")


def in_one_line(section: int) -> str:
    """Return a section with its line ends as spaces."""
    return " ".join(SECTIONS[section].split())


# Section 2


def parsed(text: str) -> dict[str, JsonValue]:
    """Return an example's parameters from its string to sign."""
    lines = [line.split("=", 1) for line in text.splitlines()[1:]]
    return {
        name: json.loads(value)
        if value.startswith("{")
        else (JsonNumber(value) if re.fullmatch(r"[0-9.]+", value) else value)
        for name, value in lines
    }


def test_the_signing_example_is_right() -> None:
    example = SECTIONS[2].split("**Worked example.**")[1]
    (text,) = re.findall(r"```text\n(.*?)\n```", example, re.DOTALL)
    (api_secret,) = re.findall(r"`(sk_\w+)`", example)
    (signature,) = re.findall(r"`([0-9a-f]{64})`", example)
    method, path = text.splitlines()[0].split(" ")

    assert string_to_sign(method, path, {**parsed(text), "remark": ""}) == text
    assert sign(api_secret, text) == signature


# Section 3


def test_the_codes_are_the_table_of_the_code() -> None:
    documented = {
        code(reason): (int(number), {int(status) for status in statuses.split(", ")})
        for number, statuses, reason, *_ in table(SECTIONS[3], "Code", "HTTP", "Reason")
    }
    known = {reason: (each.code, {each.status}) for reason, each in CODES.items()}
    known[""] = (SUCCESS.code, {SUCCESS.status})
    for refusal in (BodyTooLarge(), WrongContentType()):
        known[refusal.reason][1].add(code_of(refusal).status)
    assert documented == known


# Sections 4 and 8


def routes() -> Iterator[tuple[str, str]]:
    """Yield the method and path of every route of merchants, payers and traders."""
    for resource in template()["Resources"].values():
        for event in resource["Properties"].get("Events", {}).values():
            if event["Type"] == "Api" and event["Properties"]["RestApiId"] == {"Ref": "Api"}:
                yield event["Properties"]["Method"], event["Properties"]["Path"]
    yield from desk_routes()


OF_SECTION: dict[int, Callable[[str], bool]] = {
    4: lambda path: path.startswith(("/merchant/", "/test/")),
    8: lambda path: not path.startswith(("/merchant/", "/test/", "/portal", "/trader/{proxy+}")),
}


@pytest.mark.parametrize("section", OF_SECTION)
def test_the_routes_are_those_of_the_template(section: int) -> None:
    rows = [row for rows in tables(SECTIONS[section], "Method", "Path") for row in rows]
    documented = [(row[0], code(row[1])) for row in rows]
    assert len(documented) == len(set(documented))
    assert set(documented) == {route for route in routes() if OF_SECTION[section](route[1])}


def test_the_portals_routes_are_those_of_its_function() -> None:
    rows = tables(SECTIONS[12], "Method", "Path")[0]
    with open_world():
        known = set(load_function("merchant_portal").ROUTES)
    assert {(row[0], code(row[1])) for row in rows} == known


def fields(heading: str, place: int = 0) -> list[str]:
    """Return the fields of a table of section 4 under a heading of the third level."""
    part = SECTIONS[4].split(f"### {heading}\n")[1].split("\n### ")[0]
    return [row[0] for row in tables(part, "Field")[place]]


def test_create_orders_parameters() -> None:
    models = BuyParameters, SellParameters, IdentityParameters
    known = {name for model in models for name in model.model_fields}
    known |= {"payment_method", "metadata"}
    assert set(fields("createOrder: parameters")) == known


def test_a_payment_methods_fields() -> None:
    assert set(fields("payment_method")) == set(PaymentMethod.__dataclass_fields__) - {"account_no"}


def test_a_payment_methods_types() -> None:
    known = [kind.value for kind in MethodType]
    (rule,) = (
        rule
        for name, *_, rule in tables(SECTIONS[4], "Field", "Type", "Buy", "Sell")[0]
        if name == "method_type"
    )
    assert code_spans(rule) == known
    (columns,) = re.findall(
        r"^\| Field \| Type (\| `bank` .*)\| Rule \|$", SECTIONS[4], re.MULTILINE
    )
    assert code_spans(columns) == known


BUY = order_in(OrderType.BUY, OrderStatus.PENDING, since=NOW)
SELL = order_in(OrderType.SELL, OrderStatus.MATCHING, since=NOW)
DRAFT = held_draft(NOW)
LOWERED = replace(BUY, sums=replace(BUY.sums, requested_fen=BUY.quote.cny_fen, reported_fen=900_00))
SENT = replace(
    LOWERED,
    given=replace(LOWERED.given, remark="r", metadata={"a": "b"}, callback_url="c", return_url="d"),
    undone=replace(
        LOWERED.undone,
        reversals=(Reversal("P1", NOW, 1),),
        refund_of="B1",
        refunds=(Refund("S1", 1),),
    ),
    late=replace(LOWERED.late, claims=(DecidedClaim("P1", NOW, "t1", is_paid=True),)),
    status=OrderStatus.CANCELLED,
)


def test_create_orders_answers() -> None:
    assert fields("createOrder: answer for a buy") == list(views.created_buy(LOWERED, "url"))
    assert fields("createOrder: answer for a buy", 1) == list(views.held_draft(DRAFT, "url"))
    assert fields("createOrder: answer for a sell") == list(views.created_sell(SELL))


def test_query_orders_answers() -> None:
    buy, sell = views.queried_order(SENT, "url", NOW), views.queried_order(SELL, None, NOW)
    assert fields("queryOrder") == list({**buy, **sell})

    assert {*views.draft_facts(DRAFT, DraftStatus.HELD), "identity_url", "order_no"} == set(
        fields("queryOrder", 1)
    )


# Section 5


def amounts(of: Quote) -> dict[str, str]:
    return {
        "rate": format_rate(of.rate_e4),
        "usdt_amount": format_usdt(of.usdt_micro),
        "service_amount": format_usdt(of.service_micro),
        "merchant_amount": format_usdt(of.merchant_micro),
        "deposit_amount": format_usdt(of.deposit_micro),
        "merchant_actual_amount": format_usdt(of.merchant_actual_micro),
    }


@pytest.mark.parametrize(("side", "column"), [(OrderType.BUY, 1), (OrderType.SELL, 2)])
def test_the_worked_amounts_are_right(side: OrderType, column: int) -> None:
    given, worked = SECTIONS[5].split("**Worked example:**")[1].split("|", 1)
    cny, service_bps, deposit_bps = (
        int(found.replace(".", ""))
        for pattern in (r"([0-9.]+) CNY", r"service_bps (\d+)", r"deposit_bps (\d+)")
        for found in re.findall(pattern, given)
    )
    documented = {row[0]: row[column] for row in table("|" + worked, "Amount", "Buy", "Sell")}
    policy = FeePolicy(service_bps=service_bps, deposit_bps=deposit_bps)
    rate_e4 = int(documented["rate"].replace(".", ""))

    assert amounts(quote(side, cny, rate_e4, policy)) == documented


# Section 6


@pytest.mark.parametrize(
    ("column", "known"), [("Order status", OrderStatus), ("Draft status", DraftStatus)]
)
def test_the_statuses(column: str, known: type[OrderStatus | DraftStatus]) -> None:
    assert {code(row[0]) for row in table(SECTIONS[6], column)} == set(known)


def test_the_modules_with_subjects_of_their_own_exist() -> None:
    assert set(modules.ALSO) <= set(modules.modules())


# Section 7


def callbacks_by_status() -> Iterator[tuple[CallbackType, str]]:
    """Yield the callback of each status of an order or draft, with the contract's words for it."""
    for status in OrderStatus:
        kind = callback_type(BUY, replace(BUY, status=status, sequence=BUY.sequence + 1))
        if kind is not None:
            yield kind, f"the order is `{status}`"
    for state in DraftStatus:
        kind = callback_type(DRAFT, replace(DRAFT, status=state, sequence=DRAFT.sequence + 1))
        if kind is not None:
            yield kind, f"the draft is `{state}`"


def test_the_callbacks_types_and_when_each_comes() -> None:
    documented = {
        CallbackType(code(kind)): when for kind, when in table(SECTIONS[7], "Type", "When")
    }
    assert documented.pop(CallbackType.ORDER_CREATED).startswith(
        "an order was created from a draft"
    )
    assert documented.pop(CallbackType.ENDPOINT_TEST).startswith("testCallback was called")
    assert documented.pop(CallbackType.ENDPOINT_DISABLED).startswith("another of your endpoints")
    assert documented.pop(CallbackType.ACCOUNT_NOTICE).startswith("an endpoint, a person or a key")
    assert documented.pop(CallbackType.ORDER_REVERSED).startswith("a part of the completed order")
    assert documented == dict(callbacks_by_status())
    others = {
        *(CallbackType.ORDER_CREATED, CallbackType.ENDPOINT_TEST),
        *(CallbackType.ENDPOINT_DISABLED, CallbackType.ORDER_REVERSED),
        CallbackType.ACCOUNT_NOTICE,
    }
    assert others | set(documented) == set(CallbackType)


def test_the_schedule() -> None:
    gaps = SECTIONS[7].split("sent again after")[1].split(", each")[0]
    seconds = {"s": 1, "min": 60, "h": 3600}
    documented = [int(n) * seconds[unit] for n, unit in re.findall(r"(\d+) (s|min|h)\b", gaps)]
    assert documented == list(GAPS_SECONDS)


def test_the_limits_of_an_exchange() -> None:
    documented = in_one_line(7)
    assert f"any 2xx within {DEFAULT_LIMITS.whole_seconds} s." in documented
    assert f"accepted within {DEFAULT_LIMITS.connect_seconds} s." in documented
    assert f"At most {DEFAULT_LIMITS.received_bytes // 1024} KiB of the answer" in documented
    assert f"the first {DEFAULT_LIMITS.kept_bytes // 1024} KiB of the answer" in documented


def test_the_delivery_states() -> None:
    assert {code(row[0]) for row in table(SECTIONS[7], "Delivery state")} == set(DeliveryState)


# Section 8


def test_the_limits_of_attempts() -> None:
    known = [
        attempt_limits.WRONG_LINKS,
        attempt_limits.LINK_POSTS,
        attempt_limits.WRONG_CODES,
        attempt_limits.CODE_LOOKUPS,
        attempt_limits.DESK_POSTS,
        attempt_limits.PUSH_POSTS,
        attempt_limits.PORTAL_SIGN_INS,
        attempt_limits.PORTAL_LOGINS,
        attempt_limits.PORTAL_LOOKUPS,
        attempt_limits.PORTAL_POSTS,
        attempt_limits.PORTAL_FILES,
    ]
    assert {limit.window_seconds for limit in known} == {600}
    assert [integer(row[1]) for row in table(SECTIONS[8], "What", "At most")] == [
        limit.most for limit in known
    ]


def test_how_often_pages_poll() -> None:
    pages = ROOT / "layers" / "common" / "orderdesk" / "web" / "pages"
    (desk_ms,) = re.findall(r"\bBEAT = (\d+)", (pages / "desk" / "watch.js").read_text("utf-8"))
    assert f"page of the desk polls every {int(desk_ms) // 1000} s" in in_one_line(8)
    pending, paid = PACES[OrderStatus.PENDING], PACES[OrderStatus.PAID]
    assert f"after {pending[0].wait} s and then every {pending[1].wait} s;" in in_one_line(8)
    assert f"after {paid[0].wait} s, then every {paid[1].wait} s at any age" in in_one_line(8)


# Section 9


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield every command of the CLI with its full name."""
    for name, command in app.commands.items():
        if hasattr(command, "commands"):
            for part, its in command.commands.items():
                yield f"{name} {part}", its
        else:
            yield name, command


def options_of(command: click.Command) -> set[str]:
    first = {param.opts[0] for param in command.params if param.opts[0].startswith("--")}
    return first - {"--json", "--stack", "--help", "--alone"}


def with_terms(section: int, cell: str) -> set[str]:
    """Return the code spans of a cell; TERMS are those that a paragraph of the section lists."""
    terms = SECTIONS[section].split("TERMS: ")[1].split("\n\n")[0].split(". ")[0]
    return {*code_spans(cell), *(code_spans(terms) if "TERMS" in cell else ())}


def test_the_commands_and_their_options() -> None:
    documented = {
        re.sub(r" [^a-z].*| bank\|.*| buy\|.*", "", code(name)): with_terms(9, options)
        for name, options, _ in table(SECTIONS[9], "Command", "Options")
    }
    assert documented == {name: options_of(command) for name, command in commands()}


# Section 11


def test_the_codes_of_operators_are_the_table_of_the_code() -> None:
    documented = {
        code(reason): (int(number), int(status))
        for number, status, reason, _ in table(SECTIONS[11], "Code", "HTTP", "Reason")
    }
    assert documented == {name: (each.code, each.status) for name, each in OPERATOR_CODES.items()}


def as_command_row(command: Command[Any]) -> tuple[str, set[str], set[str]]:
    """Return a command's role, and its required and optional parameters but the key of a write."""
    fields = command.parameters.model_fields
    required = {name for name, field in fields.items() if field.is_required()}
    return command.role.value, required, fields.keys() - required - {"idempotency_key"}


def test_the_commands_of_operators_are_the_table_of_the_code() -> None:
    rows = table(SECTIONS[11], "Command", "Role", "Required", "Optional")
    documented = {
        code(row[0]): (row[1], {*code_spans(row[2])}, with_terms(11, row[3])) for row in rows
    }
    assert documented == {name: as_command_row(command) for name, command in COMMANDS.items()}


# What refers to it

NAMED = re.compile(
    r"contract[\s#*]+sections?[\s#*]+((?:\d{1,2}\b(?:[\s#*]*(?:,|and|to)[\s#*]+)?)+)", re.IGNORECASE
)


def test_every_section_that_the_code_names_exists() -> None:
    files = printed("git", "grep", "-lziE", "contract").split("\0")
    named = [
        (file, int(number))
        for file in files
        if file
        for match in NAMED.finditer((ROOT / file).read_text("utf-8"))
        for number in re.findall(r"\d+", match[1])
    ]
    assert len(named) > 60
    assert [(file, number) for file, number in named if number not in SECTIONS] == []
