"""The report of a trading day: the volumes of merchants and traders, and every account's balances.

An account's opening balance is the sum of its postings before the day. Its closing balance is the
stored one, less the postings after the day. Opening + postings = closing is therefore a real check:
it holds only if the stored balance equals the sum of all postings. Rows are added in any order.
Memory grows with the accounts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from datetime import date, datetime, timedelta, timezone
from operator import attrgetter
from typing import Self

from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance, TransferKind
from orderdesk.domain.ledger.rows import BalanceRow, TraderRow, account_of
from orderdesk.domain.modes import Mode
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.trader import DAY_OFFSET_SECONDS, DAY_SECONDS

_ZONE = timezone(timedelta(seconds=DAY_OFFSET_SECONDS))


@dataclass(frozen=True, slots=True)
class Day:
    """A trading day: from `start` to before `end`, in Unix seconds."""

    date: date
    start: int
    end: int

    def has(self, seconds: int) -> bool:
        """Return whether a time is on the day."""
        return self.start <= seconds < self.end


def day_of(of: date) -> Day:
    """Return the trading day (UTC+8) of a date."""
    start = int(datetime(of.year, of.month, of.day, tzinfo=_ZONE).timestamp())
    return Day(of, start, start + DAY_SECONDS)


@dataclass(frozen=True, slots=True)
class PostedRow:
    """A posting with its time (Unix microseconds) and kind; in micro-USDT.

    `order_no` is the settled order's, "" for a funding or withdrawal.
    """

    account_key: str
    kind: TransferKind
    at_us: int
    amount_micro: int
    order_no: str = ""


@dataclass(frozen=True, slots=True)
class CompletedRow:
    """An order that was completed on the day: CNY in fen, USDT in micro."""

    merchant_id: str
    trader_id: str
    mode: Mode
    cny_fen: int
    usdt_micro: int
    service_micro: int
    deposit_micro: int


type ReportRow = BalanceRow | TraderRow | PostedRow | CompletedRow


@dataclass(slots=True)
class AccountDay:
    """One account's day in micro-USDT: signed sums of its postings, and its stored balance.

    `now` is available and held together, as stored when the report is read.
    """

    account_key: str
    opening: int = 0
    settled: int = 0
    funded: int = 0
    withdrawn: int = 0
    after: int = 0
    now: int = 0

    @property
    def posted(self) -> int:
        """The sum of the day's postings."""
        return self.settled + self.funded + self.withdrawn

    @property
    def closing(self) -> int:
        """The balance at the end of the day; for today, the current balance."""
        return self.now - self.after

    @property
    def difference(self) -> int:
        """Closing minus (opening + postings); 0 if the account balances."""
        return self.closing - self.opening - self.posted

    @property
    def is_idle(self) -> bool:
        """Whether all figures of the account are 0."""
        return not (self.opening or self.settled or self.funded or self.withdrawn or self.closing)


@dataclass(slots=True)
class Volume:
    """Completed orders of a merchant or trader on the day: CNY in fen, USDT in micro."""

    orders: int = 0
    cny_fen: int = 0
    usdt_micro: int = 0
    service_micro: int = 0
    deposit_micro: int = 0


_SUMS = AccountDay.__slots__[1:]


@dataclass(slots=True)
class DayReport:
    """The sums of a day. Not thread-safe."""

    day: Day
    _accounts: dict[str, AccountDay] = field(default_factory=dict)
    _volumes: dict[Account, Volume] = field(default_factory=dict)

    def add(self, row: ReportRow) -> None:
        """Add a balance, a trader, a posting or an order."""
        match row:
            case BalanceRow():
                self._add_balance(row.account_key, row.balance)
            case TraderRow():
                self._add_balance(row.account.key, row.balance)
            case PostedRow():
                self._post(self._of(row.account_key), row)
            case CompletedRow():
                self._count(row)

    def settled_on_the_day(self, row: ReportRow) -> str:
        """Return the order that a row shows to be completed on the day, or "".

        A settlement has several postings. Exactly one of them is on a merchant's account.
        """
        if not isinstance(row, PostedRow) or row.kind is not TransferKind.SETTLEMENT:
            return ""
        if not self.day.has(row.at_us // US_PER_SECOND):
            return ""
        account = account_of(row.account_key)
        return row.order_no if account and account.kind is AccountKind.MERCHANT else ""

    def dump(self) -> tuple[Mapping[str, Sequence[int]], Mapping[str, Sequence[int]]]:
        """Return the sums by account, and the volumes by account, as `load` reads them."""
        accounts = {key: [getattr(a, n) for n in _SUMS] for key, a in self._accounts.items()}
        volumes = {a.key: list(astuple(volume)) for a, volume in self._volumes.items()}
        return accounts, volumes

    @classmethod
    def load(
        cls, day: Day, accounts: Mapping[str, Sequence[int]], volumes: Mapping[str, Sequence[int]]
    ) -> Self:
        """Return a report with these sums."""
        owners = {account_of(key): volume for key, volume in volumes.items()}
        return cls(
            day,
            {key: AccountDay(key, *sums) for key, sums in accounts.items()},
            {owner: Volume(*volume) for owner, volume in owners.items() if owner is not None},
        )

    def volume(self, account: Account) -> Volume:
        """Return the completed volume of a merchant or trader on the day."""
        return self._volumes.get(account, Volume())

    def account(self, account: Account) -> AccountDay:
        """Return an account's day."""
        return self._accounts.get(account.key, AccountDay(account.key))

    def accounts(self, kind: AccountKind, mode: Mode) -> list[Account]:
        """Return the accounts of a kind and mode that are not idle or have a volume, sorted."""
        active = (
            a for key, day in self._accounts.items() if not day.is_idle and (a := account_of(key))
        )
        found = {a for a in active if (a.kind, a.mode) == (kind, mode)}
        found |= {a for a in self._volumes if (a.kind, a.mode) == (kind, mode)}
        return sorted(found, key=attrgetter("owner"))

    def differences(self) -> Iterator[AccountDay]:
        """Return every account that does not balance, sorted."""
        return (day for _, day in sorted(self._accounts.items()) if day.difference)

    def _of(self, account_key: str) -> AccountDay:
        return self._accounts.setdefault(account_key, AccountDay(account_key))

    def _add_balance(self, account_key: str, balance: Balance) -> None:
        self._of(account_key).now += balance.available_micro + balance.held_micro

    def _post(self, account: AccountDay, row: PostedRow) -> None:
        seconds, amount = row.at_us // US_PER_SECOND, row.amount_micro
        if seconds < self.day.start:
            account.opening += amount
        elif seconds >= self.day.end:
            account.after += amount
        else:
            _post_of_the_day(account, row.kind, amount)

    def _count(self, order: CompletedRow) -> None:
        merchant = Account(AccountKind.MERCHANT, order.merchant_id, order.mode)
        trader = Account(AccountKind.TRADER, order.trader_id, order.mode)
        for owner in (merchant, trader):
            volume = self._volumes.setdefault(owner, Volume())
            volume.orders += 1
            volume.cny_fen += order.cny_fen
            volume.usdt_micro += order.usdt_micro
        volume = self._volumes[merchant]
        volume.service_micro += order.service_micro
        volume.deposit_micro += order.deposit_micro


def _post_of_the_day(account: AccountDay, kind: TransferKind, amount: int) -> None:
    match kind:
        case TransferKind.SETTLEMENT:
            account.settled += amount
        case TransferKind.FUNDING:
            account.funded += amount
        case TransferKind.WITHDRAWAL:
            account.withdrawn += amount
