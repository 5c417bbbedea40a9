"""Double entry: accounts and postings, their rules, and balance shards (contract section 6).

A posting changes what an account owns. A hold only moves USDT between available and held, so it
needs no posting. The postings of every transfer sum to zero.

Only one transaction at a time can write an item. A busy merchant's accounts are therefore split:
the balance is the sum of its shards. Shard 0 is the item that every account has; it lists the
others for as long as the account exists. An order holds or is credited on one shard. If the shard
does not cover a hold, the hold's transaction moves the rest from other shards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import itemgetter

from orderdesk.domain.pricing import Mode


class AccountKind(StrEnum):
    """The kind of an account; `funding` represents the outside."""

    MERCHANT = "merchant"
    TRADER = "trader"
    DEPOSIT = "deposit"
    FEE = "fee"
    FUNDING = "funding"


@dataclass(frozen=True, slots=True)
class Account:
    """An account of one kind, owner and mode; `owner` is "" for an account that all share."""

    kind: AccountKind
    owner: str
    mode: Mode

    @property
    def key(self) -> str:
        """The account's name in the ledger, e.g. `merchant:m1:live` or `funding::test`."""
        return f"{self.kind.value}:{self.owner}:{self.mode.value}"


@dataclass(frozen=True, slots=True)
class Balance:
    """An account's available and held amounts, in micro-USDT."""

    available_micro: int = 0
    held_micro: int = 0

    @property
    def owned_micro(self) -> int:
        """What the account owns."""
        return self.available_micro + self.held_micro

    def __add__(self, other: "Balance") -> "Balance":
        """Return the sum, which is of two shards or of two accounts."""
        available = self.available_micro + other.available_micro
        return Balance(available, self.held_micro + other.held_micro)


class TransferKind(StrEnum):
    """The reason of a transfer; a settlement's posting of the spread has a kind of its own."""

    FUNDING = "funding"
    SETTLEMENT = "settlement"
    SPREAD = "spread"
    WITHDRAWAL = "withdrawal"
    RELEASE = "release"
    """A merchant's deposit becomes available to it."""
    REVERSAL = "reversal"
    """A part of a completed order is undone."""

    @property
    def is_of_order(self) -> bool:
        """Whether such a posting belongs to an order."""
        match self:
            case TransferKind.SETTLEMENT | TransferKind.SPREAD | TransferKind.REVERSAL:
                return True
            case TransferKind.FUNDING | TransferKind.WITHDRAWAL | TransferKind.RELEASE:
                return False


SPREAD_PART = "#spread"
"""The end of the key of a spread's posting: a fee account has two postings of a settlement."""


@dataclass(frozen=True, slots=True)
class Posting:
    """One side of a transfer: a signed amount in micro-USDT on an account.

    `is_spread`: the fee account's part of a settlement that is the desk's spread.
    """

    account: Account
    amount_micro: int
    is_spread: bool = False


@dataclass(frozen=True, slots=True)
class Transfer:
    """Postings that belong together and sum to zero; `at_us` is in Unix microseconds."""

    transfer_id: str
    kind: TransferKind
    at_us: int
    memo: str
    postings: tuple[Posting, ...]
    order_no: str = ""

    def __post_init__(self) -> None:
        """Refuse a transfer that would create or destroy money, or mix live with test.

        Raises: ValueError.
        """
        if sum(posting.amount_micro for posting in self.postings) != 0:
            raise ValueError("postings of a transfer must sum to zero")
        if len({posting.account.mode for posting in self.postings}) > 1:
            raise ValueError("a transfer must not mix live and test money")

    def kind_of(self, posting: Posting) -> TransferKind:
        """Return the kind by which a posting is in its account's statement."""
        return TransferKind.SPREAD if posting.is_spread else self.kind

    @property
    def changes(self) -> list[Posting]:
        """One sum for each account, because a transaction writes each balance once."""
        sums: dict[Account, int] = {}
        for posting in self.postings:
            sums[posting.account] = sums.get(posting.account, 0) + posting.amount_micro
        return [Posting(account, amount) for account, amount in sums.items()]


