"""The desk's page of one order: what to check or to pay, and the trader's moves."""

from collections.abc import Mapping, Sequence
from itertools import groupby, zip_longest

from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.orders.desk_lists import CALLING_LISTS, desk_list
from orderdesk.domain.orders.moves import is_possible
from orderdesk.domain.orders.order import LATE_PROOF_SECONDS, Order, OrderStatus, TimelineEntry
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import OrderType
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.pages.desk.desk_texts import DeskTexts, OrderTexts
from orderdesk.web.pages.desk.gate import DeskScene
from orderdesk.web.pages.desk.summary import is_lapsed, key_of, summary_of, todo_of, version_of
from orderdesk.web.pages.frame import Page
from orderdesk.web.pages.order_routes import Attachments, Question
from orderdesk.web.pages.texts import Notice
from orderdesk.web.pages.values import (
    DRAWN_ORIGIN,
    Detail,
    PictureTexts,
    code_address,
    details_of,
    image_origin,
    moment_of,
    receiver_of,
    usdt_of,
)

_TWINS_SHOWN = 5


def order_page(
    order: Order,
    scene: DeskScene,
    attachments: Attachments,
    twins: Sequence[Order] = (),
    *,
    alert: Notice | None = None,
    sums: Mapping[str, object] | None = None,
    done: Mapping[str, object] | None = None,
) -> Page:
    """Return an order's page; `twins` are orders of the same amount on the same account.

    `done` is the trader's last decision, of another order. A suspended trader can only read an open
    order, without the account to pay.
    """
    is_suspended = scene.trader.suspended and order.status.is_open
    texts, method, now = scene.texts, order.payment_method, scene.now
    is_paid_now = order.status is OrderStatus.ASSIGNED and not is_suspended
    labels = PictureTexts(texts.order.picture, texts.order.document, texts.order.page)
    here = f"orders/{order.order_no}"
    view = {  # what a trader may see of an order, which has more, such as names and tokens
        "order": summary_of(order, scene, is_named=not is_suspended),
        # A page that shows the order marks it by this as seen, so that no alert is raised for it.
        "key": key_of(order),
        "own": version_of(order) if order.status_at(now).is_open else None,
        "notice": texts.order.suspended if is_suspended else _notice(order, now, texts),
        "is_open": bool(attachments.questions),
        # The page links to the next order.
        "leads_on": desk_list(order) not in CALLING_LISTS and not scene.trader.suspended,
        "is_lapsed": is_suspended or is_lapsed(order, now),
        "rate_e4": order.base_rate.rate_e4,
        "method": texts.shared.methods[method.method_type],
        "details": _details(order, texts, is_paid_now=is_paid_now),
        # The customer's payment code; None as its picture if we cannot draw it.
        "has_code": is_paid_now and bool(method.qr_code),
        "code": code_address(attachments.code) if is_paid_now and attachments.code else None,
        "receipts_title": texts.order.proofs[order.order_type],
        "receipts": attachments.pictures(order, labels, scene.links, f"{here}/receipts"),
        "upload": attachments.upload,  # set only if the order takes a proof from its trader
        "questions": attachments.questions,
        "twins": twin_views(order, twins, scene),
        "steps": _own_timeline(order),
        "story": attachments.story,
        "now": now,
        "alert": alert or _stop_warning(order, texts.order),
        "sum": sums,  # the form for a different sum that arrived
        "done": done,
    }
    return Page(
        "desk/order.html",
        view,
        scene.links.here(here),
        section="orders",
        image_origins=(*((DRAWN_ORIGIN,) if attachments.code else ()), *attachments.image_origins),
        upload_origin=attachments.upload_origin,
    )


def returned_page(
    order: Order, scene: DeskScene, upload: UploadForm | None, alert: Notice | None
) -> Page:
    """Return the page of a sell that was taken back from the trader: no account, only its proof.

    `upload` is None once a proof was handed in; then the page says how the claim ended.
    """
    view = {
        "notice": _returned_notice(order, scene),
        "cny_fen": order.quote.cny_fen,
        "order_no": order.order_no,
        "upload": upload,
        "now": scene.now,
        "alert": alert,
    }
    return Page(
        "desk/returned.html",
        view,
        scene.links.here(f"orders/{order.order_no}"),
        section="history",
        upload_origin=image_origin(upload.url) if upload else None,
    )


