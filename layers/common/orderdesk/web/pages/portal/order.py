"""One order at the portal: whole, with its receipts, its dispute and its moves."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar, Protocol, override

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.callbacks.events import PLACE
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ids import PAY_LINK, link_token
from orderdesk.domain.merchants.merchant import MerchantSecrets
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_rate
from orderdesk.domain.orders.moves import By, is_possible
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.refunds import refundable_fen
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.services.callbacks.merchant import DeliveryIndex, list_deliveries
from orderdesk.services.merchants.orders import action_of, own_order
from orderdesk.services.orders.move import MovePorts, OrderChange
from orderdesk.web.pages.dispute.dispute_texts import DisputeTexts
from orderdesk.web.pages.dispute.story import Unsent
from orderdesk.web.pages.frame import Page, SeeOther
from orderdesk.web.pages.order_routes import Attachments, OrderRoutes, Question
from orderdesk.web.pages.portal.gate import (
    MONEY,
    GuestScene,
    PortalGate,
    PortalScene,
    Routes,
    back_to,
)
from orderdesk.web.pages.portal.orders import ORDERS, row_of
from orderdesk.web.pages.receipts import Picture, PictureTexts, back_page, receipt_pictures
from orderdesk.web.pages.routing import Open, Route
from orderdesk.web.pages.texts import Notice

ORDER = f"{ORDERS}/{{order_no}}"
_CALLBACKS = 20
_MERCHANT = By(Actor.MERCHANT)


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


class LinkSecrets(Protocol):
    """Decrypts the secret from which pay links are derived."""

    def unseal(self, merchant_id: str, sealed: bytes) -> MerchantSecrets:
        """Decrypt the live key's secrets and the link secret. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class PortalOrderRoutes(OrderRoutes[PortalScene]):
    """The routes of one order; everybody reads, an admin or finance acts."""

    route: ClassVar[str] = ORDER
    receipt_route: ClassVar[str] = f"{ORDER}/picture"

    gate: PortalGate
    deliveries: DeliveryIndex
    links: LinkSecrets

    def routes(self) -> Routes:
        return (
            Route("GET", ORDER, self.show),
            Route("GET", f"{ORDER}/receipts/{{number}}", self.show_receipt),
            Route("GET", f"{ORDER}/notes/{{number}}", self.show_note),
            Route("GET", f"{ORDER}/cancel", partial(self.ask, Move.CANCEL)),
            Route("GET", f"{ORDER}/dispute", partial(self.ask, Move.DISPUTE)),
            Route("POST", f"{ORDER}/cancel", partial(self.make, Move.CANCEL), MONEY),
            Route("POST", f"{ORDER}/dispute", partial(self.make, Move.DISPUTE), MONEY),
            Route("POST", f"{ORDER}/say", self.say, MONEY),
            Open("GET", self.receipt_route, self.come_back),
            Route("POST", self.receipt_route, self.take_upload, MONEY),
        )

    @override
    def by(self, scene: PortalScene) -> By:
        return _MERCHANT

    @override
    def path(self, scene: PortalScene) -> str:
        return f"orders/{scene.request.path_parameters['order_no']}/"

    @override
    def find(self, scene: PortalScene) -> Order:
        number = scene.request.path_parameters["order_no"]
        return own_order(self.ports.orders, scene.who.merchant_id, number)

    @override
    def moves(self, scene: PortalScene) -> MovePorts:
        def entry(change: OrderChange) -> AuditEntry:
            number = change.after.order_no
            return self.gate.entry(scene, action_of(change), number, order_no=number)

        return replace(self.ports.moves, team_entry=entry)

    @override
    def can_write(self, scene: PortalScene) -> bool:
        return scene.may(MONEY)

    def come_back(self, scene: GuestScene) -> Page | SeeOther:
        """Return the page that S3 redirects a browser to after an upload; it changes nothing."""
        number = scene.request.path_parameters["order_no"]
        return back_page(scene) or back_to(scene, f"orders/{number}")

    @override
    def page(
        self, order: Order, scene: PortalScene, attachments: Attachments, alert: Notice | None
    ) -> Page:
        quote, texts = order.quote, scene.texts
        place = scene.asked("before", PLACE)
        callbacks = list_deliveries(
            *(self.deliveries, order.merchant_id, Mode.LIVE, order.order_no, place),
            limit=_CALLBACKS,
        )
        view = {
            "order": row_of(order, scene),
            "rate": format_rate(quote.rate_e4),
            "amounts": [
                (texts.orders.usdt, quote.usdt_micro),
                (texts.orders.fee, quote.service_micro),
                (texts.orders.deposit, quote.deposit_micro),
                (texts.orders.actual, quote.merchant_actual_micro),
            ],
            "effects": tuple(_effects(order, scene)),
            "claim_advice": "" if order.merchant_claim is None else texts.orders.claim_advice,
            "timeline": order.timeline,
            "callbacks": callbacks.deliveries,
            "older": None
            if callbacks.place is None
            else scene.links.to(f"orders/{order.order_no}", before=callbacks.place),
            "receipts_title": texts.orders.receipts[order.order_type],
            "receipts": _receipts(order, scene, attachments),
            "pay_link": self._pay_link(order, scene),
            "story": attachments.story,
            "alert": alert,
            "questions": self.questions(order, scene, None),
        }
        return Page(
            "portal/order.html",
            view,
            scene.links.here(f"orders/{order.order_no}"),
            section="orders",
            image_origins=attachments.image_origins,
            upload_origin=attachments.upload_origin,
        )

    @override
    def questions(
        self, order: Order, scene: PortalScene, unsent: Unsent | None
    ) -> tuple[Question, ...]:
        texts = scene.texts.orders
        asked = (
            (Move.CANCEL, texts.cancelling[order.order_type], "wrong"),
            (Move.DISPUTE, texts.disputing, "soft"),
        )
        return tuple(
            Question(
                move=move,
                name=move.value,
                texts=question,
                action=scene.links.to(f"orders/{order.order_no}/{move.value}"),
                look=look,
            )
            for move, question, look in asked
            if self.can_write(scene) and is_possible(order, move, Actor.MERCHANT, scene.now)
        )

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
            secrets = self.links.unseal(merchant.merchant_id, merchant.sealed_secrets)
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


def _receipts(order: Order, scene: PortalScene, attachments: Attachments) -> tuple[Picture, ...]:
    texts = DisputeTexts(scene.language)
    labels = PictureTexts(texts.picture, texts.document, texts.page)
    link = partial(scene.links.picture, f"orders/{order.order_no}/receipts")
    return receipt_pictures(order.receipts, attachments.previews, labels, link)
