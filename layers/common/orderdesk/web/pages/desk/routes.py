"""The routes of the desk's open orders, of one order, and of pushes (contract section 8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import ClassVar, override

from orderdesk.domain.ids import is_order_no
from orderdesk.domain.orders.desk_lists import DeskList
from orderdesk.domain.orders.moves import By, takes_report
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import (
    AmountOutOfRange,
    OrderNotFound,
    ProofMissing,
    StateConflict,
    UnfitSum,
)
from orderdesk.domain.orders.transitions import Move
from orderdesk.domain.traders.trader import TraderSuspended
from orderdesk.services.ports import FindsMerchants, FindsTraders, Orders
from orderdesk.services.traders.desk import (
    DeskOrders,
    OpenPage,
    SessionPorts,
    find_twins,
    go_on_duty,
    open_orders,
    own_order,
    returned_order,
)
from orderdesk.web.pages.desk.gate import DESK, DeskScene, GuestScene, to_orders
from orderdesk.web.pages.desk.open_orders import (
    EVERYTHING,
    desk_place,
    desk_status,
    is_known,
    next_order,
    orders_page,
    sought_of,
)
from orderdesk.web.pages.desk.order import is_confirmable, order_page, question_page, returned_page
from orderdesk.web.pages.desk.summary import DONE, done_of
from orderdesk.web.pages.dispute.story import Unsent
from orderdesk.web.pages.frame import Data, Page, SeeOther, WorkerScript, text_of
from orderdesk.web.pages.order_routes import Attachments, PartyRoutes, Question, Refused
from orderdesk.web.pages.scene import read_form
from orderdesk.web.pages.texts import Notice, QuestionTexts

ORDER = f"{DESK}/orders/{{order_no}}"
SUM = f"{ORDER}/sum"
AMOUNT = "amount"
_OPEN_LENGTH = 100  # far below Lambda's response limit of 6 MB; few traders have as many
_SEARCHED_LENGTH = 400  # of each list; DynamoDB returns at most 1 MB a request
ONLY = "only"
"""The query parameter of a decision after which no other order opens."""


@dataclass(frozen=True, slots=True)
class OpenOrdersRoutes:
    """The routes of the open orders and of duty."""

    index: DeskOrders
    ports: SessionPorts
    orders: Orders

    def show(self, scene: DeskScene, *, is_refused: bool = False) -> Page | SeeOther:
        """Return the page of open orders, or redirect to the next order that waits (`?next=`)."""
        after = scene.request.query.get("next")
        if after is not None:
            waiting = next_order(self._found(scene).orders, after, scene.now)
            return to_orders(scene) if waiting is None else SeeOther(scene.links.to(waiting))
        done = done_of(self.orders, scene)
        return orders_page(scene, self._found(scene), is_refused=is_refused, done=done)

    def show_status(self, scene: DeskScene) -> Data:
        """Return the version of a page of open orders, and the page if the script lacks it."""
        found = self._found(scene)
        status = desk_status(scene.trader, found, scene.now)
        if is_known(scene.request, status):
            return status
        return {**status, "page": text_of(orders_page(scene, found), scene)}

    def change_duty(self, scene: DeskScene, *, online: bool) -> Page | SeeOther:
        trader_id = scene.trader.trader_id
        try:
            go_on_duty(trader_id, self.ports, online=online)
        except StateConflict:
            return self.show(scene, is_refused=True)
        return to_orders(scene)

    def _found(self, scene: DeskScene) -> OpenPage:
        """Find a page of the open orders; a search reads longer ones. Raises: TryAgain."""
        is_search = sought_of(scene.request) != EVERYTHING
        limit = _SEARCHED_LENGTH if is_search else _OPEN_LENGTH
        return open_orders(self.index, scene.trader, desk_place(scene.request), limit=limit)


@dataclass(frozen=True, slots=True)
class DeskOrderRoutes(PartyRoutes[DeskScene]):
    route: ClassVar[str] = ORDER
    receipt_route: ClassVar[str] = f"{ORDER}/proof"
    parts: ClassVar[Mapping[Move, tuple[str, str]]] = {
        Move.CONFIRM: ("confirm", ""),
        Move.DISPUTE: ("report", "wrong"),
        Move.DECLINE: ("decline", "wrong"),
    }

    index: DeskOrders
    merchants: FindsMerchants
    traders: FindsTraders

    @override
    def by(self, scene: DeskScene) -> By:
        return scene.by

    @override
    def find(self, scene: DeskScene) -> Order:
        order_no = scene.request.path_parameters["order_no"]
        return own_order(self.ports.orders, scene.trader, order_no)

    def returned(self, scene: DeskScene) -> Order | None:
        """Find a sell that was taken back from the trader, or None. Raises: TryAgain."""
        order_no = scene.request.path_parameters["order_no"]
        return returned_order(self.ports.orders, scene.trader, order_no, scene.now)

    @override
    def show(
        self, scene: DeskScene, alert: Notice | None = None, unsent: Unsent | None = None
    ) -> Page:
        try:
            return PartyRoutes.show(self, scene, alert, unsent)
        except OrderNotFound:
            order = self.returned(scene)
            if order is None:
                raise
            return self._show_returned(order, scene, alert)

    def _show_returned(self, order: Order, scene: DeskScene, alert: Notice | None) -> Page:
        from orderdesk.services.orders.late_receipts import offer_late_proof  # noqa: PLC0415

        trader_id, ports = scene.trader.trader_id, self.ports
        back = scene.absolute(ports.public_base_url, self.receipt_route)
        upload = offer_late_proof(order, trader_id, ports.uploads, back, scene.now)
        return returned_page(order, scene, upload, alert)

    @override
    def take_upload(self, scene: DeskScene) -> Page | SeeOther:
        order = self.returned(scene)
        if order is None:
            return PartyRoutes.take_upload(self, scene)
        from orderdesk.services.orders.late_receipts import take_late_proof  # noqa: PLC0415

        ports, by, now = self.ports.receipts, scene.by, scene.now
        return self.taken(scene, lambda key: take_late_proof(order, key, by, ports, now))

    @override
    def page(
        self, order: Order, scene: DeskScene, attachments: Attachments, alert: Notice | None
    ) -> Page:
        twins, sums = self._twins(order, scene), self._sum_form(order, scene)
        done = done_of(self.ports.orders, scene)
        return order_page(order, scene, attachments, twins, alert=alert, sums=sums, done=done)

    def _sum_form(self, order: Order, scene: DeskScene) -> Mapping[str, object] | None:
        """Return the form for a different sum, if the trader can report one.

        It has its target, and a typed sum that was refused.
        """
        if scene.trader.suspended or not takes_report(order, scene.now):
            return None
        merchant = self.merchants.find(order.merchant_id)
        if merchant is None or not merchant.terms.allows_other_sums:
            return None
        is_own = scene.request.method == "POST" and scene.request.route == SUM
        typed = read_form(scene.request, (AMOUNT,))[AMOUNT] if is_own else ""
        action = scene.links.to(f"orders/{order.order_no}/sum")
        return {"action": action, "typed": typed, "is_wrong": is_own}

    def report_sum(self, scene: DeskScene) -> Page | SeeOther:
        """Dispute a buy, because a different sum arrived."""
        # Few traders report a sum, so a cold start does not load it.
        from orderdesk.services.orders.late_receipts import ReopenPorts  # noqa: PLC0415
        from orderdesk.services.orders.other_sums import report_sum, typed_report  # noqa: PLC0415

        order = self.find(scene)
        typed, texts = read_form(scene.request, (AMOUNT,))[AMOUNT], scene.texts.order
        ports = ReopenPorts(self.moves(scene), self.merchants, self.traders)
        try:
            report = typed_report(typed, texts.sum_note)
            report_sum(order, report, scene.by, ports, scene.now)
        except (UnfitSum, AmountOutOfRange):
            return replace(self.show(scene), status=HTTPStatus.UNPROCESSABLE_CONTENT)
        return self.after_move(Move.DISPUTE, scene)

    @override
    def asked(self, move: Move, order: Order, scene: DeskScene) -> QuestionTexts:
        texts = scene.texts.order
        if move is Move.CONFIRM:
            return texts.confirm[order.order_type]
        return texts.report if move is Move.DISPUTE else texts.decline

    @override
    def question_page(self, order: Order, question: Question, scene: DeskScene) -> Page:
        twins = self._twins(order, scene) if question.move is Move.CONFIRM else ()
        return question_page(order, question, scene, twins)

    def _twins(self, order: Order, scene: DeskScene) -> Sequence[Order]:
        """Find the orders that the trader must not confuse with one that it can confirm."""
        return find_twins(self.index, order, scene.now) if is_confirmable(order, scene) else ()

    @override
    def refusal_notice(self, refusal: ProofMissing | TraderSuspended, scene: DeskScene) -> Notice:
        match refusal:
            case ProofMissing():
                return scene.texts.order.proof_missing
            case TraderSuspended():
                return scene.texts.order.suspended_move

    @override
    def can_write(self, scene: DeskScene) -> bool:
        return not scene.trader.suspended

    @override
    def moved_order_no(self, scene: DeskScene) -> str:
        """Return the number without reading the order: the move checks whose it is."""
        order_no = scene.request.path_parameters["order_no"]
        if not is_order_no(order_no):
            raise OrderNotFound
        return order_no

    @override
    def after_move(self, move: Move, scene: DeskScene) -> Page | SeeOther:
        """Redirect to the most urgent order that waits for the trader, or to the list.

        The form names the order that it confirms, so a repeated press changes no other order.
        """
        if ONLY in scene.request.query:
            return self.lead_to(scene)
        order_no, trader_id = scene.request.path_parameters["order_no"], scene.trader.trader_id
        waiting = self.index.waiting(trader_id, DeskList.TRADER, 0, _OPEN_LENGTH)
        place = next_order(waiting, order_no, scene.now) or "orders"
        return SeeOther(scene.links.to(place, **{DONE: f"{move}-{order_no}"}))

    @override
    def refuse(self, refusal: Refused, scene: DeskScene) -> Page:
        """Show the order as it is now; a suspension may be newer than the session's trader."""
        is_suspended = scene.trader.suspended or isinstance(refusal, TraderSuspended)
        scene = replace(scene, trader=replace(scene.trader, suspended=is_suspended))
        return PartyRoutes.refuse(self, refusal, scene)


def worker_script(_: GuestScene) -> WorkerScript:
    """Return the service worker's script, which is the same for all traders."""
    return WorkerScript("desk/worker.js")
