"""The balance page: who may request a withdrawal, and what a request needs."""

import re
from dataclasses import replace
from html import unescape
from typing import Any
from urllib.parse import parse_qsl

import pytest

from orderdesk.adapters.dynamodb.withdrawals import book_item
from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.merchants.withdrawals import REST_SECONDS, Address, AddressBook, Network
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import Sum
from orderdesk.services.operator.funds import move
from orderdesk.web.pages.portal import balance as balance_page
from tests.support.market import Market
from tests.support.offices import office_on
from tests.support.portal import PortalVisit
from tests.support.requesting import ETHER, TRON
from tests.support.visitors import OWN_PAGE, Answer
from tests.support.world import World

USDT = 1_000_000
TO = f"TRC20:{TRON}"


@pytest.fixture
def visit(world: World) -> PortalVisit:
    """Return an admin of a merchant with 1000 USDT and an address that has rested."""
    visit = PortalVisit.of_new_member(world)
    give(world, visit, 1000 * USDT, "first")
    add_rested_address(visit)
    return visit


def give(
    world: World, visit: PortalVisit, micro: int, memo: str, *, before_seconds: int = 0
) -> None:
    account = Account(AccountKind.MERCHANT, visit.merchant.merchant_id, Mode.LIVE)
    office = office_on(world)
    now_us = office.operator.now_us
    operator = replace(office.operator, now_us=lambda: now_us() - before_seconds * 10**6)
    move(office.acting(operator), "fund.merchant", Sum(account, micro), memo)


def add_rested_address(visit: PortalVisit) -> None:
    address = Address(Network.TRC20, TRON, "cold", "mei", 1_700_000_000)
    book = AddressBook(visit.merchant.merchant_id, (address,), 1)
    visit.seed.put(visit.seed.tables.ledger, book_item(book))


def with_role(visit: PortalVisit, role: MemberRole) -> PortalVisit:
    return PortalVisit.of_new_member(visit.seed, role, visit.merchant)


def text_of(answer: Answer) -> str:
    return unescape(re.sub(r"<[^>]*>|\s+", " ", answer["body"]))


def form(visit: PortalVisit, **changes: str) -> dict[str, str]:
    """Return the request form as the page shows it, filled in."""
    body = visit.get("balance")["body"]
    [number] = re.findall(r'name="request_no" value="(W\d+)"', body)
    return {"request_no": number, "to": TO, "amount": "400", "memo": "rent"} | changes


def balance(visit: PortalVisit) -> tuple[int, int]:
    return visit.seed.balance(visit.merchant)


def test_a_request_is_made_with_the_passkey_and_shown(visit: PortalVisit) -> None:
    sent = form(visit, amount="１０．５")
    answer = visit.confirmed("balance/requests", **sent)
    assert answer["statusCode"] == 303, answer
    assert answer["headers"]["Location"] == "../balance?said=requested"
    assert balance(visit) == (989_500_000, 10_500_000)
    page = visit.get("balance", said="requested")
    shown = text_of(page)
    for part in ("Its amount is held", "10.500000", "Requested by 张三", TRON, sent["request_no"]):
        assert part in shown, part
    assert '<span class="chip">待处理</span>' in visit.get("balance", lang="zh")["body"]
    again = visit.confirmed("balance/requests", **sent)
    assert again["statusCode"] == 303
    assert balance(visit) == (989_500_000, 10_500_000), "requested once"


