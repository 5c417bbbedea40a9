"""The desk's searches: of the history by fields, and of the open orders by one text."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum

from orderdesk.domain.ids import id_range, is_order_no, payment_reference
from orderdesk.domain.money import NotAnAmount, TooLarge, TooManyDecimals, parse_typed_cny
from orderdesk.domain.orders.order import Order
from orderdesk.domain.plain_text import plain_line, plain_name
from orderdesk.services.traders.history import ALL, Wanted
from orderdesk.web.http import Request
from orderdesk.web.pages.values import start_of_day

DAYS_MAX = 31
_TEXT_MAX = 40
_NUMBER_END = re.compile(r"[0-9]{3,24}")
_DAY = re.compile(r"20[0-9]{2}-[0-9]{2}-[0-9]{2}")


class SearchField(StrEnum):
    """The fields of the form, by their names in the query."""

    NUMBER = "number"
    AMOUNT = "amount"
    DAY = "day"
    UNTIL = "until"


@dataclass(frozen=True, slots=True)
class Search:
    """A search: the fields as they were typed, and their values.

    `order_no` is set if a whole number was typed: that order is looked up, whatever its status.
    `unfit` are the invalid fields; with any, nothing is searched for.
    """

    typed: Mapping[SearchField, str] = field(repr=False)
    wanted: Wanted
    order_no: str | None
    unfit: frozenset[SearchField]

    @property
    def query(self) -> dict[str, str]:
        """The part of the address that names the search."""
        return {name.value: text for name, text in self.typed.items() if text}

    @property
    def open_text(self) -> str:
        """The text that finds open orders of the same number or amount; "" for neither."""
        return self.typed[SearchField.NUMBER] or self.typed[SearchField.AMOUNT]

    @property
    def has_days(self) -> bool:
        """Whether days are named, which asks for their totals."""
        return bool(self.typed[SearchField.DAY])


@dataclass(frozen=True, slots=True)
class Sought:
    """A text that finds open orders: an amount, a remark, a payer, or the end of a number.

    "" finds all of them.
    """

    text: str = field(default="", repr=False)

    def has(self, order: Order) -> bool:
        """Return whether an order matches."""
        text = self.text.upper()
        if not text:
            return True
        is_number = _NUMBER_END.fullmatch(text) is not None and (
            order.order_no.endswith(text) or text in payment_reference(order.order_no)
        )
        return (
            is_number or text == order.order_no or self._is_payer(order) or self._is_amount(order)
        )

    @property
    def history(self) -> dict[str, str]:
        """The query of the same search in the history; empty if it has none."""
        for name, parse in ((SearchField.NUMBER, _number), (SearchField.AMOUNT, _fen)):
            try:
                parse(self.text)
            except _Unfit:
                continue
            return {name.value: self.text}
        return {}

    def _is_payer(self, order: Order) -> bool:
        """Return whether the text is in the masked name, or is an open order's whole name."""
        if order.identity is None:
            return False
        text, whole = self.text.upper(), order.identity.open_name.upper()
        return text in order.identity.masked_name.upper() or (bool(whole) and text == whole)

    def _is_amount(self, order: Order) -> bool:
        try:
            return _fen(self.text) == order.quote.cny_fen
        except _Unfit:
            return False


EVERYTHING = Sought()


def sought_of(request: Request) -> Sought:
    """Return what a page of open orders is searched for."""
    return Sought(plain_name(request.query.get("q", "")[:_TEXT_MAX]))


type _Parse[T] = Callable[[str], T]


class _Unfit(Exception):
    """The text of a field is invalid."""


def search_of(request: Request) -> Search:
    """Return the search of a request; without fields it finds all orders that are over."""
    typed = {name: plain_line(request.query.get(name, "")[:_TEXT_MAX]) for name in SearchField}
    unfit: set[SearchField] = set()

    def read[T](name: SearchField, parse: _Parse[T], absent: T) -> T:
        try:
            return parse(typed[name]) if typed[name] else absent
        except _Unfit:
            unfit.add(name)
            return absent

    number = read(SearchField.NUMBER, _number, "")
    fen = read(SearchField.AMOUNT, _fen, None)
    day = read(SearchField.DAY, _day, None)
    until = read(SearchField.UNTIL, _day, None)
    if until is not None and (day is None or not day <= until < day + timedelta(DAYS_MAX)):
        unfit.add(SearchField.UNTIL)
    first, last = ALL.first_id, ALL.last_id
    if day is not None and not unfit:
        first, last = id_range(start_of_day(day), start_of_day((until or day) + timedelta(1)) - 1)
    whole = number if is_order_no(number) else None
    return Search(typed, Wanted(number, fen, first, last), whole, frozenset(unfit))


def _number(text: str) -> str:
    number = text.upper()
    if not is_order_no(number) and not _NUMBER_END.fullmatch(number):
        raise _Unfit
    return number


def _fen(text: str) -> int | None:
    try:
        return parse_typed_cny(text)
    except (NotAnAmount, TooManyDecimals, TooLarge):
        raise _Unfit from None


def _day(text: str) -> date | None:
    try:
        if not _DAY.fullmatch(text):
            raise _Unfit
        return date.fromisoformat(text)
    except ValueError:
        raise _Unfit from None
