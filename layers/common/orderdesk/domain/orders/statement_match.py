"""Which rows of a bank's or wallet's statement are evidence for which open buys.

A row is evidence only if its amount is exactly the order's. Remark and payer then prove or
contradict it. Nothing here decides: the trader confirms each order.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from orderdesk.domain.ids import payment_reference
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import OrderType

# Bounds the work if a file repeats one amount.
ROWS_OF_AMOUNT_MAX = 50
_HIDDEN_RUNS_MAX = 2
# Clocks of banks and ours differ.
EARLY_SECONDS = 300

_HIDDEN = re.compile(r"\*+")
_NUMBERS = re.compile(r"[0-9]+")
_BESIDE_NAME = re.compile(r"[(\uff08\[【].*$|[\s·•‧・]")


@dataclass(frozen=True, slots=True)
class StatementRow:
    """Money that arrived, as a statement names it; `time` in Unix seconds, None if unknown."""

    line: int
    cny_fen: int
    time: int | None
    payer: str = field(default="", repr=False)
    remark: str = field(default="", repr=False)


class Doubt(StrEnum):
    """Why a row may not be the payment of an order."""

    PAYER = "payer"
    REMARK = "remark"
    UNPROVED = "unproved"
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


def match_rows(orders: Iterable[Order], rows: Sequence[StatementRow]) -> list[Match]:
    """Return the matches of open buys, the sure ones first.

    A row belongs to the orders that it fits best, and not to one that another row's remark names if
    it fits another one as well. Whatever has several is doubtful. Of one amount only the first 50
    rows are compared.
    """
    by_amount = defaultdict[int, list[Order]](list)
    for order in orders:
        if order.order_type is OrderType.BUY and order.status.is_open:
            by_amount[order.quote.cny_fen].append(order)
    found: list[Match] = []
    seen = Counter[int]()
    for row in rows:
        seen[row.cny_fen] += 1
        if seen[row.cny_fen] > ROWS_OF_AMOUNT_MAX:
            continue
        pairs = [_pair(order, row) for order in by_amount.get(row.cny_fen, ())]
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


def _without_named(found: Sequence[Match]) -> list[Match]:
    """Return the matches without those to an order that another row names, if there is another."""
    named = {match.order.order_no for match in found if match.remark}
    elsewhere = {match.row.line for match in found if match.order.order_no not in named}
    return [
        match
        for match in found
        if match.remark or match.order.order_no not in named or match.row.line not in elsewhere
    ]


def _pair(order: Order, row: StatementRow) -> Match:
    return Match(order, row, _is_payer(order, row.payer), _is_remark(order, row.remark))


def _judged(match: Match, *, several: bool) -> Match:
    time = match.row.time
    is_proved = match.payer is True or match.remark is True
    rules = {
        Doubt.PAYER: match.payer is False,
        Doubt.REMARK: match.remark is False,
        Doubt.UNPROVED: not is_proved,
        Doubt.EARLY: time is not None and time < match.order.createtime - EARLY_SECONDS,
        Doubt.SEVERAL: several,
    }
    doubts = tuple(doubt for doubt, applies in rules.items() if applies)
    return Match(match.order, match.row, match.payer, match.remark, doubts)


def _is_remark(order: Order, remark: str) -> bool | None:
    """Return whether a remark has the order's reference; None if it has no such number."""
    reference = payment_reference(order.order_no)
    numbers = [text for text in _NUMBERS.findall(remark) if len(text) >= len(reference)]
    if not numbers:
        return None
    return any(text in {reference, order.order_no[1:]} for text in numbers)


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
    return _BESIDE_NAME.sub("", text.strip().replace("\uff0a", "*")).upper()


def _fits(own: str, named: str) -> bool:
    """Compare two names of which each may have stars; a run of stars hides at least one.

    Strangers choose their names in wallets, so one with more runs of stars fits nobody.
    """
    if len(_HIDDEN.findall(named)) > _HIDDEN_RUNS_MAX:
        return False
    if "*" not in own:
        return _pattern(named).fullmatch(own) is not None
    if "*" not in named:
        return _pattern(own).fullmatch(named) is not None
    # Both hide something: compare what both show at their ends.
    start = min(len(own.split("*", 1)[0]), len(named.split("*", 1)[0]))
    end = min(len(own.rsplit("*", 1)[1]), len(named.rsplit("*", 1)[1]))
    return own[:start] == named[:start] and own[len(own) - end :] == named[len(named) - end :]


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile("".join(".+" if part[0] == "*" else re.escape(part) for part in _runs(name)))


def _runs(name: str) -> list[str]:
    return re.findall(r"\*+|[^*]+", name)