@dataclass(frozen=True, slots=True)
class Entry:
    """One posting as its account's statement shows it; `at_us` is in Unix microseconds.

    `transfer_id` is the number of the order or of the withdrawal, or that of an audit entry.
    """

    at_us: int
    kind: TransferKind
    amount_micro: int
    order_no: str
    memo: str
    transfer_id: str = ""


def holds_amount(kind: TransferKind) -> bool:
    """Return whether the open proposal of such a transfer holds its amount on the account."""
    match kind:
        case TransferKind.WITHDRAWAL | TransferKind.RELEASE:
            return True
        case (
            TransferKind.FUNDING
            | TransferKind.SETTLEMENT
            | TransferKind.SPREAD
            | TransferKind.REVERSAL
        ):
            return False


def other_side(kind: TransferKind, account: Account) -> Account:
    """Return where the amount of a decided transfer of an account comes from, or goes to.

    Raises: ValueError for a kind that nobody decides on its own.
    """
    match kind:
        case TransferKind.FUNDING | TransferKind.WITHDRAWAL:
            return Account(AccountKind.FUNDING, "", account.mode)
        case TransferKind.RELEASE:
            return Account(AccountKind.MERCHANT, account.owner, account.mode)
        case TransferKind.SETTLEMENT | TransferKind.SPREAD | TransferKind.REVERSAL:
            raise ValueError("it belongs to an order")


def decided_transfer(
    kind: TransferKind,
    account: Account,
    amount_micro: int,
    *,
    transfer_id: str,
    at_us: int,
    memo: str,
) -> Transfer:
    """Create a transfer that people decide: a funding adds to the account, others take from it.

    The account's own posting is the first.
    """
    signed = amount_micro if kind is TransferKind.FUNDING else -amount_micro
    own, other = Posting(account, signed), Posting(other_side(kind, account), -signed)
    return Transfer(transfer_id, kind, at_us, memo, (own, other))


SHARDED = (AccountKind.MERCHANT, AccountKind.DEPOSIT, AccountKind.FEE)
"""A merchant's accounts: each settlement of its orders writes to them."""

SHARD_MARK = "#"  # not allowed in a merchant's id


def shard_key(account: Account, shard: int) -> str:
    """Return the key of a shard of an account; shard 0 has the account's own key."""
    if shard == 0:
        return account.key
    return Account(account.kind, f"{account.owner}{SHARD_MARK}{shard}", account.mode).key


@dataclass(frozen=True, slots=True)
class Gather:
    """What other shards transfer to the one that holds an amount.

    `given` maps each giving shard to micro-USDT. The sum may exceed the hold, to leave something
    for the next holds. It is empty if the shard covers the hold alone.
    """

    shard: int
    given: Mapping[int, int]


def gather(available: Sequence[int], shard: int, amount_micro: int) -> Gather | None:
    """Return the transfers that a shard needs to hold an amount; None if the sum does not cover it.

    `available` lists what each shard has. The richest shards give first, so much that both then
    have about the same.
    """
    missing = amount_micro - available[shard]
    given: dict[int, int] = {}
    others = [(n, has) for n, has in enumerate(available) if n != shard]
    for other, has in sorted(others, key=itemgetter(1), reverse=True):
        if missing <= 0 or has <= 0:
            break
        even = (has - max(available[shard], 0)) // 2
        given[other] = min(has, max(missing, even))
        missing -= given[other]
    return Gather(shard, given) if missing <= 0 else None


WINDOW_SECONDS = 900
"""The length of a window of the books, by the stored times of moves.

Each change of a balance is also added to a sum of its window's parity: `a0` or `a1` for available,
`h0` or `h1` for held USDT. So `available = a0 + a1` and `held = h0 + h1` at any time, and the sums
of a window that has ended are unchanged for as long as the next window is open.
"""


def parity_of(at: int) -> int:
    """Return the parity of a time's window, 0 or 1."""
    return at // WINDOW_SECONDS % 2


def parity_sums(available_micro: int, held_micro: int, at: int) -> dict[str, int]:
    """Return what a change of a balance at a time adds to the sums of its window's parity."""
    parity = parity_of(at)
    sums = {f"a{parity}": available_micro, f"h{parity}": held_micro}
    return {name: micro for name, micro in sums.items() if micro}
