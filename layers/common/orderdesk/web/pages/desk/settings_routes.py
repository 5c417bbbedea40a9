"""The routes of a trader's own settings: parse, change, redirect or render."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.payment_methods import MethodType, PaymentMethod, fields_of
from orderdesk.domain.traders.errors import SettingsChanged, TraderSuspended, UnfitLimits
from orderdesk.domain.traders.own_limits import LimitField
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.traders.sessions import WrongAccessCode
from orderdesk.services.traders.settings import (
    MethodRequest,
    SettingsPorts,
    SettingsRequest,
    remove_method,
    set_limits,
    set_method,
)
from orderdesk.web.http import Request
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.desk.frame import DeskLinks
from orderdesk.web.pages.desk.gate import CODE_FIELD, DeskRoute
from orderdesk.web.pages.desk.limit_fields import TypedLimits, read_limits
from orderdesk.web.pages.desk.method_form import method_page
from orderdesk.web.pages.desk.settings import VERSION_FIELD, settings_page
from orderdesk.web.pages.forms import read_form
from orderdesk.web.pages.page import Page, SeeOther, language_of
from orderdesk.web.pages.texts import Notice

type ReadMethod = Callable[[Mapping[str, str]], tuple[PaymentMethod | None, list[FieldProblem]]]
"""Parses the fields of a method, by the rules of createOrder's payment_method."""

SETTINGS = "/trader/settings"
METHOD = f"{SETTINGS}/methods/{{method_type}}"
_SAVED = "saved"
_FORBIDDEN, _CONFLICT = 403, 409


@dataclass(frozen=True, slots=True)
class SettingsRoutes:
    """What the routes work with."""

    ports: SettingsPorts
    read_method: ReadMethod

    def routes(self) -> Mapping[tuple[str, str], DeskRoute]:
        """Give each route's function."""
        return {
            ("GET", SETTINGS): self.show,
            ("POST", f"{SETTINGS}/limits"): self.limit,
            ("GET", METHOD): self.show_method,
            ("POST", METHOD): self.set_method,
            ("GET", f"{METHOD}/remove"): self.ask_to_remove,
            ("POST", f"{METHOD}/remove"): self.remove,
        }

    def show(self, request: Request, trader: Trader, now: int) -> Page:
        """Render the settings."""
        is_saved = request.query.get(_SAVED) == "1"
        saved = TEXTS[language_of(request)].settings.saved if is_saved else None
        return _settings(request, trader, now, alert=saved)

    def limit(self, request: Request, trader: Trader, now: int) -> Page | SeeOther:
        """Parse, set the trader's own limits, redirect."""
        form = read_form(request, (VERSION_FIELD, *LimitField))
        typed = read_limits(form)
        if typed.unfit:
            return _settings(request, trader, now, refused=typed)
        try:
            set_limits(
                SettingsRequest(trader.trader_id, form[VERSION_FIELD]), typed.own, self.ports
            )
        except UnfitLimits as refusal:
            wider = TypedLimits(typed.typed, typed.own, refusal.fields)
            return _settings(request, self._again(trader), now, refused=wider)
        except (SettingsChanged, TraderSuspended) as refusal:
            return self._refused(refusal, request, trader, now)
        return _done(request)

    def show_method(self, request: Request, trader: Trader, now: int) -> Page | SeeOther:
        """Render the form of an account; a suspended trader has none."""
        method_type = _type_of(request)
        if method_type is None or trader.suspended:
            return _to_settings(request)
        return method_page(trader, method_type, now, language_of(request), DeskLinks.of(request))

    def set_method(self, request: Request, trader: Trader, now: int) -> Page | SeeOther:
        """Parse, check the access code, set the account, redirect."""
        method_type = _type_of(request)
        if method_type is None:
            return _to_settings(request)
        form = read_form(request, (VERSION_FIELD, CODE_FIELD, *fields_of(method_type)))
        typed = {name: form[name].strip() for name in fields_of(method_type)}
        method, problems = self.read_method({"method_type": method_type.value, **typed})
        language, links = language_of(request), DeskLinks.of(request)
        if method is None:
            unfit = {problem.field for problem in problems}
            return method_page(trader, method_type, now, language, links, typed=typed, unfit=unfit)
        try:
            set_method(_wish(trader, form), method, self.ports)
        except WrongAccessCode:
            return method_page(
                trader, method_type, now, language, links, typed=typed, is_code_wrong=True
            )
        except (SettingsChanged, TraderSuspended) as refusal:
            return self._refused(refusal, request, trader, now)
        return _done(request)

    def ask_to_remove(self, request: Request, trader: Trader, now: int) -> Page | SeeOther:
        """Ask, if the trader has an account of the type."""
        method_type = _type_of(request)
        if method_type is None or trader.suspended or trader.method(method_type) is None:
            return _to_settings(request)
        language, links = language_of(request), DeskLinks.of(request)
        return method_page(trader, method_type, now, language, links, removes=True)

    def remove(self, request: Request, trader: Trader, now: int) -> Page | SeeOther:
        """Parse, check the access code, remove the account, redirect."""
        method_type = _type_of(request)
        if method_type is None:
            return _to_settings(request)
        form = read_form(request, (VERSION_FIELD, CODE_FIELD))
        try:
            remove_method(_wish(trader, form), method_type, self.ports)
        except WrongAccessCode:
            return method_page(
                *(trader, method_type, now, language_of(request), DeskLinks.of(request)),
                is_code_wrong=True,
                removes=True,
            )
        except (SettingsChanged, TraderSuspended) as refusal:
            return self._refused(refusal, request, trader, now)
        return _done(request)

    def _refused(
        self, refusal: SettingsChanged | TraderSuspended, request: Request, trader: Trader, now: int
    ) -> Page:
        """Render the settings as they are now, and why nothing was saved."""
        texts, now_trader = TEXTS[language_of(request)], self._again(trader)
        match refusal:
            case SettingsChanged():
                alert, status = texts.settings.changed, _CONFLICT
            case TraderSuspended():
                alert, status = texts.order.suspended_move, _FORBIDDEN
        return _settings(request, now_trader, now, alert=alert, status=status)

    def _again(self, trader: Trader) -> Trader:
        """Read the trader as it is now: it changed after the session was looked up."""
        return self.ports.register.trader(trader.trader_id) or trader


def _settings(
    request: Request,
    trader: Trader,
    now: int,
    *,
    refused: TypedLimits | None = None,
    alert: Notice | None = None,
    status: int = 200,
) -> Page:
    return settings_page(
        *(trader, now, language_of(request), DeskLinks.of(request)),
        refused=refused,
        alert=alert,
        status=status,
    )


def _wish(trader: Trader, form: Mapping[str, str]) -> MethodRequest:
    return MethodRequest(trader.trader_id, form[VERSION_FIELD], form[CODE_FIELD])


def _type_of(request: Request) -> MethodType | None:
    name = request.path_parameters["method_type"]
    return MethodType(name) if name in MethodType else None


def _to_settings(request: Request) -> SeeOther:
    return SeeOther(DeskLinks.of(request).to("settings"))


def _done(request: Request) -> SeeOther:
    return SeeOther(DeskLinks.of(request).to("settings", **{_SAVED: "1"}))
