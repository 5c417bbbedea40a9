"""Settings: what payers see, the default callback address, the source addresses of API calls."""

from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from orderdesk.domain.merchants.own_terms import OwnTermsChange
from orderdesk.domain.plain_text import plain_line
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.services.merchants.own_settings import LOGO_BYTES_MAX, OwnTermsPorts
from orderdesk.web.pages.frame import Page, SeeOther, Shown, uploaded_key
from orderdesk.web.pages.order_routes import PictureSigner
from orderdesk.web.pages.portal.gate import ADMINS, KEYS, PORTAL, PortalGate, PortalScene, Routes
from orderdesk.web.pages.routing import Open, Route
from orderdesk.web.pages.scene import BadForm, read_form
from orderdesk.web.pages.values import image_origin, merchant_view

SETTINGS = f"{PORTAL}/settings"
LOGO = f"{SETTINGS}/logo"
_REQUIRED = {"yes": True, "no": False}


@dataclass(frozen=True, slots=True)
class SettingsPage:
    gate: PortalGate
    ports: OwnTermsPorts
    pictures: PictureSigner

    def routes(self) -> Routes:
        return (
            Route("GET", SETTINGS, self.show),
            Route("POST", f"{SETTINGS}/payers", self.change_payers, ADMINS),
            Open("GET", LOGO, self.gate.come_back),
            Route("POST", LOGO, self.set_logo, ADMINS),
            Route("POST", f"{LOGO}/remove", self.remove_logo, ADMINS),
            Route("POST", f"{SETTINGS}/callback", self.change_callback, KEYS, fresh=True),
            Route("POST", f"{SETTINGS}/networks", self.change_networks, KEYS, fresh=True),
        )

    def show(
        self,
        scene: PortalScene,
        form: Mapping[str, str] | None = None,
        problems: Mapping[str, str] | None = None,
    ) -> Page:
        merchant = scene.who.merchant
        terms, may_change_all = merchant.terms, scene.may(ADMINS)
        back = scene.absolute(self.gate.public_base_url, LOGO)
        upload = self.ports.logo_form(scene.who, back, scene.now) if may_change_all else None
        stored = {
            "display_name": terms.display_name,
            "support": terms.support,
            "require_receipt": "yes" if terms.require_receipt else "no",
            "callback_url": terms.callback_url,
            "allow_cidr": "\n".join(terms.allowed_cidrs),
        }
        payers = merchant_view(merchant, None, "", self.pictures.url)
        view = {  # the form of the logo is for those who may change it
            "payers": payers,
            "terms": terms,
            "may_change_all": may_change_all,
            "may_change_endpoints": scene.may(KEYS),
            "typed": {**stored, **(form or {})},
            "upload": upload,
            "problems": problems or {},
            "is_saved": scene.request.query.get("said") == "saved",
            "max_bytes": LOGO_BYTES_MAX,
        }
        return Page(
            "portal/settings.html",
            view,
            scene.links.here("settings"),
            section="settings",
            status=HTTPStatus.UNPROCESSABLE_ENTITY if problems else HTTPStatus.OK,
            image_origins=payers.image_origins,
            upload_origin=image_origin(upload.url) if upload else None,
        )

    def change_payers(self, scene: PortalScene) -> Shown:
        """Change what payers see, and whether they must add a receipt."""
        form = read_form(scene.request, ("display_name", "support", "require_receipt"))
        if form["require_receipt"] not in _REQUIRED:
            raise BadForm
        change = OwnTermsChange(
            display_name=plain_line(form["display_name"]),
            support=plain_line(form["support"]),
            require_receipt=_REQUIRED[form["require_receipt"]],
        )
        return self._changed(scene, change, form)

    def set_logo(self, scene: PortalScene) -> Shown:
        """Make an uploaded file the logo."""
        upload = uploaded_key(scene.request)
        try:
            self.ports.set_logo(scene.who, upload, scene.now)
        except UnfitReceipt as unfit:
            texts = scene.texts.settings
            is_tried = unfit.problem is ReceiptProblem.TRIED_OFTEN
            problem = texts.logo_tried_often if is_tried else texts.logo_unfit
            return self.show(scene, problems={"logo": problem})
        return SeeOther(scene.links.to("settings", said="saved"))

    def remove_logo(self, scene: PortalScene) -> Shown:
        return self._changed(scene, OwnTermsChange(logo=""), {})

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
        problems = self.ports.change(scene.who, change)
        if not problems:
            return SeeOther(scene.links.to("settings", said="saved"))
        texts = scene.texts.settings.problems
        return self.show(scene, form, {each.field: texts[each.field] for each in problems})
