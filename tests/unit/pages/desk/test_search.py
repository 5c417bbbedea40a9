"""The desk's searches: their fields and values, and what an open order is found by."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.ids import payment_reference, time_ordered_id
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.traders.history import ALL
from orderdesk.web.http import request_of
from orderdesk.web.pages.desk.history import Search, SearchField, search_of
from orderdesk.web.pages.desk.open_orders import Sought
from tests.support.events import proxy_event
from tests.support.orders import desk_order

NUMBER, AMOUNT, DAY, UNTIL = SearchField
MIDNIGHT_MS = 1_763_654_400_000  # 2025-11-21 00:00 in China
DAY_MS = 86_400_000


def search(**query: str) -> Search:
    return search_of(
        request_of({**proxy_event("GET", "/trader/history"), "queryStringParameters": query})
    )


def test_an_open_order_is_found_by_its_payers_whole_name() -> None:
    order = desk_order(OrderType.BUY, OrderStatus.PAID, 1_763_700_000)
    assert [Sought(text).has(order) for text in ("张三", "张*", "张", "三", "张三丰")] == [
        *(True, True, True),
        *(False, False),
    ]


def test_nothing_asks_for_everything() -> None:
    assert search().wanted == ALL
    assert (search().query, search().has_days, search().typed.unfit) == ({}, False, set())


def test_a_number_is_looked_up_whole_or_by_its_end() -> None:
    whole = search(number=" b202511210009876543210123 ")
    assert whole.order_no == "B202511210009876543210123"
    assert search(number="210123").wanted.number_end == "210123"
    assert search(number="210123").order_no is None


@pytest.mark.parametrize(("typed", "fen"), [("1000.37", 1000_37), ("¥1,000", 1000_00), ("0.1", 10)])
def test_an_amount_is_exact(typed: str, fen: int) -> None:
    assert search(amount=typed).wanted.cny_fen == fen


def test_days_are_the_ids_of_their_orders() -> None:
    one = search(day="2025-11-21").wanted
    assert (one.first_id, one.last_id) == (
        time_ordered_id(MIDNIGHT_MS, 0),
        time_ordered_id(MIDNIGHT_MS + DAY_MS, 0) - 1,
    )
    two = search(day="2025-11-20", until="2025-11-21").wanted
    assert (two.first_id, two.last_id) == (time_ordered_id(MIDNIGHT_MS - DAY_MS, 0), one.last_id)


@pytest.mark.parametrize(
    ("query", "unfit"),
    [
        ({"number": "12"}, {NUMBER}),
        ({"number": "D202511210009876543210123"}, {NUMBER}),
        ({"amount": "1000.375"}, {AMOUNT}),
        ({"amount": "-1"}, {AMOUNT}),
        ({"day": "2025-02-30"}, {DAY}),
        ({"day": "21.11.2025"}, {DAY}),
        ({"until": "2025-11-21"}, {UNTIL}),
        ({"day": "2025-11-21", "until": "2025-11-20"}, {UNTIL}),
        ({"day": "2025-11-01", "until": "2025-12-02"}, {UNTIL}),
        ({"day": "2099-12-31", "until": "2099-12-31"}, set()),
    ],
)
def test_what_means_nothing_is_named(query: dict[str, str], unfit: set[SearchField]) -> None:
    assert search(**query).typed.unfit == unfit


@given(st.dictionaries(st.sampled_from([*SearchField]), st.text(max_size=60)))
def test_whatever_is_typed_is_read(query: dict[SearchField, str]) -> None:
    found = search(**{name.value: text for name, text in query.items()})
    assert 0 <= found.wanted.first_id <= found.wanted.last_id
    assert all(len(text) <= 40 for text in found.typed.texts.values())


OPEN = desk_order(OrderType.BUY, OrderStatus.PAID, 1_763_700_000)


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("", True),
        ("1000.37", True),
        ("¥1,000.37", True),
        ("1000.3", False),
        (OPEN.order_no.lower(), True),
        (OPEN.order_no[-8:], True),
        (payment_reference(OPEN.order_no), True),
        (payment_reference(OPEN.order_no)[:4], True),
        (payment_reference(OPEN.order_no)[:2], False),
        ("张", True),
        ("李", False),
        ("B", False),
    ],
)
def test_an_open_order_is_found_by_amount_remark_payer_and_number(
    text: str, *, is_found: bool
) -> None:
    assert Sought(text).has(OPEN) == is_found


@pytest.mark.parametrize(
    ("text", "history"),
    [("123", {"number": "123"}), ("¥70", {"amount": "¥70"}), ("张", {}), ("", {})],
)
def test_the_history_is_searched_for_what_it_can_find(text: str, history: dict[str, str]) -> None:
    assert Sought(text).history == history


@given(st.text(max_size=40))
def test_whatever_is_sought_is_read(text: str) -> None:
    assert Sought(text).has(OPEN) in {True, False}
