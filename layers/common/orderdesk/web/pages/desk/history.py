"""The desk's history: orders that are over, page by page."""

import re
from dataclasses import dataclass

from orderdesk.domain.orders.order import Order
from orderdesk.services.traders.desk import Slice
from orderdesk.web.http import Request
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.desk.frame import DeskLinks, desk_page
from orderdesk.web.pages.desk.summary import Summary, summary_of
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.texts import Language

_ORDER_ID = re.compile(r"[0-9]{1,16}")


@dataclass(frozen=True, slots=True)
class HistoryView:
    """One page of orders that are over; `older` links to the next page."""

    orders: tuple[Summary, ...]
    is_newest: bool
    older: str | None
    now: int


def history_page(
    page: Slice[Order], before: int | None, now: int, language: Language, links: DeskLinks
) -> Page:
    """Make one page of the history."""
    texts = TEXTS[language]
    view = HistoryView(
        orders=tuple(summary_of(order, now, texts, links) for order in page.items),
        is_newest=before is None,
        older=None if page.before is None else links.to("history", before=page.before),
        now=now,
    )
    query = {} if before is None else {"before": str(before)}
    here = links.here("history", **query)
    return desk_page("desk/history.html", view, links, here, section="history")


def order_before(request: Request) -> int | None:
    """Read the order id that the history starts below; None for the newest."""
    text = request.query.get("before", "")
    return int(text) if _ORDER_ID.fullmatch(text) else None
