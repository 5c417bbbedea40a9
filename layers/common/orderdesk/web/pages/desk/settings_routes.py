"""The routes of a trader's settings."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.payment_methods import PaymentMethod, account_key, account_of_key, fields_of
from orderdesk.domain.plain_text import plain_line, plain_name
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.places import code_upload_key, is_code_upload_of
from orderdesk.domain.traders.own_limits import LimitField
from orderdesk.domain.traders.trader import AccountTerms
from orderdesk.domain.traders.trader_errors import SettingsChanged, TraderSuspended, UnfitLimits
from orderdesk.services.orders.receipts import Renderer, UploadForms
from orderdesk.services.traders.desk import WrongAccessCode
from orderdesk.services.traders.settings import (
    MethodRequest,
    SettingsPorts,
    SettingsRequest,
    remove_method,
    set_account_terms,
    set_limits,
    set_method,
    stop_account,
)
from orderdesk.services.traders.stops import StopPorts, mark_buys
from orderdesk.web.pages.desk.gate import CODE_FIELD, CODE_ROUTE, DeskScene
from orderdesk.web.pages.desk.settings import (
    CAP_FIELD,
    ON,
    ON_FIELD,
    STOP,
    UNFIT_CAP,
    VERSION_FIELD,
    TypedLimits,
    method_page,
    read_cap,
    read_limits,
    settings_page,
)
from orderdesk.web.pages.frame import Page, SeeOther
from orderdesk.web.pages.receipts import uploaded_key
from orderdesk.web.pages.scene import read_form
from orderdesk.web.pages.texts import Notice

type ReadMethod = Callable[[Mapping[str, str]], tuple[PaymentMethod | None, list[FieldProblem]]]
"""Parses the fields of a method, by the rules of createOrder's payment_method."""

CODE = "qr_code"
_SAVED = "saved"


