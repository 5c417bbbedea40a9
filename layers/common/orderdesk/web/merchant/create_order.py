"""createOrder's parameters (contract section 4)."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator

from orderdesk.domain.callbacks.target import callback_url_problem
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.signing import JsonValue, canonical_json, is_absent
from orderdesk.domain.orders.order import GivenValues
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.plain_text import unmarked
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.web.merchant import parameters as wire
from orderdesk.web.merchant.parameters import Parameters, parse, present, problem
from orderdesk.web.merchant.payment_method import NAME as PAYMENT_METHOD
from orderdesk.web.merchant.payment_method import read_payment_method

METADATA = "metadata"
METADATA_MAX = 20
METADATA_VALUE_LENGTH_MAX = 500
# Every move writes the order, so what a merchant adds to it is small.
METADATA_BYTES_MAX = 2048
METADATA_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}\Z")

ID_CARD_LENGTH = 18
MOBILE_LENGTH = 11


class CreateRoute(Enum):
    """The two routes of createOrder; orders of the test route never reach live traders."""

    LIVE = "/merchant/createOrder"
    TEST = "/test/createOrder"


def _exactly(length: int) -> AfterValidator:
    return AfterValidator(partial(_length, length))


def _length(length: int, text: str) -> str:
    if len(text) != length:
        raise problem(f"must have {length} characters")
    return text


def _web_address(text: str) -> str:
    """Check an address that our pages may link to."""
    # Unicode's classes C (control, format, surrogate…) and Z (spaces): browsers remove some.
    if any(c == "\\" or unicodedata.category(c)[0] in "CZ" for c in text):
        raise problem("must not hold spaces, control characters or backslashes")
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise problem("must be an http or https URL")
    if "@" in parts.netloc:
        raise problem("must not hold a user name or password")
    return text


class OrderParameters(Parameters):
    """The parameters of both order types, except the payment method and the identity."""

    order_type: Annotated[int, wire.one_of(*OrderType)]
    cny_amount: wire.AmountFen
    merchant_order_no: wire.Text | None = None
    callback_url: wire.Text | None = None
    remark: wire.Text | None = None
    return_url: Annotated[wire.Text, AfterValidator(_web_address)] | None = None
    is_test: Annotated[int, wire.one_of(0, 1)] | None = None


class BuyParameters(OrderParameters):
    """A buy also names the type of its trader's receiving method, and the largest discount."""

    method_type: MethodType = MethodType.BANK
    max_discount: wire.DiscountFen = 0


class SellParameters(OrderParameters):
    """A sell may be the refund of a buy."""

    refund_of: wire.Text | None = None


class QuoteParameters(Parameters, defer_build=True):
    """quote's parameters; the mode is the key's unless is_test names it."""

    order_type: Annotated[int, wire.one_of(*OrderType)]
    cny_amount: wire.AmountFen
    method_type: MethodType = MethodType.BANK
    is_test: Annotated[int, wire.one_of(0, 1)] | None = None


class IdentityParameters(Parameters):
    """The three identity factors, each optional; the agreement says whether they are required."""

    customer_name: wire.Text | None = None
    id_card: Annotated[wire.Text, AfterValidator(unmarked), _exactly(ID_CARD_LENGTH)] | None = None
    mobile: Annotated[wire.Text, AfterValidator(unmarked), _exactly(MOBILE_LENGTH)] | None = None


NAMES = wire.names_of(BuyParameters, SellParameters, IdentityParameters) | {
    PAYMENT_METHOD,
    METADATA,
}


@dataclass(frozen=True, slots=True)
class ParsedOrder:
    """The parameters of a createOrder call: the request, or what is wrong with them.

    If the merchant requires verification, a buy with `identity_problems` becomes a draft
    (specification, identity verification rules, 3), and its request lacks the malformed fields. In
    all other cases they are refused like `problems`.
    """

    request: OrderRequest | None
    problems: list[FieldProblem] = field(default_factory=list)
    identity_problems: list[FieldProblem] = field(default_factory=list)
    selling: bool = False

    def all_problems(self, *, verifying: bool) -> list[FieldProblem]:
        """Return the problems to refuse; those of the identity do not count for a verified buy."""
        if verifying and not self.selling:
            return self.problems
        return [*self.problems, *self.identity_problems]


