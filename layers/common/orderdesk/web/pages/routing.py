"""The routes and the gate of a surface: pay page, identity page, desk or portal.

A surface has one `Gate`, and one table of routes that the gate serves. A route is closed, unless it
is `Open`: the gate checks link or session, origin, role, limit and passkey before the route runs,
so a route checks nothing of this itself.
"""

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from typing import Any, ClassVar, override
from urllib.parse import parse_qsl, urlencode

from aws_lambda_powertools.logging import Logger

from orderdesk.domain.errors import NotLoggedIn, Refusal
from orderdesk.domain.ids import is_order_no
from orderdesk.domain.orders.order_errors import OrderNotFound
from orderdesk.services.attempt_limits import (
    LINK_POSTS,
    WRONG_LINKS,
    Attempts,
    Limit,
    require_within,
)
from orderdesk.web.http import Request
from orderdesk.web.pages.frame import (
    Page,
    SeeOther,
    Shown,
    Site,
    answer_page,
    back_page,
    unknown_route,
)
from orderdesk.web.pages.scene import Scene, require_same_origin
from orderdesk.web.pages.shared_texts import PageTexts

_VALUE = re.compile(r"[A-Za-z0-9._~-]{1,128}")
_BACK, _LOST = "back", "lost"
_BACK_CHARS_MAX = 512


@dataclass(frozen=True, slots=True)
class Open[G: Scene[PageTexts]]:
    """A route that anybody may call, such as a login; a POST must come from our own origin."""

    method: str
    path: str
    show: Callable[[G], Shown]
    is_data: bool = False


@dataclass(frozen=True, slots=True)
class Route[S: Scene[PageTexts]]:
    """A route for those whom the gate admits; `{name}` in `path` is one segment.

    - `by`: the roles that may call it; None means all.
    - `fresh`: its form sends the answer of a passkey, at most five minutes old.
    - `limit` bounds its requests, and replaces the gate's limit of POSTs.
    - `is_data`: a page's script fetches it.
    - `harmless`: a POST that changes nothing of the reader's account, such as a logout.
    """

    method: str
    path: str
    show: Callable[[S], Shown]
    by: Collection[str] | None = None
    fresh: bool = False
    limit: Limit | None = None
    is_data: bool = False
    harmless: bool = False


type AnyRoute[G: Scene[PageTexts], S: Scene[PageTexts]] = Open[G] | Route[S]
type Table[G: Scene[PageTexts], S: Scene[PageTexts]] = dict[tuple[str, str], AnyRoute[G, S]]
"""A surface's routes by method and path."""


class RoleNotAllowed(Refusal, reason="role_not_allowed"):
    """The reader's role may not do this."""


@dataclass(frozen=True, slots=True)
class Gate[T: PageTexts, S: Scene[PageTexts]](ABC):
    """The checks before each route of a surface.

    An empty `public_base_url` means the requested host.
    """

    site: Site[T]
    attempts: Attempts
    public_base_url: str
    routes: Table[Scene[T], S] = field(init=False, default_factory=dict)

    def table(self, *routes: AnyRoute[Scene[T], S]) -> Table[Scene[T], S]:
        """Set and return the table of routes.

        Raises: ValueError if two have one method and path.
        """
        self.routes.update({(each.method, each.path): each for each in routes})
        if len(self.routes) != len(routes):
            raise ValueError(Counter((each.method, each.path) for each in routes).most_common(1))
        return self.routes

    def serve(self, event: Mapping[str, Any], logger: Logger) -> dict[str, Any]:
        """Run the route of an API Gateway event."""
        here, route = located(self.site.base, self.routes, event)
        if route is None:
            return self.nowhere(here, logger)
        shown = partial(self.show, route)
        return answer_page(here, logger, shown, self.site, is_data=route.is_data)

    @abstractmethod
    def enter(self, guest: Scene[T]) -> S:
        """Return the scene of who has the link or session. Raises: a refusal if nobody has it."""

    @abstractmethod
    def posts(self, scene: S) -> tuple[Limit, str]:
        """Return the limit of POSTs, and whom it counts: an id or number, never a token."""

    def check(self, route: Route[S], scene: S) -> None:  # noqa: B027 - for subclasses
        """Check what else a change needs, such as a fresh passkey. By default it is nothing."""

    def nowhere(self, event: Mapping[str, Any], logger: Logger) -> dict[str, Any]:  # noqa: ARG002
        """Return the response to an address without a route: that of API Gateway by default."""
        return unknown_route(event)

    def admit(self, scene: S, route: Route[S]) -> None:
        """Check whether a reader may call a route; a POST is counted.

        Raises: NotSameOrigin, RoleNotAllowed, TooManyRequests, TryAgain; what `check` raises.
        """
        if route.method == "POST":
            self.admit_post(scene, route.limit)
        if route.by is not None and scene.role not in route.by:
            raise RoleNotAllowed
        if route.method == "GET" and route.limit is not None:
            self._count(scene, route.limit)
        if route.method == "POST" and not route.harmless:
            self.check(route, scene)

    def admit_post(self, scene: S, limit: Limit | None = None) -> None:
        """Count a request from our own pages. Raises: NotSameOrigin, TooManyRequests, TryAgain."""
        require_same_origin(scene.request, self.public_base_url)
        self._count(scene, limit)

    def _count(self, scene: S, limit: Limit | None) -> None:
        posts, who = self.posts(scene)
        require_within(self.attempts, limit or posts, who, scene.now)

    def show(self, route: AnyRoute[Scene[T], S], guest: Scene[T]) -> Shown:
        """Run a route for whom it admits."""
        if isinstance(route, Open):
            if route.method == "POST":
                require_same_origin(guest.request, self.public_base_url)
            return route.show(guest)
        scene = self.enter(guest)
        self.admit(scene, route)
        shown = route.show(scene)
        return replace(shown, scene=shown.scene or scene) if isinstance(shown, Page) else shown


