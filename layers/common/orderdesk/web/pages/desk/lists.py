"""The desk's page of open orders, with the trader's duty."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orderdesk.domain.orders.desk_lists import (
    CALLING_LISTS,
    OPEN_LISTS,
    DeskList,
    desk_list,
    lookalikes,
)
from orderdesk.domain.orders.order import Order
from orderdesk.domain.traders.settings import settings_version
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.traders.desk import TOP, DeskPlace, OpenPage
from orderdesk.web.http import Request
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.desk.arrangement import AS_USUAL, Arrangement, arranged, open_at
from orderdesk.web.pages.desk.frame import DeskLinks, desk_page
from orderdesk.web.pages.desk.settings import account_notice
from orderdesk.web.pages.desk.summary import Summary, key_of, summary_of, version_of
from orderdesk.web.pages.desk.table import Filter, Head, filters_of, heads_of
from orderdesk.web.pages.desk.texts import DeskTexts
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.texts import Language, Notice

_VERSION_LENGTH = 16
_CONFLICT = 409
_PLACE = re.compile(rf"({'|'.join(OPEN_LISTS)})-([0-9]{{1,16}})")


@dataclass(frozen=True, slots=True)
class DutyView:
    """Whether the trader is on duty, and the button that changes it."""

    state: str
    notice: Notice
    button: str | None
    action: str


@dataclass(frozen=True, slots=True)
class OrdersView:
    """One page of the open orders as it is arranged; `count` counts those of all pages.

    `version` changes when the page changes; `feed` tells it, `page` is the page's own address.
    `settings` changes when the trader's settings change; `notice` tells of a changed account.
    `worker` is the address of the service worker, which speaks the page's language; `owner` is whom
    it belongs to in a browser of several traders.
    `keys` stands for the orders that wait for the trader or a customer, filtered out or not.
    `versions` are the open orders' versions; None if they are not all on this page.
    `crowd` says that there are more pages, `further` links to the next one.
    """

    duty: DutyView
    orders: tuple[Summary, ...]
    heads: tuple[Head, ...]
    filters: tuple[Filter, ...]
    keys: tuple[str, ...]
    versions: tuple[str, ...] | None
    count: int
    crowd: str | None
    is_first: bool
    further: str | None
    version: str
    feed: str
    page: str
    worker: str
    owner: str
    online: bool
    settings: str
    notice: Notice | None
    now: int
    alert: Notice | None


def orders_page(
    trader: Trader,
    found: OpenPage,
    now: int,
    language: Language,
    links: DeskLinks,
    *,
    arrangement: Arrangement = AS_USUAL,
    is_refused: bool = False,
) -> Page:
    """Make a page of open orders at a time (Unix seconds).

    `is_refused`: the trader wanted to go on duty but is suspended.
    """
    texts, still = TEXTS[language], open_at(found.orders, now)
    alike, place = lookalikes(still), _query_of(found.after)
    further = None
    if found.further is not None:
        further = links.to("orders", **_query_of(found.further), **arrangement.query)

    def address(other: Arrangement) -> str:
        return links.to("orders", **place, **other.query)

    crowd = texts.lists.crowd.format(total=found.total, shown=len(still))
    view = OrdersView(
        duty=_duty(trader, texts, links),
        orders=tuple(
            summary_of(order, now, texts, links, is_alike=order.order_no in alike)
            for order in arranged(still, arrangement)
        ),
        heads=tuple(heads_of(arrangement, texts, address)),
        filters=tuple(filters_of(still, arrangement, texts, address)),
        keys=tuple(key_of(order) for order in still if desk_list(order.status) in CALLING_LISTS),
        versions=None if found.is_crowd else tuple(version_of(order) for order in still),
        count=found.total if found.is_crowd else len(still),
        crowd=crowd if found.is_crowd else None,
        is_first=found.after == TOP,
        further=further,
        version=_version(still, found),
        feed=links.to("status", **place, **arrangement.query),
        page=address(arrangement),
        worker=links.here("worker.js", lang=language.value),
        owner=trader.trader_id,
        online=trader.online,
        settings=settings_version(trader),
        notice=account_notice(trader, now, texts),
        now=now,
        alert=texts.duty.refused if is_refused else None,
    )
    here = links.here("orders", **place, **arrangement.query)
    status = _CONFLICT if is_refused else 200
    return desk_page(
        "desk/orders.html", view, links, here, section="orders", status=status, has_worker=True
    )


def desk_status(trader: Trader, found: OpenPage, now: int) -> dict[str, object]:
    """Give what the page's script compares to see what has changed."""
    return {
        "orders": _version(open_at(found.orders, now), found),
        "online": trader.online,
        "settings": settings_version(trader),
    }


def is_known(request: Request, status: Mapping[str, object]) -> bool:
    """Tell whether the asker knows the list of a status (`?known=`), or does not say."""
    known = f"{status['orders']}-{status['online']:d}-{status['settings']}"
    return request.query.get("known", known) == known


def desk_place(request: Request) -> DeskPlace:
    """Read the place that a page of open orders begins behind; the top if there is none."""
    place = _PLACE.fullmatch(request.query.get("after", ""))
    return DeskPlace(DeskList(place[1]), int(place[2])) if place else TOP


def _query_of(place: DeskPlace) -> dict[str, str]:
    return {} if place == TOP else {"after": f"{place.on_desk.value}-{place.order_id}"}


def _version(orders: Sequence[Order], found: OpenPage) -> str:
    """Give a hash of a page's orders and their versions, which reveals neither.

    Only a crowd's count goes in. The index may lag behind it, and the page would reload twice.
    """
    named = ",".join(sorted(version_of(order) for order in orders))
    if found.is_crowd:
        named += f",{found.total}"
    return hashlib.sha256(named.encode()).hexdigest()[:_VERSION_LENGTH]


def _duty(trader: Trader, texts: DeskTexts, links: DeskLinks) -> DutyView:
    duty = texts.duty
    if trader.suspended:
        return DutyView("suspended", duty.suspended, None, "")
    if trader.online:
        return DutyView("on", duty.on, duty.go_off, links.to("offline"))
    return DutyView("off", duty.off, duty.go_on, links.to("online"))
