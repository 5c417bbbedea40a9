"""The report of a trading day, from the books at its end: sums and volumes of every account.

The opening balance is what the account closed the day before with. The closing balance is the sum
of all postings, and a finding of the books says where the stored one is another one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from operator import itemgetter

from orderdesk.domain.accounts import AccountKind
from orderdesk.domain.ledger.rows import account_of
from orderdesk.domain.ledger.seals import FindingKind, OpenFinding, SealedAccount
from orderdesk.domain.orders.day_figures import DayFigures
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import DAY_OFFSET_SECONDS, SECONDS_PER_DAY

_ZONE = timezone(timedelta(seconds=DAY_OFFSET_SECONDS))
_SUMS = frozenset({FindingKind.BALANCE, FindingKind.HELD})


@dataclass(frozen=True, slots=True)
class Day:
    """A trading day: from `start` to before `end`, in Unix seconds."""

    date: date
    start: int
    end: int


def day_of(of: date) -> Day:
    """Return the trading day (UTC+8) of a date."""
    start = int(datetime(of.year, of.month, of.day, tzinfo=_ZONE).timestamp())
    return Day(of, start, start + SECONDS_PER_DAY)


@dataclass(frozen=True, slots=True)
class DayReport:
    """The accounts at the end of a day, or now, what is found in them, and the orders' figures."""

    day: Day
    accounts: Mapping[str, SealedAccount]
    findings: Sequence[OpenFinding]
    figures: Mapping[Mode, DayFigures]

    def active(self, kind: AccountKind, mode: Mode) -> Iterator[tuple[str, SealedAccount]]:
        """Yield the accounts of a kind and mode that are not idle, by owner, sorted."""
        named = ((account_of(key), one) for key, one in self.accounts.items())
        found = (
            (account, one)
            for account, one in named
            if account is not None and (account.kind, account.mode) == (kind, mode)
        )
        rows = [(account.owner, one) for account, one in found if not _is_idle(one)]
        yield from sorted(rows, key=itemgetter(0))

    def differences(self) -> list[tuple[str, int]]:
        """Return each account whose stored balance is not its closing one, and by how much."""
        sums = Counter[str]()
        for each in self.findings:
            if each.finding.kind in _SUMS:
                sums[each.finding.account] += each.finding.delta
        return sorted((key, micro) for key, micro in sums.items() if micro)


def _is_idle(one: SealedAccount) -> bool:
    """Return whether all figures of an account are 0."""
    return not any((one.opening, one.closing, *one.day.values(), *one.volume.values()))
