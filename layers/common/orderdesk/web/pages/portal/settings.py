"""Settings: what payers see, the default callback address, the source addresses of API calls."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from orderdesk.domain.merchants.merchant import MerchantStatus
from orderdesk.domain.merchants.own_terms import OwnTermsChange
from orderdesk.services.merchants.settings import OwnTermsPorts
from orderdesk.web.pages.page import Page, SeeOther, Shown
from orderdesk.web.pages.portal.frame import (
    ADMINS,
    KEYS,
    PORTAL,
    PortalScene,
    Route,
    portal_page,
)
from orderdesk.web.pages.scene import BadForm, read_form
from orderdesk.web.pages.values import MerchantView, merchant_view

SETTINGS = f"{PORTAL}/settings"
_REQUIRED = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class SettingsView:
    """What the page shows.

    `typed` has the values of the fields: the stored ones, or those of a refused form. `problems`
    are by the names of the fields.
    """

    payers: MerchantView
    require_receipt: bool
    callback_url: str
    networks: tuple[str, ...]
    may_change_all: bool
    may_change_endpoints: bool
    typed: Mapping[str, str]
    problems: Mapping[str, str] = field(default_factory=dict)
    is_saved: bool = False


@dataclass(frozen=True, slots=True)
class SettingsPage:
    """The page and its forms."""

    ports: OwnTermsPorts

    def routes(self) -> tuple[Route, ...]:
        """Return the routes."""
        return (
            Route("GET", SETTINGS, self.show),
            Route("POST", f"{SETTINGS}/payers", self.change_payers, ADMINS),
            Route("POST", f"{SETTINGS}/callback", self.change_callback, KEYS, fresh=True),
            Route("POST", f"{SETTINGS}/networks", self.change_networks, KEYS, fresh=True),
        )

    def show(self, scene: PortalScene) -> Page:
        """Show the settings."""
        return _page(scene)

    def change_payers(self, scene: PortalScene) -> Shown:
        """Change what payers see, and whether they must add a receipt."""
        form = read_form(scene.request, ("display_name", "support", "require_receipt"))
        if form["require_receipt"] not in _REQUIRED:
            raise BadForm
        change = OwnTermsChange(
            display_name=form["display_name"].strip(),
            support=form["support"].strip(),
            require_receipt=_REQUIRED[form["require_receipt"]],
        )
        return self._changed(scene, change, form)

    def change_callback(self, scene: PortalScene) -> Shown:
        """Change the default callback address; "" removes it."""
        form = read_form(scene.request, ("callback_url",))
        return self._changed(scene, OwnTermsChange(callback_url=form["callback_url"].strip()), form)

    def change_networks(self, scene: PortalScene) -> Shown:
        """Change the addresses that may call the API; without any, every address may."""
        form = read_form(scene.request, ("allow_cidr",))
        networks = tuple(form["allow_cidr"].replace(",", " ").split())
        return self._changed(scene, OwnTermsChange(allowed_cidrs=networks), form)

    def _changed(
        self, scene: PortalScene, change: OwnTermsChange, form: Mapping[str, str]
    ) -> Shown:
        """Make a change and redirect; a refusal shows the page with what was typed."""
        problems = self.ports.change(scene.who, change, scene.browser)
        if not problems:
            return SeeOther(scene.links.to("settings", said="saved"))
        texts = scene.texts.settings.problems
        return _page(scene, form, {each.field: texts[each.field] for each in problems})


def _page(
    scene: PortalScene,
    form: Mapping[str, str] | None = None,
    problems: Mapping[str, str] | None = None,
) -> Page:
    merchant = scene.who.merchant
    terms, is_active = merchant.terms, merchant.status is MerchantStatus.ACTIVE
    stored = {
        "display_name": terms.display_name,
        "support": terms.support,
        "require_receipt": "yes" if terms.require_receipt else "no",
        "callback_url": terms.callback_url,
        "allow_cidr": "\n".join(terms.allowed_cidrs),
    }
    view = SettingsView(
        payers=merchant_view(merchant, None, ""),
        require_receipt=terms.require_receipt,
        callback_url=terms.callback_url,
        networks=terms.allowed_cidrs,
        may_change_all=is_active and scene.role in ADMINS,
        may_change_endpoints=is_active and scene.role in KEYS,
        typed={**stored, **(form or {})},
        problems=problems or {},
        is_saved=scene.request.query.get("said") == "saved",
    )
    return portal_page(
        "portal/settings.html",
        view,
        scene.links.here("settings"),
        scene=scene,
        section="settings",
        status=HTTPStatus.UNPROCESSABLE_ENTITY if problems else HTTPStatus.OK,
    )