@dataclass(frozen=True, slots=True)
class SettingsRoutes:
    """The routes of the settings, and what they need."""

    ports: SettingsPorts
    read_method: ReadMethod
    uploads: UploadForms
    renderer: Renderer
    public_base_url: str
    stops: StopPorts

    def show(self, scene: DeskScene) -> Page:
        """Return the settings page."""
        is_saved = scene.request.query.get(_SAVED) == "1"
        return settings_page(scene, alert=scene.texts.settings.saved if is_saved else None)

    def limit(self, scene: DeskScene) -> Page | SeeOther:
        """Set the trader's own limits."""
        form = read_form(scene.request, (VERSION_FIELD, *LimitField))
        typed = read_limits(form)
        if typed.unfit:
            return settings_page(scene, refused=typed)
        try:
            request = SettingsRequest(scene.trader.trader_id, form[VERSION_FIELD])
            set_limits(request, typed.own, self.ports)
        except UnfitLimits as refusal:
            wider = TypedLimits(typed.typed, typed.own, refusal.fields)
            return settings_page(self._now(scene), refused=wider)
        except (SettingsChanged, TraderSuspended) as refusal:
            return self._refused(refusal, scene)
        return _saved(scene)

    def show_method(self, scene: DeskScene) -> Page | SeeOther:
        """Return the form that sets an account; redirect a suspended trader to the settings."""
        key = _key_of(scene)
        if key is None or scene.trader.suspended:
            return _to_settings(scene)
        return self._form(scene, key)

    def read_code(self, scene: DeskScene) -> Page | SeeOther:
        """Read the payment code of an uploaded picture into the form; nothing is stored."""
        key, trader_id = _key_of(scene), scene.trader.trader_id
        if key is None or scene.trader.suspended:
            return _to_settings(scene)
        uploaded, unfit = uploaded_key(scene.request), partial(self._unfit, scene, key)
        if not is_code_upload_of(uploaded, trader_id, scene.now):
            return unfit(ReceiptProblem.MISSING)
        try:
            text = self.renderer.read_code(uploaded, trader_id)
        except UnfitReceipt as refusal:
            return unfit(refusal.problem)
        return self._form(scene, key, typed={CODE: text})

    def _unfit(self, scene: DeskScene, key: str, problem: ReceiptProblem) -> Page:
        advice = scene.texts.shared.upload.unfit[problem]
        alert = Notice(scene.texts.settings.code_unfit, advice)
        return self._form(scene, key, alert=alert)

    def _form(
        self,
        scene: DeskScene,
        key: str,
        *,
        typed: Mapping[str, str] | None = None,
        unfit: Collection[str] = (),
        is_code_wrong: bool = False,
        alert: Notice | None = None,
    ) -> Page:
        """Return the form that sets an account, with the upload of a code if it has one."""
        upload, named = None, account_of_key(key)
        if named is not None and CODE in fields_of(named[0]):
            target = code_upload_key(scene.trader.trader_id, scene.now)
            back = scene.absolute(self.public_base_url, CODE_ROUTE)
            upload = self.uploads.upload_form(target, MAX_BYTES, back)
        return method_page(
            scene,
            key,
            typed=typed or {},
            unfit=unfit,
            is_code_wrong=is_code_wrong,
            upload=upload,
            alert=alert,
        )

    def set_terms(self, scene: DeskScene) -> Page | SeeOther:
        """Switch an account on or off, and set its daily cap; an empty one removes it."""
        key = _key_of(scene)
        if key is None:
            return _to_settings(scene)
        form = read_form(scene.request, (VERSION_FIELD, CAP_FIELD, ON_FIELD))
        if form[ON_FIELD] == STOP:
            return self._stop(scene, key)
        cap_fen = read_cap(form[CAP_FIELD])
        if cap_fen == UNFIT_CAP:
            return settings_page(scene, unfit_caps={key: form[CAP_FIELD]})
        try:
            terms = AccountTerms(form[ON_FIELD] == ON, cap_fen)
            request = SettingsRequest(scene.trader.trader_id, form[VERSION_FIELD])
            set_account_terms(request, key, terms, self.ports)
        except (SettingsChanged, TraderSuspended) as refusal:
            return self._refused(refusal, scene)
        return _saved(scene)

    def _stop(self, scene: DeskScene, key: str) -> Page | SeeOther:
        """Stop an account with one press, and mark its buys; only operators resume it."""
        trader_id = scene.trader.trader_id
        try:
            method = stop_account(trader_id, key, self.ports)
        except TraderSuspended as refusal:
            return self._refused(refusal, scene)
        if method is None:
            return _to_settings(scene)
        done = mark_buys(trader_id, method, self.stops, scene.now)
        if done.unseen:
            return settings_page(self._now(scene), alert=scene.texts.settings.stop_unseen)
        return _saved(scene)

    def set_method(self, scene: DeskScene) -> Page | SeeOther:
        """Check the access code, and set an account."""
        named = account_of_key(_key_of(scene) or "")
        if named is None:
            return _to_settings(scene)
        (method_type, number), key = named, account_key(*named)
        form = read_form(scene.request, (VERSION_FIELD, CODE_FIELD, *fields_of(method_type)))
        plain = {name: _plain(name, form[name]) for name in fields_of(method_type)}
        method, problems = self.read_method({"method_type": method_type.value, **plain})
        page = partial(self._form, scene, key, typed=plain)
        if method is None:
            return page(unfit={problem.field for problem in problems})
        method = replace(method, account_no=number)
        try:
            set_method(_method_request(scene, form), method, self.ports)
        except WrongAccessCode:
            return page(is_code_wrong=True)
        except (SettingsChanged, TraderSuspended) as refusal:
            return self._refused(refusal, scene)
        return _saved(scene)

    def ask_to_remove(self, scene: DeskScene) -> Page | SeeOther:
        """Return the form that removes an account; without one redirect to the settings."""
        key, trader = _key_of(scene), scene.trader
        if key is None or trader.suspended or trader.account(key) is None:
            return _to_settings(scene)
        return method_page(scene, key, removes=True)

    def remove(self, scene: DeskScene) -> Page | SeeOther:
        """Check the access code, and remove an account."""
        key = _key_of(scene)
        if key is None:
            return _to_settings(scene)
        form = read_form(scene.request, (VERSION_FIELD, CODE_FIELD))
        try:
            remove_method(_method_request(scene, form), key, self.ports)
        except WrongAccessCode:
            return method_page(scene, key, is_code_wrong=True, removes=True)
        except (SettingsChanged, TraderSuspended) as refusal:
            return self._refused(refusal, scene)
        return _saved(scene)

    def _refused(self, refusal: SettingsChanged | TraderSuspended, scene: DeskScene) -> Page:
        """Return the settings as they are now, and why nothing was saved."""
        match refusal:
            case SettingsChanged():
                alert, status = scene.texts.settings.changed, HTTPStatus.CONFLICT
            case TraderSuspended():
                alert, status = scene.texts.order.suspended_move, HTTPStatus.FORBIDDEN
        return settings_page(self._now(scene), alert=alert, status=status)

    def _now(self, scene: DeskScene) -> DeskScene:
        """Read the trader again: it has changed after the session was looked up."""
        now = self.ports.register.trader(scene.trader.trader_id)
        return scene if now is None else replace(scene, trader=now)


def _plain(name: str, text: str) -> str:
    """Return a typed field's plain form; a code's text stays to the letter."""
    if name == CODE:
        return text.strip()
    return plain_name(text) if name == "real_name" else plain_line(text)


def _method_request(scene: DeskScene, form: Mapping[str, str]) -> MethodRequest:
    return MethodRequest(scene.trader.trader_id, form[VERSION_FIELD], form[CODE_FIELD])


def _key_of(scene: DeskScene) -> str | None:
    """Return the key of the request's account, which may not exist yet; None for another text."""
    key = scene.request.path_parameters["method_type"]
    return None if account_of_key(key) is None else key


def _to_settings(scene: DeskScene) -> SeeOther:
    return SeeOther(scene.links.to("settings"))


def _saved(scene: DeskScene) -> SeeOther:
    return SeeOther(scene.links.to("settings", **{_SAVED: "1"}))
