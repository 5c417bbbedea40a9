"""Which rows of a bank's or wallet's statement are evidence for which open buys.

A row is evidence only if its amount is exactly the order's. Remark and payer then prove or
contradict it. Nothing here decides: the trader confirms each order. Every other row belongs to no
order; the nearest one is named.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from orderdesk.domain.ids import REFERENCE_DIGITS, payment_reference
from orderdesk.domain.orders.order import Order
from orderdesk.domain.plain_text import unmarked
from orderdesk.domain.pricing import OrderType

# Bounds the work if a file repeats one amount.
ROWS_OF_AMOUNT_MAX = 50
# Bounds the work if a file has many payers: pairs of an order and a payer.
NAMES_COMPARED_MAX = 200_000
NEAR_FEN = 100
_HIDDEN_RUNS_MAX = 2
# Clocks of banks and ours differ.
EARLY_SECONDS = 300

_HIDDEN = re.compile(r"\*+")
_NUMBERS = re.compile(r"[0-9]+")
_BESIDE_NAME = re.compile(r"[(\uff08\[【].*|[\s·•‧・]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class StatementRow:
    """Money that comes in, as a statement names it; `time` in Unix seconds, None if unreadable.

    `is_arrived`: the row's state is known as arrived, or the file has no states.
    """

    line: int
    cny_fen: int
    time: int | None
    payer: str = field(default="", repr=False)
    remark: str = field(default="", repr=False)
    is_arrived: bool = True


class Doubt(StrEnum):
    """Why a row may not be the payment of an order."""

    PAYER = "payer"
    REMARK = "remark"
    UNPROVED = "unproved"
    STATE = "state"
    TIME = "time"
    EARLY = "early"
    SEVERAL = "several"


@dataclass(frozen=True, slots=True)
class Match:
    """A row that may be the payment of an order.

    `payer` and `remark`: whether the row names the order's; None if one of them names none.
    """

    order: Order
    row: StatementRow
    payer: bool | None
    remark: bool | None
    doubts: tuple[Doubt, ...] = ()

    @property
    def is_sure(self) -> bool:
        """Whether nothing speaks against it."""
        return not self.doubts

    @property
    def strength(self) -> tuple[bool, bool, bool]:
        """Compare the matches of one row: its remark counts more than its payer."""
        return self.remark is True, self.payer is True, self.payer is None


class Nearness(StrEnum):
    """By what a row of another amount is near an order; the first one counts most."""

    SEVERAL = "several"
    REMARK = "remark"
    PAYER = "payer"
    AMOUNT = "amount"


@dataclass(frozen=True, slots=True)
class Unmatched:
    """Money that belongs to no order, with the order that it is nearest to, if any.

    `SEVERAL`: it has the order's amount, as too many rows have.
    """

    row: StatementRow
    nearest: tuple[Order, Nearness] | None

    @property
    def has_another_sum(self) -> bool:
        """Whether its remark or payer names an order of another amount."""
        near = None if self.nearest is None else self.nearest[1]
        return near in {Nearness.REMARK, Nearness.PAYER}


def match_rows(orders: Iterable[Order], rows: Sequence[StatementRow]) -> list[Match]:
    """Return the matches of open buys, the sure ones first.

    A row belongs to the orders that it fits best, and not to one that another row's remark names if
    it fits another one as well. Whatever has several is doubtful. Of one amount only the first 50
    rows are compared.
    """
    by_amount = defaultdict[int, list[Order]](list)
    for order in _open_buys(orders):
        by_amount[order.quote.cny_fen].append(order)
    found: list[Match] = []
    seen = Counter[int]()
    for row in rows:
        seen[row.cny_fen] += 1
        if seen[row.cny_fen] > ROWS_OF_AMOUNT_MAX:
            continue
        pairs = [
            Match(order, row, _is_payer(order, row.payer), _is_remark(order, row.remark))
            for order in by_amount.get(row.cny_fen, ())
        ]
        best = max((pair.strength for pair in pairs), default=None)
        found += [pair for pair in pairs if pair.strength == best]
    found = _without_named(found)
    of_order = Counter(match.order.order_no for match in found)
    of_row = Counter(match.row.line for match in found)
    judged = [
        _judged(match, several=max(of_order[match.order.order_no], of_row[match.row.line]) > 1)
        for match in found
    ]
    return sorted(judged, key=lambda m: (not m.is_sure, m.order.order_id, m.row.line))


def unmatched_rows(
    orders: Iterable[Order], rows: Sequence[StatementRow], matches: Iterable[Match]
) -> list[Unmatched]:
    """Return the rows that have no match, those that are near an order first.

    An order is near if the remark names it, if it has the payer, or if the amounts differ by at
    most ¥1.00; of several the one with the nearest amount.
    """
    matched = {match.row.line for match in matches}
    near = _Near(_open_buys(orders))
    found = [Unmatched(row, near.to(row)) for row in rows if row.line not in matched]
    places = [*Nearness, None]
    return sorted(found, key=lambda one: places.index(one.nearest and one.nearest[1]))


def _open_buys(orders: Iterable[Order]) -> list[Order]:
    return [order for order in orders if order.order_type is OrderType.BUY and order.status.is_open]


class _Near:
    """Finds the order that a row of another amount is nearest to."""

    def __init__(self, orders: Iterable[Order]) -> None:
        self._orders = sorted(orders, key=lambda order: (order.quote.cny_fen, order.order_id))
        self._amounts = [order.quote.cny_fen for order in self._orders]
        self._by_number = dict[str, list[Order]]()
        for order in self._orders:
            for number in _numbers_of(order):
                self._by_number.setdefault(number, []).append(order)
        self._by_payer = dict[str, list[Order]]()

    def to(self, row: StatementRow) -> tuple[Order, Nearness] | None:
        """Return the nearest order, and by what; None if none is near."""
        place = bisect_left(self._amounts, row.cny_fen)
        beside = self._orders[max(0, place - 1) : place + 1]
        numbers = _numbers_in(row.remark)
        named = [order for text in numbers for order in self._by_number.get(text, ())]
        gap = NEAR_FEN
        candidates = {
            Nearness.SEVERAL: [order for order in beside if order.quote.cny_fen == row.cny_fen],
            Nearness.REMARK: named,
            Nearness.PAYER: self._paid_by(row.payer),
            Nearness.AMOUNT: [one for one in beside if abs(one.quote.cny_fen - row.cny_fen) <= gap],
        }
        for nearness, found in candidates.items():
            if found:
                nearest = min(found, key=lambda order: abs(order.quote.cny_fen - row.cny_fen))
                return nearest, nearness
        return None

    def _paid_by(self, payer: str) -> list[Order]:
        known = self._by_payer.get(payer)
        if known is not None:
            return known
        if not payer or len(self._by_payer) * len(self._orders) >= NAMES_COMPARED_MAX:
            return []
        found = [order for order in self._orders if _is_payer(order, payer)]
        return self._by_payer.setdefault(payer, found)


def _without_named(found: Sequence[Match]) -> list[Match]:
    """Return the matches without those to an order that another row names, if there is another."""
    named = {match.order.order_no for match in found if match.remark}
    elsewhere = {match.row.line for match in found if match.order.order_no not in named}
    return [
        match
        for match in found
        if match.remark or match.order.order_no not in named or match.row.line not in elsewhere
    ]


def _judged(match: Match, *, several: bool) -> Match:
    time = match.row.time
    is_proved = match.payer is True or match.remark is True
    rules = {
        Doubt.PAYER: match.payer is False,
        Doubt.REMARK: match.remark is False,
        Doubt.UNPROVED: not is_proved,
        Doubt.STATE: not match.row.is_arrived,
        Doubt.TIME: time is None,
        Doubt.EARLY: time is not None and time < match.order.createtime - EARLY_SECONDS,
        Doubt.SEVERAL: several,
    }
    doubts = tuple(doubt for doubt, applies in rules.items() if applies)
    return replace(match, doubts=doubts)


def _is_remark(order: Order, remark: str) -> bool | None:
    """Return whether a remark has the order's reference; None if it has no such number."""
    numbers = _numbers_in(remark)
    return not numbers.isdisjoint(_numbers_of(order)) if numbers else None