def test_finance_cancels_what_nobody_took_up(visit: PortalVisit) -> None:
    finance = with_role(visit, MemberRole.FINANCE)
    sent = form(finance)
    assert finance.confirmed("balance/requests", **sent)["statusCode"] == 303
    path = f"balance/requests/{sent['request_no']}/cancel"
    assert path in finance.get("balance")["body"]
    answer = finance.post(path, OWN_PAGE)
    assert answer["headers"]["Location"].endswith("balance?said=cancelled")
    assert balance(visit) == (1000 * USDT, 0)
    assert path not in finance.get("balance")["body"]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"amount": "abc"}, "The amount does not fit"),
        ({"amount": "10,5"}, "The amount does not fit"),
        ({"amount": "1000.000001"}, "The available balance is too low"),
        ({"memo": "x" * 129}, "The memo does not fit"),
        ({"to": f"ERC20:{ETHER}"}, "This address is not in the list"),
        ({"request_no": "W1"}, "This form was used or is too old"),
    ],
)
def test_a_refused_request_keeps_what_was_typed(
    visit: PortalVisit, changes: dict[str, str], told: str
) -> None:
    answer = visit.confirmed("balance/requests", **form(visit, **changes))
    assert (answer["statusCode"], told in text_of(answer)) == (409, True)
    assert f'name="amount" value="{changes.get("amount", "400")}"' in answer["body"]
    is_unfit = 'aria-invalid="true" aria-describedby="amount-problem"' in answer["body"]
    assert is_unfit is ("amount" in changes)
    assert balance(visit) == (1000 * USDT, 0)


def test_a_new_address_is_checked_and_rests(visit: PortalVisit) -> None:
    wrong = {"network": "ERC20", "address": ETHER.swapcase().replace("X", "x"), "label": "new"}
    answer = visit.confirmed("balance/addresses", **wrong)
    assert (answer["statusCode"], "not an address of this network" in answer["body"]) == (409, True)
    assert 'required aria-invalid="true" aria-describedby="address-problem"' in answer["body"]
    unnamed = visit.confirmed("balance/addresses", **{**wrong, "address": ETHER, "label": ""})
    assert 'aria-invalid="true" aria-describedby="label-problem"' in unnamed["body"]
    pasted = f"\u200b{ETHER.lower()} \u202c"
    answer = visit.confirmed("balance/addresses", **{**wrong, "address": pasted})
    assert answer["headers"]["Location"] == "../balance?said=added"
    page = visit.get("balance")["body"]
    assert ETHER in page
    assert "Usable from" in page
    assert f'<option value="ERC20:{ETHER}"' not in page
    early = visit.confirmed("balance/requests", **form(visit, to=f"ERC20:{ETHER}"))
    assert "This address is too new" in early["body"]
    removed = visit.confirmed("balance/addresses/remove", to=f"ERC20:{ETHER}")
    assert removed["headers"]["Location"] == "../../balance?said=removed"
    assert ETHER not in visit.get("balance")["body"]
    assert REST_SECONDS == 86_400


def test_the_statement_has_running_balances_and_pages(world: World, visit: PortalVisit) -> None:
    for number in range(2, 24):
        give(world, visit, number * USDT, f"number {number}")
    newest = text_of(visit.get("balance"))
    assert "number 23" in newest
    assert "Balance 1,275.000000" in newest
    assert "number 3" not in newest
    last = text_of(visit.get("balance", page="2"))
    for part in ("number 3", "Balance 1,005.000000", "first", "Balance 1,000.000000"):
        assert part in last, part
    for odd in ({"page": "0"}, {"page": "x"}, {"account": "fee"}, {"before": "x"}):
        assert visit.get("balance", **odd)["statusCode"] == 200
    assert "Nothing has been posted yet" in text_of(visit.get("balance", account="deposit"))


def test_the_statement_is_searched_by_kind_order_and_days(market: Market) -> None:
    first, second = market.buy(), market.buy()
    for order_no in (first, second):
        market.move(order_no, Move.PAY, Actor.PAYER)
        market.move(order_no, Move.CONFIRM, Actor.TRADER)
    visit = PortalVisit.of_new_member(market.world, merchant=market.merchant)
    give(market.world, visit, 5 * USDT, "a funding")
    asked: list[tuple[dict[str, str], set[str]]] = [
        ({"kind": "settlement"}, {first, second}),
        ({"order": first}, {first}),
        ({"kind": "funding"}, {"a funding"}),
        ({"since": "2024-01-01", "until": "2024-01-31"}, set()),
        ({"kind": "gift"}, set()),
        ({"order": "B202001010000000000000000"}, set()),
    ]
    for query, shown in asked:
        page = text_of(visit.get("balance", **query)).split("Statement")[-1]
        file = visit.get("balance.csv", **query)["body"]
        for text in (page, file):
            assert {each for each in (first, second, "a funding") if each in text} == shown, query


