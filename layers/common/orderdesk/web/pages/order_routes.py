"""The routes of one order that pay page, desk and portal share (contract sections 8 and 12)."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from typing import ClassVar, Protocol, override

from aws_lambda_powertools.logging import Logger

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.orders.moves import By, is_possible
from orderdesk.domain.orders.notes import Note, TooManyNotes
from orderdesk.domain.orders.order import Order, OrderStatus, Receipt
from orderdesk.domain.orders.order_errors import ProofMissing, StateConflict, TooManyReceipts
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.places import is_picture_upload_of, page_key, preview_key
from orderdesk.domain.traders.trader import TraderSuspended
from orderdesk.services.orders.move import MovePorts, move_order
from orderdesk.services.orders.notes import add_text, dispute_order, offer_picture, take_picture
from orderdesk.services.orders.receipts import (
    ReceiptPorts,
    UploadForm,
    UploadForms,
    code_text,
    offer_upload,
    picture_key,
    take_receipt,
)
from orderdesk.services.ports import Orders
from orderdesk.web.pages.dispute.dispute_texts import DisputeTexts
from orderdesk.web.pages.dispute.story import (
    Reader,
    Story,
    Unsent,
    Words,
    posted_reason,
    posted_text,
    reason_words,
    story_of,
)
from orderdesk.web.pages.frame import Page, SeeOther, Shown, led_to, uploaded_key, waiting_page
from orderdesk.web.pages.routing import Route
from orderdesk.web.pages.scene import Links, Scene
from orderdesk.web.pages.shared_texts import PageTexts
from orderdesk.web.pages.texts import Notice, QuestionTexts
from orderdesk.web.pages.values import Picture, PictureTexts, image_origin, picture_of

_UNPROCESSABLE = HTTPStatus.UNPROCESSABLE_CONTENT

type Refused = (
    StateConflict | ProofMissing | TooManyReceipts | TooManyNotes | TraderSuspended | UnfitReceipt
)
REFUSED = (
    *(StateConflict, ProofMissing, TooManyReceipts, TooManyNotes),
    *(TraderSuspended, UnfitReceipt),
)
"""The refusals that an order's page shows as an alert above the order."""


class OrdersAndNotes(Orders, Protocol):
    """Reads orders and the notes of their disputes."""

    def notes(self, order_no: str) -> Sequence[Note]:
        """Return the notes of an order's dispute, oldest first. Raises: TryAgain."""


class PictureSigner(Protocol):
    """Signs the addresses of pictures."""

    def url(self, key: str) -> str:
        """Sign the address of a stored picture."""


@dataclass(frozen=True, slots=True)
class OrderPorts:
    """The ports of an order's routes; an empty `public_base_url` means the requested host."""

    orders: OrdersAndNotes
    moves: MovePorts
    receipts: ReceiptPorts
    uploads: UploadForms
    pictures: PictureSigner
    public_base_url: str
    logger: Logger


@dataclass(frozen=True, slots=True)
class Question:
    """The confirmation of an offered move: its texts, its form's target, its button's style.

    With a script a dialog of the page asks. Without one, or if a reason can be written (`words`), a
    separate page asks.
    """

    move: Move
    name: str
    texts: QuestionTexts
    action: str = field(repr=False)
    look: str
    words: Words | None = None


@dataclass(frozen=True, slots=True)
class Attachments:
    """The receipts and the dispute of an order, as its page shows them.

    `previews` are the addresses of the receipts' small pictures, and `pages` those of their first
    pages for a trader, who opens them. `upload` is set if the order takes one more receipt. `code`
    is the text of the payment code that is to be paid now. `questions` are those of the moves that
    the reader can make.
    """

    previews: Sequence[str] = ()
    upload: UploadForm | None = None
    story: Story | None = None
    code: str | None = field(default=None, repr=False)
    pages: Sequence[str] = ()
    questions: Sequence[Question] = ()

    @property
    def image_origins(self) -> tuple[str, ...]:
        """The origins of all small pictures."""
        story = self.story.image_origin if self.story else None
        return tuple(filter(None, (*map(image_origin, self.previews), story)))

    @property
    def upload_origin(self) -> str | None:
        """The origin that the page's form sends a file to; None without a form."""
        form = self.upload or (self.story.upload if self.story else None)
        return image_origin(form.url) if form else None

    def pictures(
        self, order: Order, texts: PictureTexts, links: Links, path: str
    ) -> tuple[Picture, ...]:
        """Return the pictures of the order's receipts, whose addresses are below a path."""
        direct = self.pages or [""] * len(self.previews)
        shown = enumerate(zip(order.receipts, self.previews, direct, strict=True), start=1)
        link = partial(links.picture, path)
        return tuple(
            picture_of(receipt, number, preview, texts, partial(link, number), direct=page)
            for number, (receipt, preview, page) in shown
        )


