"""The frame of the portal's pages: routes, sessions, roles, the checks of a POST, problem pages.

A page is a module with a function that returns its routes. `Gate` checks everything that a route
declares before it calls it; a page checks nothing of this itself.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import Refusal
from orderdesk.domain.merchants.merchant import MerchantStatus
from orderdesk.domain.merchants.merchant_errors import MerchantSuspended
from orderdesk.domain.merchants.team import (
    InvitationNotFound,
    InvitationRests,
    LastAdmin,
    LastPasskey,
    MemberNotFound,
    MemberRole,
    PasskeyRefused,
    TeamFull,
)
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.attempt_limits import PORTAL_POSTS, Limit, require_within
from orderdesk.services.merchants.portal import (
    SESSION_SECONDS,
    Browser,
    NotSignedIn,
    PortalPorts,
    Presented,
    RelyingParty,
    SignedIn,
    confirm,
    signed_in,
)
from orderdesk.web.http import Request, is_local
from orderdesk.web.pages.frame import REFUSALS, Data, Page, SeeOther, Shown, Site, status_of
from orderdesk.web.pages.portal.portal_texts import PortalTexts
from orderdesk.web.pages.scene import Scene, read_form, require_same_origin
from orderdesk.web.pages.values import china_time, moment_of

PORTAL = "/portal"
LOGOUT = f"{PORTAL}/logout"
CREDENTIAL_FIELD = "credential"
EVERYBODY = frozenset(MemberRole)
ADMINS = frozenset({MemberRole.ADMIN})
KEYS = frozenset({MemberRole.ADMIN, MemberRole.DEVELOPER})
"""Those who may change keys."""
MONEY = frozenset({MemberRole.ADMIN, MemberRole.FINANCE})
"""Those who may move orders and money."""

FILE_SECONDS = 15
"""How long one file is read; API Gateway waits 29 s."""

_COOKIE = "portal"
_HOST_COOKIE = f"__Host-{_COOKIE}"
_ASKED = "portal_asked"
_ASKED_SECONDS = 600
_ASKED_CHARS_MAX = 512
_ASKED_PATH = re.compile(r"(?!log)[A-Za-z0-9_~-][A-Za-z0-9._~-]*(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")
# What a User-Agent contains; the first that is found counts.
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Mac OS": "Mac",
    "Windows": "Windows",
    "Linux": "Linux",
}
_BROWSERS = {"Edg/": "Edge", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}

type GuestScene = Scene[PortalTexts]
"""A request to the portal whose session is not known yet."""


class RoleNotAllowed(Refusal):
    """The member's role may not do this."""

    reason = "role_not_allowed"


class PageNotFound(Refusal):
    """The portal has no such page, or the thing on it is not this merchant's."""

    reason = "page_not_found"


@dataclass(frozen=True, slots=True)
class PortalScene(Scene[PortalTexts]):
    """A request of a member who is signed in."""

    who: SignedIn
    browser: Browser

    @property
    def role(self) -> MemberRole:
        """The member's role as it is now."""
        return self.who.member.role

    def may(self, roles: Collection[MemberRole]) -> bool:
        """Return whether the member may send a form of these roles.

        A suspended merchant's members may send none.
        """
        is_active = self.who.merchant.status is MerchantStatus.ACTIVE
        return is_active and self.role in roles


@dataclass(frozen=True, slots=True)
class GuestRoute:
    """A page that needs no session; a POST must come from our own origin."""

    method: str
    path: str
    show: Callable[[GuestScene], Shown]


@dataclass(frozen=True, slots=True)
class Route:
    """A page for members; `{name}` in `path` is one segment.

    `roles` may call it. `fresh`: its form sends the answer of a passkey, at most five minutes old,
    in the field `credential`. `limit` bounds the requests of a member.
    """

    method: str
    path: str
    show: Callable[[PortalScene], Shown]
    roles: frozenset[MemberRole] = EVERYBODY
    fresh: bool = False
    limit: Limit | None = None


@dataclass(frozen=True, slots=True)
class ScriptRoute:
    """A POST of a page's script, which checks itself who sends it."""

    path: str
    answer: Callable[[GuestScene], Data]
    method: str = "POST"


type AnyRoute = GuestRoute | Route | ScriptRoute


