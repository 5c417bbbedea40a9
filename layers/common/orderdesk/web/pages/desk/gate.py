"""The frame of every desk page: sessions, the login, and the checks of a POST."""

from collections.abc import Callable
from dataclasses import dataclass

from orderdesk.domain.traders.trader import Trader
from orderdesk.services.attempt_limits import DESK_POSTS, require_within
from orderdesk.services.pushes.devices import DevicePorts, forget_session
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
from orderdesk.web.pages.page import Download, Page, PageRoute, SeeOther, language_of

_NAME = "__Host-trader"
_RULES = "HttpOnly; Secure; SameSite=Strict; Path=/"


def session_token(request: Request) -> str | None:
    """Give the session's token from a request's cookie, or None."""
    for part in request.headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == _NAME:
            return value
    return None


def session_cookie(token: str) -> str:
    """Give the Set-Cookie of a new session."""
    return f"{_NAME}={token}; Max-Age={SESSION_SECONDS}; {_RULES}"


def ended_cookie() -> str:
    """Give the Set-Cookie that deletes a session in the browser."""
    return f"{_NAME}=; Max-Age=0; {_RULES}"


CODE_FIELD = "access_code"

_UNAUTHORIZED = 401


def login_page(request: Request, *, is_wrong: bool = False) -> Page:
    """Ask for the access code; a wrong code is not shown again."""
    links = DeskLinks.of(request)
    problem = TEXTS[language_of(request)].login.wrong_code if is_wrong else None
    return desk_page(
        "desk/login.html",
        {"field": CODE_FIELD, "problem": problem},
        links,
        links.here("login"),
        status=_UNAUTHORIZED if is_wrong else 200,
    )


type DeskRoute = Callable[[Request, Trader, int], Page | SeeOther | Download]
"""Gets the request, the session's trader, and the time in Unix seconds."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The ports of sessions and devices, and the origin that forms come from.

    An empty `public_base_url` means the requested host.
    """

    ports: SessionPorts
    devices: DevicePorts
    public_base_url: str

    def trader(self, request: Request, now: int) -> Trader:
        """Give the trader of a request's session. Raises: NotLoggedIn, TryAgain."""
        return logged_in(session_token(request), self.ports, now)

    def for_traders(self, action: DeskRoute) -> PageRoute:
        """Make a page route of a desk route: without a session it raises NotLoggedIn.

        A POST must also come from the same origin, and it is counted.
        """

        def route(request: Request, now: int) -> Page | SeeOther | Download:
            return action(request, self.admitted(request, now), now)

        return route

    def admitted(self, request: Request, now: int) -> Trader:
        """Give the trader of a request that `for_traders` lets in.

        Raises: NotLoggedIn, NotSameOrigin, TooManyRequests, TryAgain.
        """
        trader = self.trader(request, now)
        if request.method == "POST":
            require_same_origin(request, self.public_base_url)
            self.count(trader, now)
        return trader

    def count(self, trader: Trader, now: int) -> None:
        """Count a request that changes something. Raises: TooManyRequests, TryAgain."""
        require_within(self.ports.attempts, DESK_POSTS, trader.trader_id, now)

    def show_login(self, request: Request, now: int) -> Page | SeeOther:
        """Ask for the access code, unless there is already a session."""
        try:
            self.trader(request, now)
        except NotLoggedIn:
            return login_page(request)
        return to_orders(request, now)

    def come_in(self, request: Request, now: int) -> Page | SeeOther:
        """Parse, open a session, redirect."""
        require_same_origin(request, self.public_base_url)
        code = read_form(request, (CODE_FIELD,))[CODE_FIELD]
        try:
            token = log_in(code, request.source_ip, self.ports, now)
        except WrongAccessCode:
            return login_page(request, is_wrong=True)
        return SeeOther(DeskLinks.of(request).to("orders"), session_cookie(token))

    def leave(self, request: Request, trader: Trader, _: int) -> SeeOther:
        """End the session; its devices are no longer told."""
        token = session_token(request) or ""
        forget_session(token, trader.trader_id, self.devices)
        log_out(token, self.ports)
        return SeeOther(DeskLinks.of(request).to("login"), ended_cookie())


def to_orders(request: Request, _: int) -> SeeOther:
    """Redirect to the orders."""
    return SeeOther(DeskLinks.of(request).to("orders"))
