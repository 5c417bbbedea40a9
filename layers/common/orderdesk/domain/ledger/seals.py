"""A seal: the whole state of the books at a time, its hash, and its place (contract section 13).

A seal names the hash of the one before, so the newest one proves all earlier ones. Its file is
compressed canonical JSON, so the same books give the same bytes. What a check of the books finds is
in it: each finding names its item, and the order, proposal or account.
"""

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Self

from orderdesk.domain.accounts import WINDOW_SECONDS
from orderdesk.domain.errors import OrderdeskError
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.orders.day_figures import Counts
from orderdesk.domain.times import DAY_OFFSET_SECONDS, SECONDS_PER_DAY, trading_day


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


LAG_SECONDS = 180
"""How long after its end a window is sealed: no function runs longer than a minute."""


@dataclass(frozen=True, slots=True)
class SealedAccount:
    """An account at the end of a seal; amounts in micro-USDT.

    - `closing` is the sum of its `count` postings, `chain` their chained hash.
    - `opening` is the closing balance of the day before, `day` the day's sums by kind.
    - `volume` is what a merchant's or trader's orders that were completed on the day add up to.
    - `through` is the time up to which its postings were read (Unix seconds).
    - `available` and `held` are what the sums of the two parities must be; `held` by shard.
    """

    closing: int = 0
    count: int = 0
    chain: str = ""
    opening: int = 0
    day: Mapping[str, int] = MappingProxyType({})
    through: int = 0
    available: tuple[int, int] = (0, 0)
    held: Mapping[str, tuple[int, int]] = MappingProxyType({})
    volume: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SealName:
    """Where a seal is in the chain: its end (Unix seconds) and its hash."""

    end: int
    hash: str


@dataclass(frozen=True, slots=True)
class OpenFinding:
    """A finding that nobody acknowledged yet; `parity` is set for one about a sum of windows."""

    finding_id: str
    since: int
    finding: Finding
    parity: int | None = None


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """A finding that two people accepted; `ref` is their proposal, `parity` the finding's."""

    finding_id: str
    ref: str
    finding: Finding
    parity: int | None = None


@dataclass(frozen=True, slots=True)
class Seal:
    """The books at a time, in Unix seconds.

    `orders` maps open orders to the digests of their prices. `proposals` are the open ones that are
    about money. `requests` maps undecided withdrawal requests to their merchants. `drifts` are in
    how many seals in a row a counter differed in the same way, by the finding's id. `figures` are
    those of the day and the day before, and of days with open orders (`figures_name`).
    """

    start: int
    end: int
    before: SealName | None
    accounts: Mapping[str, SealedAccount] = MappingProxyType({})
    orders: Mapping[str, str] = MappingProxyType({})
    proposals: Sequence[str] = ()
    requests: Mapping[str, str] = MappingProxyType({})
    findings: Sequence[OpenFinding] = ()
    acknowledged: Sequence[Acknowledged] = ()
    postings: int = 0
    drifts: Mapping[str, int] = MappingProxyType({})
    figures: Mapping[str, Counts] = MappingProxyType({})

    @property
    def day(self) -> int:
        """The trading day (UTC+8) that the seal's last second is in."""
        return trading_day(self.end - 1)


NOTHING_SEALED = Seal(0, 0, None)


def finding_id(parity: int | None, finding: Finding) -> str:
    """Return the id of a finding: the same difference has the same one in each seal and check."""
    name = json.dumps([parity, finding.kind.value, finding.key, finding.delta])
    return f"F{hashlib.sha256(name.encode()).hexdigest()[:16]}"


FINDING_ACCOUNTS_MAX = 100


@dataclass(frozen=True, slots=True)
class SealSummary:
    """A seal's name and counts, as the ledger has them.

    `finding_accounts` are the accounts with open findings, at most FINDING_ACCOUNTS_MAX of them.
    """

    name: SealName
    start: int
    accounts: int
    postings: int
    orders: int
    findings: int
    finding_accounts: tuple[str, ...] = ()

    def blocks(self, account_key: str) -> bool:
        """Return whether an account has, or may have, an open finding."""
        is_cut = len(self.finding_accounts) >= FINDING_ACCOUNTS_MAX
        return is_cut or account_key in self.finding_accounts


class BrokenSeal(OrderdeskError):
    """A seal is not what the chain says."""

    def __init__(self, end: int, problem: str) -> None:
        super().__init__(f"seal {end}: {problem}")
        self.end = end
        self.problem = problem