def _problem_page(scene: GuestScene, reason: str) -> Page | SeeOther:
    """Return the page of a refusal; without a session redirect to the login."""
    if reason == NotSignedIn.reason:
        return SeeOther(scene.links.to("login"))
    view = {"problem": scene.texts.problems[reason], "is_known": _has_cookie(scene.request)}
    here = "" if scene.request.method == "GET" else scene.links.here()
    return portal_page("portal/problem.html", view, here, status=status_of(reason))


def portal_page(
    template: str,
    view: object,
    here: str,
    *,
    scene: PortalScene | None = None,
    section: str | None = None,
    status: int = HTTPStatus.OK,
    image_origins: tuple[str, ...] = (),
    upload_origin: str | None = None,
) -> Page:
    """Return a portal page; `section` is its section in the navigation, of the member's scene."""
    who, recoveries = None, []
    if scene is not None:
        who, shared = scene.who, scene.texts.shared
        recoveries = [
            (each, moment_of(each.opens_at, shared), moment_of(each.expires_at, shared))
            for each in who.team.recoveries(scene.now)
        ]
    return Page(
        template,
        {"view": view, "section": section, "who": who, "recoveries": recoveries},
        status=status,
        here=here,
        image_origins=image_origins,
        upload_origin=upload_origin,
    )


_REFUSALS = (
    *REFUSALS,
    InvitationNotFound,
    InvitationRests,
    LastAdmin,
    LastPasskey,
    MemberNotFound,
    MerchantSuspended,
    NotSignedIn,
    PageNotFound,
    PasskeyRefused,
    RoleNotAllowed,
    TeamFull,
)
SITE = Site(PORTAL, PortalTexts, _REFUSALS, _problem_page)


def back_to(scene: GuestScene, path: str) -> SeeOther:
    """Redirect to a page of the portal, or to the login without a session's cookie."""
    return SeeOther(scene.links.to(path if _has_cookie(scene.request) else "login"))


def browser_of(request: Request) -> Browser:
    """Return where a request came from, as the team page shows it."""
    agent = request.headers.get("user-agent", "")
    names = [
        next((name for mark, name in marks.items() if mark in agent), "")
        for marks in (_BROWSERS, _SYSTEMS)
    ]
    return Browser(request.source_ip, " · ".join(filter(None, names)), request.request_id)


