"""The desk's settings: their page, the form of the limits, the forms of a receiving account."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from orderdesk.domain.money import (
    NotAnAmount,
    TooLarge,
    TooManyDecimals,
    format_cny,
    parse_typed_cny,
)
from orderdesk.domain.payment_methods import (
    ACCOUNTS_MAX,
    MethodType,
    PaymentMethod,
    account_key,
    account_of_key,
    fields_of,
)
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.own_limits import LimitField, OwnLimits, describe_own_limits
from orderdesk.domain.traders.settings import changed_account_lately, settings_version
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.orders.receipts import UploadForm
from orderdesk.web.pages.desk.desk_texts import DeskTexts, SettingsTexts
from orderdesk.web.pages.desk.gate import CODE_FIELD, DeskScene
from orderdesk.web.pages.frame import Page
from orderdesk.web.pages.texts import Notice
from orderdesk.web.pages.values import account_of, image_origin, moment_of, yuan_of

VERSION_FIELD = "version"
CAP_FIELD, ON_FIELD, ON, STOP = "daily_cny", "on", "1", "stop"
UNFIT_CAP = -1
_SECTION = "settings"
_COUNT = re.compile(r"[0-9]{1,6}")
_NOTHING_TYPED: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class InputView:
    """A field of a form: its hint, its value, and what is wrong with it.

    `keyboard` is the kind that a phone shows.
    """

    name: str
    label: str
    hint: str
    value: str = field(repr=False)
    problem: str | None
    keyboard: str = "text"


@dataclass(frozen=True, slots=True)
class TypedLimits:
    """The limits as they were typed, and their values; `unfit` are the invalid fields."""

    typed: Mapping[str, str]
    own: OwnLimits
    unfit: frozenset[LimitField]


@dataclass(frozen=True, slots=True)
class AccountView:
    """What a page shows of one of the trader's accounts, masked, with the field of its cap.

    `received_fen` is what it received today.
    """

    account: str = field(repr=False)
    is_on: bool
    stopped_at: int | None
    received_fen: int
    cap_fen: int | None
    key: str
    cap: InputView


def settings_page(
    scene: DeskScene,
    *,
    refused: TypedLimits | None = None,
    unfit_caps: Mapping[str, str] = _NOTHING_TYPED,
    alert: Notice | None = None,
    status: int = HTTPStatus.OK,
) -> Page:
    """Return the settings page; `refused` are limits that were typed and not saved.

    `unfit_caps` are refused texts of caps, by the account's key.
    """
    trader, texts, links = scene.trader, scene.texts, scene.links
    view = {
        "methods": tuple(_methods(scene, unfit_caps)),
        "limits": tuple(limit_fields(trader, texts.settings, refused)),
        "version": settings_version(trader),  # sent back, so that a change in between is found
        "can_change": not trader.suspended,
        "alert": alert,
        "is_saved": alert == texts.settings.saved,
        "notices": tuple(_notices(trader, scene.now, texts)),
        "now": scene.now,
    }
    is_refused = refused is not None or unfit_caps
    status = HTTPStatus.UNPROCESSABLE_CONTENT if is_refused else status
    here = links.here("settings")
    return Page("desk/settings.html", view, here, section=_SECTION, status=status)


def method_page(
    scene: DeskScene,
    key: str,
    *,
    typed: Mapping[str, str] = _NOTHING_TYPED,
    unfit: Collection[str] = (),
    is_code_wrong: bool = False,
    removes: bool = False,
    upload: UploadForm | None = None,
    alert: Notice | None = None,
) -> Page:
    """Return the form that sets or removes a receiving account; it needs the access code again.

    The present account is masked. `typed` and `unfit` are the values and the invalid fields of a
    form that was refused.
    """
    trader, texts, links = scene.trader, scene.texts, scene.links
    named = account_of_key(key)
    assert named is not None, "only keys are linked"
    method_type, number = named
    t, name = texts.settings, texts.shared.methods[method_type]
    if number > 1:
        name = f"{name} {number}"
    method, place = trader.account(key), f"settings/methods/{key}"
    if removes:
        title, advice, place, button = t.remove_title, t.remove_advice, f"{place}/remove", t.remove
    else:
        title, advice, button = t.set_title, t.set_advice, t.save
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
    status = HTTPStatus.UNPROCESSABLE_CONTENT if is_refused else HTTPStatus.OK
    return Page(
        "desk/method.html",
        view,
        links.here(place),
        section=_SECTION,
        status=status,
        upload_origin=None if upload is None else image_origin(upload.url),
    )


def account_notice(trader: Trader, now: int, texts: DeskTexts) -> Notice | None:
    """Return the warning that an account was changed at the desk within a day, or None."""
    if not changed_account_lately(trader, now):
        return None
    notice = texts.settings.account_changed
    at = moment_of(trader.methods_changed_at, texts.shared).text
    return Notice(notice.headline, notice.advice.format(time=at))


def read_limits(form: Mapping[str, str]) -> TypedLimits:
    """Read the form of the limits; an empty field means the operator's limit."""
    typed = {name.value: form[name].strip() for name in LimitField}
    unfit: set[LimitField] = set()

    def read(name: LimitField) -> int | None:
        try:
            return _parsed(name, typed[name]) if typed[name] else None
        except (NotAnAmount, TooManyDecimals, TooLarge):
            unfit.add(name)
            return None

    own = OwnLimits(
        min_cny_fen=read(LimitField.MIN_CNY),
        max_cny_fen=read(LimitField.MAX_CNY),
        max_open=read(LimitField.MAX_OPEN),
        daily_cap_fen=read(LimitField.DAILY_CNY),
    )
    return TypedLimits(typed, own, frozenset(unfit))


