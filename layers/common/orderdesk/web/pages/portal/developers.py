"""Developers: keys, further callback addresses, and refused calls; a secret is shown once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus

from orderdesk.domain.merchants.merchant import ADDRESSES_MAX, Scope
from orderdesk.domain.merchants.request_rate import USE_KEPT_DAYS
from orderdesk.domain.modes import Mode
from orderdesk.services.merchants.own_settings import (
    AddressPorts,
    AddressProblem,
    KeyPorts,
    event_types,
)
from orderdesk.services.merchants.refused_calls import KeyActivity
from orderdesk.web.codes import CODES
from orderdesk.web.pages.frame import Page, SeeOther
from orderdesk.web.pages.portal.gate import KEYS, PORTAL, PageNotFound, PortalScene, Routes
from orderdesk.web.pages.routing import Route
from orderdesk.web.pages.scene import chosen, read_form

DEVELOPERS = f"{PORTAL}/developers"
CALLBACK_SECRET = f"{DEVELOPERS}/callback-secret/rotate"
ENDPOINTS = f"{PORTAL}/endpoints"
SHOWN_FIRST = 10


@dataclass(frozen=True, slots=True)
class DevelopersPage:
    ports: KeyPorts
    activity: Callable[[str, int], KeyActivity]

    def routes(self) -> Routes:
        rotate = f"{DEVELOPERS}/keys/{{mode}}/rotate"
        return (
            Route("GET", DEVELOPERS, self.show),
            Route("POST", rotate, self.rotate, KEYS, fresh=True),
            Route("POST", f"{DEVELOPERS}/keys", self.make, KEYS, fresh=True),
            Route("POST", f"{DEVELOPERS}/keys/remove", self.remove, KEYS, fresh=True),
            Route("POST", CALLBACK_SECRET, self.rotate_callback, KEYS, fresh=True),
        )

    def show(
        self, scene: PortalScene, new: Mapping[str, str] | None = None, *, is_full: bool = False
    ) -> Page:
        """Show the keys, without their secrets."""
        merchant = self.ports.portal.teams.merchant(scene.who.merchant_id)
        activity = self.activity(scene.who.merchant_id, scene.now)
        refused = [(call, CODES[call.reason]) for call in activity.refused]
        view = {  # of a key all but its encrypted secrets, and no merchant, which has them
            "main_keys": [
                (mode, api_key, activity.used_at.get(mode))
                for mode, api_key in (
                    (Mode.LIVE, merchant.api_key),
                    (Mode.TEST, merchant.test_api_key),
                )
            ],
            "kept_days": USE_KEPT_DAYS,
            "more_keys": [
                (key.api_key, key.mode, key.scope, key.created_at) for key in merchant.more_keys
            ],
            "networks": merchant.terms.allowed_cidrs,
            "newest": refused[:SHOWN_FIRST],
            "older": refused[SHOWN_FIRST:],
            "may_rotate": scene.may(KEYS),
            "new": new or {},  # a new secret and its key by name, once
            "is_full": is_full,
        }
        return Page(
            "portal/developers.html",
            view,
            scene.links.here("developers"),
            section="developers",
            status=HTTPStatus.UNPROCESSABLE_ENTITY if is_full else HTTPStatus.OK,
        )

    def rotate(self, scene: PortalScene) -> Page:
        """Create a secret of a key, and show it."""
        name = scene.request.path_parameters["mode"]
        if name not in {mode.value for mode in Mode}:
            raise PageNotFound
        new = self.ports.rotate(scene.who, Mode(name), scene.now)
        return self.show(scene, {"api_key": new.api_key, "api_secret": new.api_secret})

    def make(self, scene: PortalScene) -> Page:
        """Create a further key with a scope, and show its secret."""
        form = read_form(scene.request, ("mode", "scope"))
        mode, scope = chosen(form, "mode", Mode), chosen(form, "scope", Scope)
        new = self.ports.make(scene.who, mode, scope, scene.now)
        if new is None:
            return self.show(scene, is_full=True)
        return self.show(scene, {"api_key": new.api_key, "api_secret": new.api_secret})

    def remove(self, scene: PortalScene) -> SeeOther:
        form = read_form(scene.request, ("api_key",))
        self.ports.remove(scene.who, form["api_key"])
        return SeeOther(scene.links.to("developers"))

    def rotate_callback(self, scene: PortalScene) -> Page:
        """Create a callback secret, and show it."""
        secret = self.ports.rotate_callback(scene.who)
        return self.show(scene, {"callback_secret": secret})


@dataclass(frozen=True, slots=True)
class EndpointsPage:
    ports: AddressPorts

    def routes(self) -> Routes:
        return (
            Route("GET", ENDPOINTS, self.show),
            Route("POST", ENDPOINTS, self.add, KEYS, fresh=True),
            Route("POST", f"{ENDPOINTS}/remove", self.remove, KEYS, fresh=True),
            Route("POST", f"{ENDPOINTS}/rotate", self.rotate, KEYS, fresh=True),
        )

    def show(
        self,
        scene: PortalScene,
        *,
        problem: AddressProblem | None = None,
        typed: str = "",
        new: Mapping[str, str] | None = None,
    ) -> Page:
        """Show the addresses, without their secrets."""
        merchant = self.ports.keys.portal.teams.merchant(scene.who.merchant_id)
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

    def add(self, scene: PortalScene) -> Page:
        """Add an address, and show its secret."""
        form = read_form(scene.request, ("url", "events"))
        url, asked = form["url"].strip(), form["events"].replace(",", " ").split()
        events = tuple(dict.fromkeys(asked)) if asked and asked != ["all"] else None
        new = self.ports.add(scene.who, url, events, scene.now)
        if isinstance(new, AddressProblem):
            return self.show(scene, problem=new, typed=form["url"])
        shown = {"endpoint_id": new.address.endpoint_id, "callback_secret": new.secret}
        return self.show(scene, new=shown)

    def remove(self, scene: PortalScene) -> SeeOther:
        form = read_form(scene.request, ("endpoint_id",))
        self.ports.remove(scene.who, form["endpoint_id"])
        return SeeOther(scene.links.to("endpoints"))

    def rotate(self, scene: PortalScene) -> Page:
        """Create a secret of an address, and show it."""
        form = read_form(scene.request, ("endpoint_id",))
        secret = self.ports.rotate(scene.who, form["endpoint_id"])
        if secret is None:
            raise PageNotFound
        return self.show(scene, new={"endpoint_id": form["endpoint_id"], "callback_secret": secret})
