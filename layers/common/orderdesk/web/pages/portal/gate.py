"""The gate of the portal: sessions, roles and passkeys, and the frame of its pages.

A page is a module with a function that returns its routes.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, override
from urllib.parse import urlsplit

from aws_lambda_powertools.logging import Logger

from orderdesk.domain.errors import Refusal
from orderdesk.domain.merchants.merchant import MerchantStatus, MerchantSuspended
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
from orderdesk.services.attempt_limits import PORTAL_POSTS, Limit
from orderdesk.services.merchants.portal import (
    SESSION_SECONDS,
    Browser,
    PortalPorts,
    Presented,
    RelyingParty,
    SignedIn,
    confirm,
    signed_in,
)
from orderdesk.web.http import Request, is_local
from orderdesk.web.pages.frame import REFUSALS, Page, Shown, Site, answer_page, status_of
from orderdesk.web.pages.portal.portal_texts import PortalTexts
from orderdesk.web.pages.routing import AnyRoute, Cookie, RoleNotAllowed, Route, SessionGate
from orderdesk.web.pages.scene import Scene, read_form
from orderdesk.web.pages.values import china_time

PORTAL = "/portal"
LOGOUT = f"{PORTAL}/logout"
CREDENTIAL_FIELD = "credential"
ADMINS = frozenset({MemberRole.ADMIN})
KEYS = frozenset({MemberRole.ADMIN, MemberRole.DEVELOPER})
"""Those who may change keys."""
MONEY = frozenset({MemberRole.ADMIN, MemberRole.FINANCE})
"""Those who may move orders and money."""

FILE_SECONDS = 15
"""How long one file is read; API Gateway waits 29 s."""

_COOKIE = Cookie("portal", SESSION_SECONDS, "Lax")
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


class PageNotFound(Refusal, reason="page_not_found"):
    """The portal has no such page, or the thing on it is not this merchant's."""


@dataclass(frozen=True, slots=True)
class PortalScene(Scene[PortalTexts]):
    """A request of a member who is signed in."""

    who: SignedIn

    @property
    @override
    def role(self) -> MemberRole:
        """The member's role as it is now."""
        return self.who.member.role

    @property
    @override
    def reader(self) -> Mapping[str, object]:
        """The member and the merchant's name; a merchant has more, such as its secrets."""
        who, merchant = self.who, self.who.merchant
        return {
            "merchant": merchant.terms.display_name or merchant.name,
            "is_suspended": merchant.status is MerchantStatus.SUSPENDED,
            "member": who.member,
            "session_id": who.session.session_id,
            "recoveries": who.team.recoveries(self.now),
        }

    def may(self, roles: Collection[MemberRole]) -> bool:
        """Return whether the member may send a form of these roles.

        A suspended merchant's members may send none.
        """
        is_active = self.who.merchant.status is MerchantStatus.ACTIVE
        return is_active and self.role in roles


type Routes = tuple[AnyRoute[GuestScene, PortalScene], ...]
"""The routes of a page."""


def _problem_page(scene: GuestScene, reason: str) -> Page:
    """Return the page of a refusal."""
    is_known = _COOKIE.read(scene.request, is_plain=True) != ""
    view = {"problem": scene.texts.problems[reason], "is_known": is_known}
    here = "" if scene.request.method == "GET" else scene.links.here()
    return Page("portal/problem.html", view, here, status=status_of(reason))


_REFUSALS = (
    *REFUSALS,
    InvitationNotFound,
    InvitationRests,
    LastAdmin,
    LastPasskey,
    MemberNotFound,
    MerchantSuspended,
    PageNotFound,
    PasskeyRefused,
    RoleNotAllowed,
    TeamFull,
)
SITE = Site(PORTAL, PortalTexts, _REFUSALS, _problem_page)


def browser_of(request: Request) -> Browser:
    """Return where a request came from, as the team page shows it."""
    agent = request.headers.get("user-agent", "")
    names = [
        next((name for mark, name in marks.items() if mark in agent), "")
        for marks in (_BROWSERS, _SYSTEMS)
    ]
    return Browser(request.source_ip, " · ".join(filter(None, names)), request.request_id)


@dataclass(frozen=True, slots=True)
class PortalGate(SessionGate[PortalTexts, PortalScene]):
    """The gate of the portal, with the ports of sign-in."""

    login_template: ClassVar[str] = "portal/login.html"

    ports: PortalPorts

    @override
    def enter(self, guest: GuestScene) -> PortalScene:
        request = guest.request
        who = signed_in(self.ports, self.session(request), browser_of(request), guest.now)
        return PortalScene(*guest.parts, who)

    @override
    def posts(self, scene: PortalScene) -> tuple[Limit, str]:
        return PORTAL_POSTS, scene.who.member.member_id

    @override
    def check(self, route: Route[PortalScene], scene: PortalScene) -> None:
        """Check the merchant and the passkey.

        Raises: MerchantSuspended, PasskeyRefused, TryAgain.
        """
        if scene.who.merchant.status is MerchantStatus.SUSPENDED:
            raise MerchantSuspended
        if route.fresh:
            confirm(self.ports, scene.who, self.presented(scene))

    @override
    def nowhere(self, event: Mapping[str, Any], logger: Logger) -> dict[str, Any]:
        """Return the problem page for members, and the login for others."""

        def show(_: PortalScene) -> Shown:
            raise PageNotFound

        route = Route(event["httpMethod"], "", show)
        return answer_page(event, logger, partial(self.show, route), SITE)

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

    def is_plain(self, request: Request) -> bool:
        """Return whether cookies have a plain name: on a local stack, whose browsers lack TLS."""
        return is_local(self.party(request).origin)

    def session(self, request: Request) -> str:
        """Return the session in a request's cookie, or ""."""
        return _COOKIE.read(request, is_plain=self.is_plain(request))

    def session_cookie(self, request: Request, value: str) -> str:
        """Return the Set-Cookie of a new session, or of its end for ""."""
        return _COOKIE.written(value, is_plain=self.is_plain(request))

    def presented(self, scene: GuestScene) -> Presented:
        """Return the passkey's answer in a form. Raises: BadForm."""
        text = read_form(scene.request, (CREDENTIAL_FIELD,))[CREDENTIAL_FIELD]
        request = scene.request
        return Presented(text, self.party(request), browser_of(request), scene.now)
