"""The report of a trading day, read from a running system (contract section 9)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.ledger.check_run import PASSES_MAX, Segment
from orderdesk.domain.ledger.day_report import AccountDay, Day, DayReport, ReportRow
from orderdesk.domain.operators import OperatorRefusal
from orderdesk.services.operator.ledger import PAUSE_BETWEEN_PASSES_MS, read_in_segments
from orderdesk.services.retrying import PauseMs

type Pages = Iterator[Sequence[ReportRow]]


class DayNotBegun(OperatorRefusal):
    """A day that has not begun has no report."""

    def __init__(self, day: Day) -> None:
        super().__init__(f"{day.date.isoformat()} has not begun (UTC+8)")


class DayScan(Protocol):
    """Reads the rows of a day's report, page by page. Raises: TryAgain."""

    def ledger(self, segment: Segment) -> Pages:
        """Yield balances and postings, without the traders' balances."""

    def traders(self, segment: Segment) -> Pages:
        """Yield the traders' balances."""

    def completed_orders(self, segment: Segment, since: int) -> Pages:
        """Yield the completed orders that changed at a time (Unix seconds) or later."""


@dataclass(frozen=True, slots=True)
class ReadReport:
    """A day's report; `differences` are accounts that do not balance.

    `moving` are accounts that changed while they were read; their closing balances may be wrong.
    """

    report: DayReport
    differences: tuple[AccountDay, ...]
    moving: tuple[AccountDay, ...]


def read_report(
    scan: DayScan, day: Day, *, segments: int, pause_ms: PauseMs, now: int
) -> ReadReport:
    """Read everything of a day, `now` in Unix seconds.

    An account may change between the read of its balance and of its postings. So everything is read
    up to three times until every account balances. A difference counts if each pass saw the same
    amount. Raises: DayNotBegun, TryAgain.
    """
    if now < day.start:
        raise DayNotBegun(day)
    seen: list[dict[str, int]] = []
    for _ in range(PASSES_MAX):
        if seen:
            pause_ms(PAUSE_BETWEEN_PASSES_MS)
        report = _read(scan, day, segments)
        last = tuple(report.differences())
        seen.append({account.account_key: account.difference for account in last})
        if not last:
            break
    standing = [a for a in last if {found.get(a.account_key) for found in seen} == {a.difference}]
    moving = [account for account in last if account not in standing]
    return ReadReport(report, tuple(standing), tuple(moving))


def _read(scan: DayScan, day: Day, segments: int) -> DayReport:
    report = DayReport(day)

    def orders(segment: Segment) -> Pages:
        return scan.completed_orders(segment, day.start)

    tables = [scan.ledger, scan.traders, orders]
    read_in_segments(tables, segments, report.add, lambda *_: None)
    return report
