"""The desk's page of open orders: urgency, duty, versions, and the arrangement in its address."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from orderdesk.domain.ids import payment_reference
from orderdesk.domain.orders.desk_lists import DeskList
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.settings import settings_version
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.traders.desk import TOP, DeskPlace, OpenPage
from orderdesk.web.http import request_of
from orderdesk.web.pages.desk.desk_texts import DeskTexts
from orderdesk.web.pages.desk.gate import DeskScene
from orderdesk.web.pages.desk.open_orders import (
    Arrangement,
    Sort,
    arrangement_of,
    desk_status,
    orders_page,
)
from orderdesk.web.pages.desk.summary import todo_of
from orderdesk.web.pages.frame import Page
from orderdesk.web.pages.texts import Language
from tests.support.events import proxy_event
from tests.support.orders import (
    CUSTOMERS_CARD,
    CUSTOMERS_WALLET,
    OPEN_STATES,
    TRADER,
    desk_order,
    numbered,
)
from tests.support.seed import with_changes
from tests.support.seen_page import Seen
from tests.unit.pages.desk.seen_desk import see

NOW = 1_763_700_000
BUY, SELL = OrderType.BUY, OrderType.SELL
OFF = replace(TRADER, online=False)


def one_page(orders: Sequence[Order]) -> OpenPage:
    return OpenPage(orders, TOP, None, len(orders))


def status_of(trader: Trader, orders: list[Order], now: int = NOW) -> dict[str, object]:
    return desk_status(trader, one_page(orders), now)


def see_orders(
    trader: Trader,
    orders: Sequence[Order],
    language: Language = Language.EN,
    *,
    found: OpenPage | None = None,
    query: Mapping[str, str] | None = None,
    is_refused: bool = False,
) -> Seen:
    def render(scene: DeskScene) -> Page:
        request = replace(scene.request, query={**scene.request.query, **(query or {})})
        page = found or one_page(orders)
        return orders_page(replace(scene, request=request), page, is_refused=is_refused)

    return see("/trader/orders", render, language, 409 if is_refused else 200, trader=trader)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(("side", "status"), OPEN_STATES)
def test_an_open_order_is_a_card_that_leads_to_its_page(
    side: OrderType, status: OrderStatus, language: Language
) -> None:
    order = desk_order(side, status, NOW)
    page = see_orders(TRADER, [order], language)
    texts = DeskTexts(language)
    usdt = "138.249032 USDT" if side is BUY else "139.638471 USDT"
    headline = todo_of(order, status, texts).headline
    for text in (texts.sides[side], "¥1,000.37", usdt, texts.statuses[status], headline):
        assert text in page.text
    if side is BUY:
        account, payer = f"{texts.order.accounts[side]} 测试银行 ****1234", "张*"
        reference = f"{texts.order.reference} {payment_reference(order.order_no)}"
    else:
        account, payer, reference = f"{texts.order.accounts[side]} 中国银行 ****0123", "", ""
    for text in (order.order_no, account, payer, reference):
        assert text in page.text
    assert CUSTOMERS_CARD.card_number not in page.html
    assert f'href="orders/{order.order_no}?lang={language.value}"' in page.html
    assert f"<title>(1) {texts.lists.orders} · orderdesk</title>" in page.html
    assert ("data-until=" in page.html) == (status is not OrderStatus.DISPUTED)


def test_a_wallet_is_named_by_its_owner_and_the_end_of_its_account() -> None:
    sell = desk_order(SELL, OrderStatus.ASSIGNED, NOW, payment_method=CUSTOMERS_WALLET)
    assert "Alipay · 李四 ****0000" in see_orders(TRADER, [sell]).text
    short = replace(CUSTOMERS_WALLET, account="li4", qr_code="")
    assert "Alipay · 李四 li4 " in see_orders(TRADER, [replace(sell, payment_method=short)]).text


def test_a_payer_who_was_not_verified_is_told_as_such() -> None:
    buy = desk_order(BUY, OrderStatus.PAID, NOW, identity=None)
    assert "Payer Name not verified" in see_orders(TRADER, [buy]).text


def test_the_most_urgent_comes_first() -> None:
    disputed = numbered(desk_order(BUY, OrderStatus.DISPUTED, NOW - 5000), 1)
    pending = numbered(desk_order(BUY, OrderStatus.PENDING, NOW - 890), 2)
    fresh = numbered(desk_order(BUY, OrderStatus.PAID, NOW), 3)
    sell = numbered(desk_order(SELL, OrderStatus.ASSIGNED, NOW - 60), 4)
    late = numbered(desk_order(BUY, OrderStatus.PAID, NOW - 4000), 5)
    page = see_orders(TRADER, [disputed, pending, fresh, sell, late])
    wanted = [order.order_no for order in (late, sell, fresh, pending, disputed)]
    places = [page.html.index(f'href="orders/{order_no}') for order_no in wanted]
    assert places == sorted(places)


def test_a_question_of_support_alerts_and_comes_when_its_time_runs_out() -> None:
    disputed = numbered(desk_order(BUY, OrderStatus.DISPUTED, NOW - 5000), 1)
    asked = with_changes(disputed, trader_asked_at=NOW - 60, version=2)
    late = numbered(desk_order(BUY, OrderStatus.PAID, NOW - 4000), 2)
    quiet, page = see_orders(TRADER, [disputed, late]), see_orders(TRADER, [asked, late])
    texts = DeskTexts(Language.EN)
    assert page.html.index(f"orders/{late.order_no}") < page.html.index(f"orders/{asked.order_no}")
    overdue = see_orders(TRADER, [with_changes(asked, trader_asked_at=NOW - 90_000), late])
    places = [overdue.html.index(f"orders/{order.order_no}") for order in (asked, late)]
    assert places == sorted(places)
    for text in (texts.lists.asked, texts.order.asked[BUY].headline, "23 h 59 min left"):
        assert text in page.text
        assert text not in quiet.text
    again = see_orders(TRADER, [with_changes(asked, trader_asked_at=NOW - 30), late])
    keys = [re.search('data-keys="([^"]*)"', each.html) for each in (quiet, page, again)]
    assert len({found[1] for found in keys if found}) == len(keys), "each question is a new key"


def test_what_has_expired_is_gone_before_any_sweep() -> None:
    order = desk_order(BUY, OrderStatus.PENDING, NOW - 900)
    assert "No open orders" in see_orders(TRADER, [order]).text
    assert status_of(TRADER, [order]) == status_of(TRADER, [])
    assert status_of(TRADER, [order], NOW - 1) != status_of(TRADER, [], NOW - 1)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("trader", "state"),
    [
        (TRADER, "on"),
        (OFF, "off"),
        (replace(OFF, suspended=True), "suspended"),
        (replace(TRADER, suspended=True), "suspended"),
    ],
)
def test_it_is_plain_who_is_on_duty(trader: Trader, state: str, language: Language) -> None:
    page = see_orders(trader, [], language)
    duty = DeskTexts(language).duty
    notice = {"on": duty.on, "off": duty.off, "suspended": duty.suspended}[state]
    assert notice.headline in page.text
    assert notice.advice in page.text
    lang = f"?lang={language.value}"
    assert (f'action="offline{lang}"' in page.html) == (state == "on")
    assert (f'action="online{lang}"' in page.html) == (state == "off")
    if state == "suspended" and language is Language.EN:
        refused = see_orders(trader, [], is_refused=True)
        assert "You were not put on duty" in refused.text


@pytest.mark.parametrize("language", Language)
def test_a_trader_who_can_get_no_order_is_not_promised_any(language: Language) -> None:
    duty = DeskTexts(language).duty
    for changes, notice in (
        ({"methods": ()}, duty.no_account),
        ({"available_micro": 0}, duty.no_usdt),
    ):
        page = see_orders(with_changes(TRADER, online=True, **changes), [], language)
        assert notice.advice in page.text
        assert duty.on.advice not in page.text


def test_the_first_link_of_the_list_leads_to_the_orders() -> None:
    page = see_orders(TRADER, [desk_order(BUY, OrderStatus.PAID, NOW)])
    [first, *_] = re.findall('<a [^>]*href="([^"]*)"', page.html)
    assert first == "#open"
    assert 'id="open"' in page.html


def test_the_head_has_the_traders_name_balance_and_day() -> None:
    today = {"daily_day": trading_day(NOW), "daily_used_fen": 4500_50}
    trader = with_changes(TRADER, daily_orders=3, daily_kept=2, **today)
    shown = "Your name甲 Available8,204.417035 USDT Today, open or completed: 2¥4,500.50"
    assert shown in see_orders(trader, []).text
    tomorrow = with_changes(trader, daily_day=trading_day(NOW) - 1)
    assert "Today, open or completed: 0¥0.00" in see_orders(tomorrow, []).text


def test_test_orders_are_marked() -> None:
    order = desk_order(BUY, OrderStatus.PAID, NOW, mode=Mode.TEST)
    assert "chip-test" in see_orders(TRADER, [order]).html.partition("</style>")[2]
    live = see_orders(TRADER, [replace(order, mode=Mode.LIVE)])
    assert "chip-test" not in live.html.partition("</style>")[2]


def test_the_version_changes_with_the_set_and_with_each_order() -> None:
    first = desk_order(BUY, OrderStatus.PAID, NOW)
    second = desk_order(SELL, OrderStatus.ASSIGNED, NOW)
    told = [
        status_of(TRADER, orders)["orders"]
        for orders in ([], [first], [second], [first, second], [replace(first, version=2)])
    ]
    assert len(set(told)) == len(told)
    assert told[3] == status_of(TRADER, [second, first])["orders"]
    assert not any(first.order_no in str(version) for version in told)
    settings = settings_version(OFF)
    assert status_of(OFF, []) == {"orders": told[0], "online": False, "settings": settings}
    page = see_orders(TRADER, [first, second])
    assert f'data-version="{told[3]}"' in page.html
    crowds = [OpenPage([first], TOP, DeskPlace(DeskList.STAFF, 7), n) for n in (150, 151)]
    assert len({str(desk_status(TRADER, crowd, NOW)) for crowd in crowds}) == 2


@pytest.mark.parametrize("language", Language)
def test_a_crowds_page_counts_all_and_leads_on(language: Language) -> None:
    order = desk_order(BUY, OrderStatus.PAID, NOW)
    first = OpenPage([order], TOP, DeskPlace(DeskList.CUSTOMER, 7), 1234)
    second = OpenPage([order], DeskPlace(DeskList.CUSTOMER, 7), None, 1234)
    lists, pages = DeskTexts(language).lists, []
    for found in (first, second):
        page = see_orders(TRADER, (), language, found=found)
        assert f"<title>(1234) {lists.orders} · orderdesk</title>" in page.html
        assert lists.crowd.format(total=1234, shown=1) in page.text
        pages.append(page.html)
    lang = f"lang={language.value}"
    further = f'href="orders?after=open-7&amp;{lang}" rel="next"'
    assert [further in html for html in pages] == [True, False]
    assert [lists.most_urgent in html for html in pages] == [False, True]
    own = f'data-feed="status?after=open-7&amp;{lang}"'
    assert [own in html for html in pages] == [False, True]


PENDING = numbered(desk_order(BUY, OrderStatus.PENDING, NOW - 60, fen=500_00), 1)
PAID = numbered(desk_order(BUY, OrderStatus.PAID, NOW - 30, fen=70_00), 2)
ASSIGNED = numbered(desk_order(SELL, OrderStatus.ASSIGNED, NOW, fen=3_000_00), 3)
ALL = (PENDING, PAID, ASSIGNED)


def show(
    arrangement: Arrangement, orders: tuple[Order, ...] = ALL, found: OpenPage | None = None
) -> Seen:
    return see_orders(TRADER, orders, found=found, query=arrangement.query)


@pytest.mark.parametrize(
    ("sort", "wanted"),
    [
        (Sort.URGENT, (PAID, ASSIGNED, PENDING)),
        (Sort.OLDEST, (PENDING, PAID, ASSIGNED)),
        (Sort.NEWEST, (ASSIGNED, PAID, PENDING)),
        (Sort.SMALLEST, (PAID, PENDING, ASSIGNED)),
        (Sort.LARGEST, (ASSIGNED, PENDING, PAID)),
    ],
)
def test_rows_come_in_the_order_that_was_asked_for(sort: Sort, wanted: tuple[Order, ...]) -> None:
    html = show(Arrangement(sort)).html.partition("</style>")[2]
    places = [html.index(f'href="orders/{order.order_no}') for order in wanted]
    assert places == sorted(places)
    assert html.count("aria-sort=") == 1


def test_a_heads_link_turns_its_order_around() -> None:
    html = show(Arrangement(Sort.LARGEST)).html
    assert 'aria-sort="descending"><a id="by-amount" href="orders?sort=amount&amp;lang=en"' in html
    assert 'href="orders?sort=-time&amp;lang=en"' in html
    assert (
        'aria-sort="ascending"><a id="by-amount" href="orders?sort=-amount'
        in show(Arrangement(Sort.SMALLEST)).html
    )


def test_one_state_is_shown_and_the_others_are_counted() -> None:
    page = show(Arrangement(Sort.LARGEST, OrderStatus.PAID))
    assert PAID.order_no in page.html
    assert ASSIGNED.order_no not in page.html
    assert "<title>(3) Orders" in page.html
    assert "All 3" in page.text
    assert f"{DeskTexts(Language.EN).statuses[OrderStatus.ASSIGNED]} 1" in page.text
    assert 'href="orders?sort=-amount&amp;lang=zh"' not in page.html
    assert 'href="orders?sort=-amount&amp;status=paid&amp;lang=zh"' in page.html
    assert 'data-page="orders?sort=-amount&amp;status=paid&amp;lang=en"' in page.html


def test_a_state_that_no_order_is_in_any_more_says_so() -> None:
    page = show(Arrangement(status=OrderStatus.DISPUTED))
    assert DeskTexts(Language.EN).lists.none_filtered in page.text
    assert "All 3" in page.text


def test_a_search_shows_the_matching_orders_and_counts_them() -> None:
    texts = DeskTexts(Language.EN)
    page = see_orders(TRADER, ALL, query={"q": "¥70", "sort": "-amount"})
    assert PAID.order_no in page.html
    assert ASSIGNED.order_no not in page.html
    assert texts.lists.found.format(text="¥70") in page.text
    assert f"{texts.statuses[OrderStatus.ASSIGNED]} 1" not in page.text
    assert "<title>(3) Orders" in page.html
    assert 'href="orders?sort=-amount&amp;lang=en" data-arrange>Show all' in page.html
    assert 'data-feed="status?sort=-amount&amp;q=%C2%A570&amp;lang=en"' in page.html
    none = see_orders(TRADER, ALL, query={"q": "71"})
    assert texts.lists.none_found in none.text
    assert 'href="history?amount=71&amp;lang=en"' in none.html


def test_the_next_page_of_a_crowd_is_arranged_the_same_way() -> None:
    further = DeskPlace(DeskList.CUSTOMER, 7)
    found = OpenPage(ALL, TOP, further, 300)
    html = show(Arrangement(Sort.LARGEST), found=found).html
    assert 'href="orders?after=open-7&amp;sort=-amount&amp;lang=en" rel="next"' in html


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ({}, Arrangement()),
        ({"sort": "-amount", "status": "paid"}, Arrangement(Sort.LARGEST, OrderStatus.PAID)),
        ({"sort": "price", "status": "completed"}, Arrangement()),
        ({"sort": "", "status": "PAID"}, Arrangement()),
    ],
)
def test_the_address_names_the_arrangement(query: dict[str, str], wanted: Arrangement) -> None:
    event = {**proxy_event("GET", "/trader/orders"), "queryStringParameters": query or None}
    assert arrangement_of(request_of(event)) == wanted


def test_what_looks_alike_is_marked_on_both_also_if_one_is_filtered_out() -> None:
    twin = numbered(desk_order(BUY, OrderStatus.PENDING, NOW, fen=70_00), 4)
    mark = DeskTexts(Language.EN).lists.alike.format(count=2)
    assert show(Arrangement(), (PENDING, PAID, twin)).text.count(mark) == 2
    assert show(Arrangement(status=OrderStatus.PAID), (PAID, twin)).text.count(mark) == 1
    assert mark not in show(Arrangement()).text
