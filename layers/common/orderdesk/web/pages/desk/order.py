"""The desk's page of one order: what to check or to pay, and the trader's moves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

from orderdesk.domain.money import format_rate
from orderdesk.domain.orders.desk_lists import CALLING_LISTS, desk_list
from orderdesk.domain.orders.moves import is_possible
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.payment_methods import PaymentMethod, is_code_text
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.receipts.files import MAX_BYTES
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.pages.desk.frame import DeskScene, desk_page
from orderdesk.web.pages.desk.summary import (
    Summary,
    is_lapsed,
    key_of,
    summary_of,
    todo_of,
    version_of,
)
from orderdesk.web.pages.desk.texts import DeskTexts, OrderTexts
from orderdesk.web.pages.dispute.story import Story, Unsent, reason_words
from orderdesk.web.pages.headers import image_origin
from orderdesk.web.pages.methods import DRAWN_ORIGIN, Detail, code_address, details_of, receiver_of
from orderdesk.web.pages.order_routes import Attachments, Question
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.receipts import Picture, PictureTexts, receipt_pictures
from orderdesk.web.pages.texts import Notice, QuestionTexts
from orderdesk.web.pages.values import Moment, moment_of

type TraderMove = Literal[Move.CONFIRM, Move.DISPUTE, Move.DECLINE]
"""The moves that the desk offers."""


def _part_of(move: TraderMove) -> str:
    match move:
        case Move.CONFIRM:
            return "confirm"
        case Move.DISPUTE:
            return "report"
        case Move.DECLINE:
            return "decline"


_TWINS_SHOWN = 5
_MOVES: tuple[TraderMove, ...] = (Move.CONFIRM, Move.DISPUTE, Move.DECLINE)
PARTS: Mapping[TraderMove, str] = {move: _part_of(move) for move in _MOVES}
"""A trader's moves, and the path of each below an order's page."""


@dataclass(frozen=True, slots=True)
class CustomerCode:
    """A customer's payment code: its `picture`, which we draw, or else what the merchant sent.

    `link` is set if that is an address that a browser may open. `warning` names its site, or the
    text of a drawn code that is no known wallet's.
    """

    picture: str | None = field(repr=False)
    text: str = field(repr=False)
    link: str | None = field(repr=False)
    warning: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class TimelineStep:
    """One step of the order's timeline: what, when and by whom ("" for the creation)."""

    text: str
    at: Moment
    by: str


@dataclass(frozen=True, slots=True)
class Twin:
    """An order with the same amount on the same account: its number, status, time and payer."""

    order_no: str
    status_text: str
    at: Moment
    payer: str | None = field(repr=False)
    reference: str | None
    link: str


@dataclass(frozen=True, slots=True)
class Twins:
    """The notice of equal orders, with their number, and the latest of them."""

    notice: Notice
    shown: tuple[Twin, ...]


@dataclass(frozen=True, slots=True)
class OrderView:
    """The whole page; `upload` is set only if the order takes a proof from its trader.

    `key` is a hash of the order's number and list: a page that shows the order marks it as seen, so
    that no alert is raised for it. `own` is an open order's version, which the script compares.
    `leads_on`: the page links to the next order.
    """

    order: Summary
    key: str
    own: str | None
    notice: Notice
    is_open: bool
    leads_on: bool
    is_lapsed: bool
    rate: str
    method: str
    details: tuple[Detail, ...] = field(repr=False)
    code: CustomerCode | None = field(repr=False)
    receipts_title: str
    receipts: tuple[Picture, ...]
    upload: UploadForm | None = field(repr=False)
    max_bytes: int
    questions: tuple[Question, ...]
    twins: Twins | None
    steps: tuple[TimelineStep, ...]
    story: Story | None
    now: int
    alert: Notice | None


def order_page(
    order: Order,
    scene: DeskScene,
    attachments: Attachments,
    twins: Sequence[Order] = (),
    alert: Notice | None = None,
) -> Page:
    """Return an order's page; `twins` are orders of the same amount on the same account.

    A suspended trader can only read an open order, without the account to pay.
    """
    is_suspended = scene.trader.suspended and order.status.is_open
    method = order.payment_method
    assert method is not None, "a trader's order has a method"
    texts, now = scene.texts, scene.now
    questions = questions_of(order, scene)
    is_paid_now = order.status is OrderStatus.ASSIGNED and not is_suspended
    view = OrderView(
        order=summary_of(order, scene, is_named=not is_suspended),
        key=key_of(order),
        own=version_of(order) if order.status_at(now).is_open else None,
        notice=texts.order.suspended if is_suspended else _notice(order, now, texts),
        is_open=bool(questions),
        leads_on=desk_list(order) not in CALLING_LISTS and not scene.trader.suspended,
        is_lapsed=is_suspended or is_lapsed(order, now),
        rate=format_rate(order.quote.rate_e4),
        method=texts.shared.methods[method.method_type],
        details=_details(order, method, texts, is_paid_now=is_paid_now),
        code=_code(method, attachments.code, texts.order) if is_paid_now else None,
        receipts_title=texts.order.proofs[order.order_type],
        receipts=_receipts(order, scene, attachments),
        upload=attachments.upload,
        max_bytes=MAX_BYTES,
        questions=questions,
        twins=twin_views(twins, scene),
        steps=tuple(_steps(order, texts)),
        story=attachments.story,
        now=now,
        alert=alert,
    )
    return desk_page(
        "desk/order.html",
        view,
        scene.links.here(f"orders/{order.order_no}"),
        section="orders",
        image_origins=(
            *((DRAWN_ORIGIN,) if attachments.code else ()),
            *attachments.image_origins,
        ),
        upload_origin=attachments.upload_origin,
    )


