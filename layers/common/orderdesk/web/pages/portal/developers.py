"""Developers: the keys, whose secrets are made and shown once, and the allowed addresses."""

from dataclasses import dataclass, field

from orderdesk.domain.modes import Mode
from orderdesk.services.merchants.keys import KeyPorts, NewKeySecret
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.portal.frame import (
    KEYS,
    PORTAL,
    PageNotFound,
    PortalScene,
    Route,
    portal_page,
)

DEVELOPERS = f"{PORTAL}/developers"


@dataclass(frozen=True, slots=True)
class DevelopersView:
    """What the page shows. `new` is set after a rotation, once."""

    keys: tuple[tuple[Mode, str, str], ...]
    networks: tuple[str, ...]
    may_rotate: bool
    new: NewKeySecret | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class DevelopersPage:
    """The page and its forms."""

    ports: KeyPorts

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
        view = DevelopersView(
            keys=(
                (Mode.LIVE, texts.live_key, merchant.api_key),
                (Mode.TEST, texts.test_key, merchant.test_api_key),
            ),
            networks=merchant.terms.allowed_cidrs,
            may_rotate=scene.role in KEYS,
            new=new,
        )
        here = scene.links.here("developers")
        return portal_page("portal/developers.html", view, here, scene=scene, section="developers")
