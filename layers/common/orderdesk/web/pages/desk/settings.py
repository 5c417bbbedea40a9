"""The routes and pages of a trader's settings: limits, receiving accounts and their terms."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.money import format_cny, parse_typed_cny
from orderdesk.domain.payment_methods import (
    ACCOUNTS_MAX,
    MethodType,
    PaymentMethod,
    account_key,
    account_of_key,
    fields_of,
)
from orderdesk.domain.plain_text import plain_line, plain_name
from orderdesk.domain.receipts.files import MAX_BYTES, ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.places import code_upload_key, is_code_upload_of
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.settings import settings_version
from orderdesk.domain.traders.trader import (
    AccountTerms,
    LimitField,
    OwnLimits,
    SettingsChanged,
    Trader,
    TraderSuspended,
    UnfitLimits,
    describe_limits,
)
from orderdesk.services.orders.receipts import Renderer, UploadForms
from orderdesk.services.traders.desk import WrongAccessCode
from orderdesk.services.traders.settings import (
    SettingsPorts,
    SettingsRequest,
    change_method,
    set_account_terms,
    set_limits,
    stop_account,
)
from orderdesk.services.traders.stops import StopPorts, mark_buys
from orderdesk.web.pages.desk.desk_texts import DeskTexts, SettingsTexts
from orderdesk.web.pages.desk.gate import CODE_FIELD, CODE_ROUTE, DeskScene
from orderdesk.web.pages.desk.open_orders import account_notice
from orderdesk.web.pages.frame import Page, SeeOther, uploaded_key
from orderdesk.web.pages.scene import Typed, read_form
from orderdesk.web.pages.texts import Notice
from orderdesk.web.pages.values import account_of, image_origin, yuan_of

VERSION_FIELD = "version"
CAP_FIELD, ON_FIELD, ON, STOP = "daily_cny", "on", "1", "stop"
_COUNT = re.compile(r"[0-9]{1,6}")
_NOTHING_TYPED: Mapping[str, str] = {}
CODE = "qr_code"
_SAVED = "saved"


def read_limits(form: Mapping[str, str]) -> tuple[Typed, OwnLimits]:
    """Read the form of the limits; an empty field means the operator's limit."""
    typed = Typed({name.value: form[name].strip() for name in LimitField})
    own = OwnLimits(
        min_cny_fen=typed.read(LimitField.MIN_CNY, parse_typed_cny),
        max_cny_fen=typed.read(LimitField.MAX_CNY, parse_typed_cny),
        max_open=typed.read(LimitField.MAX_OPEN, _count),
        daily_cap_fen=typed.read(LimitField.DAILY_CNY, parse_typed_cny),
    )
    return typed, own


def limit_fields(
    trader: Trader, texts: SettingsTexts, refused: Typed | None = None
) -> Iterator[Mapping[str, object]]:
    """Return the fields with the trader's limits, or with those that were refused."""
    values = describe_limits(trader.own) if refused is None else refused.texts
    unfit = set[str]() if refused is None else refused.unfit
    for name in LimitField:
        problem = texts.limit_rule if name in unfit else None
        keyboard = "numeric" if name is LimitField.MAX_OPEN else "decimal"
        hint = _allowed(name, trader, texts)
        label, value = texts.limits_of[name], values[name]
        yield _input(name, value, problem, label=label, hint=hint, keyboard=keyboard)


def _notices(trader: Trader, now: int, texts: DeskTexts) -> Iterator[Notice]:
    if (notice := account_notice(trader, now, texts)) is not None:
        yield notice
    if trader.suspended:
        yield texts.duty.suspended
    if trader.smallest_fen > trader.largest_fen:
        yield texts.settings.none_fits


