"""The gate of the desk: its sessions and login, and the frame of its pages."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, override

from orderdesk.domain.errors import NotLoggedIn
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.attempt_limits import DESK_POSTS, Limit
from orderdesk.services.traders.desk import (
    SESSION_SECONDS,
    SessionPorts,
    WrongAccessCode,
    log_in,
    log_out,
    logged_in,
)
from orderdesk.web.pages.desk.desk_texts import DeskTexts
from orderdesk.web.pages.frame import REFUSALS, Page, SeeOther, Site, status_of
from orderdesk.web.pages.routing import Cookie, SessionGate
from orderdesk.web.pages.scene import Scene, read_form

CODE_FIELD = "access_code"
DESK = "/trader"
SETTINGS = f"{DESK}/settings"
METHOD = f"{SETTINGS}/methods/{{method_type}}"
CODE_ROUTE = f"{METHOD}/code"
"""The route that S3 redirects a browser to after the upload of a payment code."""
COOKIE = Cookie("trader", SESSION_SECONDS, "Strict")
_NOT_FOUND = "order_not_found"

type GuestScene = Scene[DeskTexts]
"""A request to the desk whose session is not known yet."""


@dataclass(frozen=True, slots=True)
class DeskScene(Scene[DeskTexts]):
    """A request of a trader who is logged in."""

    trader: Trader

    @property
    def by(self) -> By:
        """The trader as the actor of a move."""
        return By(Actor.TRADER, self.trader.trader_id)


def _problem_page(scene: GuestScene, reason: str) -> Page:
    """Return the page of a refusal."""
    is_get = scene.request.method == "GET"
    view = {
        "problem": scene.texts.problems[reason],
        "is_nowhere": reason == _NOT_FOUND,
        "can_reload": is_get and reason != _NOT_FOUND,
    }
    here = "" if is_get else scene.links.here("orders")
    return Page("desk/problem.html", view, here, status=status_of(reason))


SITE = Site(DESK, DeskTexts, (*REFUSALS, NotLoggedIn), _problem_page)


def to_orders(scene: GuestScene) -> SeeOther:
    return SeeOther(scene.links.to("orders"))


@dataclass(frozen=True, slots=True)
class DeskGate(SessionGate[DeskTexts, DeskScene]):
    """The gate of the desk; `forget` removes the devices of a trader's session that ends."""

    login_template: ClassVar[str] = "desk/login.html"
    home: ClassVar[str] = "orders"
    tells_scripts: ClassVar[bool] = True

    ports: SessionPorts
    forget: Callable[[str, str], None]

    @override
    def enter(self, guest: GuestScene) -> DeskScene:
        trader = logged_in(COOKIE.read(guest.request), self.ports, guest.now)
        return DeskScene(*guest.parts, trader)

    @override
    def posts(self, scene: DeskScene) -> tuple[Limit, str]:
        return DESK_POSTS, scene.trader.trader_id

    def log_in(self, scene: GuestScene) -> Page | SeeOther:
        """Check the access code, start a session, redirect to the page that was asked for."""
        code = read_form(scene.request, (CODE_FIELD,))[CODE_FIELD]
        try:
            token = log_in(code, scene.request.source_ip, self.ports, scene.now)
        except WrongAccessCode:
            return self.login_page(scene, is_refused=True)
        return self.led_back(scene, COOKIE.written(token))

    def log_out(self, scene: DeskScene) -> SeeOther:
        """End the session and the pushes to its devices, redirect to the login."""
        token = COOKIE.read(scene.request)
        self.forget(token, scene.trader.trader_id)
        log_out(token, self.ports)
        return SeeOther(scene.links.to("login"), COOKIE.written(""))