@dataclass(frozen=True, slots=True)
class OrderRoutes[S: Scene[PageTexts]](ABC):
    """The routes of one order; a page's subclass finds it, renders it and names its moves."""

    route: ClassVar[str]
    """The route of the order's page."""
    receipt_route: ClassVar[str]
    """The route that S3 redirects a browser to after an upload."""

    parts: ClassVar[Mapping[Move, tuple[str, str]]]
    """The moves that the page offers, the path of each below it, and its button's style."""

    ports: OrderPorts

    def order_routes(self, *own: Route[S], by: Collection[str] | None = None) -> Iterator[Route[S]]:
        """Yield the routes of an order: each page's, whose POSTs are for these roles, and its own.

        After a refused change each shows the order as it is now, and why nothing was changed.
        """
        for route in (*self._shared_routes(by), *own):
            yield replace(route, show=partial(self._answered, route.show))

    def _shared_routes(self, by: Collection[str] | None) -> Iterator[Route[S]]:
        for move, (part, _) in self.parts.items():
            yield Route("GET", f"{self.route}/{part}", partial(self.ask, move))
            yield Route("POST", f"{self.route}/{part}", partial(self.make, move), by)
        yield Route("GET", self.route, self.show)
        yield Route("GET", f"{self.route}/receipts/{{number}}", self.show_receipt)
        yield Route("GET", f"{self.route}/notes/{{number}}", self.show_note)
        yield Route("POST", f"{self.route}/say", self.say, by)
        yield Route("POST", self.receipt_route, self.take_upload, by)

    @abstractmethod
    def by(self, scene: S) -> By:
        """Return the actor of the page's moves."""

    @abstractmethod
    def find(self, scene: S) -> Order:
        """Return the order of the request. Raises: OrderNotFound, TryAgain."""

    @abstractmethod
    def page(self, order: Order, scene: S, attachments: Attachments, alert: Notice | None) -> Page:
        """Return the order's page."""

    @abstractmethod
    def asked(self, move: Move, order: Order, scene: S) -> QuestionTexts:
        """Return the texts of a move's question."""

    @abstractmethod
    def question_page(self, order: Order, question: Question, scene: S) -> Page:
        """Return the separate page of a question."""

    def can_write(self, scene: S) -> bool:  # noqa: ARG002 - for subclasses
        """Return whether the reader may send receipts and notes."""
        return True

    def moves(self, scene: S) -> MovePorts:  # noqa: ARG002 - for subclasses
        """Return the ports of a change; a subclass may record who makes it."""
        return self.ports.moves

    def moved_order_no(self, scene: S) -> str:
        """Return the number of the order that a POST moves. Raises: what `find` raises."""
        return self.find(scene).order_no

    def after_move(self, move: Move, scene: S) -> Page | SeeOther:  # noqa: ARG002 - for subclasses
        """Show the order after a move."""
        return self.lead_to(scene)

    def refusal_notice(self, refusal: ProofMissing | TraderSuspended, scene: S) -> Notice:  # noqa: ARG002 - for subclasses
        """Return the notice of a refusal that not every page has; raise it by default."""
        raise refusal

    def offer_upload(
        self,
        order: Order,  # noqa: ARG002 - for subclasses
        notes: Sequence[Note],  # noqa: ARG002
        scene: S,  # noqa: ARG002
        back: str,  # noqa: ARG002
    ) -> UploadForm | None:
        """Return the form for one more receipt, which leads to the address `back`, or None."""
        return None

    def code(self, order: Order, scene: S) -> str | None:  # noqa: ARG002 - for subclasses
        """Return the text of the payment code that the reader is to pay now, if we can draw it.

        Raises: TryAgain.
        """
        return None

    def questions(
        self, order: Order, scene: S, unsent: Unsent | None = None
    ) -> tuple[Question, ...]:
        """Return the questions of the moves that the reader can make; `unsent` is a refused reason.

        A merchant's dispute has no reason.
        """
        by, path = self.by(scene).actor, self._path(scene)
        return tuple(
            Question(
                move=move,
                name=part,
                texts=self.asked(move, order, scene),
                action=scene.links.to(f"{path}{part}"),
                look=look,
                words=reason_words(order, by, scene.language, unsent)
                if move is Move.DISPUTE and by is not Actor.MERCHANT
                else None,
            )
            for move, (part, look) in self.parts.items()
            if self.can_write(scene) and is_possible(order, move, by, scene.now)
        )

    def show(self, scene: S, alert: Notice | None = None, unsent: Unsent | None = None) -> Page:
        """Find the order, and return its page; `unsent` is a refused text of a dispute."""
        order, ports, by = self.find(scene), self.ports, self.by(scene)
        back = scene.absolute(ports.public_base_url, self.receipt_route)
        can_write = self.can_write(scene)
        notes = ports.orders.notes(order.order_no) if order.dispute.notes else ()
        story = story_of(
            order,
            notes,
            self._reader(scene),
            upload=offer_picture(order, notes, ports.uploads, by, back),
            can_write=can_write,
            unsent=unsent,
        )
        try:
            code = self.code(order, scene)
        except TryAgain:
            code = None  # the order is shown without the code rather than late
        sign, opened = ports.pictures.url, order.receipts if by.actor is Actor.TRADER else ()
        attachments = Attachments(
            previews=[sign(preview_key(receipt.key)) for receipt in order.receipts],
            upload=self.offer_upload(order, notes, scene, back) if can_write else None,
            story=story,
            code=code,
            pages=[sign(page_key(receipt.key, 1)) for receipt in opened],
            questions=self.questions(order, scene),
        )
        return self.page(order, scene, attachments, alert)

    def ask(self, move: Move, scene: S, unsent: Unsent | None = None) -> Page | SeeOther:
        """Ask for a confirmation; if the move is not possible, redirect to the order."""
        order = self.find(scene)
        for question in self.questions(order, scene, unsent):
            if question.move is move:
                return self.question_page(order, question, scene)
        return SeeOther(self._address(scene))

    def make(self, move: Move, scene: S) -> Page | SeeOther:
        move_order(self.moved_order_no(scene), move, self.by(scene), self.moves(scene), scene.now)
        return self.after_move(move, scene)

    def say(self, scene: S) -> Page | SeeOther:
        """Add a text to the dispute."""
        order, said = self.find(scene), posted_text(scene.request)
        if isinstance(said, Unsent):
            return _unprocessable(self.show(scene, unsent=said))
        add_text(order.order_no, said, self.by(scene), self.moves(scene), scene.now)
        return self.lead_to(scene)

    def take(self, order: Order, key: str, scene: S) -> None:
        """Store an upload as a picture of the dispute. Raises: what `take_picture` raises."""
        ports = replace(self.ports.receipts, moves=self.moves(scene))
        take_picture(order, key, self.by(scene), ports, scene.now)

    def take_upload(self, scene: S) -> Page | SeeOther:
        """Render and store an upload."""
        order = self.find(scene)
        return self.taken(scene, lambda key: self.take(order, key, scene))

    def taken(self, scene: S, take: Callable[[str], object]) -> Page | SeeOther:
        """Store an upload by its key. While there is no place for it, its page tries again."""
        key = uploaded_key(scene.request)
        try:
            take(key)
        except TryAgain:
            # The metric filters ReceiptsWaiting count this field.
            self.ports.logger.warning("receipt waits", extra={"waits": True})
            return waiting_page(scene, key)
        return self.lead_to(scene)

    def show_receipt(self, scene: S) -> SeeOther:
        """Redirect to a page of a receipt, whose address works for a few minutes."""
        return self._show_picture(scene, self.find(scene).receipts)

    def show_note(self, scene: S) -> SeeOther:
        """Redirect to a page of a note's picture, whose address works for a few minutes."""
        notes = self.ports.orders.notes(self.find(scene).order_no)
        return self._show_picture(scene, (note.picture for note in notes))

    def _show_picture(self, scene: S, pictures: Iterable[Receipt | None]) -> SeeOther:
        number, page = scene.request.path_parameters["number"], scene.request.query.get("page", "1")
        return SeeOther(self.ports.pictures.url(picture_key(pictures, number, page)))

    def lead_to(self, scene: S) -> Page | SeeOther:
        """Show the order's page after a POST."""
        return led_to(scene, self._address(scene), self.route, self._show_again)

    def _answered(self, show: Callable[[S], Shown], scene: S) -> Shown:
        try:
            return show(scene)
        except REFUSED as refusal:
            return self.refuse(refusal, scene)

    def refuse(self, refusal: Refused, scene: S) -> Page:
        """Show the order as it is now, and why nothing was changed."""
        upload = scene.texts.shared.upload
        match refusal:
            case StateConflict():
                alert, status = scene.texts.shared.overtaken, HTTPStatus.CONFLICT
            case ProofMissing():
                alert, status = self.refusal_notice(refusal, scene), _UNPROCESSABLE
            case TooManyReceipts():
                alert, status = self._unfit(ReceiptProblem.TOO_MANY, scene), _UNPROCESSABLE
            case TooManyNotes():
                too_many = DisputeTexts(scene.language).too_many
                alert, status = Notice(upload.unfit_title, too_many), _UNPROCESSABLE
            case TraderSuspended():
                alert, status = self.refusal_notice(refusal, scene), HTTPStatus.FORBIDDEN
            case UnfitReceipt():
                alert, status = self._unfit(refusal.problem, scene), _UNPROCESSABLE
        return replace(self._show_again(scene, alert), status=status)

    def renewed(self, scene: S) -> S:
        """Return the scene as it is after a change; a subclass may have an order in it."""
        return scene

    def _show_again(self, scene: S, alert: Notice | None = None) -> Page:
        return self.show(self.renewed(scene), alert)

    def _unfit(self, problem: ReceiptProblem, scene: S) -> Notice:
        self.ports.logger.info("receipt refused", extra={"problem": problem.value})
        texts = scene.texts.shared.upload
        return Notice(texts.unfit_title, texts.unfit[problem])

    def _address(self, scene: S) -> str:
        return scene.links.to(self._path(scene).removesuffix("/"))

    def _path(self, scene: S) -> str:
        """Return the prefix of the order's addresses below the links' base."""
        below = self.route.removeprefix(scene.links.base).lstrip("/")
        return below and f"{below.format(**scene.request.path_parameters)}/"

    def _reader(self, scene: S) -> Reader:
        path = self._path(scene)
        return Reader(
            by=self.by(scene).actor,
            texts=DisputeTexts(scene.language),
            shared=scene.texts.shared,
            now=scene.now,
            action=scene.links.to(f"{path}say"),
            link=partial(scene.links.picture, f"{path}notes"),
            preview=self.ports.pictures.url,
        )