def _methods(
    scene: DeskScene, unfit_caps: Mapping[str, str]
) -> Iterator[tuple[MethodType, list[Mapping[str, object]], str | None]]:
    """Yield each type with the trader's accounts, and the key of a new one, if there is room."""
    for method_type in MethodType:
        keys = [account_key(method_type, number) for number in range(1, ACCOUNTS_MAX + 1)]
        methods = {key: scene.trader.account(key) for key in keys}
        accounts = [_account(each, scene, unfit_caps) for each in methods.values() if each]
        yield method_type, accounts, next((key for key in keys if methods[key] is None), None)


def _input(
    name: str, value: str, problem: str | None, *, label: str, hint: str = "", keyboard: str
) -> Mapping[str, object]:
    """Return a field of a form; `keyboard` is the kind that a phone shows."""
    about = {"label": label, "hint": hint, "keyboard": keyboard}
    return {"name": name, "value": value, "problem": problem, **about}


def _account(
    method: PaymentMethod, scene: DeskScene, unfit_caps: Mapping[str, str]
) -> Mapping[str, object]:
    """Return what a page shows of one of the trader's accounts, masked, and the field of its cap.

    `received_fen` is what it received today.
    """
    key, trader, t = method.account_key, scene.trader, scene.texts.settings
    terms = trader.terms_of(key)
    cap = terms.daily_cap_fen
    value = unfit_caps.get(key, "" if cap is None else format_cny(cap))
    problem = t.cap_rule if key in unfit_caps else None
    return {
        "account": account_of(method, scene.texts.shared),
        "is_on": terms.is_on,
        "stopped_at": trader.stopped_at(method),
        "received_fen": trader.received_on(key, trading_day(scene.now)),
        "cap_fen": cap,
        "key": key,
        "cap": _input(CAP_FIELD, value, problem, label=t.account_cap, keyboard="decimal"),
    }


def _cap_in(text: str) -> int | None:
    """Return a typed cap in fen; None for no cap. Raises: ValueError."""
    fen = parse_typed_cny(text) if text else None
    if fen == 0:
        raise ValueError(text)
    return fen


def _count(text: str) -> int:
    if not _COUNT.fullmatch(text):
        raise ValueError(text)
    return int(text)


def _allowed(name: LimitField, trader: Trader, texts: SettingsTexts) -> str:
    match name:
        case LimitField.MIN_CNY | LimitField.MAX_CNY:
            least, most = yuan_of(trader.terms.min_cny_fen), yuan_of(trader.terms.max_cny_fen)
            return texts.within.format(least=least, most=most)
        case LimitField.MAX_OPEN:
            cap = None if trader.terms.max_open is None else f"{trader.terms.max_open:,}"
        case LimitField.DAILY_CNY:
            fen = trader.terms.daily_cap_fen
            cap = None if fen is None else yuan_of(fen)
    return texts.no_cap if cap is None else texts.at_most.format(most=cap)


def _method_fields(
    method_type: MethodType, texts: DeskTexts, typed: Mapping[str, str], unfit: Collection[str]
) -> Iterator[Mapping[str, object]]:
    t, shared = texts.settings, texts.shared
    known = {
        "card_number": (shared.card_number, t.card_rule, "numeric"),
        "account": (shared.account, t.text_rule, "text"),
        "real_name": (t.real_name, t.text_rule, "text"),
        "bank": (shared.bank, t.text_rule, "text"),
        "sub_bank": (shared.branch, t.text_rule, "text"),
        "qr_code": (t.qr_code, t.code_rule, "text"),
    }
    for name in fields_of(method_type):
        label, rule, keyboard = known[name]
        problem = rule if name in unfit else None
        hint = t.code_hint if name == "qr_code" else ""
        value = typed.get(name, "")
        yield _input(name, value, problem, label=label, hint=hint, keyboard=keyboard)