def questions_of(
    order: Order, scene: DeskScene, unsent: Unsent | None = None
) -> tuple[Question, ...]:
    """Return the questions of the moves that the trader can make; `unsent` is a refused reason.

    A suspended trader can make none.
    """
    if scene.trader.suspended:
        return ()
    return tuple(
        Question(
            move=move,
            name=part,
            texts=_texts(move, order.order_type, scene.texts.order),
            action=scene.links.to(f"orders/{order.order_no}/{part}"),
            look="" if move is Move.CONFIRM else "wrong",
            words=reason_words(order, Actor.TRADER, scene.language, unsent)
            if move is Move.DISPUTE
            else None,
        )
        for move, part in PARTS.items()
        if is_possible(order, move, Actor.TRADER, scene.now)
    )


def is_confirmable(order: Order, scene: DeskScene) -> bool:
    """Return whether the page offers to confirm that a buy's money has arrived."""
    is_buy = order.order_type is OrderType.BUY
    return is_buy and is_possible(order, Move.CONFIRM, Actor.TRADER, scene.now)


def twin_views(twins: Sequence[Order], scene: DeskScene) -> Twins | None:
    """Return what the page and the dialog show of equal orders; None if there are none."""
    if not twins:
        return None
    summaries = [summary_of(twin, scene, is_named=True) for twin in twins[:_TWINS_SHOWN]]
    text = scene.texts.order.twins
    return Twins(
        Notice(text.headline.format(count=len(twins)), text.advice),
        tuple(
            Twin(
                each.order_no,
                each.status_text,
                each.updated,
                each.payer,
                each.reference,
                each.link,
            )
            for each in summaries
        ),
    )


def question_page(
    order: Order, question: Question, scene: DeskScene, twins: Sequence[Order] = ()
) -> Page:
    """Return the separate page of a question; `twins` are those of the order's page."""
    summary = summary_of(order, scene, is_named=True)
    here = f"orders/{order.order_no}/{question.name}"
    view = {
        "order": summary,
        "question": question,
        "twins": twin_views(twins, scene),
        "key": key_of(order),
        "now": scene.now,
    }
    return desk_page("desk/question.html", view, scene.links.here(here), section="orders")


def _texts(move: TraderMove, order_type: OrderType, texts: OrderTexts) -> QuestionTexts:
    match move:
        case Move.CONFIRM:
            return texts.confirm[order_type]
        case Move.DISPUTE:
            return texts.report
        case Move.DECLINE:
            return texts.decline


def _notice(order: Order, now: int, texts: DeskTexts) -> Notice:
    if is_lapsed(order, now):
        return texts.order.lapsed
    return todo_of(order, order.status_at(now), texts)


def _details(
    order: Order, method: PaymentMethod, texts: DeskTexts, *, is_paid_now: bool
) -> tuple[Detail, ...]:
    """Return the account to pay while the order must be paid, else only enough to recognise it."""
    if is_paid_now:
        return details_of(method, texts.shared)
    shown = receiver_of(method, texts.shared)
    if order.order_type is OrderType.SELL:
        return (Detail("receiver", texts.shared.receiver, shown, ""),)
    arrives = Detail("arrives", texts.order.arrives_at, shown, "")
    if not method.account:
        return (arrives,)
    return (arrives, Detail("account", texts.shared.account, method.account, ""))


def _code(method: PaymentMethod, drawn: str | None, texts: OrderTexts) -> CustomerCode | None:
    if drawn is not None:
        warning = texts.code_drawn if is_code_text(drawn) else texts.code_unknown.format(text=drawn)
        return CustomerCode(code_address(drawn), drawn, None, warning)
    text = method.qr_code
    if not text:
        return None
    site = image_origin(text)
    warning = texts.code_site.format(site=site) if site else ""
    return CustomerCode(None, text, text if site else None, warning)


def _receipts(order: Order, scene: DeskScene, attachments: Attachments) -> tuple[Picture, ...]:
    texts = scene.texts.order
    labels = PictureTexts(texts.picture, texts.document, texts.page)
    link = partial(scene.links.picture, f"orders/{order.order_no}/receipts")
    return receipt_pictures(order.receipts, attachments.previews, labels, link, attachments.pages)


def _steps(order: Order, texts: DeskTexts) -> Iterator[TimelineStep]:
    """Return the order's timeline without the assignments of earlier traders."""
    taken = [i for i, e in enumerate(order.timeline) if e.status is OrderStatus.ASSIGNED]
    own = order.timeline[taken[-1] if taken else 1 :]
    for entry in (order.timeline[0], *own):
        yield _step(entry, texts)


def _step(entry: TimelineEntry, texts: DeskTexts) -> TimelineStep:
    by = _by(Actor(entry.by), texts.order) if entry.by else ""
    return TimelineStep(texts.order.steps[entry.status], moment_of(entry.time, texts.shared), by)


def _by(actor: Actor, texts: OrderTexts) -> str:
    match actor:
        case Actor.PAYER:
            return texts.by_payer
        case Actor.MERCHANT:
            return texts.by_merchant
        case Actor.TRADER:
            return texts.by_trader
        case Actor.OPERATOR:
            return texts.by_operator
        case Actor.CLOCK:
            return texts.by_clock