def test_the_next_part_of_an_orders_file_is_the_same_search(
    market: Market, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(balance_page, "CSV_LINES_MAX", 0)
    monkeypatch.setattr(balance_page, "_CSV_READ", 1)
    order_no = market.buy()
    market.move(order_no, Move.PAY, Actor.PAYER)
    market.move(order_no, Move.CONFIRM, Actor.TRADER)
    order: Any = market.world.get("Orders", {"pk": order_no})
    market.world.put("Orders", order | {"createtime": order["createtime"] - 40 * 86_400})
    visit = PortalVisit.of_new_member(market.world, merchant=market.merchant)
    for days in (39, 38):
        give(market.world, visit, USDT, "old", before_seconds=days * 86_400)
    rest = re.search(r"balance.csv\?(\S+?),", visit.get("balance.csv", order=order_no)["body"])
    assert rest is not None
    assert dict(parse_qsl(rest[1])).keys() == {"order", "from"}


def test_a_long_statement_is_read_in_parts(
    world: World, visit: PortalVisit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(balance_page, "CSV_LINES_MAX", 3)
    monkeypatch.setattr(balance_page, "_CSV_READ", 2)
    monkeypatch.setattr(balance_page, "MAX_LIMIT", 2)
    monkeypatch.setattr(balance_page, "PAGE_LENGTH", 3)
    for number in range(2, 9):
        give(world, visit, number * USDT, f"number {number}", before_seconds=100 - 7 * number // 3)
    memos, parts = list[str](), 0
    query: dict[str, str] | None = {}
    while query is not None:
        rows = visit.get("balance.csv", **query)["body"].lstrip("\ufeff").splitlines()[1:]
        rest = re.search(r"https://\S+/portal/balance.csv\?(\S+?),", rows[-1])
        query = dict(parse_qsl(rest[1])) if rest else None
        memos += [row.rpartition(",")[2] for row in (rows[:-1] if rest else rows)]
        parts += 1
    assert memos == [*(f"number {number}" for number in range(2, 9)), "first"]
    assert parts > 2
    body, seen = visit.get("balance", kind="funding")["body"], list[str]()
    while True:
        seen += re.findall(r"(?<=hint\">)(?:number \d|first)", body)
        if not (rest := re.search(r'href="balance\?([^"]+)#statement" rel="next"', body)):
            break
        body = visit.get("balance", **dict(parse_qsl(unescape(rest[1]))))["body"]
    assert seen == memos


def test_the_csv_is_exact_and_has_no_formulas(world: World, visit: PortalVisit) -> None:
    give(world, visit, USDT, "=1+1")
    give(world, visit, 2 * USDT, "-1+1")
    answer = visit.get("balance.csv")
    assert answer["headers"]["Content-Type"] == "text/csv; charset=utf-8"
    head, *lines = answer["body"].lstrip("\ufeff").splitlines()
    assert head == "Time (UTC+8),Account,Kind,USDT,Balance,Order,Memo"
    rows: list[Any] = [line.split(",")[1:] for line in lines]
    assert rows == [
        ["Available", "Funding", "1000.000000", "1000.000000", "", "first"],
        ["Available", "Funding", "1.000000", "1001.000000", "", "'=1+1"],
        ["Available", "Funding", "2.000000", "1003.000000", "", "'-1+1"],
    ]
    past = visit.get("balance.csv", since="2024-01-01", until="2024-01-31")["body"].splitlines()
    assert past == [f"\ufeff{head}"]
    for odd in ({"since": "x"}, {"until": "9999-12-31"}, {"since": "0001-01-01"}):
        assert visit.get("balance.csv", **odd)["statusCode"] == 200


@pytest.mark.parametrize("sent", [{"to": "x"}, {"to": ""}, {"to": "BTC:1"}])
def test_a_form_of_another_page_is_refused(visit: PortalVisit, sent: dict[str, str]) -> None:
    answer = visit.confirmed("balance/addresses/remove", **sent)
    assert answer["statusCode"] == 400
