"""Orders: the filtered list and its file."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from orderdesk.domain.ids import seconds_of
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_cny, format_rate, format_usdt, parse_typed_cny
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import SECONDS_PER_DAY
from orderdesk.services.attempt_limits import PORTAL_FILES
from orderdesk.services.merchants.orders import OrderSearch, numbered_order, orders_for_file
from orderdesk.services.orders.listing import ListedOrders, MerchantOrders, list_orders
from orderdesk.services.ports import Orders
from orderdesk.web.pages.csv_file import csv_file
from orderdesk.web.pages.frame import Download, Page
from orderdesk.web.pages.portal.gate import PORTAL, PortalGate, PortalScene, Routes
from orderdesk.web.pages.portal.portal_texts import PortalOrderTexts
from orderdesk.web.pages.routing import Route
from orderdesk.web.pages.values import china_time, start_of_day

ORDERS = f"{PORTAL}/orders"
_PAGE_LENGTH = 20
_NONE = ListedOrders((), None)
_ORDER_ID = re.compile(r"[0-9]{1,16}")
_NUMBER_CHARS_MAX = 128
_FIELDS = ("q", "status", "type", "mode", "since", "until", "min", "max")


@dataclass(frozen=True, slots=True)
class OrderRow:
    """What a merchant may see of an order in the list; an order has more, such as names and tokens.

    `marks` are the names of its reversal, refund or claim.
    """

    order_no: str
    merchant_order_no: str
    order_type: OrderType
    is_test: bool
    status: OrderStatus
    cny_fen: int
    createtime: int
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrdersPages:
    """The pages and their ports."""

    gate: PortalGate
    orders: Orders
    index: MerchantOrders

    def routes(self) -> Routes:
        return (
            Route("GET", ORDERS, self.show_list),
            Route("GET", f"{PORTAL}/orders.csv", self.save_list, limit=PORTAL_FILES),
        )

    def show_list(self, scene: PortalScene) -> Page:
        """Show the newest matching orders."""
        typed, search, before = _typed(scene), _search_of(scene), _before(scene)
        page = _NONE if search is None else self._page(scene, search, before)
        view = {
            "typed": {name: typed.get(name, "") for name in _FIELDS},
            "unfit": search is None,
            "statuses": tuple(OrderStatus),
            "unfit_amounts": [name for name in ("min", "max") if _is_unfit(typed, name)],
            "orders": [row_of(order, scene) for order in page.orders],
            "csv": scene.links.to("orders.csv", **typed),
            "older": None
            if page.before_id is None
            else scene.links.to("orders", **typed, before=str(page.before_id)),
            "is_filtered": bool(typed) or before is not None,
            "is_open": bool(typed.keys() - {"q"}),
        }
        here = scene.links.here("orders", **typed)
        return Page("portal/orders.html", view, here, section="orders")

    def save_list(self, scene: PortalScene) -> Download:
        """Return the matching orders as a file, or a part whose last line links the next one."""
        search, before, found = _search_of(scene), _before(scene), _NONE
        if search is not None:
            found = self._numbered(scene, search, before) or orders_for_file(
                *(self.index, scene.who.merchant_id, search, before),
                now=scene.now,
                has_time=self.gate.time_for_a_file(),
            )
        rows = [_HEAD, *(_cells(order, scene.now) for order in found.orders)]
        if found.before_id is not None:
            rows.append((self._rest(scene, found.before_id), *[""] * (len(_HEAD) - 1)))
        name = "orders.csv" if before is None and found.before_id is None else "orders-part.csv"
        return csv_file(name, rows, _CSV_VALUES)

    def _rest(self, scene: PortalScene, before_id: int) -> str:
        """Return how far a part goes, and the address of the next one."""
        path = scene.links.to("orders.csv", **_typed(scene), before=str(before_id))
        words, last = scene.texts.orders.csv_rest, seconds_of(before_id)
        return self.gate.rest_of_file(scene, words, last, path)

    def _page(self, scene: PortalScene, search: OrderSearch, before: int | None) -> ListedOrders:
        limit, now, merchant_id = _PAGE_LENGTH, scene.now, scene.who.merchant_id
        return self._numbered(scene, search, before) or list_orders(
            self.index, merchant_id, search, limit=limit, before_id=before, now=now
        )

    def _numbered(
        self, scene: PortalScene, search: OrderSearch, before: int | None
    ) -> ListedOrders | None:
        """Return the order whose whole number is searched for; None if there is none."""
        number = search.ending if before is None else ""
        whole = numbered_order(self.orders, scene.who.merchant_id, number)
        return None if whole is None else ListedOrders((whole,), None)


def row_of(order: Order, scene: PortalScene) -> OrderRow:
    """Return an order as its row."""
    return OrderRow(
        order_no=order.order_no,
        merchant_order_no=order.merchant_order_no or "",
        order_type=order.order_type,
        is_test=order.mode is Mode.TEST,
        status=order.status_at(scene.now),
        cny_fen=order.quote.cny_fen,
        createtime=order.createtime,
        marks=tuple(_marks(order, scene.texts.orders)),
    )


def _marks(order: Order, texts: PortalOrderTexts) -> Iterator[str]:
    """Yield what changed the money of an order beside its moves."""
    if order.undone.refund_of is not None:
        yield texts.is_refund
    if order.undone.refunds:
        yield texts.is_refunded
    if order.undone.reversals:
        is_whole = order.reversed_micro == order.quote.usdt_micro
        yield texts.is_reversed if is_whole else texts.is_reversed_in_part
    if order.merchant_claim is not None:
        yield texts.is_claimed


_HEAD = (
    *("order_no", "merchant_order_no", "order_type", "is_test", "status", "cny_amount", "rate"),
    *("usdt_amount", "service_amount", "deposit_amount", "merchant_actual_amount"),
    *("created", "updated", "refund_of", "reversed_usdt", "claimed_usdt"),
)
_CSV_VALUES = (*range(5, 13), 14, 15)  # the columns of amounts and times


def _cells(order: Order, now: int) -> Sequence[str]:
    quote = order.quote
    return (
        order.order_no,
        order.merchant_order_no or "",
        order.order_type.name.lower(),
        str(int(order.mode.is_test)),
        order.status_at(now).value,
        format_cny(quote.cny_fen),
        format_rate(quote.rate_e4),
        format_usdt(quote.usdt_micro),
        format_usdt(quote.service_micro),
        format_usdt(quote.deposit_micro),
        format_usdt(quote.merchant_actual_micro),
        china_time(order.createtime),
        china_time(order.updatetime),
        order.undone.refund_of or "",
        format_usdt(order.reversed_micro),
        format_usdt(0 if order.merchant_claim is None else quote.merchant_actual_micro),
    )


def _before(scene: PortalScene) -> int | None:
    """Return the id below which a page or part begins, or None."""
    text = scene.asked("before", _ORDER_ID)
    return None if text is None else int(text)


def _typed(scene: PortalScene) -> dict[str, str]:
    """Return the filled fields of the filter, as typed."""
    query = scene.request.query
    return {
        name: text[:_NUMBER_CHARS_MAX] for name in _FIELDS if (text := query.get(name, "").strip())
    }


def _search_of(scene: PortalScene) -> OrderSearch | None:
    """Return the filter of a request; None if a field is unfit."""
    typed = _typed(scene)
    if _is_amount(typed.get("q", "")):
        typed |= {"min": typed["q"], "max": typed.pop("q")}
    try:
        last = _day(typed, "until")
        return OrderSearch(
            statuses=frozenset({OrderStatus(typed["status"])}) if "status" in typed else None,
            order_type=OrderType[typed["type"].upper()] if "type" in typed else None,
            mode=Mode(typed["mode"]) if "mode" in typed else None,
            start_time=_day(typed, "since"),
            end_time=None if last is None else last + SECONDS_PER_DAY - 1,
            min_fen=_fen(typed, "min"),
            max_fen=_fen(typed, "max"),
            ending=typed.get("q", ""),
        )
    except (ValueError, KeyError):  # NotAnAmount and its kin are ValueErrors
        return None


def _is_amount(text: str) -> bool:
    """Return whether a text to search for is an amount: it has a decimal point, no number has."""
    return "." in text and not _is_unfit({"q": text}, "q")


def _fen(typed: Mapping[str, str], name: str) -> int | None:
    return parse_typed_cny(typed[name]) if name in typed else None


def _is_unfit(typed: Mapping[str, str], name: str) -> bool:
    try:
        _fen(typed, name)
    except ValueError:
        return True
    return False


def _day(typed: Mapping[str, str], name: str) -> int | None:
    return start_of_day(date.fromisoformat(typed[name])) if name in typed else None
