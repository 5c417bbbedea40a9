"""Developers: keys, whose secrets are made and shown once; allowed addresses; refused calls."""

from collections.abc import Callable
from dataclasses import dataclass, field

from orderdesk.domain.merchants.request_rate import USE_KEPT_DAYS
from orderdesk.domain.modes import Mode
from orderdesk.services.merchants.keys import KeyPorts, NewKeySecret
from orderdesk.services.merchants.refused_calls import KeyActivity, RefusedCall
from orderdesk.web.codes import CODES
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.portal.frame import (
    KEYS,
    PORTAL,
    PageNotFound,
    PortalScene,
    Route,
    portal_page,
)
from orderdesk.web.pages.texts import Language
from orderdesk.web.pages.values import Moment, china_time, moment_of

DEVELOPERS = f"{PORTAL}/developers"
SHOWN_FIRST = 10


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key as it is shown; `used` says when it was last used."""

    mode: Mode
    name: str
    api_key: str
    used: str


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


@dataclass(frozen=True, slots=True)
class DevelopersView:
    """What the page shows. `new` is set after a rotation, once."""

    keys: tuple[KeyRow, ...]
    networks: tuple[str, ...]
    newest: tuple[RefusalRow, ...]
    older: tuple[RefusalRow, ...]
    may_rotate: bool
    new: NewKeySecret | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class DevelopersPage:
    """The page and its forms."""

    ports: KeyPorts
    activity: Callable[[str, int], KeyActivity]

    def routes(self) -> tuple[Route, ...]:
        """Return the routes."""
        rotate = f"{DEVELOPERS}/keys/{{mode}}/rotate"
        return (
            Route("GET", DEVELOPERS, self.show),
            Route("POST", rotate, self.rotate, KEYS, fresh=True),
        )

    def show(self, scene: PortalScene) -> Page:
        """Show the keys, without their secrets."""
        return self._page(scene, None)

    def rotate(self, scene: PortalScene) -> Page:
        """Create a secret of a key, and show it."""
        name = scene.request.path_parameters["mode"]
        if name not in {mode.value for mode in Mode}:
            raise PageNotFound
        new = self.ports.rotate(scene.who, Mode(name), scene.browser, scene.now)
        return self._page(scene, new)

    def _page(self, scene: PortalScene, new: NewKeySecret | None) -> Page:
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
            networks=merchant.terms.allowed_cidrs,
            newest=tuple(refused[:SHOWN_FIRST]),
            older=tuple(refused[SHOWN_FIRST:]),
            may_rotate=scene.may(KEYS),
            new=new,
        )
        here = scene.links.here("developers")
        return portal_page("portal/developers.html", view, here, scene=scene, section="developers")


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
    )
