"""Orders: the filtered list and its file, and one order with its dispute and its moves."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from typing import ClassVar, override

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.callbacks.events import PLACE
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ids import PAY_LINK, link_token, seconds_of
from orderdesk.domain.money import format_cny, format_rate, format_usdt, parse_typed_cny
from orderdesk.domain.orders.moves import By, OrderChange
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.orders.refunds import refundable_fen
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.times import SECONDS_PER_DAY
from orderdesk.services.attempt_limits import PORTAL_FILES
from orderdesk.services.callbacks.merchant import DeliveryIndex, list_deliveries
from orderdesk.services.orders.listing import (
    MerchantOrders,
    OrderFilter,
    action_of,
    is_within_page,
    list_orders,
    numbered_order,
    own_order,
)
from orderdesk.services.orders.move import MovePorts
from orderdesk.services.ports import KeyVault, Orders, Slice
from orderdesk.web.pages.csv_file import csv_file
from orderdesk.web.pages.dispute.dispute_texts import DisputeTexts
from orderdesk.web.pages.frame import Download, Page
from orderdesk.web.pages.order_routes import Attachments, OrderRoutes, Question
from orderdesk.web.pages.portal.gate import MONEY, PORTAL, PortalGate, PortalScene, Routes
from orderdesk.web.pages.portal.portal_texts import PortalOrderTexts
from orderdesk.web.pages.routing import Open, Route
from orderdesk.web.pages.scene import Typed
from orderdesk.web.pages.texts import Notice, QuestionTexts
from orderdesk.web.pages.values import PictureTexts, china_time, start_of_day

ORDERS = f"{PORTAL}/orders"
ORDER = f"{ORDERS}/{{order_no}}"
_CALLBACKS = 20
_MERCHANT = By(Actor.MERCHANT)
_PAGE_LENGTH = 20
FILE_ROWS_MAX = 5_000
"""The most orders in a file."""
_ORDER_ID = re.compile(r"[0-9]{1,16}")
_NUMBER_CHARS_MAX = 128
_FIELDS = ("q", "status", "type", "mode", "since", "until", "min", "max")


@dataclass(frozen=True, slots=True)
class OrdersPages:
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
        typed, before = _typed(scene), _before(scene)
        page, query = self._found(scene, typed, before, _PAGE_LENGTH), _query_of(typed)
        view = {
            "typed": typed.texts,
            "unfit": typed.unfit,
            "statuses": tuple(OrderStatus),
            "orders": [row_of(order, scene) for order in page.items],
            "csv": scene.links.to("orders.csv", **query),
            "older": scene.links.older("orders", page.following, **query),
            "is_filtered": bool(query) or before is not None,
            "is_open": bool(query.keys() - {"q"}),
        }
        here = scene.links.here("orders", **query)
        return Page("portal/orders.html", view, here, section="orders")

    def save_list(self, scene: PortalScene) -> Download:
        """Return the matching orders as a file, or a part whose last line links the next one."""
        typed, before, has_time = _typed(scene), _before(scene), self.gate.time_for_a_file()
        found = self._found(scene, typed, before, FILE_ROWS_MAX, lambda _: has_time())
        rows = [_HEAD, *(_cells(order, scene.now) for order in found.items)]
        if found.following is not None:
            query = _query_of(typed) | {"before": str(found.following)}
            words, last = scene.texts.orders.csv_rest, seconds_of(found.following)
            path = scene.links.to("orders.csv", **query)
            rest = self.gate.rest_of_file(scene, words, last, path)
            rows.append((rest, *[""] * (len(_HEAD) - 1)))
        name = "orders.csv" if before is None and found.following is None else "orders-part.csv"
        return csv_file(name, rows, _CSV_VALUES)

    def _found(
        self,
        scene: PortalScene,
        typed: Typed,
        before: int | None,
        limit: int,
        goes_on: Callable[[int], bool] = is_within_page,
    ) -> Slice[Order, int]:
        """Return the orders of a search, or only that whose whole number is searched for."""
        search = _search_of(typed)
        if typed.unfit:
            return Slice((), None)
        merchant_id, number = scene.who.merchant_id, search.ending if before is None else ""
        if (whole := numbered_order(self.orders, merchant_id, number)) is not None:
            return Slice((whole,), None)
        return list_orders(
            *(self.index, merchant_id, search),
            limit=limit,
            before_id=before,
            now=scene.now,
            goes_on=goes_on,
        )


def row_of(order: Order, scene: PortalScene) -> Mapping[str, object]:
    """Return what a merchant may see of an order in the list; an order has more, such as tokens."""
    return {
        "order_no": order.order_no,
        "merchant_order_no": order.merchant_order_no or "",
        "order_type": order.order_type,
        "is_test": order.mode is Mode.TEST,
        "status": order.status_at(scene.now),
        "cny_fen": order.quote.cny_fen,
        "createtime": order.createtime,
        # The names of its reversal, refund or claim.
        "marks": tuple(_marks(order, scene.texts.orders)),
    }


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


def _typed(scene: PortalScene) -> Typed:
    query = scene.request.query
    return Typed({name: query.get(name, "").strip()[:_NUMBER_CHARS_MAX] for name in _FIELDS})


def _query_of(typed: Typed) -> dict[str, str]:
    """Return the filled fields of the filter, as typed."""
    return {name: text for name, text in typed.texts.items() if text}


def _search_of(typed: Typed) -> OrderFilter:
    """Return the filter of the fields; an unfit field filters nothing."""
    last, sought = typed.read("until", _day), typed.texts["q"]
    fen = _amount_in(sought)
    return OrderFilter(
        statuses=typed.read("status", lambda text: frozenset({OrderStatus(text)})),
        order_type=typed.read("type", lambda text: OrderType[text.upper()]),
        mode=typed.read("mode", Mode),
        start_time=typed.read("since", _day),
        end_time=None if last is None else last + SECONDS_PER_DAY - 1,
        min_fen=typed.read("min", parse_typed_cny) if fen is None else fen,
        max_fen=typed.read("max", parse_typed_cny) if fen is None else fen,
        ending=sought if fen is None else "",
    )


def _amount_in(text: str) -> int | None:
    """Return the amount that a text to search for is: it has a decimal point, no number has."""
    with suppress(ValueError):
        return parse_typed_cny(text) if "." in text else None
    return None


def _day(text: str) -> int:
    return start_of_day(date.fromisoformat(text))


@dataclass(frozen=True, slots=True)
class MoneyLine:
    """A line about money beside the order's moves: a reversal, a refund, a claim, or their sum.

    It is a view, because an order has more than its merchant may see. `time` is in Unix seconds;
    `order_no` is the other order of a refund.
    """

    label: str
    time: int | None = None
    usdt_micro: int | None = None
    cny_fen: int | None = None
    order_no: str = ""


@dataclass(frozen=True, slots=True)
class PortalOrderRoutes(OrderRoutes[PortalScene]):
    """The routes of one order; everybody reads, an admin or finance acts."""

    route: ClassVar[str] = ORDER
    receipt_route: ClassVar[str] = f"{ORDER}/picture"
    parts: ClassVar[Mapping[Move, tuple[str, str]]] = {
        Move.CANCEL: ("cancel", "wrong"),
        Move.DISPUTE: ("dispute", "soft"),
    }

    gate: PortalGate
    deliveries: DeliveryIndex
    vault: KeyVault

    def routes(self) -> Routes:
        return (Open("GET", self.receipt_route, self.gate.come_back), *self.order_routes(by=MONEY))

    @override
    def by(self, scene: PortalScene) -> By:
        return _MERCHANT

    @override
    def find(self, scene: PortalScene) -> Order:
        number = scene.request.path_parameters["order_no"]
        return own_order(self.ports.orders, scene.who.merchant_id, number)

    @override
    def moves(self, scene: PortalScene) -> MovePorts:
        def entry(change: OrderChange) -> AuditEntry:
            number = change.after.order_no
            return self.gate.ports.entry(scene.who.by, action_of(change), number, order_no=number)

        return replace(self.ports.moves, team_entry=entry)

    @override
    def can_write(self, scene: PortalScene) -> bool:
        return scene.may(MONEY)

    @override
    def page(
        self, order: Order, scene: PortalScene, attachments: Attachments, alert: Notice | None
    ) -> Page:
        place, here = scene.asked("before", PLACE), f"orders/{order.order_no}"
        texts = DisputeTexts(scene.language)
        labels = PictureTexts(texts.picture, texts.document, texts.page)
        callbacks = list_deliveries(
            *(self.deliveries, order.merchant_id, Mode.LIVE, order.order_no, place),
            limit=_CALLBACKS,
        )
        view = {
            "order": row_of(order, scene),
            "quote": order.quote,
            "effects": tuple(_effects(order, scene)),
            "is_claimed": order.merchant_claim is not None,
            "timeline": order.timeline,
            "callbacks": callbacks.items,
            "older": scene.links.older(here, callbacks.following),
            "receipts": attachments.pictures(order, labels, scene.links, f"{here}/receipts"),
            "pay_link": self._pay_link(order, scene),
            "story": attachments.story,
            "alert": alert,
            "questions": attachments.questions,
        }
        return Page(
            "portal/order.html",
            view,
            scene.links.here(here),
            section="orders",
            image_origins=attachments.image_origins,
            upload_origin=attachments.upload_origin,
        )

    @override
    def asked(self, move: Move, order: Order, scene: PortalScene) -> QuestionTexts:
        texts = scene.texts.orders
        return texts.cancelling[order.order_type] if move is Move.CANCEL else texts.disputing

    @override
    def question_page(self, order: Order, question: Question, scene: PortalScene) -> Page:
        view = {"order": row_of(order, scene), "question": question}
        here = scene.links.here(f"orders/{order.order_no}/{question.name}")
        return Page("portal/question.html", view, here, section="orders")

    def _pay_link(self, order: Order, scene: PortalScene) -> str:
        """Return a buy's pay link for those who may move orders, because the link may; else ""."""
        if order.order_type is OrderType.SELL or scene.role not in MONEY:
            return ""
        merchant = scene.who.merchant
        try:
            secrets = self.vault.unseal(merchant.merchant_id, merchant.sealed_secrets)
        except TryAgain:
            return ""  # the order is shown without the link rather than late
        token = link_token(secrets.link_secret, PAY_LINK, order.order_no)
        return f"{self.gate.pages_url(scene.request)}/pay/{order.order_no}/{token}"


def _effects(order: Order, scene: PortalScene) -> Iterator[MoneyLine]:
    """Yield the reversals, refunds and the paid claim of an order, with their sums."""
    texts, quote, claim = scene.texts.orders, order.quote, order.merchant_claim
    if order.undone.refund_of is not None:
        yield MoneyLine(texts.refund_of, cny_fen=quote.cny_fen, order_no=order.undone.refund_of)
    for refund in order.undone.refunds:
        yield MoneyLine(texts.refund, cny_fen=refund.cny_fen, order_no=refund.order_no)
    for part in order.undone.reversals:
        yield MoneyLine(texts.reversal, part.time, part.usdt_micro)
    if order.undone.reversals:
        yield MoneyLine(texts.reversed, usdt_micro=order.reversed_micro)
    if order.undone.refunds:
        yield MoneyLine(texts.refundable, cny_fen=refundable_fen(order))
    if claim is not None:
        yield MoneyLine(texts.claimed, claim.time, quote.merchant_actual_micro)
