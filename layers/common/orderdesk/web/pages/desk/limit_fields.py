"""The form of a trader's own limits: its fields, and how they are read."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from orderdesk.domain.money import NotAnAmount, TooLarge, TooManyDecimals, format_cny, parse_cny
from orderdesk.domain.traders.own_limits import LimitField, OwnLimits, describe_own_limits
from orderdesk.domain.traders.trader import Trader
from orderdesk.web.pages.desk.texts import SettingsTexts

_COUNT = re.compile(r"[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class InputView:
    """One field of a form: its hint, its present value, and what is wrong with it.

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
    """What was typed, and what it means; `unfit` are the fields that mean nothing."""

    typed: Mapping[str, str]
    own: OwnLimits
    unfit: frozenset[LimitField]


def read_limits(form: Mapping[str, str]) -> TypedLimits:
    """Read the fields of the form; an empty one is no choice."""
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
    """Give the fields with the trader's choice, or with what was typed and refused."""
    values = describe_own_limits(trader.own) if refused is None else refused.typed
    unfit = frozenset() if refused is None else refused.unfit
    for name in LimitField:
        problem = texts.limit_rule if name in unfit else None
        keyboard = "numeric" if name is LimitField.MAX_OPEN else "decimal"
        hint = _allowed(name, trader, texts)
        yield InputView(name.value, texts.limits_of[name], hint, values[name], problem, keyboard)


def _parsed(name: LimitField, text: str) -> int:
    match name:
        case LimitField.MAX_OPEN:
            if not _COUNT.fullmatch(text):
                raise NotAnAmount
            return int(text)
        case LimitField.MIN_CNY | LimitField.MAX_CNY | LimitField.DAILY_CNY:
            return parse_cny(text.replace(",", "").lstrip("¥￥"))


def _allowed(name: LimitField, trader: Trader, texts: SettingsTexts) -> str:
    """Say what the operator allows."""
    match name:
        case LimitField.MIN_CNY | LimitField.MAX_CNY:
            least, most = _shown(trader.min_cny_fen), _shown(trader.max_cny_fen)
            return texts.within.format(least=least, most=most)
        case LimitField.MAX_OPEN:
            cap = None if trader.max_open is None else f"{trader.max_open:,}"
        case LimitField.DAILY_CNY:
            cap = None if trader.daily_cap_fen is None else _shown(trader.daily_cap_fen)
    return texts.no_cap if cap is None else texts.at_most.format(most=cap)


def _shown(fen: int) -> str:
    whole, _, fraction = format_cny(fen).partition(".")
    return f"{int(whole):,}.{fraction}"
