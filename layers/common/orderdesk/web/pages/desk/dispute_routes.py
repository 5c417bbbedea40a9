"""The routes of a dispute at the desk: report, say, and the notes' pictures."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from orderdesk.domain.orders.transitions import Move
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.orders.move import MovePorts
from orderdesk.services.orders.notes import add_text, dispute_order
from orderdesk.web.http import Request
from orderdesk.web.pages.desk.alerts import IN_VAIN
from orderdesk.web.pages.desk.gate import DeskRoute
from orderdesk.web.pages.desk.one_order import ORDER, OneOrder, by
from orderdesk.web.pages.dispute.words import Unsent, posted_reason, posted_text
from orderdesk.web.pages.page import Page, SeeOther

_UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class DisputeRoutes:
    """What the routes work with."""

    one: OneOrder
    ports: MovePorts

    def routes(self) -> Mapping[tuple[str, str], DeskRoute]:
        """Give each route's function."""
        return {
            ("POST", f"{ORDER}/report"): self.report,
            ("POST", f"{ORDER}/say"): self.say,
            ("GET", f"{ORDER}/notes/{{number}}"): self.show_note,
        }

    def report(self, request: Request, trader: Trader, now: int) -> Page | SeeOther:
        """Dispute the order for its trader, who received nothing and says why."""
        order, reason = self.one.find(request, trader), posted_reason(request, needed=True)
        if isinstance(reason, Unsent):
            page = self.one.ask(Move.DISPUTE, request, trader, now, reason)
            return replace(page, status=_UNPROCESSABLE) if isinstance(page, Page) else page
        try:
            dispute_order(order.order_no, reason, by(trader), self.ports, now)
        except IN_VAIN as refusal:
            return self.one.refuse(refusal, request, trader, now)
        return self.one.lead_to(request, trader, now)

    def say(self, request: Request, trader: Trader, now: int) -> Page | SeeOther:
        """Add what the trader says to the dispute."""
        order, said = self.one.find(request, trader), posted_text(request)
        if isinstance(said, Unsent):
            page = self.one.show(request, trader, now, unsent=said)
            return replace(page, status=_UNPROCESSABLE)
        try:
            add_text(order.order_no, said, by(trader), self.ports, now)
        except IN_VAIN as refusal:
            return self.one.refuse(refusal, request, trader, now)
        return self.one.lead_to(request, trader, now)

    def show_note(self, request: Request, trader: Trader, _: int) -> SeeOther:
        """Find, redirect to a page's picture of a dispute."""
        return self.one.disputes.picture(self.one.find(request, trader), request)
