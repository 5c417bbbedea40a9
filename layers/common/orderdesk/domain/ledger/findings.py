"""What the ledger check finds: each finding names its item, and the order, proposal or account."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from orderdesk.domain.money import format_cny, format_usdt


class Unit(StrEnum):
    """The unit of a finding's `expected` and `actual`."""

    USDT_MICRO = "usdt_micro"
    CNY_FEN = "cny_fen"
    COUNT = "count"


class FindingKind(StrEnum):
    """What is wrong. About single transfers; about sums and links; about orders."""

    unit: Unit

    POSTING_WITHOUT_ORDER = "posting_without_order", Unit.USDT_MICRO
    ORDER_WITHOUT_POSTING = "order_without_posting", Unit.USDT_MICRO
    POSTING_WITHOUT_DECISION = "posting_without_decision", Unit.USDT_MICRO
    DECISION_WITHOUT_POSTING = "decision_without_posting", Unit.USDT_MICRO
    CHANGED_AMOUNT = "changed_amount", Unit.USDT_MICRO
    CHANGED_ACCOUNT = "changed_account", Unit.USDT_MICRO
    CHANGED_POSTING = "changed_posting", Unit.USDT_MICRO
    DUPLICATED_POSTING = "duplicated_posting", Unit.USDT_MICRO
    NO_SECOND_PERSON = "no_second_person", Unit.COUNT
    PROPOSAL_WITHOUT_ENTRY = "proposal_without_entry", Unit.COUNT
    REQUEST_WITHOUT_ENTRY = "request_without_entry", Unit.COUNT
    # Only the comparison with a restored table finds it.
    LOST_POSTING = "lost_posting", Unit.USDT_MICRO
    MALFORMED = "malformed", Unit.COUNT

    BALANCE = "balance", Unit.USDT_MICRO
    HELD = "held", Unit.USDT_MICRO
    NEGATIVE_AVAILABLE = "negative_available", Unit.USDT_MICRO
    NEGATIVE_HELD = "negative_held", Unit.USDT_MICRO
    OPEN_ORDERS = "open_orders", Unit.COUNT
    OPEN_BUYS = "open_buys", Unit.COUNT
    OPEN_CNY = "open_cny", Unit.CNY_FEN
    OPEN_SELLS = "open_sells", Unit.COUNT
    OPEN_SELL_CNY = "open_sell_cny", Unit.CNY_FEN
    OPEN_SLOTS = "open_slots", Unit.COUNT
    OPEN_AMOUNTS = "open_amounts", Unit.COUNT
    UNKNOWN_ACCOUNT = "unknown_account", Unit.USDT_MICRO
    REQUEST_WITHOUT_DECISION = "request_without_decision", Unit.COUNT
    DECISION_WITHOUT_REQUEST = "decision_without_request", Unit.COUNT
    UNLISTED_REQUEST = "unlisted_request", Unit.COUNT

    PRICE = "price", Unit.USDT_MICRO
    CHANGED_PRICE = "changed_price", Unit.COUNT
    MISSING_ORDER = "missing_order", Unit.COUNT
    UNSEALED_ORDER = "unsealed_order", Unit.COUNT
    BROKEN_SEAL = "broken_seal", Unit.COUNT
    CHANGED_DAY = "changed_day", Unit.USDT_MICRO

    def __new__(cls, value: str, unit: Unit) -> Self:
        """Create a member; `unit` is that of a finding's `expected` and `actual`."""
        member = str.__new__(cls, value)
        member._value_, member.unit = value, unit
        return member


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong; `expected` and `actual` are in the unit of the kind.

    `key` names the item: `Table: key` for a malformed item, `<account> posting#<us>#<id>` for a
    posting, an account's or shard's key, a counter's key, or the number of an order, proposal,
    withdrawal request or audit entry. `problem` says what is wrong with a malformed item; it has no
    value of the item.
    """

    kind: FindingKind
    key: str
    expected: int = 0
    actual: int = 0
    order_no: str = ""
    proposal_no: str = ""
    account: str = ""
    problem: str = ""

    @property
    def delta(self) -> int:
        """The surplus, in the unit of the kind; negative for a shortfall."""
        return self.actual - self.expected

    @property
    def amounts(self) -> dict[str, str | int]:
        """`expected`, `actual` and `delta`: amounts of money as texts, counts as numbers."""
        values = {"expected": self.expected, "actual": self.actual, "delta": self.delta}
        match self.kind.unit:
            case Unit.COUNT:
                return {**values}
            case Unit.CNY_FEN:
                return {name: format_cny(fen) for name, fen in values.items()}
            case Unit.USDT_MICRO:
                return {name: format_usdt(micro) for name, micro in values.items()}
