"""Every number of the contract is a fact of the code; the pages for merchants state only those.

The contract's facts are listed here, each by the constant that it comes from. The test fails if it
states another number, and if it no longer states a listed one. The pages of the site and the README
state numbers of the contract, or an exception; a page and its translation state the same.

Not covered: numbers in code, in words ("ten minutes") and in the generated parts, and a wrong one
that is another number of the contract. The numbers of all other documents are not checked: most
are measurements and reasons.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import pytest

from docs.make_signing_vectors import TOLERANCE_SECONDS
from local.__main__ import PORT
from orderdesk.adapters.callback_http.wire import DEFAULT_LIMITS
from orderdesk.adapters.dynamodb.failure_caps import MERCHANT_FAILURES_HARD, PERSON_FAILURES_MOST
from orderdesk.domain import money
from orderdesk.domain.callbacks import delivery, endpoints, schedule, steps, target
from orderdesk.domain.errors import SHOWN_LENGTH_MAX
from orderdesk.domain.merchants import signing
from orderdesk.domain.merchants.merchant import MerchantTerms
from orderdesk.domain.orders import amounts, open_orders, order, refunds
from orderdesk.domain.orders.day_figures import SHOWN_DAYS
from orderdesk.domain.orders.order_errors import LOWERED_FEN
from orderdesk.domain.pricing import FeePolicy, Mode, OrderType, quote
from orderdesk.domain.receipts import files
from orderdesk.services.callbacks import merchant as callbacks
from orderdesk.services.merchants import list_withdrawals
from orderdesk.services.ports import DEFAULT_LIMIT, MAX_LIMIT
from orderdesk.web import body
from orderdesk.web.codes import CODES, FIELDS_MAX, SUCCESS
from orderdesk.web.merchant import create_order, endpoint, parameters
from tests.infra.markdown import read_document
from tests.support.openapi import document
from tests.support.template import ROOT, template

SECONDS: Final = {"s": 1, "min": 60, "h": 3600, "d": 86_400}
BYTES: Final = {"KiB": 1024, "MB": 1024 * 1024}
# The units' words in both languages.
WORDS: Final = {
    **dict.fromkeys(("s", "second", "seconds", "秒"), "s"),
    **dict.fromkeys(("min", "minute", "minutes", "分钟"), "min"),
    **dict.fromkeys(("h", "hour", "hours", "小时"), "h"),
    **dict.fromkeys(("day", "days", "天"), "d"),
    **{word: word for word in ("KiB", "MB", "%")},
}
LEFT_OUT: Final = re.compile(
    r"\A---\n.*?\n---\n|^( *)```.*?^\1```|<(script|svg|textarea)\b.*?</\2>|<[^>]*>"  # not prose
    r"|`[^`\n]*`|(?<=\])\([^)]*\)|(?<=\]): \S+|https?://\S+|\{#[^}]*\}"  # code and addresses
    r"|\bsections?\s\d+(?:(?:,| and| to) \d+)*|^\s*\d+\. |^#+ \d+\. |^Sections: [^\n]*(?:\n[^\n]+)*"
    r"|UTF-\d+|RFC \d+|GB \d+|\dxx\b",  # places in a document, and names
    re.DOTALL | re.MULTILINE,
)
_UNIT = "|".join(sorted(WORDS, reverse=True))
NUMBER: Final = re.compile(
    rf"(?<![\w.])(\d+(?:,\d{{3}})*(?:\.\d+)*)(?![\w^])(?:\s?({_UNIT})(?![a-z]))?"
)


def seconds(value: float) -> str:
    return f"{value:.10g} s"


def size(count: int) -> str:
    return f"{count} bytes"


def stated(text: str) -> set[str]:
    """Return the numbers of a document; times in seconds, sizes in bytes."""
    return {_canonical(*found.groups()) for found in NUMBER.finditer(LEFT_OUT.sub(" ", text))}


def _canonical(number: str, word: str | None) -> str:
    unit = WORDS[word] if word else ""
    if unit in SECONDS:
        return seconds(float(number) * SECONDS[unit])
    if unit in BYTES:
        return size(int(number) * BYTES[unit])
    return f"{number.replace(',', '')}{unit}"


def parameter(name: str) -> int:
    """Return the default of a deployment's parameter."""
    return int(template()["Parameters"][name]["Default"])


def length_of_nonce() -> Sequence[str]:
    schema = document()["components"]["schemas"]["Buy"]["properties"]["nonce"]
    return re.findall(r"\d+", schema["pattern"].rpartition("{")[2])


