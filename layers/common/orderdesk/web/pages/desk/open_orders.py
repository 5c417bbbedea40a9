"""The desk's page of open orders: the trader's duty, and a table to sort and filter."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from http import HTTPStatus
from typing import Literal, assert_never

from orderdesk.domain.ids import is_order_no, payment_reference
from orderdesk.domain.money import parse_typed_cny
from orderdesk.domain.orders.desk_lists import (
    CALLING_LISTS,
    OPEN_LISTS,
    DeskList,
    desk_due,
    desk_list,
    lookalikes,
)
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.plain_text import plain_name
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.settings import changed_account_lately, settings_version
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.traders.desk import TOP, DeskPlace, OpenPage
from orderdesk.web.http import Request
from orderdesk.web.pages.desk.desk_texts import DeskTexts, DutyTexts
from orderdesk.web.pages.desk.gate import DeskScene
from orderdesk.web.pages.desk.summary import is_asked, key_of, summary_of, version_of
from orderdesk.web.pages.frame import Page
from orderdesk.web.pages.texts import Notice
from orderdesk.web.pages.values import moment_of

TEXT_MAX = 40
_NUMBER_END = re.compile(r"[0-9]{3,24}")
_VERSION_LENGTH = 16
_PLACE = re.compile(rf"({'|'.join(OPEN_LISTS)})-([0-9]{{1,16}})")

type Direction = Literal["ascending", "descending"]


@dataclass(frozen=True, slots=True)
class Sought:
    """A text that finds open orders: an amount, a remark, a payer, or the end of a number.

    "" finds all of them.
    """

    text: str = field(default="", repr=False)

    def has(self, order: Order) -> bool:
        text = self.text.upper()
        if not text:
            return True
        is_number = _NUMBER_END.fullmatch(text) is not None and (
            order.order_no.endswith(text) or text in payment_reference(order.order_no)
        )
        return (
            is_number or text == order.order_no or self._is_payer(order) or self._is_amount(order)
        )

    @property
    def history(self) -> dict[str, str]:
        """The query of the same search in the history; empty if it has none."""
        for name, parse in (("number", number_of), ("amount", parse_typed_cny)):
            with suppress(ValueError):
                parse(self.text)
                return {name: self.text}
        return {}

    def _is_payer(self, order: Order) -> bool:
        """Return whether the text is in the masked name, or is an open order's whole name."""
        if order.identity is None:
            return False
        text, whole = self.text.upper(), order.identity.open_name.upper()
        return text in order.identity.masked_name.upper() or (bool(whole) and text == whole)

    def _is_amount(self, order: Order) -> bool:
        try:
            return parse_typed_cny(self.text) == order.quote.cny_fen
        except ValueError:
            return False


EVERYTHING = Sought()


def sought_of(request: Request) -> Sought:
    """Return what a page of open orders is searched for."""
    return Sought(plain_name(request.query.get("q", "")[:TEXT_MAX]))


class Sort(StrEnum):
    """The order of a page's rows, as `?sort=` names it; a minus reverses it."""

    URGENT = "urgent"
    OLDEST = "time"
    NEWEST = "-time"
    SMALLEST = "amount"
    LARGEST = "-amount"


DESK_STATUSES = (OrderStatus.PAID, OrderStatus.ASSIGNED, OrderStatus.PENDING, OrderStatus.DISPUTED)
"""The statuses of a trader's open orders, the most urgent first."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """The rows' order, the one status that is shown (None shows all), and what is searched for."""

    sort: Sort = Sort.URGENT
    status: OrderStatus | None = None
    sought: Sought = EVERYTHING

    @property
    def query(self) -> dict[str, str]:
        """The part of the address that names it; defaults are left out."""
        named = {} if self.sort is _DEFAULT.sort else {"sort": self.sort.value}
        if self.status is not None:
            named["status"] = self.status.value
        return named | ({"q": self.sought.text} if self.sought.text else {})


_DEFAULT = Arrangement()
type AddressOf = Callable[[Arrangement], str]
"""Returns the address of the same page in another arrangement."""


