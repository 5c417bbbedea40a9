"""The order of a pay page's link: found, checked, shown (contract section 8)."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.orders.errors import OrderNotFound
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.receipts.places import preview_key
from orderdesk.services.attempt_limits import LINK_POSTS, WRONG_LINKS, Attempts, require_within
from orderdesk.services.orders.look_up import open_pay_page
from orderdesk.services.orders.receipts import offer_upload
from orderdesk.services.ports import Orders
from orderdesk.web.http import Request
from orderdesk.web.pages.dispute.notes import Addresses, Disputes
from orderdesk.web.pages.dispute.words import Unsent, full_alert
from orderdesk.web.pages.forms import require_same_origin
from orderdesk.web.pages.links import address_of, public_address_of
from orderdesk.web.pages.merchants import merchant_view
from orderdesk.web.pages.page import Page, SeeOther, language_of, led_to
from orderdesk.web.pages.pay import TEXTS
from orderdesk.web.pages.pay.links import Links
from orderdesk.web.pages.pay.page import pay_page
from orderdesk.web.pages.pay.questions import question_of, question_page
from orderdesk.web.pages.texts import Notice

PAGE = "/pay/{order_no}/{token}"
PAYER = By(Actor.PAYER)
CONFLICT, UNPROCESSABLE = 409, 422


class ShownMerchants(Protocol):
    """Reads merchants."""

    def find(self, merchant_id: str) -> Merchant | None:
        """Give a merchant, or None. Raises: TryAgain."""


@dataclass(frozen=True, slots=True)
class OneOrder:
    """What the page's routes share; an empty `public_base_url` means the requested host."""

    orders: Orders
    merchants: ShownMerchants
    attempts: Attempts
    disputes: Disputes
    public_base_url: str

    def find(self, request: Request, now: int) -> Order:
        """Find the order of the link. Raises: OrderNotFound, TooManyRequests, TryAgain."""
        link = request.path_parameters
        try:
            return open_pay_page(self.orders, link["order_no"], link["token"])
        except OrderNotFound:
            require_within(self.attempts, WRONG_LINKS, request.source_ip, now)
            raise

    def permit(self, request: Request, now: int) -> Order:
        """Find the order of a POST, which must come from our page, and count it.

        Raises: OrderNotFound, NotSameOrigin, TooManyRequests, TryAgain.
        """
        order = self.find(request, now)
        require_same_origin(request, self.public_base_url)
        require_within(self.attempts, LINK_POSTS, order.order_no, now)
        return order

    def show(
        self,
        order: Order,
        request: Request,
        now: int,
        alert: Notice | None = None,
        unsent: Unsent | None = None,
    ) -> Page:
        """Render the page with the sent receipts, and an upload form if it takes one more."""
        back = public_address_of(request, self.public_base_url, "/receipt")
        uploads, pictures = self.disputes.uploads, self.disputes.pictures
        links = Links.of(request)
        merchant = merchant_view(self.merchants.find(order.merchant_id), order.return_url)
        return pay_page(
            order,
            now,
            language_of(request),
            links,
            merchant=merchant,
            previews=[pictures.url(preview_key(receipt.key)) for receipt in order.receipts],
            upload=offer_upload(order, uploads, PAYER, back, now),
            story=self.disputes.story(
                order, PAYER, request, Addresses(links.say, links.note, back), unsent=unsent
            ),
            alert=alert,
        )

    def show_found(self, request: Request, now: int) -> Page:
        """Parse, find, render."""
        return self.show(self.find(request, now), request, now)

    def lead_to(self, request: Request, now: int) -> Page | SeeOther:
        """Lead a POST to the order's page."""
        return led_to(request, address_of(request), PAGE, partial(self.show_found, now=now))

    def ask(
        self, move: Move, request: Request, now: int, unsent: Unsent | None = None
    ) -> Page | SeeOther:
        """Parse, find, render; if the payer cannot make this move, redirect to the order."""
        order, links = self.find(request, now), Links.of(request)
        question = question_of(order, now, language_of(request), links, unsent)
        if question is None or question.move is not move:
            return SeeOther(address_of(request))
        return question_page(order, question, links)

    def full(self, order: Order, request: Request, now: int) -> Page:
        """Show the page of a dispute that takes no more of the payer."""
        page = self.show(order, request, now, full_alert(language_of(request)))
        return replace(page, status=UNPROCESSABLE)

    def overtaken(self, request: Request, now: int) -> Page:
        """Show the page as it is now to a payer whose move came too late."""
        order, alert = self.find(request, now), TEXTS[language_of(request)].overtaken
        return replace(self.show(order, request, now, alert), status=CONFLICT)
