"""Developers: keys, whose secrets are made and shown once; allowed addresses; refused calls."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from orderdesk.domain.merchants.keys import Scope
from orderdesk.domain.merchants.request_rate import USE_KEPT_DAYS
from orderdesk.domain.modes import Mode
from orderdesk.services.merchants.keys import KeyPorts
from orderdesk.services.merchants.refused_calls import KeyActivity, RefusedCall
from orderdesk.web.codes import CODES
from orderdesk.web.pages.frame import Page, SeeOther
from orderdesk.web.pages.portal.gate import (
    KEYS,
    PORTAL,
    PageNotFound,
    PortalScene,
    Routes,
    portal_page,
)
from orderdesk.web.pages.routing import Route
from orderdesk.web.pages.scene import BadForm, read_form
from orderdesk.web.pages.texts import Language
from orderdesk.web.pages.values import Moment, china_time, moment_of

DEVELOPERS = f"{PORTAL}/developers"
CALLBACK_SECRET = f"{DEVELOPERS}/callback-secret/rotate"
SHOWN_FIRST = 10


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key as it is shown; `used` says when it was last used."""

    mode: Mode
    name: str
    api_key: str
    used: str


@dataclass(frozen=True, slots=True)
class ScopedKeyRow:
    """A further key as it is shown."""

    api_key: str
    is_test: bool
    scope: str
    made_at: Moment


@dataclass(frozen=True, slots=True)
class RefusalRow:
    """A refused call as it is shown."""

    time: Moment
    is_test: bool
    operation: str
    code: int
    reason: str
    message: str
    network: str
    rule: str


@dataclass(frozen=True, slots=True)
class DevelopersView:
    """What the page shows. `new` has a new secret and its key by name, once."""

    keys: tuple[KeyRow, ...]
    more_keys: tuple[ScopedKeyRow, ...]
    networks: tuple[str, ...]
    newest: tuple[RefusalRow, ...]
    older: tuple[RefusalRow, ...]
    may_rotate: bool
    new: Mapping[str, str] = field(default_factory=dict, repr=False)
    is_full: bool = False


@dataclass(frozen=True, slots=True)
class DevelopersPage:
    """The page and its forms."""

    ports: KeyPorts
    activity: Callable[[str, int], KeyActivity]

    def routes(self) -> Routes:
        """Return the routes."""
        rotate = f"{DEVELOPERS}/keys/{{mode}}/rotate"
        return (
            Route("GET", DEVELOPERS, self.show),
            Route("POST", rotate, self.rotate, KEYS, fresh=True),
            Route("POST", f"{DEVELOPERS}/keys", self.make, KEYS, fresh=True),
            Route("POST", f"{DEVELOPERS}/keys/remove", self.remove, KEYS, fresh=True),
            Route("POST", CALLBACK_SECRET, self.rotate_callback, KEYS, fresh=True),
        )

    def show(self, scene: PortalScene) -> Page:
        """Show the keys, without their secrets."""
        return self._page(scene, {})

    def rotate(self, scene: PortalScene) -> Page:
        """Create a secret of a key, and show it."""
        name = scene.request.path_parameters["mode"]
        if name not in {mode.value for mode in Mode}:
            raise PageNotFound
        new = self.ports.rotate(scene.who, Mode(name), scene.browser, scene.now)
        return self._page(scene, {"api_key": new.api_key, "api_secret": new.api_secret})

    def make(self, scene: PortalScene) -> Page:
        """Create a further key with a scope, and show its secret."""
        form = read_form(scene.request, ("mode", "scope"))
        if form["mode"] not in set(Mode) or form["scope"] not in set(Scope):
            raise BadForm
        mode, scope = Mode(form["mode"]), Scope(form["scope"])
        new = self.ports.make(scene.who, mode, scope, scene.browser, scene.now)
        if new is None:
            return self._page(scene, {}, is_full=True)
        return self._page(scene, {"api_key": new.api_key, "api_secret": new.api_secret})

    def remove(self, scene: PortalScene) -> SeeOther:
        """Remove a further key."""
        form = read_form(scene.request, ("api_key",))
        self.ports.remove(scene.who, form["api_key"], scene.browser)
        return SeeOther(scene.links.to("developers"))

    def rotate_callback(self, scene: PortalScene) -> Page:
        """Create a callback secret, and show it."""
        secret = self.ports.rotate_callback(scene.who, scene.browser)
        return self._page(scene, {"callback_secret": secret})

    def _page(self, scene: PortalScene, new: Mapping[str, str], *, is_full: bool = False) -> Page:
        merchant = self.ports.merchants.merchant(scene.who.merchant_id)
        texts = scene.texts.developers
        activity = self.activity(scene.who.merchant_id, scene.now)
        refused = [_row(call, scene) for call in activity.refused]
        view = DevelopersView(
            keys=tuple(
                KeyRow(mode, name, api_key, _used(activity.used_at.get(mode), scene))
                for mode, name, api_key in (
                    (Mode.LIVE, texts.live_key, merchant.api_key),
                    (Mode.TEST, texts.test_key, merchant.test_api_key),
                )
            ),
            more_keys=tuple(
                ScopedKeyRow(
                    key.api_key,
                    key.mode is Mode.TEST,
                    texts.scopes[key.scope.value],
                    moment_of(key.created_at, scene.texts.shared),
                )
                for key in merchant.more_keys
            ),
            networks=merchant.terms.allowed_cidrs,
            newest=tuple(refused[:SHOWN_FIRST]),
            older=tuple(refused[SHOWN_FIRST:]),
            may_rotate=scene.may(KEYS),
            new=new,
            is_full=is_full,
        )
        return portal_page(
            "portal/developers.html",
            view,
            scene.links.here("developers"),
            scene=scene,
            section="developers",
            status=HTTPStatus.UNPROCESSABLE_ENTITY if is_full else HTTPStatus.OK,
        )


def _used(at: int | None, scene: PortalScene) -> str:
    """Return on which day a key was last used."""
    texts = scene.texts.developers
    if at is None:
        return texts.never_used.format(days=USE_KEPT_DAYS)
    return texts.last_used.format(date=china_time(at)[:10])


def _row(call: RefusedCall, scene: PortalScene) -> RefusalRow:
    code = CODES[call.reason]
    return RefusalRow(
        moment_of(call.at, scene.texts.shared),
        call.key.is_test == 1,
        call.operation,
        code.code,
        call.reason,
        code.message(chinese=scene.language is Language.ZH),
        call.network,
        "" if call.rule is None else scene.texts.developers.rules[call.rule.value],
    )
