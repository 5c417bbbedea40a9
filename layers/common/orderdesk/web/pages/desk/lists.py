"""The desk's lists: open orders with the trader's duty, and orders that are over."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from orderdesk.domain.orders.order import Order
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.traders.desk import Slice
from orderdesk.web.http import Request
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.desk.frame import DeskLinks, desk_page
from orderdesk.web.pages.desk.summary import Summary, open_at, summary_of
from orderdesk.web.pages.desk.texts import DeskTexts
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.texts import Language, Notice

_VERSION_LENGTH = 16
_CONFLICT = 409
_ORDER_ID = re.compile(r"[0-9]{1,16}")


@dataclass(frozen=True, slots=True)
class DutyView:
    """Whether the trader is on duty, and the button that changes it."""

    state: str
    notice: Notice
    button: str | None
    action: str


@dataclass(frozen=True, slots=True)
class OrdersView:
    """The open orders, the most urgent first; `version` changes when the list changes."""

    duty: DutyView
    orders: tuple[Summary, ...]
    version: str
    online: bool
    now: int
    alert: Notice | None


@dataclass(frozen=True, slots=True)
class HistoryView:
    """One page of orders that are over; `older` links to the next page."""

    orders: tuple[Summary, ...]
    is_newest: bool
    older: str | None


def orders_page(
    trader: Trader,
    orders: Sequence[Order],
    now: int,
    language: Language,
    links: DeskLinks,
    *,
    is_refused: bool = False,
) -> Page:
    """Make the page of open orders at a time (Unix seconds).

    `is_refused`: the trader wanted to go on duty but is suspended.
    """
    texts, still = TEXTS[language], open_at(orders, now)
    view = OrdersView(
        duty=_duty(trader, texts, links),
        orders=tuple(summary_of(order, now, texts, links) for order in still),
        version=_version(still),
        online=trader.online,
        now=now,
        alert=texts.duty.refused if is_refused else None,
    )
    here, status = links.here("orders"), _CONFLICT if is_refused else 200
    return desk_page("desk/orders.html", view, links, here, section="orders", status=status)


def desk_status(trader: Trader, orders: Sequence[Order], now: int) -> dict[str, object]:
    """Give what the page's script compares to see whether the list has changed."""
    return {"orders": _version(open_at(orders, now)), "online": trader.online}


def history_page(
    page: Slice[Order], before: int | None, now: int, language: Language, links: DeskLinks
) -> Page:
    """Make one page of the history."""
    texts = TEXTS[language]
    view = HistoryView(
        orders=tuple(summary_of(order, now, texts, links) for order in page.items),
        is_newest=before is None,
        older=None if page.before is None else links.to("history", before=page.before),
    )
    query = {} if before is None else {"before": str(before)}
    here = links.here("history", **query)
    return desk_page("desk/history.html", view, links, here, section="history")


def order_before(request: Request) -> int | None:
    """Read the order id that the history starts below; None for the newest."""
    text = request.query.get("before", "")
    return int(text) if _ORDER_ID.fullmatch(text) else None


def _version(orders: Sequence[Order]) -> str:
    """Give a hash of a set of orders and their versions, which reveals neither."""
    named = ",".join(sorted(f"{order.order_no}:{order.version}" for order in orders))
    return hashlib.sha256(named.encode()).hexdigest()[:_VERSION_LENGTH]


def _duty(trader: Trader, texts: DeskTexts, links: DeskLinks) -> DutyView:
    duty = texts.duty
    if trader.suspended:
        return DutyView("suspended", duty.suspended, None, "")
    if trader.online:
        return DutyView("on", duty.on, duty.go_off, links.to("offline"))
    return DutyView("off", duty.off, duty.go_on, links.to("online"))