@dataclass(frozen=True, slots=True)
class PartyRoutes[S: Scene[PageTexts]](OrderRoutes[S]):
    """The routes of an order's payer or trader: proofs of transfer, payment code, reasons."""

    @override
    def offer_upload(
        self, order: Order, notes: Sequence[Note], scene: S, back: str
    ) -> UploadForm | None:
        return offer_upload(order, self.ports.uploads, self.by(scene), back, scene.now)

    def take_receipt(self, order: Order, key: str, scene: S) -> None:
        """Store an upload as a receipt. Raises: what `services/orders/receipts.py` raises."""
        take_receipt(order, key, self.by(scene), self.ports.receipts, scene.now)

    @override
    def code(self, order: Order, scene: S) -> str | None:
        is_payer = self.by(scene).actor is Actor.PAYER
        to_pay = OrderStatus.PENDING if is_payer else OrderStatus.ASSIGNED
        is_stopped = is_payer and order.pay_page.payee_stopped_at is not None
        if order.status_at(scene.now) is not to_pay or is_stopped or not self.can_write(scene):
            return None
        return code_text(order, self.ports.receipts.renderer)

    @override
    def make(self, move: Move, scene: S) -> Page | SeeOther:
        return self._dispute(scene) if move is Move.DISPUTE else OrderRoutes.make(self, move, scene)

    def _dispute(self, scene: S) -> Page | SeeOther:
        """Dispute the order; a trader must give a reason."""
        order, by = self.find(scene), self.by(scene)
        reason = posted_reason(scene.request, by.actor, scene.language)
        if isinstance(reason, Unsent):
            page = self.ask(Move.DISPUTE, scene, reason)
            return _unprocessable(page) if isinstance(page, Page) else page
        dispute_order(order.order_no, reason, by, self.moves(scene), scene.now)
        return self.after_move(Move.DISPUTE, scene)

    @override
    def take(self, order: Order, key: str, scene: S) -> None:
        """Store an upload: in a dispute as a picture of a note, otherwise as a receipt."""
        if is_picture_upload_of(key, order, self.by(scene)):
            OrderRoutes.take(self, order, key, scene)
        else:
            self.take_receipt(order, key, scene)


def _unprocessable(page: Page) -> Page:
    return replace(page, status=_UNPROCESSABLE)