@dataclass(frozen=True, slots=True)
class SettingsRoutes:
    """The routes of the settings, and what they need.

    `read_method` parses the fields of a method, by the rules of createOrder's payment_method.
    """

    ports: SettingsPorts
    read_method: Callable[[Mapping[str, str]], tuple[PaymentMethod | None, list[FieldProblem]]]
    uploads: UploadForms
    renderer: Renderer
    public_base_url: str
    stops: StopPorts

    def show(
        self,
        scene: DeskScene,
        *,
        refused: Typed | None = None,
        unfit_caps: Mapping[str, str] = _NOTHING_TYPED,
        alert: Notice | None = None,
        status: int = HTTPStatus.OK,
    ) -> Page:
        """Return the settings page; `refused` are limits that were typed and not saved.

        `unfit_caps` are refused texts of caps, by the account's key.
        """
        trader, texts = scene.trader, scene.texts
        is_saved = scene.request.query.get(_SAVED) == "1" and scene.request.method == "GET"
        view = {
            "methods": tuple(_methods(scene, unfit_caps)),
            "limits": tuple(limit_fields(trader, texts.settings, refused)),
            "version": settings_version(trader),  # sent back, so that a change in between is found
            "can_change": not trader.suspended,
            "alert": texts.settings.saved if is_saved else alert,
            "is_saved": is_saved,
            "notices": tuple(_notices(trader, scene.now, texts)),
            "now": scene.now,
        }
        is_refused = refused is not None or unfit_caps
        status = HTTPStatus.UNPROCESSABLE_CONTENT if is_refused else status
        here = scene.links.here("settings")
        return Page("desk/settings.html", view, here, section="settings", status=status)

    def limit(self, scene: DeskScene) -> Page | SeeOther:
        """Set the trader's own limits."""
        form = read_form(scene.request, (VERSION_FIELD, *LimitField))
        typed, own = read_limits(form)
        if typed.unfit:
            return self.show(scene, refused=typed)
        try:
            request = SettingsRequest(scene.trader.trader_id, form[VERSION_FIELD])
            set_limits(request, own, self.ports)
        except UnfitLimits as refusal:
            typed.unfit |= refusal.fields
            return self.show(self._now(scene), refused=typed)
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
        uploaded, texts = uploaded_key(scene.request), scene.texts
        try:
            text = self._code_in(uploaded, trader_id, scene.now)
        except UnfitReceipt as refusal:
            advice = texts.shared.upload.unfit[refusal.problem]
            return self._form(scene, key, alert=Notice(texts.settings.code_unfit, advice))
        return self._form(scene, key, typed={CODE: text})

    def _code_in(self, uploaded: str, trader_id: str, now: int) -> str:
        """Read the code of an own picture. Raises: UnfitReceipt, TryAgain."""
        if not is_code_upload_of(uploaded, trader_id, now):
            raise UnfitReceipt(ReceiptProblem.MISSING)
        return self.renderer.read_code(uploaded, trader_id)

    def _form(
        self,
        scene: DeskScene,
        key: str,
        *,
        typed: Mapping[str, str] = _NOTHING_TYPED,
        unfit: Collection[str] = (),
        is_code_wrong: bool = False,
        removes: bool = False,
        alert: Notice | None = None,
    ) -> Page:
        """Return the form that sets or removes an account; it needs the access code again.

        The present account is masked. `typed` and `unfit` are the values and the invalid fields of
        a form that was refused. A method with a payment code has the upload of its picture.
        """
        trader, texts, links = scene.trader, scene.texts, scene.links
        named = account_of_key(key)
        assert named is not None, "only keys are linked"
        method_type, number = named
        t, name, upload = texts.settings, texts.shared.methods[method_type], None
        if number > 1:
            name = f"{name} {number}"
        method, place = trader.account(key), f"settings/methods/{key}"
        if removes:
            title, advice, button = t.remove_title, t.remove_advice, t.remove
            place = f"{place}/remove"
        else:
            title, advice, button = t.set_title, t.set_advice, t.save
        if not removes and CODE in fields_of(method_type):
            target = code_upload_key(trader.trader_id, scene.now)
            back = scene.absolute(self.public_base_url, CODE_ROUTE)
            upload = self.uploads.upload_form(target, MAX_BYTES, back)
        view = {
            "title": title.format(method=name),
            "advice": advice,
            "alert": alert,
            "upload": upload,
            "account": None if method is None else account_of(method, texts.shared),
            "fields": () if removes else tuple(_method_fields(method_type, texts, typed, unfit)),
            "action": links.to(place),
            "button": button,
            "look": "wrong" if removes else "",
            "code_field": CODE_FIELD,
            "code_problem": t.code_wrong if is_code_wrong else None,
            "version": settings_version(trader),
            "now": scene.now,
        }
        is_refused = unfit or is_code_wrong or alert
        return Page(
            "desk/method.html",
            view,
            links.here(place),
            section="settings",
            status=HTTPStatus.UNPROCESSABLE_CONTENT if is_refused else HTTPStatus.OK,
            upload_origin=None if upload is None else image_origin(upload.url),
        )

    def set_terms(self, scene: DeskScene) -> Page | SeeOther:
        """Switch an account on or off, and set its daily cap; an empty one removes it."""
        key = _key_of(scene)
        if key is None:
            return _to_settings(scene)
        form = read_form(scene.request, (VERSION_FIELD, CAP_FIELD, ON_FIELD))
        if form[ON_FIELD] == STOP:
            return self._stop(scene, key)
        try:
            cap_fen = _cap_in(form[CAP_FIELD].strip())
        except ValueError:
            return self.show(scene, unfit_caps={key: form[CAP_FIELD]})
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
            return self.show(self._now(scene), alert=scene.texts.settings.stop_unseen)
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
        return self._change_method(scene, form, key, replace(method, account_no=number), page)

    def ask_to_remove(self, scene: DeskScene) -> Page | SeeOther:
        """Return the form that removes an account; without one redirect to the settings."""
        key, trader = _key_of(scene), scene.trader
        if key is None or trader.suspended or trader.account(key) is None:
            return _to_settings(scene)
        return self._form(scene, key, removes=True)

    def remove(self, scene: DeskScene) -> Page | SeeOther:
        """Check the access code, and remove an account."""
        key = _key_of(scene)
        if key is None:
            return _to_settings(scene)
        form = read_form(scene.request, (VERSION_FIELD, CODE_FIELD))
        page = partial(self._form, scene, key, removes=True)
        return self._change_method(scene, form, key, None, page)

    def _change_method(
        self,
        scene: DeskScene,
        form: Mapping[str, str],
        key: str,
        method: PaymentMethod | None,
        page: Callable[..., Page],
    ) -> Page | SeeOther:
        """Change an account; after a wrong access code return its form, `page`, again."""
        request = SettingsRequest(scene.trader.trader_id, form[VERSION_FIELD])
        try:
            change_method(request, form[CODE_FIELD], key, method, self.ports)
        except WrongAccessCode:
            return page(is_code_wrong=True)
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
        return self.show(self._now(scene), alert=alert, status=status)

    def _now(self, scene: DeskScene) -> DeskScene:
        """Read the trader again: it has changed after the session was looked up."""
        now = self.ports.register.trader(scene.trader.trader_id)
        return scene if now is None else replace(scene, trader=now)


def _plain(name: str, text: str) -> str:
    """Return a typed field's plain form; a code's text stays to the letter."""
    if name == CODE:
        return text.strip()
    return plain_name(text) if name == "real_name" else plain_line(text)


def _key_of(scene: DeskScene) -> str | None:
    """Return the key of the request's account, which may not exist yet; None for another text."""
    key = scene.request.path_parameters["method_type"]
    return None if account_of_key(key) is None else key


def _to_settings(scene: DeskScene) -> SeeOther:
    return SeeOther(scene.links.to("settings"))


def _saved(scene: DeskScene) -> SeeOther:
    return SeeOther(scene.links.to("settings", **{_SAVED: "1"}))
