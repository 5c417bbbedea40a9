"""Signed requests of merchants with one to three faults, and bodies of any kind."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import rfc8785
from hypothesis import strategies as st

from tests.fuzz import hostile
from tests.fuzz.requests import Case, Route, encoded
from tests.fuzz.target import Stock
from tests.support.identities import identity
from tests.support.merchant_client import BANK, WALLET, MerchantClient, Raw, buy, sell, sign

type Members = list[tuple[str, Any]]
"""A body's parameters in order; a name may occur twice."""
type Fault = Callable[[st.DrawFn, Members], None]

FAULTS_MAX = 3
NONCE = "fuzz-nonce-0123456789"
JSON_TYPE = ("Content-Type", "application/json")
_CREATES = "createOrder"
# Parameters of some routes; the other routes ignore them.
_EXTRAS: tuple[tuple[str, Any], ...] = (
    ("callback_url", "https://merchant.example.com/fuzz-callback?order=1"),
    ("remark", "a remark for the fuzzer"),
    ("return_url", "https://merchant.example.com/fuzz-return"),
    ("is_test", 1),
    ("method_type", "wechat"),
    ("limit", 5),
    ("status", "pending,paid"),
    ("order_type", "1"),
    ("start_time", 1_700_000_000),
    ("end_time", 4_000_000_000),
    ("cursor", "AAAAAAAAAA"),
    ("webhook_id", "evt_fuzz_0123456789"),
    ("to", "completed"),
)
# Names of the contract, which a log may contain, for instance in a reason.
_KNOWN = {
    *("api_key", "timestamp", "nonce", "signature"),
    *(name for name, _ in _EXTRAS),
    *("order_no", "merchant_order_no", "pending_no"),
    *sell(),
    *identity(),
    *BANK,
    *WALLET,
}


def written(value: Any, *, is_ascii: bool) -> str:
    """Serialise JSON; a `Raw` is inserted as its text."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return written_members(list(value.items()), is_ascii=is_ascii)
    if isinstance(value, list):
        return "[" + ",".join(written(each, is_ascii=is_ascii) for each in value) + "]"
    return json.dumps(value, ensure_ascii=is_ascii)


def written_members(members: Members, *, is_ascii: bool) -> str:
    """Serialise an object, which may have a name twice."""
    pairs = (
        f"{json.dumps(name, ensure_ascii=is_ascii)}:{written(value, is_ascii=is_ascii)}"
        for name, value in members
    )
    return "{" + ",".join(pairs) + "}"


def texts_in(value: Any) -> Iterator[str]:
    """Yield every text in a value, including names of members."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)
    elif isinstance(value, str):
        yield value


@st.composite
def right_members(draw: st.DrawFn, route: Route, stock: Stock) -> Members:
    """Draw the parameters of a valid request, without the common ones."""
    if route.path.endswith(_CREATES):
        order = draw(
            st.sampled_from(
                [buy(), buy(**identity()), sell(), sell(**identity()), sell(payment_method=WALLET)]
            )
        )
        number = draw(st.sampled_from(["fuzz-new", "fuzz-buy-0", None]))
        members = [*order.items(), ("merchant_order_no", number)]
    else:
        kind = draw(st.sampled_from(sorted(stock.numbers)))
        members = [(kind, draw(st.sampled_from(stock.numbers[kind])))]
    extras = draw(st.lists(st.sampled_from(_EXTRAS), max_size=3, unique_by=lambda pair: pair[0]))
    taken = {name for name, _ in members}
    return [*members, *(extra for extra in extras if extra[0] not in taken)]


def _replace(draw: st.DrawFn, members: Members) -> None:
    place = draw(st.integers(0, len(members) - 1))
    members[place] = (members[place][0], draw(hostile.values))


def _replace_inside(draw: st.DrawFn, members: Members) -> None:
    method = {**BANK, **draw(st.sampled_from([{}, WALLET]))}
    name = draw(st.sampled_from([*method]))
    if draw(st.booleans()):
        method[name] = draw(hostile.values)
    else:
        del method[name]
    rest = [member for member in members if member[0] != "payment_method"]
    members[:] = [*rest, ("payment_method", method)]


def _drop(draw: st.DrawFn, members: Members) -> None:
    if len(members) > 1:
        del members[draw(st.integers(0, len(members) - 1))]


def _duplicate(draw: st.DrawFn, members: Members) -> None:
    name, value = draw(st.sampled_from(members))
    members.append((name, draw(st.just(value) | hostile.values)))


def _add(draw: st.DrawFn, members: Members) -> None:
    name = draw(hostile.texts | st.from_regex(r"\A[a-z][a-z0-9_]{0,40}\Z"))
    members.append((name, draw(hostile.values)))


