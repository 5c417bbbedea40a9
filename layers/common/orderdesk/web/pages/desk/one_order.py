"""One order at the desk: found, shown, asked about (contract section 8)."""

from dataclasses import dataclass, replace
from functools import partial

from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.receipts.places import preview_key
from orderdesk.domain.traders.errors import TraderSuspended
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.orders.receipts import offer_upload
from orderdesk.services.ports import Orders
from orderdesk.services.traders.desk import own_order
from orderdesk.web.http import Request
from orderdesk.web.pages.desk.alerts import Alert, InVain, alert_for
from orderdesk.web.pages.desk.frame import DeskLinks, return_address
from orderdesk.web.pages.desk.order import order_page
from orderdesk.web.pages.desk.questions import question_page, questions_of
from orderdesk.web.pages.dispute.notes import Addresses, Disputes
from orderdesk.web.pages.dispute.words import Unsent
from orderdesk.web.pages.page import Page, SeeOther, language_of, led_to

ORDER = "/trader/orders/{order_no}"


@dataclass(frozen=True, slots=True)
class OneOrder:
    """What the routes of an order share; an empty `public_base_url` means the requested host."""

    orders: Orders
    disputes: Disputes
    public_base_url: str

    def find(self, request: Request, trader: Trader) -> Order:
        """Find the trader's order of the route. Raises: OrderNotFound, TryAgain."""
        return own_order(self.orders, trader, request.path_parameters["order_no"])

    def show(
        self,
        request: Request,
        trader: Trader,
        now: int,
        alert: Alert | None = None,
        unsent: Unsent | None = None,
    ) -> Page:
        """Render an order as it is now, with an upload form if its trader may add a proof."""
        order, links = self.find(request, trader), DeskLinks.of(request)
        uploads, pictures = self.disputes.uploads, self.disputes.pictures
        back = return_address(request, self.public_base_url, order.order_no)
        upload = None if trader.suspended else offer_upload(order, uploads, by(trader), back, now)
        previews = [pictures.url(preview_key(receipt.key)) for receipt in order.receipts]
        action = links.to(f"orders/{order.order_no}/say")
        addresses = Addresses(action, partial(links.note, order.order_no), back)
        can_write = not trader.suspended
        return order_page(
            order,
            previews,
            now,
            language_of(request),
            links,
            upload=upload,
            story=self.disputes.story(
                order, by(trader), request, addresses, can_write=can_write, unsent=unsent
            ),
            alert=alert,
            is_suspended=trader.suspended,
        )

    def lead_to(self, request: Request, trader: Trader, now: int) -> Page | SeeOther:
        """Lead a POST to the order's page."""
        url = DeskLinks.of(request).order(request.path_parameters["order_no"])
        return led_to(request, url, ORDER, partial(self.show, trader=trader, now=now))

    def refuse(self, refusal: InVain, request: Request, trader: Trader, now: int) -> Page:
        """Render an order and why nothing was changed; a suspension may be newer than `trader`."""
        is_suspended = trader.suspended or isinstance(refusal, TraderSuspended)
        alert = alert_for(refusal, language_of(request))
        return self.show(request, replace(trader, suspended=is_suspended), now, alert)

    def ask(
        self, move: Move, request: Request, trader: Trader, now: int, unsent: Unsent | None = None
    ) -> Page | SeeOther:
        """Find the order and ask; if the trader cannot make this move, redirect to the order."""
        order, links = self.find(request, trader), DeskLinks.of(request)
        language = language_of(request)
        for question in questions_of(order, now, language, links, unsent):
            if question.move is move and not trader.suspended:
                return question_page(order, question, now, language, links)
        return SeeOther(links.order(order.order_no))


def by(trader: Trader) -> By:
    """Give the trader as the actor of a move."""
    return By(Actor.TRADER, trader.trader_id)
