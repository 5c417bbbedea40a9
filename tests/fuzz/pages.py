"""Requests of the pages: links, queries, cookies, origins and forms, with faults."""

from collections.abc import Sequence

from hypothesis import strategies as st

from orderdesk.domain.traders.settings import settings_version
from tests.fuzz import hostile
from tests.fuzz.requests import Case, Route
from tests.fuzz.signed import damaged, headers_around
from tests.fuzz.target import Stock
from tests.support.identities import identity
from tests.support.visitors import FORM_TYPE, OWN_PAGE

FORM = ("Content-Type", FORM_TYPE)
_OWN_ORIGIN = {"Origin": "https://pay.example.com"}
_SITES = ("same-origin", "same-site", "cross-site", "none")
_PROVIDER_IS_DOWN = {"mobile": "13800009999"}
_REFUSED = {"mobile": "13800000000"}
_LIMITS = {"min_cny": "1234.56", "max_cny": "23456.78", "max_open": "7654", "daily_cny": "34567.89"}
_ACCOUNT = {
    "real_name": "欧阳建国",
    "bank": "中国工商银行",
    "sub_bank": "深圳福田支行",
    "card_number": "6222020200112345678",
}
# The form of a trader's statement; a file without rows is read, and refused with 422.
_FILE = '--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nTime,Amount\r\n--x--\r\n'
# Values that a log may contain.
_KNOWN = frozenset({*_SITES, *identity(), "access_code", FORM_TYPE, "https://pay.example.com"})


@st.composite
def page_cases(draw: st.DrawFn, route: Route, stock: Stock, *, is_right: bool = False) -> Case:
    """Draw a request of a page, with faults in some parts."""
    names, private = draw(_names(route, stock, is_right=is_right))
    query = () if is_right else draw(_query())
    headers = [*OWN_PAGE.items()] if is_right else draw(_origin())
    if route.function == "trader_desk":
        headers += [("Cookie", draw(_cookie(stock, is_right=is_right)))]
    body: str = ""
    if is_right and route.path.endswith("/statement") and route.method == "POST":
        body, headers = _FILE, [*headers, ("Content-Type", "multipart/form-data; boundary=x")]
    elif route.method == "POST":
        body, fields = draw(_form(route, stock, is_right=is_right))
        private += fields
        headers += [FORM] if is_right else draw(headers_around(FORM))
    private += [value for _, value in (*query, *headers)]
    unique = {name.lower(): (name, value) for name, value in headers}
    case = Case(
        route,
        names,
        query,
        tuple(unique.values()),
        body,
        source_ip=draw(st.ip_addresses().map(str)),
        private=frozenset(private) - _KNOWN,
    )
    return case if is_right else draw(damaged(case))


@st.composite
def _names(
    draw: st.DrawFn, route: Route, stock: Stock, *, is_right: bool
) -> tuple[dict[str, str], list[str]]:
    """Draw the path's parameters, and those of them that no log may contain."""
    links = stock.identity_links if "pending_no" in route.path else stock.pay_links
    link = draw(st.sampled_from(links))
    number = link.number if "{token}" in route.path else draw(st.sampled_from(stock.at_the_desk))
    if is_right and "{number}" in route.path:
        number = stock.with_receipt
        (link,) = (link for link in stock.pay_links if link.number == number)
    names = {"order_no": number, "pending_no": number, "token": link.token, "number": "1"}
    names["method_type"] = "bank"
    changed = [] if is_right or draw(st.integers(0, 5)) else [draw(st.sampled_from([*names]))]
    for name in changed:
        names[name] = draw(hostile.line_texts)
    return names, [names["token"], *(names[name] for name in changed)]


@st.composite
def _query(draw: st.DrawFn) -> tuple[tuple[str, str], ...]:
    known = st.sampled_from(["lang", "key", "key", "before", "page", "bucket", "etag"])
    names = known | known | hostile.line_texts
    usual = st.sampled_from(["zh", "en", "1", "2", "99999999999999999", "0-9#B-"])
    pairs = draw(st.lists(st.tuples(names, usual | hostile.line_texts), max_size=3))
    return tuple(dict(pairs).items())


@st.composite
def _origin(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Draw the headers for a form's origin, which are usually accepted."""
    if draw(st.integers(0, 3)):
        return [*draw(st.sampled_from([OWN_PAGE, _OWN_ORIGIN])).items()]
    site, origin = st.sampled_from(_SITES) | hostile.line_texts, hostile.origins
    whole = draw(st.fixed_dictionaries({}, optional={"Sec-Fetch-Site": site, "Origin": origin}))
    return [*whole.items()]


@st.composite
def _cookie(draw: st.DrawFn, stock: Stock, *, is_right: bool) -> str:
    right = f"__Host-trader={stock.visit.cookie}"
    if is_right or draw(st.integers(0, 4)):
        return right
    value = draw(hostile.line_texts)
    return draw(
        st.sampled_from([value, f"__Host-trader={value}", f"{value};{right}", f"{right}{value}"])
    )


def _settings(stock: Stock) -> Sequence[dict[str, str]]:
    """Return the forms of a trader's own settings."""
    seen = {"version": settings_version(stock.visit.trader)}
    return [_LIMITS | seen, _ACCOUNT | seen | {"access_code": stock.visit.code}]


def _others(stock: Stock) -> Sequence[dict[str, str]]:
    """Return the other forms."""
    return [
        identity(),
        identity() | _PROVIDER_IS_DOWN,
        identity() | _REFUSED,
        {"access_code": stock.visit.code},
        {"reason": "right"},
        {"text": "right", "seen": "0"},
        {"endpoint": "https://push.example.com/device"},
        *({"key": key} for key in stock.upload_keys),
    ]


@st.composite
def _form(draw: st.DrawFn, route: Route, stock: Stock, *, is_right: bool) -> tuple[str, list[str]]:
    """Draw a form's body and its values."""
    if is_right:
        forms = _settings(stock) if "/settings/" in route.path else _others(stock)
        whole = {name: value for fields in reversed(forms) for name, value in fields.items()}
        return hostile.form_of([(*field, "right") for field in whole.items()], "&"), [
            *whole.values()
        ]
    fields = [*draw(st.sampled_from([*_others(stock), *_settings(stock)])).items()]
    for _ in range(draw(st.integers(0, 2))):
        place = draw(st.integers(0, len(fields)))
        old = fields[place] if place < len(fields) else ("key", "")
        fault = draw(
            st.sampled_from(
                [
                    [(old[0], draw(hostile.texts))],
                    [(draw(hostile.texts), old[1])],
                    [old, old],
                    [old] * 9,
                    [],
                ]
            )
        )
        fields[place : place + 1] = fault
    escaped = [(name, value, draw(hostile.escapings)) for name, value in fields]
    body = hostile.form_of(escaped, draw(st.sampled_from(["&", "&", "&", ";", "&&"])))
    return body, [value for _, value in fields]
