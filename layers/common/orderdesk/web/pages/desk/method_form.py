"""The desk's forms that set or remove a receiving account; each needs the access code again."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from orderdesk.domain.payment_methods import MethodType, fields_of
from orderdesk.domain.traders.settings import settings_version
from orderdesk.domain.traders.trader import Trader
from orderdesk.web.pages.desk import TEXTS
from orderdesk.web.pages.desk.frame import DeskLinks, desk_page
from orderdesk.web.pages.desk.gate import CODE_FIELD
from orderdesk.web.pages.desk.limit_fields import InputView
from orderdesk.web.pages.desk.settings import SECTION
from orderdesk.web.pages.desk.texts import DeskTexts
from orderdesk.web.pages.methods import account_of
from orderdesk.web.pages.page import Page
from orderdesk.web.pages.texts import Language

_UNPROCESSABLE = 422
_NOTHING_TYPED: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class MethodFormView:
    """A form about one type of method; without fields it removes the account."""

    title: str
    advice: str
    account: str | None
    fields: tuple[InputView, ...]
    action: str
    button: str
    look: str
    code_field: str
    code_problem: str | None
    version: str
    now: int


def method_page(
    trader: Trader,
    method_type: MethodType,
    now: int,
    language: Language,
    links: DeskLinks,
    *,
    typed: Mapping[str, str] = _NOTHING_TYPED,
    unfit: Collection[str] = (),
    is_code_wrong: bool = False,
    removes: bool = False,
) -> Page:
    """Make the form; the account so far is shown masked, and what was typed in vain as it was."""
    texts = TEXTS[language]
    t, name = texts.settings, texts.shared.methods[method_type]
    method, place = trader.method(method_type), f"settings/methods/{method_type.value}"
    if removes:
        title, advice, place, button = t.remove_title, t.remove_advice, f"{place}/remove", t.remove
    else:
        title, advice, button = t.set_title, t.set_advice, t.save
    view = MethodFormView(
        title=title.format(method=name),
        advice=advice,
        account=None if method is None else account_of(method, texts.shared),
        fields=() if removes else tuple(_fields(method_type, texts, typed, unfit)),
        action=links.to(place),
        button=button,
        look="wrong" if removes else "",
        code_field=CODE_FIELD,
        code_problem=t.code_wrong if is_code_wrong else None,
        version=settings_version(trader),
        now=now,
    )
    status = _UNPROCESSABLE if unfit or is_code_wrong else 200
    here = links.here(place)
    return desk_page("desk/method.html", view, links, here, section=SECTION, status=status)


def _fields(
    method_type: MethodType, texts: DeskTexts, typed: Mapping[str, str], unfit: Collection[str]
) -> Iterator[InputView]:
    t, shared = texts.settings, texts.shared
    known = {
        "card_number": (shared.card_number, t.card_rule, "numeric"),
        "account": (shared.account, t.text_rule, "text"),
        "real_name": (t.real_name, t.text_rule, "text"),
        "bank": (shared.bank, t.text_rule, "text"),
        "sub_bank": (shared.branch, t.text_rule, "text"),
        "qr_code": (t.qr_code, t.code_rule, "url"),
    }
    for name in fields_of(method_type):
        label, rule, keyboard = known[name]
        problem = rule if name in unfit else None
        yield InputView(name, label, "", typed.get(name, ""), problem, keyboard)