def _numbers_of(order: Order) -> tuple[str, str]:
    return payment_reference(order.order_no), order.order_no[1:]


def _numbers_in(remark: str) -> set[str]:
    """Return the numbers that are at least as long as a reference."""
    found = _NUMBERS.findall(unmarked(remark))
    return {text for text in found if len(text) >= REFERENCE_DIGITS}


def _is_payer(order: Order, payer: str) -> bool | None:
    """Return whether a statement names the order's verified payer; a star hides characters."""
    if order.identity is None:
        return None
    own = _name(order.identity.open_name or order.identity.masked_name)
    named = _name(payer)
    if not named.strip("*") or not own.strip("*"):
        return None
    return _fits(own, named)


def _name(text: str) -> str:
    return _BESIDE_NAME.sub("", unmarked(text).strip()).upper()


def _fits(own: str, named: str) -> bool | None:
    """Compare two names of which each may have stars; a run of stars hides at least one.

    None if they show no character at the same end, so that nothing can be compared.
    Strangers choose their names in wallets, so one with more runs of stars fits nobody.
    """
    if len(_HIDDEN.findall(named)) > _HIDDEN_RUNS_MAX:
        return False
    if "*" not in own:
        return _covers(named, own)
    if "*" not in named:
        return _covers(own, named)
    # Both hide something: compare what both show at their ends.
    start = min(len(own.split("*", 1)[0]), len(named.split("*", 1)[0]))
    end = min(len(own.rsplit("*", 1)[1]), len(named.rsplit("*", 1)[1]))
    if not start and not end:
        return None
    return own[:start] == named[:start] and own[len(own) - end :] == named[len(named) - end :]


def _covers(masked: str, name: str) -> bool:
    """Return whether a name fits one with stars."""
    first, *parts = _HIDDEN.split(masked)
    if not parts:
        return masked == name
    place = len(first)
    for part in parts[:-1]:
        place = name.find(part, place + 1)
        if place < 0:
            return False
        place += len(part)
    is_long = place < len(name) - len(parts[-1])
    return is_long and name.startswith(first) and name.endswith(parts[-1])
