"""Around every page of the desk: who comes in, and what may post."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode

from orderdesk.domain.traders.trader import Trader
from orderdesk.services.attempt_limits import DESK_POSTS, require_within
from orderdesk.services.traders.sessions import (
    SESSION_SECONDS,
    NotLoggedIn,
    SessionPorts,
    WrongAccessCode,
    log_in,
    log_out,
    logged_in,
)
from orderdesk.web.http import Request
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.desk.frame import DeskLinks, desk_page
from orderdesk.web.pages.forms import read_form, require_same_origin
from orderdesk.web.pages.page import Page, PageRoute, SeeOther, language_of

_NAME = "__Host-trader"
_RULES = "HttpOnly; Secure; SameSite=Strict; Path=/"


def session_token(request: Request) -> str | None:
    """Give the token that a request brings, or None."""
    for part in request.headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == _NAME:
            return value
    return None


def session_cookie(token: str) -> str:
    """Write the Set-Cookie of a session that has just begun."""
    return f"{_NAME}={token}; Max-Age={SESSION_SECONDS}; {_RULES}"


def ended_cookie() -> str:
    """Write the Set-Cookie that makes a browser forget its session."""
    return f"{_NAME}=; Max-Age=0; {_RULES}"


CODE_FIELD = "access_code"

_UNAUTHORIZED = 401


def login_page(request: Request, *, is_wrong: bool = False) -> Page:
    """Ask for the access code; the one that was wrong is not shown back."""
    links = DeskLinks.of(request)
    problem = TEXTS[language_of(request)].door.wrong_code if is_wrong else None
    return desk_page(
        "desk/login.html",
        {"field": CODE_FIELD, "problem": problem},
        links,
        links.here("login"),
        status=_UNAUTHORIZED if is_wrong else 200,
    )


def back_page(request: Request) -> Page:
    """Go on to the same address by ourselves.

    A browser that comes from the bucket brings no SameSite=Strict cookie, some even after
    redirects of a request that began here. What this page leads to begins here.
    """
    links, key = DeskLinks.of(request), request.query["key"]
    again = f"?{urlencode({'key': key, 'again': '1'})}{links.language.replace('?', '&')}"
    return desk_page("desk/back.html", {"address": again}, links, f"?{urlencode({'key': key})}")


type DeskRoute = Callable[[Request, Trader, int], Page | SeeOther]
"""Gets the request, the trader whose session it is, and the time in Unix seconds."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The desk's door, and the origin that its forms come from ("" where it is the asked one)."""

    door: SessionPorts
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
