"""The gate of the desk: its sessions and login, and the frame of its pages."""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import override

from orderdesk.domain.ids import is_order_no
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.attempt_limits import DESK_POSTS, Limit
from orderdesk.services.traders.desk import (
    SESSION_SECONDS,
    NotLoggedIn,
    SessionPorts,
    WrongAccessCode,
    log_in,
    log_out,
    logged_in,
)
from orderdesk.web.pages.desk.desk_texts import DeskTexts
from orderdesk.web.pages.frame import REFUSALS, Page, SeeOther, Site, status_of
from orderdesk.web.pages.routing import Cookie, Gate
from orderdesk.web.pages.scene import Scene, read_form

CODE_FIELD = "access_code"
DESK = "/trader"
SETTINGS = f"{DESK}/settings"
METHOD = f"{SETTINGS}/methods/{{method_type}}"
CODE_ROUTE = f"{METHOD}/code"
"""The route that S3 redirects a browser to after the upload of a payment code."""
COOKIE = Cookie("trader", SESSION_SECONDS, "Strict")
_NOT_FOUND = "order_not_found"
_BACK, _LOST = "back", "lost"

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


def _problem_page(scene: GuestScene, reason: str) -> Page | SeeOther:
    """Return the page of a refusal; without a session redirect to the login.

    The login leads back to the order of the request, and says that a POST did nothing.
    """
    if reason == NotLoggedIn.reason:
        order_no = scene.request.path_parameters.get("order_no", "")
        query = {_BACK: order_no} if is_order_no(order_no) else {}
        if scene.request.method == "POST" and not scene.request.route.endswith("/logout"):
            query[_LOST] = "1"
        return SeeOther(scene.links.to("login", **query))
    is_get = scene.request.method == "GET"
    view = {
        "problem": scene.texts.problems[reason],
        "is_nowhere": reason == _NOT_FOUND,
        "can_reload": is_get and reason != _NOT_FOUND,
    }
    here = "" if is_get else scene.links.here("orders")
    return Page("desk/problem.html", view, here, status=status_of(reason))


SITE = Site(DESK, DeskTexts, (*REFUSALS, NotLoggedIn), _problem_page)


def login_page(scene: GuestScene, *, is_wrong: bool = False) -> Page:
    """Ask for the access code; a wrong code is not shown again.

    The form keeps the number of the order that the login leads back to (`?back=`).
    """
    t, order_no = scene.texts.login, _order_behind(scene)
    query = {} if order_no is None else {_BACK: order_no}
    is_lost = _LOST in scene.request.query
    view = {
        "field": CODE_FIELD,
        "problem": t.wrong_code if is_wrong else None,
        "action": scene.links.to("login", **query),
        "lost": (t.lost_order if order_no else t.lost) if is_lost else None,
        "order_no": order_no,
    }
    return Page(
        "desk/login.html",
        view,
        scene.links.here("login", **query),
        status=HTTPStatus.UNAUTHORIZED if is_wrong else HTTPStatus.OK,
    )


def _order_behind(scene: GuestScene) -> str | None:
    """Return the order_no that a login leads back to; None for any other text."""
    order_no = scene.request.query.get(_BACK, "")
    return order_no if is_order_no(order_no) else None


def _after_login(scene: GuestScene) -> str:
    order_no = _order_behind(scene)
    return scene.links.to("orders" if order_no is None else f"orders/{order_no}")


def to_orders(scene: GuestScene) -> SeeOther:
    return SeeOther(scene.links.to("orders"))


@dataclass(frozen=True, slots=True)
class DeskGate(Gate[DeskTexts, DeskScene]):
    """The gate of the desk; `forget` removes the devices of a trader's session that ends."""

    ports: SessionPorts
    forget: Callable[[str, str], None]

    @override
    def enter(self, guest: GuestScene) -> DeskScene:
        trader = logged_in(COOKIE.read(guest.request), self.ports, guest.now)
        return DeskScene(*guest.parts, trader)

    @override
    def posts(self, scene: DeskScene) -> tuple[Limit, str]:
        return DESK_POSTS, scene.trader.trader_id

    def show_login(self, scene: GuestScene) -> Page | SeeOther:
        """Ask for the access code, unless there is a session."""
        try:
            self.enter(scene)
        except NotLoggedIn:
            return login_page(scene)
        return SeeOther(_after_login(scene))

    def log_in(self, scene: GuestScene) -> Page | SeeOther:
        """Check the access code, start a session, redirect to the orders or back to one."""
        code = read_form(scene.request, (CODE_FIELD,))[CODE_FIELD]
        try:
            token = log_in(code, scene.request.source_ip, self.ports, scene.now)
        except WrongAccessCode:
            return login_page(scene, is_wrong=True)
        return SeeOther(_after_login(scene), COOKIE.written(token))

    def log_out(self, scene: DeskScene) -> SeeOther:
        """End the session and the pushes to its devices, redirect to the login."""
        token = COOKIE.read(scene.request)
        self.forget(token, scene.trader.trader_id)
        log_out(token, self.ports)
        return SeeOther(scene.links.to("login"), COOKIE.written(""))