def read_order(
    params: Mapping[str, JsonValue], route: CreateRoute, *, allow_loopback: bool
) -> ParsedOrder:
    """Parse createOrder's parameters and collect all problems."""
    sent = present(params)
    selling = wire.integer(sent.get("order_type")) == OrderType.SELL
    model: type[OrderParameters] = SellParameters if selling else BuyParameters
    read, problems = parse(model, sent)
    method: PaymentMethod | None = None
    if selling:
        method, method_problems = read_payment_method(params.get(PAYMENT_METHOD))
        problems.extend(method_problems)
    metadata, metadata_problems = read_metadata(params.get(METADATA))
    problems.extend(metadata_problems)
    problems.extend(_callback_problems(sent.get("callback_url"), allow_loopback=allow_loopback))
    if route is CreateRoute.TEST and wire.integer(sent.get("is_test")) == 0:
        problems.append(FieldProblem("is_test", "must be 1 on the test route"))
    identity, identity_problems = _identity(sent)
    if problems:
        return ParsedOrder(None, problems, identity_problems, selling)
    is_test = int(route is CreateRoute.TEST) if read.is_test is None else read.is_test
    request = OrderRequest(
        order_type=OrderType(read.order_type),
        mode=Mode.of(is_test),
        cny_fen=read.cny_amount,
        method_type=read.method_type if isinstance(read, BuyParameters) else MethodType.BANK,
        payment_method=method,
        merchant_order_no=read.merchant_order_no,
        given=GivenValues(
            callback_url=read.callback_url,
            remark=read.remark,
            metadata=metadata,
            return_url=read.return_url,
        ),
        customer_name=identity.customer_name,
        id_card=identity.id_card,
        mobile=identity.mobile,
        max_discount_fen=read.max_discount if isinstance(read, BuyParameters) else 0,
        refund_of=read.refund_of if isinstance(read, SellParameters) else None,
    )
    return ParsedOrder(request, [], identity_problems, selling)


def read_quote(
    params: Mapping[str, JsonValue], key: Mode | None = None
) -> tuple[OrderRequest | None, list[FieldProblem]]:
    """Parse quote's parameters; `key` is the mode of the call's key, None before it is known."""
    read, problems = parse(QuoteParameters, params)
    if problems:
        return None, problems
    mode = (key or Mode.LIVE) if read.is_test is None else Mode.of(read.is_test)
    if key is not None and not key.reaches(mode):
        return None, [FieldProblem("is_test", wire.ONLY_TEST)]
    return OrderRequest(OrderType(read.order_type), mode, read.cny_amount, read.method_type), []


def read_metadata(value: JsonValue) -> tuple[Mapping[str, str] | None, list[FieldProblem]]:
    """Parse a merchant's own texts by name; none and an empty object count as not sent."""
    if is_absent(value):
        return None, []
    if not isinstance(value, dict):
        return None, [FieldProblem(METADATA, "must be an object")]
    problems = []
    texts = {name: text for name, text in value.items() if isinstance(text, str)}
    for name, text in value.items():
        if METADATA_NAME.match(name) is None:
            problems.append(
                FieldProblem(f"{METADATA}.{name}", "a name matches [a-z][a-z0-9_]{0,39}")
            )
        if not isinstance(text, str):
            problems.append(FieldProblem(f"{METADATA}.{name}", wire.NOT_TEXT))
        elif len(text) > METADATA_VALUE_LENGTH_MAX:
            most = f"at most {METADATA_VALUE_LENGTH_MAX} characters"
            problems.append(FieldProblem(f"{METADATA}.{name}", most))
    if len(value) > METADATA_MAX:
        problems.append(FieldProblem(METADATA, f"at most {METADATA_MAX} names"))
    elif len(canonical_json({**texts}).encode()) > METADATA_BYTES_MAX:
        wrong = f"its canonical JSON has at most {METADATA_BYTES_MAX} bytes"
        problems.append(FieldProblem(METADATA, wrong))
    return (None if problems or not texts else texts), problems


def key_problems(
    params: Mapping[str, JsonValue], route: CreateRoute, key: Mode
) -> list[FieldProblem]:
    """Return the problem of a test key's call that would create a live order (contract section 2).

    An is_test that is malformed was already reported.
    """
    if key is Mode.LIVE or route is CreateRoute.TEST:
        return []
    sent = present(params)
    if "is_test" in sent and wire.integer(sent["is_test"]) != 0:
        return []
    return [FieldProblem("is_test", wire.ONLY_TEST)]


def _callback_problems(url: JsonValue, *, allow_loopback: bool) -> list[FieldProblem]:
    if not isinstance(url, str) or len(url) > wire.MAX_TEXT_LENGTH:
        return []  # absent, or already reported for its type or length
    wrong = callback_url_problem(url, allow_loopback=allow_loopback)
    return [] if wrong is None else [FieldProblem("callback_url", wrong)]


def _identity(sent: Mapping[str, JsonValue]) -> tuple[IdentityParameters, list[FieldProblem]]:
    read, problems = parse(IdentityParameters, sent)
    if problems:
        bad = {entry.field for entry in problems}
        read, _ = parse(IdentityParameters, {n: sent[n] for n in sent if n not in bad})
    return read, problems