def worked() -> Iterable[object]:
    """Yield the terms and the amounts of the worked example."""
    policy = FeePolicy(service_bps=60, deposit_bps=100)
    yield from (policy.service_bps, policy.deposit_bps)
    for kind, rate_e4 in ((OrderType.BUY, 7_2360), (OrderType.SELL, 7_1640)):
        made = quote(kind, 1000_00, rate_e4, policy)
        yield money.format_cny(made.cny_fen)
        yield money.format_rate(made.rate_e4)
        for micro in (made.usdt_micro, made.service_micro, made.merchant_micro):
            yield money.format_usdt(micro)
        yield money.format_usdt(made.deposit_micro)
        yield money.format_usdt(made.merchant_actual_micro)


def decimals() -> Iterable[int]:
    """Yield the decimals of CNY, rates and USDT."""
    for text in (money.format_cny(1), money.format_rate(1), money.format_usdt(1)):
        yield len(text.partition(".")[2])


VERSION = tomllib.loads(read_document("pyproject.toml"))["project"]["version"]
LATE = seconds(order.LATE_SECONDS)
PAYER = seconds(parameter("PayWindowSeconds"))
TRADER = seconds(parameter("AssignmentSeconds"))
DRAFT = seconds(parameter("DraftLifeSeconds"))
# The assigner runs each minute, and leaves a new sell alone for this time.
ASSIGNED = (parameter("AssignAfterSeconds"), seconds(parameter("AssignAfterSeconds") + 60))
EXCHANGE = (seconds(DEFAULT_LIMITS.whole_seconds), seconds(DEFAULT_LIMITS.connect_seconds))
GAPS = (*map(seconds, schedule.GAPS_SECONDS), seconds(schedule.RETRY_AFTER_SECONDS_MAX))
PORTS = (*target._DEFAULT_PORTS.values(), target._FIRST_FREE_PORT)
RECORDS = seconds(86_400 * parameter("CallbackRetentionDays"))
PAUSED = seconds(endpoints.PAUSED_MS_MAX / schedule.MS)
WINDOWS = (signing.TIMESTAMP_WINDOW_SECONDS, signing.NONCE_RETENTION_SECONDS)
MODES = tuple(mode.is_test for mode in Mode)
TYPES = tuple(int(kind) for kind in OrderType)
PAGE = (MAX_LIMIT, DEFAULT_LIMIT)
TERMS = MerchantTerms()
OPEN = (
    *(TERMS.max_open_buys, money.format_cny(TERMS.max_open_cny_fen)),
    *(TERMS.max_open_sells, money.format_cny(TERMS.max_open_sell_cny_fen)),
)
IDENTITY = (
    create_order.ID_CARD_LENGTH,
    create_order.MOBILE_LENGTH,
    PERSON_FAILURES_MOST,
    parameter("VerificationFailuresPerHour"),
    MERCHANT_FAILURES_HARD,
)

FACTS: Sequence[object] = [
    *(size(body.MAX_BODY_BYTES), body.MAX_DEPTH, parameters.MAX_TEXT_LENGTH),
    *(signing.NUMBER_LENGTH_MAX, *map(seconds, WINDOWS), size(signing.SHOWN_BYTES_MAX)),
    *(FIELDS_MAX, SHOWN_LENGTH_MAX, endpoint.IGNORED_MAX, *length_of_nonce(), *decimals()),
    *(SUCCESS.code, *(each.code for each in CODES.values()), money.MAX_INTEGER_DIGITS),
    *(create_order.METADATA_MAX, create_order.METADATA_VALUE_LENGTH_MAX),
    *(create_order.METADATA_BYTES_MAX, list_withdrawals.ENDING_LENGTH),
    *(TERMS.max_rps, *IDENTITY, *PAGE, *OPEN, TERMS.slot_share),
    seconds(order.OPERATORS_LATE_SECONDS),
    *(PAYER, TRADER, DRAFT, LATE, *ASSIGNED, seconds(parameter("AssignAfterSeconds"))),
    *(seconds(order.UNCONFIRMED_SECONDS), seconds(order.DISPUTE_AFTER_SECONDS)),
    *(seconds(order.REVERSAL_SECONDS), order.REVERSALS_MAX, refunds.REFUNDS_MAX),
    *(seconds(amounts.EXPIRED_SECONDS), seconds(amounts.CANCELLED_SECONDS)),
    *(money.format_cny(amounts.NEARBY_FEN), seconds(parameter("SellHoldAfterRotation"))),
    *(*EXCHANGE, *GAPS, *PORTS, RECORDS, size(DEFAULT_LIMITS.received_bytes)),
    *(size(delivery.ANSWER_KEPT_BYTES), steps.ATTEMPTS_KEPT, callbacks.TESTS.most),
    *(callbacks.REDELIVERIES_OF_ONE.most, callbacks.REDELIVERIES.most),
    seconds(callbacks.REDELIVERIES.window_seconds),
    *(*map(seconds, endpoints.PROBE_GAPS_SECONDS[-2:]), endpoints.PAUSED_MOST),
    PAUSED,
    seconds(TOLERANCE_SECONDS),
    *(*worked(), *MODES, *TYPES, open_orders._SHARE_ORDERS_MIN),
    *map(money.format_cny, (parameters._DISCOUNT_FEN_MAX, LOWERED_FEN)),
    seconds(open_orders.PAUSES_SECONDS[-1] + 5),  # five seconds less than said: see there
]

