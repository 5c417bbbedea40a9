"""The routes of the pay page, whose link names one buy (contract section 8)."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import ClassVar, Protocol, override

from orderdesk.domain.orders.moves import By, is_late_payment
from orderdesk.domain.orders.notes import Note
from orderdesk.domain.orders.order import Order, SumAnswer
from orderdesk.domain.orders.order_errors import OrderNotFound, ProofMissing, SumUncovered
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.receipts.places import code_picture_key
from orderdesk.domain.traders.trader import TraderSuspended
from orderdesk.services.attempt_limits import Attempts
from orderdesk.services.orders.late_receipts import (
    ReopenPorts,
    offer_late_upload,
    take_late_receipt,
)
from orderdesk.services.orders.look_up import open_pay_page
from orderdesk.services.orders.other_sums import answer_sum
from orderdesk.services.orders.receipts import UploadForm, offer_upload, take_receipt
from orderdesk.services.ports import FindsMerchants, FindsTraders, Orders
from orderdesk.web.pages.frame import Data, Page, SeeOther, Site, back_page, tries_of
from orderdesk.web.pages.order_routes import Attachments, PartyRoutes, Question
from orderdesk.web.pages.pay.page import PayScene, pay_page, pay_status, question_page
from orderdesk.web.pages.pay.pay_texts import PayTexts
from orderdesk.web.pages.routing import LinkGate
from orderdesk.web.pages.scene import NotSameOrigin, Scene
from orderdesk.web.pages.texts import Notice, QuestionTexts
from orderdesk.web.pages.values import MerchantView, code_picture, merchant_view, money_of, payee_of

PAGE = "/pay/{order_no}/{token}"
SITE = Site(PAGE, PayTexts)
_PAYER = By(Actor.PAYER)


class CodePictures(Protocol):
    """Stores pictures of payment codes for a day."""

    def keep_and_link(self, key: str, picture: bytes) -> str:
        """Store a PNG under a key, and return a short-lived link to it. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class PayerScene(Scene[PayTexts]):
    """A request with the link of a buy."""

    order: Order = field(repr=False)


type PayGate = LinkGate[PayTexts, PayerScene]


def pay_gate(orders: Orders, attempts: Attempts, public_base_url: str) -> PayGate:
    def opened(guest: PayScene) -> PayerScene:
        link = guest.request.path_parameters
        order = open_pay_page(orders, link["order_no"], link["token"])
        return PayerScene(*guest.parts, order)

    return LinkGate(SITE, attempts, public_base_url, opened, "order_no")


@dataclass(frozen=True, slots=True)
class PayRoutes(PartyRoutes[PayerScene]):
    route: ClassVar[str] = PAGE
    receipt_route: ClassVar[str] = f"{PAGE}/receipt"
    parts: ClassVar[Mapping[Move, tuple[str, str]]] = {
        Move.PAY: ("paid", ""),
        Move.CANCEL: ("cancel", "wrong"),
        Move.DISPUTE: ("dispute", "soft"),
    }

    gate: PayGate
    merchants: FindsMerchants
    traders: FindsTraders
    codes: CodePictures

    @override
    def by(self, scene: PayerScene) -> By:
        return _PAYER

    @override
    def find(self, scene: PayerScene) -> Order:
        return scene.order

    @override
    def renewed(self, scene: PayerScene) -> PayerScene:
        return self.gate.enter(scene)

    @override
    def page(
        self, order: Order, scene: PayerScene, attachments: Attachments, alert: Notice | None
    ) -> Page:
        return pay_page(
            order,
            scene,
            attachments,
            merchant=self._merchant(order),
            address=scene.absolute(self.ports.public_base_url, PAGE),
            alert=alert,
        )

    def _merchant(self, order: Order) -> MerchantView:
        merchant = self.merchants.find(order.merchant_id)
        number, sign = order.merchant_order_no or "", self.ports.pictures.url
        return merchant_view(merchant, order.given.return_url, number, sign)

    @override
    def asked(self, move: Move, order: Order, scene: PayerScene) -> QuestionTexts:
        """Return the texts; those of a report name the amount and the payee."""
        if move is not Move.PAY:
            return scene.texts.cancelling if move is Move.CANCEL else scene.texts.disputing
        texts, payee = scene.texts.reporting, payee_of(order.payment_method, scene.texts.shared)
        amount = money_of(order.quote.cny_fen)
        headline = texts.notice.headline.format(amount=amount, payee=payee)
        return replace(texts, notice=Notice(headline, texts.notice.advice))

    @override
    def question_page(self, order: Order, question: Question, scene: PayerScene) -> Page:
        return question_page(order, question, self._merchant(order))

    @override
    def refusal_notice(self, refusal: ProofMissing | TraderSuspended, scene: PayerScene) -> Notice:
        match refusal:
            case ProofMissing():
                return scene.texts.receipt_missing
            case TraderSuspended():
                raise refusal  # a payer's moves are never refused for it

    @override
    def offer_upload(
        self, order: Order, notes: Sequence[Note], scene: PayerScene, back: str
    ) -> UploadForm | None:
        if is_late_payment(order, scene.now):
            return offer_late_upload(order, notes, self.ports.uploads, back, scene.now)
        return offer_upload(order, self.ports.uploads, _PAYER, back, scene.now)

    @override
    def take_receipt(self, order: Order, key: str, scene: PayerScene) -> None:
        if is_late_payment(order, scene.now):
            ports = ReopenPorts(self.moves(scene), self.merchants, self.traders)
            take_late_receipt(order, key, self.ports.receipts.renderer, ports, scene.now)
        else:
            take_receipt(order, key, _PAYER, self.ports.receipts, scene.now)

    def answer_sum(self, answer: SumAnswer, scene: PayerScene) -> Page | SeeOther:
        """Store the payer's answer to the reported sum, which may complete the order."""
        order = self.find(scene)
        ports = ReopenPorts(self.moves(scene), self.merchants, self.traders)
        with suppress(SumUncovered):  # the answer is stored, and operators decide
            answer_sum(order, answer, ports, scene.now)
        return self.lead_to(scene)

    def show_status(self, scene: PayerScene) -> Data:
        """Return the order's status for the page's script."""
        return pay_status(self.find(scene), scene.now)

    def show_code(self, scene: PayerScene) -> SeeOther:
        """Redirect to the payment code's picture, because the API returns texts only.

        Raises: OrderNotFound if no code is to be paid, TryAgain.
        """
        order = self.find(scene)
        text = self.code(order, scene)
        if text is None:
            raise OrderNotFound
        return SeeOther(
            self.codes.keep_and_link(code_picture_key(order.order_no), code_picture(text))
        )

    def come_back(self, scene: PayerScene) -> Page | SeeOther:
        """Return the page that S3 redirects a browser to after an upload; it changes nothing.

        Without a script, the page of an upload that waits opens this address to try again, which
        the browser confirms (Sec-Fetch-Site), and which counts as a POST.
        """
        if tries_of(scene.request):
            with suppress(NotSameOrigin):
                self.gate.admit_post(scene)
                return self.take_upload(scene)
        return back_page(scene) or SeeOther(scene.links.to())