_FAULTS: Sequence[Fault] = (_replace, _replace, _replace_inside, _drop, _duplicate, _add)


def _signature(members: Members, client: MerchantClient, path: str) -> str:
    """Sign a body; if it cannot be signed, return a wrong signature."""
    try:
        return sign(client.api_secret, path, dict(members))
    except (rfc8785.CanonicalizationError, UnicodeError, RecursionError, TypeError, ValueError):
        return "0" * 64


@st.composite
def signed_cases(draw: st.DrawFn, route: Route, stock: Stock, faults_max: int = FAULTS_MAX) -> Case:
    """Draw a signed request with up to three faults; it is signed before or after them."""
    client = draw(st.sampled_from(stock.merchants))
    common = [("api_key", client.api_key), ("timestamp", int(time.time())), ("nonce", NONCE)]
    members: Members = [*draw(right_members(route, stock)), *common]
    signature = _signature(members, client, route.path)
    for _ in range(draw(st.integers(min(1, faults_max), faults_max))):
        draw(st.sampled_from(_FAULTS))(draw, members)
    if faults_max == 0 or draw(st.integers(0, 3)):
        signature = _signature(members, client, route.path)
    elif draw(st.booleans()):
        signature = draw(hostile.values)
    members.append(("signature", signature))
    private = frozenset(texts_in([*map(list, members)])) - _KNOWN
    body = written_members(members, is_ascii=draw(st.booleans()))
    if faults_max == 0:
        return Case(route, headers=(JSON_TYPE,), body=body, private=private)
    headers = draw(headers_around(JSON_TYPE))
    private |= {value for _, value in headers if value != JSON_TYPE[1]}
    return draw(damaged(Case(route, headers=headers, body=body, private=private)))


@st.composite
def headers_around(draw: st.DrawFn, content_type: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    """Draw headers: usually the valid Content-Type in any case, and others."""
    name, value = content_type
    headers = [(draw(st.sampled_from([name, name.lower(), name.upper()])), value)]
    match draw(st.integers(0, 19)):
        case 0:
            headers = []
        case 1:
            headers = [(name, draw(hostile.content_types))]
        case 2:
            headers.append((name.upper(), draw(hostile.content_types)))
    if draw(st.booleans()):
        headers.append(("Accept-Language", draw(hostile.languages)))
    if draw(st.integers(0, 3)) == 0:
        other = draw(st.sampled_from(["Host", "Cookie", "X-Forwarded-For", "X-Any"]))
        headers.append((other, draw(hostile.line_texts)))
    return tuple(headers)


@st.composite
def damaged(draw: st.DrawFn, case: Case) -> Case:
    """Draw the request; rarely with bytes that are changed, cut or wrongly encoded."""
    body, is_encoded = case.body, case.is_encoded
    content = case.content()
    match draw(st.integers(0, 29)):
        case 0:
            at = draw(st.integers(0, len(content)))
            length = draw(st.integers(0, 3))
            body = content[:at] + draw(st.binary(max_size=4)) + content[at + length :]
        case 1:
            body = encoded(content)
            body, is_encoded = body + draw(st.sampled_from(["", "=", "\n", "é", "\ud800"])), True
        case 2:
            is_encoded = True  # although it is not
        case 3:
            body = content.decode("utf-8", "replace").encode(
                draw(st.sampled_from(["utf-16", "utf-32"]))
            )
    return Case(
        case.route,
        case.names,
        case.query,
        case.headers,
        body,
        is_encoded,
        case.source_ip,
        case.private,
    )


_anything: st.SearchStrategy[str | bytes] = st.one_of(
    st.binary(max_size=200),
    hostile.texts,
    hostile.trees.map(lambda tree: written(tree, is_ascii=True)),
    st.lists(st.tuples(hostile.texts, hostile.values), max_size=5).map(
        lambda members: written_members(members, is_ascii=False)
    ),
    st.sampled_from([b"\xef\xbb\xbf{}", b"\xff" * 70_000, b"[" * 5_000_000, "\ud800" * 30_000]),
)


@st.composite
def any_bodies(draw: st.DrawFn, route: Route, content_type: tuple[str, str]) -> Case:
    """Draw a request with any body."""
    body: str | bytes = draw(_anything)
    private = frozenset({body}) if isinstance(body, str) else frozenset()
    is_encoded = draw(st.sampled_from([None, None, None, True, False]))
    if is_encoded is not None and isinstance(body, bytes):
        body = body.decode("latin-1")
    headers = draw(headers_around(content_type))
    return Case(route, headers=headers, body=body, is_encoded=is_encoded, private=private)