STATUSES = {str(each.status) for each in CODES.values()} | {"200", "413", "415", "410"}
CONTRACT = "docs/contract.md"
# What a document states beside the contract's facts, and why it may.
EXCEPTIONS: Mapping[str, Mapping[str, str]] = {
    "docs/site/en/amounts.md": {
        "138.1978993": "an intermediate result",
        "139.5868230": "an intermediate result",
        "0.829187394": "an intermediate result",
        "0.837520944": "an intermediate result",
        "1.37368711": "an intermediate result",
        "0.60%": "60 bps in percent",
        "1%": "100 bps in percent",
    },
    "docs/site/en/callbacks.md": {"204": "a receiver's HTTP status"},
    "docs/site/en/changelog.md": {str(endpoint.DEPRECATED_DAYS // 30): "months of a deprecation"},
    "docs/site/en/limits.md": {size(files.MAX_BYTES): "a receipt's size, which the contract omits"},
    "docs/site/en/portal.md": {seconds(86_400 * SHOWN_DAYS): "what the portal's charts show"},
    "docs/site/en/quickstart.md": dict.fromkeys(("1.19", "8.1", "3.11", "17"), "a version"),
    "docs/site/en/retries.md": {
        "0.1": "the shortest pause of a client: half of 0.2 s, which is in its formula",
        "0.8 s": "the longest pause of a client: 0.1 s doubled after each attempt",
    },
    "docs/site/en/sign-by-hand.md": {"22": "curl's exit status for --fail-with-body"},
    "README.md": {
        str(PORT): "the local stack's port",
        VERSION: "this version",
        "1.0.0": "the version to come",
        "300": "measured: docs/capacity.md",
        "2.0": "the license",
        "3.13": "the interpreter that the lock and the layers name",
        seconds(3600 * round(sum(schedule.GAPS_SECONDS) / 3600)): "all attempts of a callback",
    },
    CONTRACT: {
        **dict.fromkeys(STATUSES, "an HTTP status; test_contract_doc compares the table"),
        "0": "a limit of amounts, or a live order",
        "0.00": "the least max_discount",
        "53": "of 2^53",
        "16": "the digits of an order_no; 16 is tested with ids",
    },
}

SITE = [f"docs/site/en/{path.name}" for path in (ROOT / "docs" / "site" / "en").glob("*.md")]


def own_numbers(name: str) -> set[str]:
    """Return the numbers of a document that are no exceptions."""
    return stated(read_document(name)) - EXCEPTIONS.get(name, {}).keys()


def test_the_contract_states_its_facts_and_no_other_number() -> None:
    facts = {str(fact) for fact in FACTS}
    found = own_numbers(CONTRACT)
    assert (found - facts, facts - found - EXCEPTIONS[CONTRACT].keys()) == (set(), set())


@pytest.mark.parametrize("name", ["README.md", *SITE])
def test_a_page_states_only_numbers_of_the_contract(name: str) -> None:
    assert own_numbers(name) - stated(read_document(CONTRACT)) == set()


@pytest.mark.parametrize("name", SITE)
def test_a_translation_states_the_same_numbers(name: str) -> None:
    chinese = read_document(name.replace("/en/", "/zh/"))
    assert stated(chinese) == stated(read_document(name))


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_no_exception_is_left_over(name: str) -> None:
    assert EXCEPTIONS[name].keys() - stated(read_document(name)) - STATUSES == set()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_code_that_the_site_names_exists(language: str) -> None:
    known = {str(each["code"]) for each in document()["x-codes"]}
    for name in SITE:
        text = read_document(name.replace("/en/", f"/{language}/"))
        assert set(re.findall(r"`([1-5]\d{3})`", text)) <= known, name


def test_what_counts_as_a_number() -> None:
    text = "Within 10 s, 2 小时 or 90 days; 64 KiB, 5,000 and 0.60 %; `7`, 2xx, section 4, v1, 3."
    expected = {"10 s", "7200 s", "7776000 s", "65536 bytes", "5000", "0.60%", "3"}
    assert stated(text) == expected
