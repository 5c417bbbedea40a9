"""The desk's settings page: the trader's receiving accounts and its own limits."""

from collections.abc import Iterator
from dataclasses import dataclass

from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.traders.settings import changed_account_lately, settings_version
from orderdesk.domain.traders.trader import Trader
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.desk.frame import DeskLinks, desk_page
from orderdesk.web.pages.desk.limit_fields import InputView, TypedLimits, limit_fields
from orderdesk.web.pages.desk.texts import DeskTexts
from orderdesk.web.pages.methods import account_of
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.texts import Language, Notice
from orderdesk.web.pages.values import moment_of

SECTION = "settings"
VERSION_FIELD = "version"

_UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class MethodView:
    """A type of method: the trader's masked account, if any, and where to change or remove it."""

    type_text: str
    account: str | None
    change: str
    remove: str


@dataclass(frozen=True, slots=True)
class SettingsView:
    """The settings as they are; `version` goes back with the form, and tells of other changes."""

    methods: tuple[MethodView, ...]
    limits: tuple[InputView, ...]
    action: str
    version: str
    can_change: bool
    alert: Notice | None
    notices: tuple[Notice, ...]
    now: int


def settings_page(
    trader: Trader,
    now: int,
    language: Language,
    links: DeskLinks,
    *,
    refused: TypedLimits | None = None,
    alert: Notice | None = None,
    status: int = 200,
) -> Page:
    """Make the settings page; `refused` is what was typed into the limits' form in vain."""
    texts = TEXTS[language]
    view = SettingsView(
        methods=tuple(_methods(trader, texts, links)),
        limits=tuple(limit_fields(trader, texts.settings, refused)),
        action=links.to("settings/limits"),
        version=settings_version(trader),
        can_change=not trader.suspended,
        alert=alert,
        notices=tuple(_notices(trader, now, texts)),
        now=now,
    )
    status = status if refused is None else _UNPROCESSABLE
    here = links.here("settings")
    return desk_page("desk/settings.html", view, links, here, section=SECTION, status=status)


def account_notice(trader: Trader, now: int, texts: DeskTexts) -> Notice | None:
    """Tell of an account that was changed at the desk within a day: it may have been a thief."""
    if not changed_account_lately(trader, now):
        return None
    notice = texts.settings.account_changed
    at = moment_of(trader.methods_changed_at, texts.shared).text
    return Notice(notice.headline, notice.advice.format(time=at))


def _notices(trader: Trader, now: int, texts: DeskTexts) -> Iterator[Notice]:
    if (notice := account_notice(trader, now, texts)) is not None:
        yield notice
    if trader.suspended:
        yield texts.duty.suspended
    if trader.smallest_fen > trader.largest_fen:
        yield texts.settings.none_fits


def _methods(trader: Trader, texts: DeskTexts, links: DeskLinks) -> Iterator[MethodView]:
    for method_type in MethodType:
        method, place = trader.method(method_type), f"settings/methods/{method_type.value}"
        account = None if method is None else account_of(method, texts.shared)
        text = texts.shared.methods[method_type]
        yield MethodView(text, account, links.to(place), links.to(f"{place}/remove"))
