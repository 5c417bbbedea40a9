"""Endpoints: further callback addresses, each with its types of events and a secret."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from orderdesk.domain.merchants.merchant import ADDRESSES_MAX
from orderdesk.services.merchants.callback_addresses import (
    AddressPorts,
    AddressProblem,
    event_types,
)
from orderdesk.web.pages.frame import Page, SeeOther
from orderdesk.web.pages.portal.gate import KEYS, PORTAL, PageNotFound, PortalScene, Routes
from orderdesk.web.pages.routing import Route
from orderdesk.web.pages.scene import read_form

ENDPOINTS = f"{PORTAL}/endpoints"


@dataclass(frozen=True, slots=True)
class EndpointsPage:
    """The page and its forms."""

    ports: AddressPorts

    def routes(self) -> Routes:
        """Return the routes."""
        return (
            Route("GET", ENDPOINTS, self.show),
            Route("POST", ENDPOINTS, self.add, KEYS, fresh=True),
            Route("POST", f"{ENDPOINTS}/remove", self.remove, KEYS, fresh=True),
            Route("POST", f"{ENDPOINTS}/rotate", self.rotate, KEYS, fresh=True),
        )

    def show(self, scene: PortalScene) -> Page:
        """Show the addresses, without their secrets."""
        return self._page(scene)

    def add(self, scene: PortalScene) -> Page:
        """Add an address, and show its secret."""
        form = read_form(scene.request, ("url", "events"))
        url, asked = form["url"].strip(), form["events"].replace(",", " ").split()
        events = tuple(dict.fromkeys(asked)) if asked and asked != ["all"] else None
        new = self.ports.add(scene.who, url, events, scene.browser, scene.now)
        if isinstance(new, AddressProblem):
            return self._page(scene, problem=new, typed=form["url"])
        shown = {"endpoint_id": new.address.endpoint_id, "callback_secret": new.secret}
        return self._page(scene, new=shown)

    def remove(self, scene: PortalScene) -> SeeOther:
        """Remove an address."""
        form = read_form(scene.request, ("endpoint_id",))
        self.ports.remove(scene.who, form["endpoint_id"], scene.browser)
        return SeeOther(scene.links.to("endpoints"))

    def rotate(self, scene: PortalScene) -> Page:
        """Create a secret of an address, and show it."""
        form = read_form(scene.request, ("endpoint_id",))
        secret = self.ports.rotate(scene.who, form["endpoint_id"], scene.browser)
        if secret is None:
            raise PageNotFound
        return self._page(
            scene, new={"endpoint_id": form["endpoint_id"], "callback_secret": secret}
        )

    def _page(
        self,
        scene: PortalScene,
        *,
        problem: AddressProblem | None = None,
        typed: str = "",
        new: Mapping[str, str] | None = None,
    ) -> Page:
        merchant = self.ports.keys.merchants.merchant(scene.who.merchant_id)
        view = {
            "endpoints": [  # without their encrypted secrets
                (each.endpoint_id, each.url, each.events) for each in merchant.addresses
            ],
            "default": merchant.terms.callback_url,
            "types": event_types(),
            "has_room": len(merchant.addresses) < ADDRESSES_MAX,
            "may_change": scene.may(KEYS),
            "problem": problem,
            "typed": typed,
            "new": new or {},  # a new secret by name, once
        }
        return Page(
            "portal/endpoints.html",
            view,
            scene.links.here("endpoints"),
            section="developers",
            status=HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK,
        )