def limit_fields(
    trader: Trader, texts: SettingsTexts, refused: TypedLimits | None = None
) -> Iterator[InputView]:
    """Return the fields with the trader's limits, or with those that were refused."""
    values = describe_own_limits(trader.own) if refused is None else refused.typed
    unfit = frozenset() if refused is None else refused.unfit
    for name in LimitField:
        problem = texts.limit_rule if name in unfit else None
        keyboard = "numeric" if name is LimitField.MAX_OPEN else "decimal"
        hint = _allowed(name, trader, texts)
        yield InputView(name.value, texts.limits_of[name], hint, values[name], problem, keyboard)


def _notices(trader: Trader, now: int, texts: DeskTexts) -> Iterator[Notice]:
    if (notice := account_notice(trader, now, texts)) is not None:
        yield notice
    if trader.suspended:
        yield texts.duty.suspended
    if trader.smallest_fen > trader.largest_fen:
        yield texts.settings.none_fits


def _methods(
    scene: DeskScene, unfit_caps: Mapping[str, str]
) -> Iterator[tuple[MethodType, list[AccountView], str | None]]:
    """Yield each type with the trader's accounts, and the key of a new one, if there is room."""
    for method_type in MethodType:
        keys = [account_key(method_type, number) for number in range(1, ACCOUNTS_MAX + 1)]
        methods = {key: scene.trader.account(key) for key in keys}
        accounts = [_account(each, scene, unfit_caps) for each in methods.values() if each]
        yield method_type, accounts, next((key for key in keys if methods[key] is None), None)


def _account(method: PaymentMethod, scene: DeskScene, unfit_caps: Mapping[str, str]) -> AccountView:
    key, trader, t = method.account_key, scene.trader, scene.texts.settings
    terms = trader.terms_of(key)
    cap = terms.daily_cap_fen
    value = unfit_caps.get(key, "" if cap is None else format_cny(cap))
    problem = t.cap_rule if key in unfit_caps else None
    return AccountView(
        account=account_of(method, scene.texts.shared),
        is_on=terms.is_on,
        stopped_at=trader.stopped_at(method),
        received_fen=trader.received_on(key, trading_day(scene.now)),
        cap_fen=cap,
        key=key,
        cap=InputView(CAP_FIELD, t.account_cap, "", value, problem, "decimal"),
    )


def read_cap(text: str) -> int | None:
    """Return a typed cap in fen; None for no cap, `UNFIT_CAP` for an invalid text."""
    try:
        fen = _parsed(LimitField.DAILY_CNY, text.strip()) if text.strip() else None
    except (NotAnAmount, TooManyDecimals, TooLarge):
        return UNFIT_CAP
    return UNFIT_CAP if fen == 0 else fen


def _parsed(name: LimitField, text: str) -> int:
    match name:
        case LimitField.MAX_OPEN:
            if not _COUNT.fullmatch(text):
                raise NotAnAmount
            return int(text)
        case LimitField.MIN_CNY | LimitField.MAX_CNY | LimitField.DAILY_CNY:
            return parse_typed_cny(text)


def _allowed(name: LimitField, trader: Trader, texts: SettingsTexts) -> str:
    """Return what the operator allows."""
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
) -> Iterator[InputView]:
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
        yield InputView(name, label, hint, typed.get(name, ""), problem, keyboard)