def _returned_notice(order: Order, scene: DeskScene) -> Notice:
    """Return what the page of a returned sell says: until when to prove it, or how it ended."""
    from orderdesk.domain.ledger.reversal import claim_transfer  # noqa: PLC0415 - few are opened

    texts, trader_id = scene.texts.order, scene.trader.trader_id
    claim = order.claim_of(trader_id)
    if not order.has_late_proof_of(trader_id):
        returned = order.returned_from(trader_id, scene.now)
        assert returned is not None, "the order was found by it"
        time = moment_of(returned.time + LATE_PROOF_SECONDS, scene.texts.shared).text
        return texts.returned.filled(time=time)
    if claim is None:
        return texts.late_proof_kept
    if not claim.is_paid:
        return texts.claim_rejected
    account = Account(AccountKind.TRADER, trader_id, order.mode)
    moved = claim_transfer(order, trader_id, transfer_id=claim.number, at=claim.time).postings
    usdt = usdt_of(sum(each.amount_micro for each in moved if each.account == account))
    return texts.claim_paid.filled(usdt=usdt)


def is_confirmable(order: Order, scene: DeskScene) -> bool:
    """Return whether the page offers to confirm that a buy's money has arrived."""
    is_buy = order.order_type is OrderType.BUY
    return is_buy and is_possible(order, Move.CONFIRM, Actor.TRADER, scene.now)


def _stop_warning(order: Order, texts: OrderTexts) -> Notice | None:
    """Return what the stop of the order's account means for it, or None."""
    is_stopped = order.pay_page.payee_stopped_at is not None and order.status.is_open
    return texts.account_stopped if is_stopped else None


def twin_views(
    order: Order, twins: Sequence[Order], scene: DeskScene
) -> Mapping[str, object] | None:
    """Return what the page and the dialog show of equal orders; None if there are none.

    These are the page's own order, and the latest others. The reference of each is in parts, which
    are marked if they differ from the own one.
    """
    if not twins:
        return None
    reference, text = order.transfer_remark or "", scene.texts.order.twins
    others = [
        (summary_of(twin, scene, is_named=True), _compared(twin.transfer_remark or "", reference))
        for twin in twins[:_TWINS_SHOWN]
    ]
    return {
        "notice": Notice(text.headline.format(count=len(twins)), text.advice),
        "own": summary_of(order, scene, is_named=True),
        "shown": others,
    }


def _compared(text: str, own: str) -> tuple[tuple[str, bool], ...]:
    """Return a text in parts, each with whether it differs from the own text at its place."""
    pairs = zip_longest(text, own[: len(text)])
    parts = groupby(pairs, key=lambda pair: pair[0] != pair[1])
    return tuple(("".join(letter for letter, _ in part), differs) for differs, part in parts)


def question_page(
    order: Order, question: Question, scene: DeskScene, twins: Sequence[Order] = ()
) -> Page:
    """Return the separate page of a question; `twins` are those of the order's page."""
    here = f"orders/{order.order_no}/{question.name}"
    view = {
        "order": summary_of(order, scene, is_named=True),
        "question": question,
        "twins": twin_views(order, twins, scene),
        "key": key_of(order),
        "now": scene.now,
    }
    return Page("desk/question.html", view, scene.links.here(here), section="orders")


def _notice(order: Order, now: int, texts: DeskTexts) -> Notice:
    if is_lapsed(order, now):
        return texts.order.lapsed
    return todo_of(order, order.status_at(now), texts)


def _details(order: Order, texts: DeskTexts, *, is_paid_now: bool) -> tuple[Detail, ...]:
    """Return the account to pay while the order must be paid, else only enough to recognise it."""
    method = order.payment_method
    if is_paid_now:
        return details_of(method, texts.shared)
    shown = receiver_of(method, texts.shared)
    if order.order_type is OrderType.SELL:
        return (Detail("receiver", texts.shared.receiver, shown, ""),)
    arrives = Detail("arrives", texts.order.arrives_at, shown, "")
    if not method.account:
        return (arrives,)
    return (arrives, Detail("account", texts.shared.account, method.account, ""))


def _own_timeline(order: Order) -> Sequence[TimelineEntry]:
    """Return the order's timeline without the assignments of earlier traders."""
    taken = [i for i, e in enumerate(order.timeline) if e.status is OrderStatus.ASSIGNED]
    return (order.timeline[0], *order.timeline[taken[-1] if taken else 1 :])
