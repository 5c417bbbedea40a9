"""The desk's history and balance: what is over, what was posted, page by page."""

import pytest

from orderdesk.domain.ledger.accounts import Entry, TransferKind
from orderdesk.domain.orders.order import Order
from orderdesk.services.traders.desk import Slice
from orderdesk.web.http import Request, request_of
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.desk.balance import balance_page, posting_before
from orderdesk.web.pages.desk.frame import DeskLinks
from orderdesk.web.pages.desk.history import history_page, order_before
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.texts import Language
from tests.support.desk_orders import OPEN_STATES, STATES, TRADER, desk_order, numbered
from tests.support.events import proxy_event
from tests.support.seen_desk import see
from tests.support.seen_page import Seen

NOW = 1_763_700_000


def see_history(
    orders: list[Order], before: int | None, older: str | None, language: Language = Language.EN
) -> Seen:
    def render(_: Request, language: Language, links: DeskLinks) -> Page:
        return history_page(Slice(orders, older), before, NOW, language, links)

    return see("/trader/history", render, language)


def see_balance(entries: list[Entry], before: str | None = None, older: str | None = None) -> Seen:
    def render(_: Request, language: Language, links: DeskLinks) -> Page:
        return balance_page(TRADER, Slice(entries, older), before, language, links, now=NOW)

    return see("/trader/balance", render)


@pytest.mark.parametrize("language", Language)
def test_the_history_leads_to_each_order_and_to_older_ones(language: Language) -> None:
    texts, lang = TEXTS[language], language.value
    orders = [
        numbered(desk_order(side, status, NOW), number)
        for number, (side, status) in enumerate(STATES)
        if (side, status) not in OPEN_STATES
    ]
    page = see_history(orders, 17, "9", language)
    for order in orders:
        assert f'href="orders/{order.order_no}?lang={lang}"' in page.html
        assert texts.statuses[order.status] in page.text
    assert f'href="history?before=9&amp;lang={lang}"' in page.html
    assert f'href="history?lang={lang}">{texts.lists.newest}' in page.html
    assert f'href="history?before=17&amp;lang={language.other.value}"' in page.html
    newest = see_history([], None, None, language)
    assert texts.lists.none_over.headline in newest.text
    assert "pager" not in newest.html.partition("</style>")[2]


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
    assert 'href="balance?before=posting%231%23a&amp;lang=en"' in page.html
    assert 'href="balance?before=posting%232%23b&amp;lang=zh"' in page.html
    # 1 763 700 000 is 2025-11-21 12:40 in China
    assert "21 Nov 2025, 12:40" in page.text
    assert "Nothing here yet" in see_balance([]).text


@pytest.mark.parametrize(
    ("text", "order", "posting"),
    [
        ("9876543210123", 9876543210123, "9876543210123"),
        ("posting#1763700000000000#B1", None, "posting#1763700000000000#B1"),
        ("", None, None),
        ("١٢", None, None),
        ("9" * 17, None, "9" * 17),
        ("p" * 101, None, None),
        ("posting# ", None, None),
        ("-1", None, "-1"),
    ],
)
def test_where_a_page_begins(text: str, order: int | None, posting: str | None) -> None:
    event = proxy_event("GET", "/trader/history")
    request = request_of({**event, "queryStringParameters": {"before": text}})
    assert (order_before(request), posting_before(request)) == (order, posting)
    assert order_before(request_of(event)) is None
    assert posting_before(request_of(event)) is None