def orders_page(
    scene: DeskScene,
    found: OpenPage,
    *,
    is_refused: bool = False,
    done: Mapping[str, object] | None = None,
) -> Page:
    """Return a page of open orders; `is_refused`: a suspended trader wanted to go on duty.

    `done` is the trader's last decision.
    """
    texts, links, trader, now = scene.texts, scene.links, scene.trader, scene.now
    arrangement, still = arrangement_of(scene.request), open_at(found.orders, now)
    sought = arrangement.sought
    matching = [order for order in still if sought.has(order)]
    alike, place = lookalikes(still), _query_of(found.after)
    further = None
    if found.further is not None:
        further = links.to("orders", **_query_of(found.further), **arrangement.query)

    def address(other: Arrangement) -> str:
        return links.to("orders", **place, **other.query)

    crowd = texts.lists.crowd.format(total=found.total, shown=len(still))
    view = {
        "duty": _duty(scene),
        "orders": [
            summary_of(order, scene, alike=alike.get(order.order_no, 0))
            for order in arranged(matching, arrangement)
        ],
        "heads": tuple(_heads(arrangement, texts, address)),
        "filters": tuple(_filters(matching, arrangement, texts, address)),
        # Hashes of all orders that wait for the trader or a customer, whatever the filter.
        "calling": [key_of(order) for order in still if desk_list(order) in CALLING_LISTS],
        # None if the open orders are not all on this page; `count` is that of all pages.
        "versions": None if found.is_crowd else [version_of(order) for order in still],
        "count": found.total if found.is_crowd else len(still),
        "sought": sought.text,
        "all": links.to("orders", **replace(arrangement, sought=EVERYTHING).query),
        "history": links.to("history", **sought.history) if sought.history else None,
        "crowd": crowd if found.is_crowd else None,
        "is_first": found.after == TOP,
        "further": further,
        # It changes when the page changes; the script polls `feed` for it.
        "version": _version(still, found),
        "feed": links.to("status", **place, **arrangement.query),
        "page": address(arrangement),
        "worker": links.here("worker.js", lang=scene.language.value),
        # Whose device it is, because several traders may use one browser.
        "owner": trader.trader_id,
        "online": trader.online,
        "settings": settings_version(trader),
        "notice": account_notice(trader, now, texts),
        "now": now,
        "alert": texts.duty.refused if is_refused else None,
        "done": done,
    }
    here = links.here("orders", **place, **arrangement.query)
    status = HTTPStatus.CONFLICT if is_refused else HTTPStatus.OK
    return Page("desk/orders.html", view, here, section="orders", status=status, has_worker=True)


def account_notice(trader: Trader, now: int, texts: DeskTexts) -> Notice | None:
    """Return the warning that an account was changed at the desk within a day, or None."""
    if not changed_account_lately(trader, now):
        return None
    at = moment_of(trader.methods_changed_at, texts.shared).text
    return texts.settings.account_changed.filled(time=at)


def desk_status(trader: Trader, found: OpenPage, now: int) -> dict[str, object]:
    """Return the values that the page's script compares to find changes."""
    return {
        "orders": _version(open_at(found.orders, now), found),
        "online": trader.online,
        "settings": settings_version(trader),
    }


def is_known(request: Request, status: Mapping[str, object]) -> bool:
    """Return whether the script has the page of a status (`?known=`); True without `known`."""
    known = f"{status['orders']}-{status['online']:d}-{status['settings']}"
    return request.query.get("known", known) == known


def desk_place(request: Request) -> DeskPlace:
    """Return the place after which a page of open orders begins; the top if none is named."""
    place = _PLACE.fullmatch(request.query.get("after", ""))
    return DeskPlace(DeskList(place[1]), int(place[2])) if place else TOP


def arrangement_of(request: Request) -> Arrangement:
    """Return the arrangement of a request; absent and unknown values are the defaults."""
    sort, status = request.query.get("sort"), request.query.get("status")
    return Arrangement(
        next((one for one in Sort if one == sort), _DEFAULT.sort),
        next((one for one in DESK_STATUSES if one == status), None),
        sought_of(request),
    )


def number_of(text: str) -> str:
    """Return an order's number or its end. Raises: ValueError."""
    number = text.upper()
    if not is_order_no(number) and not _NUMBER_END.fullmatch(number):
        raise ValueError(text)
    return number


def open_at(orders: Iterable[Order], now: int) -> Sequence[Order]:
    """Return the open orders, the most urgent first, without those that have just expired."""
    still = [order for order in orders if order.status_at(now).is_open]
    return sorted(still, key=_urgency)


def next_order(orders: Iterable[Order], after: str, now: int) -> str | None:
    """Return the path of the most urgent order that waits for the trader, except one number.

    The index may still list an order that was just confirmed.
    """
    waiting = (o for o in open_at(orders, now) if desk_list(o) is DeskList.TRADER)
    found = next((order for order in waiting if order.order_no != after), None)
    return None if found is None else f"orders/{found.order_no}"