@dataclass(frozen=True, slots=True)
class LinkGate[T: PageTexts, S: Scene[PageTexts]](Gate[T, S]):
    """The gate of a page whose link has a number and a token.

    `opened` returns the scene of a right link, and raises OrderNotFound or TryAgain. `number` is
    the path's parameter that POSTs are counted by.
    """

    opened: Callable[[Scene[T]], S]
    number: str

    @override
    def enter(self, guest: Scene[T]) -> S:
        try:
            return self.opened(guest)
        except OrderNotFound:
            require_within(self.attempts, WRONG_LINKS, guest.request.source_ip, guest.now)
            raise

    @override
    def posts(self, scene: S) -> tuple[Limit, str]:
        return LINK_POSTS, scene.request.path_parameters[self.number]


@dataclass(frozen=True, slots=True)
class SessionGate[T: PageTexts, S: Scene[PageTexts]](Gate[T, S]):
    """The gate of a surface with a login, which leads back to the page that was asked for.

    `home` is the page after a login for which nothing was asked. `enter` raises NotLoggedIn. If
    the surface `tells_scripts`, its data without a session is that refusal, and not a redirect.
    """

    login_template: ClassVar[str]
    home: ClassVar[str] = ""
    tells_scripts: ClassVar[bool] = False

    @override
    def show(self, route: AnyRoute[Scene[T], S], guest: Scene[T]) -> Shown:
        try:
            return Gate.show(self, route, guest)
        except NotLoggedIn:
            if route.is_data and self.tells_scripts:
                raise
        is_lost = route.method == "POST" and isinstance(route, Route) and not route.harmless
        return self._to_login(guest, is_lost=is_lost)

    def show_login(self, guest: Scene[T]) -> Page | SeeOther:
        """Ask for the code or the passkey, unless there is a session."""
        try:
            self.enter(guest)
        except NotLoggedIn:
            return self.login_page(guest)
        return self.led_back(guest)

    def login_page(self, guest: Scene[T], *, is_refused: bool = False) -> Page:
        """Return the login; its form keeps the page that it leads back to."""
        back, names = self._back(guest.request.query.get(_BACK, ""))
        query, order_no = {_BACK: back} if back else {}, names.get("order_no", "")
        view = {
            "action": guest.links.to("login", **query),
            "order_no": order_no if is_order_no(order_no) else None,
            "is_lost": _LOST in guest.request.query,
            "is_refused": is_refused,
        }
        status = HTTPStatus.UNAUTHORIZED if is_refused else HTTPStatus.OK
        here = guest.links.here("login", **query)
        return Page(self.login_template, view, here, status=status)

    def led_back(self, guest: Scene[T], cookie: str | None = None) -> SeeOther:
        """Redirect from the login to the page that it leads back to."""
        back, _ = self._back(guest.request.query.get(_BACK, ""))
        return SeeOther(guest.links.to(back or self.home), cookie)

    def come_back(self, guest: Scene[T]) -> Page | SeeOther:
        """Return the page that S3 redirects a browser to after an upload; it changes nothing.

        Without an upload redirect to the login, which leads on to the page of the upload's form.
        """
        return back_page(guest) or self._to_login(guest, is_lost=False)

    def _to_login(self, guest: Scene[T], *, is_lost: bool) -> SeeOther:
        """Redirect to the login, which leads back to the page that was asked for.

        For a POST this is the nearest page at or above its address.
        """
        request = guest.request
        asked = request.route.format_map(request.path_parameters).removeprefix(self.site.base)
        query = f"?{urlencode(request.query)}" if request.method == "GET" else ""
        back, _ = self._back(f"{asked[1:]}{query}")
        while asked and not back:
            asked = asked.rpartition("/")[0]
            back, _ = self._back(asked[1:])
        told = {_BACK: back} if back else {}
        return SeeOther(guest.links.to("login", **told, **({_LOST: "1"} if is_lost else {})))

    def _back(self, asked: str) -> tuple[str, Mapping[str, str]]:
        """Return an address below `base` that the login may lead back to, and its parameters.

        Only pages of this surface's own table are allowed, and no logout; it is "" for all else.
        """
        path, _, query = asked.partition("?")
        event = {"httpMethod": "GET", "resource": "", "pathParameters": {"proxy": path}}
        there, route = located(self.site.base, self.routes, event)
        names, is_page = there["pathParameters"], isinstance(route, Route) and not route.is_data
        path = there["resource"].format_map(names).removeprefix(self.site.base)[1:]
        if not is_page or not path or ".." in path or path == "logout":
            return "", {}
        kept = [each for each in parse_qsl(query, keep_blank_values=True) if each[0] != "lang"]
        back = f"{path}?{urlencode(kept)}" if kept else path
        is_long = len(back) > _BACK_CHARS_MAX
        return ("", {}) if is_long or back == self.home else (back, names)


