"""Around every page of the desk: who comes in, and what may post."""

from collections.abc import Callable
from dataclasses import dataclass

from orderdesk.domain.traders import Trader
from orderdesk.services.attempt_limits import DESK_POSTS, require_within
from orderdesk.services.trader_sessions import (
    DoorDesk,
    NotLoggedIn,
    WrongAccessCode,
    log_in,
    log_out,
    logged_in,
)
from orderdesk.web.desk_session_cookie import ended_cookie, session_cookie, session_token
from orderdesk.web.http import Request
from orderdesk.web.pages import Page, PageRoute, SeeOther
from orderdesk.web.pages_desk_door import CODE_FIELD, back_page, login_page
from orderdesk.web.pages_desk_links import DeskLinks
from orderdesk.web.posted_forms import read_form, require_same_origin

type DeskRoute = Callable[[Request, Trader, int], Page | SeeOther]
"""Gets the request, the trader whose session it is, and the time in Unix seconds."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The desk's door, and the origin that its forms come from ("" where it is the asked one)."""

    door: DoorDesk
    public_base_url: str

    def trader(self, request: Request, now: int) -> Trader:
        """Give the trader whose session a request brings. Raises: NotLoggedIn, TryAgain."""
        return logged_in(session_token(request), self.door, now)

    def for_traders(self, action: DeskRoute) -> PageRoute:
        """Let a route have only traders with a session; it raises NotLoggedIn for all others."""

        def route(request: Request, now: int) -> Page | SeeOther:
            trader = self.trader(request, now)
            if request.method == "POST":
                require_same_origin(request, self.public_base_url)
                self.count(trader, now)
            return action(request, trader, now)

        return route

    def count(self, trader: Trader, now: int) -> None:
        """Count what changes something. Raises: TooManyRequests, TryAgain."""
        require_within(self.door.attempts, DESK_POSTS, trader.trader_id, now)

    def from_bucket(self, action: DeskRoute) -> PageRoute:
        """The same for where S3 sends a browser back to, maybe without its cookie at first."""

        def route(request: Request, now: int) -> Page | SeeOther:
            is_first = "key" in request.query and "again" not in request.query
            if is_first and session_token(request) is None:
                return back_page(request)
            return self.for_traders(action)(request, now)

        return route

    def show_login(self, request: Request, now: int) -> Page | SeeOther:
        """Ask for the access code, unless there is a session already."""
        try:
            self.trader(request, now)
        except NotLoggedIn:
            return login_page(request)
        return to_orders(request, now)

    def come_in(self, request: Request, now: int) -> Page | SeeOther:
        """Parse, open a session, send on."""
        require_same_origin(request, self.public_base_url)
        code = read_form(request, (CODE_FIELD,))[CODE_FIELD]
        try:
            token = log_in(code, request.source_ip, self.door, now)
        except WrongAccessCode:
            return login_page(request, is_wrong=True)
        return SeeOther(DeskLinks.of(request).to("orders"), session_cookie(token))

    def leave(self, request: Request, _: Trader, __: int) -> SeeOther:
        """End the session."""
        log_out(session_token(request), self.door)
        return SeeOther(DeskLinks.of(request).to("login"), ended_cookie())


def to_orders(request: Request, _: int) -> SeeOther:
    """Send on to the orders."""
    return SeeOther(DeskLinks.of(request).to("orders"))
