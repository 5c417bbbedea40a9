"""The desk's history and balance: orders that are over, and postings, page by page."""

import csv
import re
from dataclasses import replace
from io import StringIO

import pytest

from orderdesk.domain.accounts import Entry, TransferKind
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.services.ports import Slice
from orderdesk.services.traders.history import Found
from orderdesk.web.http import request_of
from orderdesk.web.pages.desk.desk_texts import DeskTexts
from orderdesk.web.pages.desk.gate import SITE, DeskScene
from orderdesk.web.pages.desk.history import (
    ORDER_ID,
    PLACE,
    balance_page,
    history_csv,
    history_page,
    search_of,
)
from orderdesk.web.pages.frame import Page
from orderdesk.web.pages.texts import Language
from orderdesk.web.pages.values import usdt_of
from tests.support.events import proxy_event
from tests.support.orders import TRADER, VERIFIED, desk_order, numbered
from tests.support.seen_page import Seen
from tests.unit.pages.desk.seen_desk import see

NOW = 1_763_700_000  # 2025-11-21 12:40 in China
BUY, SELL = OrderType.BUY, OrderType.SELL
DAY_SECONDS = 86_400
NOTHING = Found((), None)


def see_history(
    found: Found, before: int | None = None, language: Language = Language.EN, **query: str
) -> Seen:
    def render(scene: DeskScene) -> Page:
        search = search_of(replace(scene.request, query=query))
        return history_page(scene, found, search, before)

    return see("/trader/history", render, language)


def see_balance(
    entries: list[Entry], before: str | None = None, older: str | None = None, **query: str
) -> Seen:
    def render(scene: DeskScene) -> Page:
        request = replace(scene.request, query=query)
        return balance_page(replace(scene, request=request), Slice(entries, older), before)

    return see("/trader/balance", render)


def test_a_search_keeps_its_fields_and_leads_on() -> None:
    order = desk_order(BUY, OrderStatus.COMPLETED, NOW)
    page = see_history(Found([order], 7), amount="1,000.37", number=" 210123 ")
    assert 'value="1,000.37"' in page.html
    assert 'value="210123"' in page.html
    search = "number=210123&amp;amount=1%2C000.37"
    assert f'href="history?{search}&amp;before=7&amp;lang=en" rel="next"' in page.html
    assert f'href="history?{search}&amp;format=csv&amp;lang=en"' in page.html
    assert f'href="history?{search}&amp;lang=zh"' in page.html
    assert "Totals by day" not in page.text
    found = see_history(NOTHING, amount="5")
    assert "Nothing found" in found.text
    assert 'href="orders?q=5&amp;lang=en"' in found.html


def test_a_field_that_means_nothing_says_so() -> None:
    page = see_history(NOTHING, amount="ten", day="yesterday", until="2025-11-21", number="<b>")
    for rule in ("An amount such as", "Choose a day", "The last day must not", "A whole order"):
        assert rule in page.text
    assert page.html.partition("</style>")[2].count('aria-invalid="true"') == 4
    assert 'value="&lt;b&gt;"' in page.html
    assert "format=csv" not in page.html


def test_days_have_totals_of_all_that_was_found() -> None:
    orders = [
        desk_order(BUY, OrderStatus.COMPLETED, NOW),
        desk_order(SELL, OrderStatus.COMPLETED, NOW, fen=500_00),
        desk_order(BUY, OrderStatus.EXPIRED, NOW),
        *(
            numbered(desk_order(BUY, OrderStatus.COMPLETED, NOW - DAY_SECONDS), n)
            for n in range(30)
        ),
    ]
    page = see_history(Found(orders, None), day="2025-11-20", until="2025-11-21")
    assert "2025-11-21 1 × ¥1,000.37 138.249032 USDT 1 × ¥500.00" in page.text
    assert "2025-11-20 30 × ¥30,011.10 4,147.470960 USDT 0 0" in page.text
    assert page.html.count('class="entry"') == 20
    assert 'rel="next"' in page.html
    assert 'href="history?day=2025-11-20&amp;lang=en"' in page.html


def test_a_search_that_was_cut_says_so() -> None:
    assert "Only 2,000 orders are read at once" in see_history(Found((), 9, is_cut=True)).text
    assert "read at once" not in see_history(NOTHING).text