@dataclass(frozen=True, slots=True)
class Gate:
    """The ports of sign-in, and the origin that forms come from ("" is that of the address)."""

    ports: PortalPorts
    public_base_url: str

    def party(self, request: Request) -> RelyingParty:
        """Return whom browsers make passkeys for: the host of PublicBaseUrl, or of the address.

        The address is API Gateway's own, never a header of the request.
        """
        own = urlsplit(self.public_base_url or request.stage_url)
        return RelyingParty(own.hostname or "", f"{own.scheme}://{own.netloc}")

    def pages_url(self, request: Request) -> str:
        """Return the address under which the pages are, without a slash at its end."""
        return (self.public_base_url or request.stage_url).rstrip("/")

    def time_for_a_file(self) -> Callable[[], bool]:
        """Return whether a file that is read from now on has time left, as a function."""
        until_us = self.ports.now_us() + FILE_SECONDS * US_PER_SECOND
        return lambda: self.ports.now_us() < until_us

    def rest_of_file(self, scene: "PortalScene", words: str, last: int, path: str) -> str:
        """Return how far a part of a file goes (Unix seconds), and the address of the next one."""
        address = f"{self.pages_url(scene.request)}{PORTAL}/{path}"
        return words.format(last=china_time(last), address=address)

    def cookie(self, request: Request) -> str:
        """Return the session in a request's cookie, or "".

        Another subdomain can set a cookie of the plain name, so only a local stack accepts it.
        """
        is_plain = is_local(self.party(request).origin)
        return _cookie(request, {_HOST_COOKIE, _COOKIE} if is_plain else {_HOST_COOKIE})

    def presented(self, scene: GuestScene) -> Presented:
        """Return the passkey's answer in a form. Raises: BadForm."""
        text = read_form(scene.request, (CREDENTIAL_FIELD,))[CREDENTIAL_FIELD]
        request = scene.request
        return Presented(text, self.party(request), browser_of(request), scene.now)

    def _asked_cookie(self, request: Request) -> str | None:
        """Return the cookie that keeps the page that was asked for until the sign-in."""
        parameters = request.path_parameters.items()
        path = request.route.format(**{name: quote(value) for name, value in parameters})
        query = urlencode({k: v for k, v in request.query.items() if k != "lang"})
        asked = quote(f"{path.removeprefix(PORTAL).lstrip('/')}?{query}", safe="")
        if len(asked) > _ASKED_CHARS_MAX:
            return None
        return _cookie_text(self.party(request), _ASKED, asked, _ASKED_SECONDS)

    def asked_page(self, scene: GuestScene) -> str:
        """Return the address of the page that was asked for before the sign-in.

        Anybody on the same host can set the cookie, so only a path below /portal is accepted.
        """
        asked = _cookie(scene.request, {_ASKED, f"__Host-{_ASKED}"})
        path, _, query = unquote(asked).partition("?")
        if _ASKED_PATH.fullmatch(path) is None:
            return scene.links.to()
        return scene.links.to(path, **dict(parse_qsl(query)))

    def entry(self, scene: PortalScene, action: str, target: str, **details: str) -> AuditEntry:
        """Create the entry of a member's change in the team's audit trail."""
        return self.ports.entry(scene.who.member.name, action, target, scene.browser, **details)

    def own_origin(self, request: Request) -> None:
        """Refuse a request that is not from our own pages. Raises: NotSameOrigin."""
        require_same_origin(request, self.public_base_url)

    def shown(self, route: GuestRoute | Route | None) -> Callable[[GuestScene], Shown]:
        """Return a page's route with its checks; None is a page that does not exist."""

        def show(scene: GuestScene) -> Shown:
            if isinstance(route, GuestRoute):
                if route.method == "POST":
                    self.own_origin(scene.request)
                return route.show(scene)
            try:
                member = self.admit(scene)
            except NotSignedIn:
                if route is None or scene.request.method != "GET":
                    raise
                return SeeOther(scene.links.to("login"), self._asked_cookie(scene.request))
            if route is None:
                raise PageNotFound
            self._check(member, route)
            return route.show(member)

        return show

    def admit(self, scene: GuestScene) -> PortalScene:
        """Return a member's request; a POST must come from our own origin, and is counted.

        Raises: NotSignedIn, NotSameOrigin, TooManyRequests, TryAgain.
        """
        who = signed_in(self.ports, self.cookie(scene.request), scene.now)
        if scene.request.method == "POST":
            self.own_origin(scene.request)
            require_within(self.ports.attempts, PORTAL_POSTS, who.member.member_id, scene.now)
        parts = (scene.request, scene.now, scene.language, scene.links, scene.texts)
        return PortalScene(*parts, who, browser_of(scene.request))

    def _check(self, scene: PortalScene, route: Route) -> None:
        """Check role, limit, merchant and passkey.

        Raises: RoleNotAllowed, TooManyRequests, MerchantSuspended, PasskeyRefused, TryAgain.
        """
        if scene.role not in route.roles:
            raise RoleNotAllowed
        if route.limit is not None:
            member_id = scene.who.member.member_id
            require_within(self.ports.attempts, route.limit, member_id, scene.now)
        if route.method == "GET" or route.path == LOGOUT:
            return
        if scene.who.merchant.status is MerchantStatus.SUSPENDED:
            raise MerchantSuspended
        if route.fresh:
            confirm(self.ports, scene.who, self.presented(scene))


def _has_cookie(request: Request) -> bool:
    return _cookie(request, {_COOKIE, _HOST_COOKIE}) != ""


def _cookie(request: Request, names: Collection[str]) -> str:
    """Return the value of the first cookie with one of the names, or ""."""
    for part in request.headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name in names:
            return value
    return ""


def new_cookie(party: RelyingParty, value: str) -> str:
    """Return the Set-Cookie of a new session, or of its end for "".

    Browsers of a local stack have no TLS, and would not send a cookie that is Secure.
    """
    return _cookie_text(party, _COOKIE, value, SESSION_SECONDS if value else 0)


def _cookie_text(party: RelyingParty, name: str, value: str, seconds: int) -> str:
    secure = not is_local(party.origin)
    whole = f"__Host-{name}" if secure else name
    rules = "HttpOnly; Secure; SameSite=Lax" if secure else "HttpOnly; SameSite=Lax"
    return f"{whole}={value}; Max-Age={seconds}; {rules}; Path=/"
