"""What the ledger check finds: each finding names its item, and the order, proposal or account."""

from dataclasses import dataclass
from enum import StrEnum

from orderdesk.domain.money import format_cny, format_usdt


class FindingKind(StrEnum):
    """What is wrong. About single transfers; about sums and links; about orders."""

    POSTING_WITHOUT_ORDER = "posting_without_order"
    ORDER_WITHOUT_POSTING = "order_without_posting"
    POSTING_WITHOUT_DECISION = "posting_without_decision"
    DECISION_WITHOUT_POSTING = "decision_without_posting"
    CHANGED_AMOUNT = "changed_amount"
    CHANGED_ACCOUNT = "changed_account"
    CHANGED_POSTING = "changed_posting"
    DUPLICATED_POSTING = "duplicated_posting"
    NO_SECOND_PERSON = "no_second_person"
    PROPOSAL_WITHOUT_ENTRY = "proposal_without_entry"
    REQUEST_WITHOUT_ENTRY = "request_without_entry"
    LOST_POSTING = "lost_posting"  # only the comparison with a restored table finds it
    MALFORMED = "malformed"

    BALANCE = "balance"
    HELD = "held"
    NEGATIVE_AVAILABLE = "negative_available"
    NEGATIVE_HELD = "negative_held"
    OPEN_ORDERS = "open_orders"
    OPEN_BUYS = "open_buys"
    OPEN_CNY = "open_cny"
    OPEN_SELLS = "open_sells"
    OPEN_SELL_CNY = "open_sell_cny"
    OPEN_SLOTS = "open_slots"
    OPEN_AMOUNTS = "open_amounts"
    UNKNOWN_ACCOUNT = "unknown_account"
    REQUEST_WITHOUT_DECISION = "request_without_decision"
    DECISION_WITHOUT_REQUEST = "decision_without_request"
    UNLISTED_REQUEST = "unlisted_request"

    PRICE = "price"
    CHANGED_PRICE = "changed_price"
    MISSING_ORDER = "missing_order"
    UNSEALED_ORDER = "unsealed_order"
    BROKEN_SEAL = "broken_seal"
    CHANGED_DAY = "changed_day"


class Unit(StrEnum):
    """The unit of a finding's `expected` and `actual`."""

    USDT_MICRO = "usdt_micro"
    CNY_FEN = "cny_fen"
    COUNT = "count"


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
        match self.unit:
            case Unit.COUNT:
                return {**values}
            case Unit.CNY_FEN:
                return {name: format_cny(fen) for name, fen in values.items()}
            case Unit.USDT_MICRO:
                return {name: format_usdt(micro) for name, micro in values.items()}

    @property
    def unit(self) -> Unit:
        """The unit of `expected` and `actual`."""
        match self.kind:
            case (
                FindingKind.POSTING_WITHOUT_ORDER
                | FindingKind.ORDER_WITHOUT_POSTING
                | FindingKind.POSTING_WITHOUT_DECISION
                | FindingKind.DECISION_WITHOUT_POSTING
                | FindingKind.CHANGED_AMOUNT
                | FindingKind.CHANGED_ACCOUNT
                | FindingKind.CHANGED_POSTING
                | FindingKind.DUPLICATED_POSTING
                | FindingKind.LOST_POSTING
                | FindingKind.BALANCE
                | FindingKind.HELD
                | FindingKind.NEGATIVE_AVAILABLE
                | FindingKind.NEGATIVE_HELD
                | FindingKind.UNKNOWN_ACCOUNT
                | FindingKind.CHANGED_DAY
                | FindingKind.PRICE
            ):
                return Unit.USDT_MICRO
            case FindingKind.OPEN_CNY | FindingKind.OPEN_SELL_CNY:
                return Unit.CNY_FEN
            case (
                FindingKind.OPEN_ORDERS
                | FindingKind.OPEN_BUYS
                | FindingKind.OPEN_SELLS
                | FindingKind.OPEN_SLOTS
                | FindingKind.OPEN_AMOUNTS
                | FindingKind.NO_SECOND_PERSON
                | FindingKind.PROPOSAL_WITHOUT_ENTRY
                | FindingKind.REQUEST_WITHOUT_ENTRY
                | FindingKind.REQUEST_WITHOUT_DECISION
                | FindingKind.DECISION_WITHOUT_REQUEST
                | FindingKind.UNLISTED_REQUEST
                | FindingKind.CHANGED_PRICE
                | FindingKind.MISSING_ORDER
                | FindingKind.UNSEALED_ORDER
                | FindingKind.BROKEN_SEAL
                | FindingKind.MALFORMED
            ):
                return Unit.COUNT