def located[R](
    base: str, routes: Mapping[tuple[str, str], R], event: Mapping[str, Any]
) -> tuple[Mapping[str, Any], R | None]:
    """Return an event with the path of its own route as its resource, and the route.

    `routes` have their method and path. If API Gateway knows one route for all below `base`, the
    route is found by its segments. For an unknown one the resource has as many segments as the
    request, so that relative links work.
    """
    method = event["httpMethod"]
    if (known := routes.get((method, event["resource"]))) is not None:
        return event, known
    rest = (event.get("pathParameters") or {}).get("proxy") or ""
    segments = [base.strip("/"), *(rest.rstrip("/").split("/") if rest else ())]
    for (each, path), route in routes.items():
        found = _matched(path, segments) if each == method else None
        if found is not None:
            return {**event, "resource": path, "pathParameters": found}, route
    unknown = base + "/{unknown}" * (len(segments) - 1)
    return {**event, "resource": unknown, "pathParameters": {"unknown": "-"}}, None


def _matched(path: str, segments: list[str]) -> dict[str, str] | None:
    """Return the values of a path's parameters, or None if the segments are not of this path."""
    wanted = path.strip("/").split("/")
    if len(wanted) != len(segments):
        return None
    values = {}
    for name, value in zip(wanted, segments, strict=True):
        if name.startswith("{"):
            if not _VALUE.fullmatch(value):
                return None
            values[name[1:-1]] = value
        elif name != value:
            return None
    return values


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie of a surface, valid for `seconds`.

    Its name begins with `__Host-`, because another subdomain can set a cookie of a plain name. A
    browser of a local stack without TLS may get the plain one (`is_plain`).
    """

    name: str
    seconds: int
    same_site: str

    def read(self, request: Request, *, is_plain: bool = False) -> str:
        """Return the value that a request sent, or ""."""
        names = {f"__Host-{self.name}", self.name} if is_plain else {f"__Host-{self.name}"}
        for part in request.headers.get("cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name in names:
                return value
        return ""

    def written(self, value: str, *, is_plain: bool = False) -> str:
        """Return the Set-Cookie of a value; "" deletes the cookie in the browser."""
        name, secure = (self.name, "") if is_plain else (f"__Host-{self.name}", " Secure;")
        age = self.seconds if value else 0
        rules = f"HttpOnly;{secure} SameSite={self.same_site}; Path=/"
        return f"{name}={value}; Max-Age={age}; {rules}"