def summary_of(seal: Seal, seal_hash: str) -> SealSummary:
    """Return a seal's name and counts."""
    accounts = sorted({each.finding.account for each in seal.findings} - {""})
    return SealSummary(
        SealName(seal.end, seal_hash),
        seal.start,
        len(seal.accounts),
        seal.postings,
        len(seal.orders),
        len(seal.findings),
        tuple(accounts[:FINDING_ACCOUNTS_MAX]),
    )


def day_end(at: int) -> int:
    """Return when the trading day of a time ends (Unix seconds)."""
    return (trading_day(at) + 1) * SECONDS_PER_DAY - DAY_OFFSET_SECONDS


def due_end(newest: int, now: int, every: int) -> int | None:
    """Return the end of the next seal after the `newest` one's end; None if none is due.

    It is the latest end that is due, so one seal covers an outage, but none reaches past the end of
    a day. A window is sealed LAG_SECONDS after its end, or as long after it as seals are apart.
    """
    latest = (now - min(LAG_SECONDS, every)) // every * every
    if latest <= newest:
        return None
    return min(latest, day_end(newest)) if newest else latest


def provable(end: int, read_at: int) -> int | None:
    """Return the parity of which no sum has changed between the end and `read_at`.

    The sums of a parity are still while a window of the other one is open. None if both parities
    had windows in between. The sums accumulate, so what one seal cannot prove, the next one does.
    """
    first, last = end // WINDOW_SECONDS, read_at // WINDOW_SECONDS
    return (first + 1) % 2 if first == last else None


def chained(before: str, content: str) -> str:
    """Return the hash of a chain with one more content."""
    return hashlib.sha256(f"{before}\n{content}".encode()).hexdigest()


def encoded(seal: Seal) -> bytes:
    """Return the canonical JSON of a seal."""
    value = {
        **{name: getattr(seal, name) for name in _PLAIN},
        "before": None if seal.before is None else [seal.before.end, seal.before.hash],
        "accounts": {key: _account_value(one) for key, one in seal.accounts.items()},
        "findings": [asdict(each) for each in seal.findings],
        "acknowledged": [asdict(each) for each in seal.acknowledged],
    }
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


_PLAIN = ("start", "end", "orders", "proposals", "requests", "postings", "drifts", "figures")


def decoded(content: bytes) -> Seal:
    """Return the seal of its canonical JSON."""
    value: dict[str, Any] = json.loads(content)
    before = value["before"]
    return Seal(
        **{name: value[name] for name in _PLAIN},
        before=None if before is None else SealName(*before),
        accounts={key: _account(one) for key, one in value["accounts"].items()},
        findings=[
            replace(OpenFinding(**each), finding=_finding(each["finding"]))
            for each in value["findings"]
        ],
        acknowledged=[
            replace(Acknowledged(**each), finding=_finding(each["finding"]))
            for each in value["acknowledged"]
        ],
    )


def _account_value(one: SealedAccount) -> list[Any]:
    figures = [one.closing, one.count, one.chain, one.opening, dict(one.day), one.through]
    return [*figures, one.available, dict(one.held), dict(one.volume)]


def _account(value: list[Any]) -> SealedAccount:
    closing, count, chain, opening, day, through, available, held, volume = value
    both = {shard: (sums[0], sums[1]) for shard, sums in held.items()}
    sums = available[0], available[1]
    return SealedAccount(closing, count, chain, opening, day, through, sums, both, volume)


def _finding(value: Mapping[str, Any]) -> Finding:
    kind = FindingKind(value["kind"])  # type: ignore[call-arg]  # a look-up has the value alone
    return Finding(**{**value, "kind": kind})


@dataclass(frozen=True, slots=True)
class SealFile:
    """A seal as it is stored: its canonical JSON and the signature of its hash."""

    content: bytes = field(repr=False)
    signature: bytes = field(repr=False)

    @property
    def hash(self) -> str:
        """The hash of the seal."""
        return hashlib.sha256(self.content).hexdigest()

    def dump(self) -> bytes:
        """Return the file's bytes: the signature's length, the signature, the compressed JSON."""
        head = len(self.signature).to_bytes(2)
        return head + self.signature + zlib.compress(self.content)

    @classmethod
    def load(cls, stored: bytes) -> "SealFile":
        """Return the file of its bytes. Raises: ValueError."""
        size = 2 + int.from_bytes(stored[:2])
        try:
            return cls(zlib.decompress(stored[size:]), stored[2:size])
        except zlib.error:
            raise ValueError("not a seal") from None