@pytest.mark.parametrize("language", Language)
def test_the_file_has_a_row_for_each_order(language: Language) -> None:
    buy = desk_order(BUY, OrderStatus.COMPLETED, NOW)
    evil = replace(VERIFIED, masked_name='=HYPERLINK("x")')
    sell = desk_order(SELL, OrderStatus.CANCELLED, NOW)
    file = history_csv(Found([buy, replace(buy, identity=evil), sell], None), DeskTexts(language))
    assert (file.name, file.text[0]) == ("orders.csv", "\ufeff")
    head, first, second, third = csv.reader(StringIO(file.text[1:]))
    texts = DeskTexts(language)
    assert len(head) == len(first) == len(set(head))
    assert first == [
        buy.order_no,
        texts.sides[BUY],
        texts.statuses[OrderStatus.COMPLETED],
        "2025-11-21 12:40:00",
        "2025-11-21 12:40:00",
        "1000.37",
        "7.2360",
        "138.249032",
        "测试银行 ****1234",
        "张*",
        "210123",
    ]
    assert second[-2] == """'=HYPERLINK("x")"""
    assert third[-2:] == ["", ""]
    assert history_csv(Found([buy], 7, is_cut=True), texts).name == "orders-part.csv"


def test_the_balance_and_what_was_posted() -> None:
    settled = Entry(NOW * 10**6, TransferKind.SETTLEMENT, -138_249_032, "B" + "1" * 24, "")
    funded = Entry(NOW * 10**6 - 1, TransferKind.FUNDING, 10**13, "", "<b>2211</b> & more")
    page = see_balance([settled, funded], "posting#2#b", "posting#1#a")
    assert "8,204.417035 USDT" in page.text
    assert "138.249032 USDT" in page.text
    assert "−138.249032 USDT" in page.text
    assert "+10,000,000.000000 USDT" in page.text
    assert f'href="orders/B{"1" * 24}?lang=en"' in page.html
    assert "<b>2211</b> & more" in page.text
    assert 'href="balance?before=posting%232%23b&amp;lang=zh"' in page.html
    assert 'href="balance?before=posting%231%23a&amp;lang=en"' in page.html
    assert 'class="sum"' not in page.html.partition("</style>")[2]


def test_each_posting_has_the_balance_after_it_on_every_page() -> None:
    order_no = "B" + "1" * 24
    paid = Entry(NOW * 10**6, TransferKind.SETTLEMENT, -138_249_032, order_no, "")
    funded = Entry(NOW * 10**6 - 1, TransferKind.FUNDING, 10**9, "", "2211")
    page = see_balance([paid, funded], None, "posting#1#a")
    owned = TRADER.counts.available_micro + TRADER.counts.held_micro
    balances = [usdt_of(owned), usdt_of(owned + 138_249_032)]
    cells = re.findall(r'<td role="cell" class="sum">(.*?)</td>', page.html, re.DOTALL)
    assert [re.sub("<.*?>|[A-Za-z]", "", cell).strip() for cell in cells] == balances
    left = owned + 138_249_032 - 10**9
    older = f'href="balance?before=posting%231%23a&amp;owned={left}&amp;lang=en"'
    assert older in page.html
    below = see_balance([funded], "posting#1#a", None, owned=str(left))
    assert usdt_of(left) in below.text
    here = f'href="balance?before=posting%231%23a&amp;owned={left}&amp;lang=zh"'
    assert here in below.html
    unknown = see_balance([funded], "posting#1#a", None, owned="x")
    assert 'class="sum"' not in unknown.html.partition("</style>")[2]
    assert "21 Nov 2025, 12:40" in page.text
    assert "Nothing here yet" in see_balance([]).text


@pytest.mark.parametrize(
    ("text", "order", "posting"),
    [
        ("9876543210123", "9876543210123", "9876543210123"),
        ("posting#1763700000000000#B1", None, "posting#1763700000000000#B1"),
        ("", None, None),
        ("١٢", None, None),
        ("9" * 17, None, "9" * 17),
        ("p" * 101, None, None),
        ("posting# ", None, None),
        ("-1", None, "-1"),
    ],
)
def test_where_a_page_begins(text: str, order: str | None, posting: str | None) -> None:
    event = proxy_event("GET", "/trader/history")
    scene = SITE.scene(request_of({**event, "queryStringParameters": {"before": text}}), NOW)
    assert (scene.asked("before", ORDER_ID), scene.asked("before", PLACE)) == (order, posting)
    assert SITE.scene(request_of(event), NOW).asked("before", PLACE) is None