def arranged(orders: Sequence[Order], arrangement: Arrangement) -> Sequence[Order]:
    """Filter and sort the result of `open_at`; equal orders keep their sequence."""
    wanted = arrangement.status
    shown = [order for order in orders if wanted is None or order.status is wanted]
    match arrangement.sort:
        case Sort.URGENT:
            return shown
        case Sort.OLDEST:
            return sorted(shown, key=lambda order: order.order_id)
        case Sort.NEWEST:
            return sorted(shown, key=lambda order: -order.order_id)
        case Sort.SMALLEST:
            return sorted(shown, key=lambda order: order.quote.cny_fen)
        case Sort.LARGEST:
            return sorted(shown, key=lambda order: -order.quote.cny_fen)
        case _:
            assert_never(arrangement.sort)


def _urgency(order: Order) -> tuple[int, int, bool]:
    """Sort by list; what runs out first comes first, of equal ones a wanted answer."""
    place = OPEN_LISTS.index(desk_list(order))
    return place, desk_due(order) or order.since, not is_asked(order)


def _heads(
    arrangement: Arrangement, texts: DeskTexts, address: AddressOf
) -> Iterator[Mapping[str, object]]:
    """Yield the heads of the columns; `direction` is set for the one that the rows are sorted by.

    A `link` sorts by its column or reverses its order; None if it cannot.
    """
    t, now = texts.lists, arrangement.sort
    heads: Mapping[str, tuple[str, Mapping[Sort, Direction]]] = {
        "order": (t.order, {Sort.NEWEST: "descending", Sort.OLDEST: "ascending"}),
        "amount": (t.amount, {Sort.LARGEST: "descending", Sort.SMALLEST: "ascending"}),
        "account": (t.account, {}),
        "payer": (texts.order.payer, {}),
        "state": (t.state, {}),
        "todo": (t.todo, {Sort.URGENT: "ascending"}),
    }
    for name, (text, sorts) in heads.items():
        there = next((sort for sort in sorts if sort is not now), now)
        link = address(replace(arrangement, sort=there)) if sorts else None
        yield {"name": name, "text": text, "link": link, "direction": sorts.get(now)}


def _filters(
    still: Iterable[Order], arrangement: Arrangement, texts: DeskTexts, address: AddressOf
) -> Iterator[Mapping[str, object]]:
    """Yield a link to all orders that were found, and to each status that one of them has."""
    counts, wanted = Counter(order.status for order in still), arrangement.status
    for status in (None, *DESK_STATUSES):
        if status is None or counts[status] or status is wanted:
            yield {
                "name": status.value if status else "all",
                "text": texts.statuses[status] if status else texts.lists.all,
                "count": counts[status] if status else counts.total(),
                "link": address(replace(arrangement, status=status)),
                "is_on": status is wanted,
            }


def _query_of(place: DeskPlace) -> dict[str, str]:
    return {} if place == TOP else {"after": f"{place.on_desk.value}-{place.order_id}"}


def _version(orders: Sequence[Order], found: OpenPage) -> str:
    """Return a hash of the numbers and versions of a page's orders.

    The number of orders is included only if they are more than a page shows. Otherwise the index
    may lag behind the number, and the page would reload twice.
    """
    named = ",".join(sorted(version_of(order) for order in orders))
    if found.is_crowd:
        named += f",{found.total}"
    return hashlib.sha256(named.encode()).hexdigest()[:_VERSION_LENGTH]


def _on_duty(trader: Trader, duty: DutyTexts) -> Notice:
    """Return what a trader on duty gets: a buy needs USDT, every order an account."""
    if not any(map(trader.accounts_on, MethodType)):
        return duty.no_account
    return duty.on if trader.counts.available_micro else duty.no_usdt


def _duty(scene: DeskScene) -> Mapping[str, object]:
    """Return whether the trader is on duty, the button that changes it, and the own figures.

    `taken` and `taken_fen` are today's orders that did not end unpaid.
    """
    duty, trader, day = scene.texts.duty, scene.trader, trading_day(scene.now)
    if trader.suspended:
        state, notice, button, action = "suspended", duty.suspended, None, ""
    elif trader.online:
        state, notice, button, action = "on", _on_duty(trader, duty), duty.go_off, "offline"
    else:
        state, notice, button, action = "off", duty.off, duty.go_on, "online"
    return {
        "state": state,
        "notice": notice,
        "button": button,
        "action": action,
        "name": trader.name,
        "available_micro": trader.counts.available_micro,
        "taken": trader.kept_on(day),
        "taken_fen": trader.used_on(day),
    }
