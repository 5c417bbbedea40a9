"""The routes of a dispute on the pay page: dispute, say, and the notes' pictures."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from orderdesk.domain.orders.errors import StateConflict
from orderdesk.domain.orders.notes import TooManyNotes
from orderdesk.domain.orders.transitions import Move
from orderdesk.services.orders.move import MovePorts
from orderdesk.services.orders.notes import add_text, dispute_order
from orderdesk.web.http import Request
from orderdesk.web.pages.dispute.words import Unsent, posted_reason, posted_text
from orderdesk.web.pages.page import Page, PageRoute, SeeOther
from orderdesk.web.pages.pay.one_order import PAYER, UNPROCESSABLE, OneOrder


@dataclass(frozen=True, slots=True)
class DisputeRoutes:
    """What the routes work with."""

    one: OneOrder
    ports: MovePorts

    def routes(self) -> Mapping[tuple[str, str], PageRoute]:
        """Give each route's function, by its path below the page's."""
        return {
            ("GET", "/dispute"): partial(self.one.ask, Move.DISPUTE),
            ("POST", "/dispute"): self.dispute,
            ("POST", "/say"): self.say,
            ("GET", "/notes/{number}"): self.show_note,
        }

    def dispute(self, request: Request, now: int) -> Page | SeeOther:
        """Dispute the order for the payer, who paid half an hour ago without a confirmation."""
        order = self.one.permit(request, now)
        reason = posted_reason(request, needed=False)
        if isinstance(reason, Unsent):
            page = self.one.ask(Move.DISPUTE, request, now, reason)
            return replace(page, status=UNPROCESSABLE) if isinstance(page, Page) else page
        try:
            dispute_order(order.order_no, reason, PAYER, self.ports, now)
        except StateConflict:
            return self.one.overtaken(request, now)
        return self.one.lead_to(request, now)

    def say(self, request: Request, now: int) -> Page | SeeOther:
        """Add what the payer says to the dispute."""
        order = self.one.permit(request, now)
        said = posted_text(request)
        if isinstance(said, Unsent):
            page = self.one.show(order, request, now, unsent=said)
            return replace(page, status=UNPROCESSABLE)
        try:
            add_text(order.order_no, said, PAYER, self.ports, now)
        except TooManyNotes:
            return self.one.full(order, request, now)
        except StateConflict:
            return self.one.overtaken(request, now)
        return self.one.lead_to(request, now)

    def show_note(self, request: Request, now: int) -> SeeOther:
        """Find, redirect to a page's picture of a note, whose address works for a few minutes."""
        return self.one.disputes.picture(self.one.find(request, now), request)
