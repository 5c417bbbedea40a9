"""A trading day: its report, read in parts (contract sections 9 and 11), and its orders' figures.

The ledger has the orders of the day, too: each completed one has a settlement. So the report reads
the ledger and the traders, and of the orders only those that were completed on the day. The figures
(domain/orders/day_figures.py) count all orders that were created on the day.
"""

import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from itertools import batched, chain
from typing import Any, Protocol, Self

from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.ids import id_range
from orderdesk.domain.ledger.check_run import PASSES_MAX
from orderdesk.domain.ledger.day_report import (
    AccountDay,
    CompletedRow,
    Day,
    DayReport,
    ReportRow,
    day_of,
)
from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import OperatorRefusal, UnknownId
from orderdesk.domain.orders.day_figures import (
    SHOWN_DAYS,
    MerchantDay,
    OrderFacts,
    counts_by_merchant,
    date_in_china,
)
from orderdesk.services.operator.ledger import PAUSE_BETWEEN_PASSES_MS, Runs
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs

ORDERS_MAX = 100  # of one request


_EVERY_SECONDS = 900
_LATE_SECONDS = 3 * 3600
_SLICE_SECONDS = 4 * 3600


class DayNotBegun(OperatorRefusal):
    """A day that has not begun has no report."""

    def __init__(self, day: Day) -> None:
        super().__init__(f"{day.date.isoformat()} has not begun (UTC+8)")


class DayTable(StrEnum):
    """The tables that a report reads, in this order."""

    LEDGER = "ledger"
    TRADERS = "traders"


type Place = Mapping[str, str]
"""The key after which a read of a table continues."""


class DayScan(Protocol):
    """Reads what a report is made of. Raises: TryAgain."""

    def page(
        self, table: DayTable, after: Place | None
    ) -> tuple[Sequence[ReportRow], Place | None]:
        """Return a page of balances and postings, and where the next one begins, if anywhere."""

    def completed(self, order_nos: Sequence[str]) -> Sequence[CompletedRow]:
        """Return at most ORDERS_MAX completed orders."""


@dataclass(frozen=True, slots=True)
class ReadReport:
    """A day's report; `differences` are accounts that do not balance.

    `moving` are accounts that changed while they were read; their closing balances may be wrong.
    """

    report: DayReport
    differences: tuple[AccountDay, ...]
    moving: tuple[AccountDay, ...]


@dataclass(slots=True)
class ReportSoFar:
    """A report that is being read; `seen` has the differences of each pass that is over."""

    report: DayReport
    table: DayTable = DayTable.LEDGER
    after: Place | None = None
    seen: list[dict[str, int]] = field(default_factory=list)

    def dump(self) -> bytes:
        """Return it as bytes, to store it between two parts: about 25 a account."""
        accounts, volumes = self.report.dump()
        day = self.report.day.date.isoformat()
        return zlib.compress(
            json.dumps([day, accounts, volumes, self.table, self.after, self.seen]).encode()
        )

    @classmethod
    def load(cls, stored: bytes) -> Self:
        """Return what `dump` stored."""
        read: list[Any] = json.loads(zlib.decompress(stored))
        day, accounts, volumes, table, after, seen = read
        report = DayReport.load(day_of(date.fromisoformat(day)), accounts, volumes)
        return cls(report, DayTable(table), after, seen)


def begin_report(day: Day, now: int) -> ReportSoFar:
    """Begin the report of a day, `now` in Unix seconds. Raises: DayNotBegun."""
    if now < day.start:
        raise DayNotBegun(day)
    return ReportSoFar(DayReport(day))


def continue_report(
    scan: DayScan, so_far: ReportSoFar, *, pause_ms: PauseMs, has_time: Callable[[], bool]
) -> ReadReport | None:
    """Read on while there is time; return None if more is to be read.

    An account may change between the read of its balance and of its postings. So everything is read
    up to three times until every account balances. A difference counts if each pass saw the same
    amount. Raises: TryAgain.
    """
    while True:
        if not _read_tables(scan, so_far, has_time):
            return None
        last = tuple(so_far.report.differences())
        so_far.seen.append({account.account_key: account.difference for account in last})
        if not last or len(so_far.seen) == PASSES_MAX:
            return _read_to_the_end(so_far, last)
        pause_ms(PAUSE_BETWEEN_PASSES_MS)
        so_far.report = DayReport(so_far.report.day)
        so_far.table = DayTable.LEDGER


@dataclass(frozen=True, slots=True)
class ReportPorts:
    """What the report of a day works with."""

    scan: DayScan
    runs: Runs
    chance: Chance
    now: Callable[[], int]
    pause_ms: PauseMs


@dataclass(frozen=True, slots=True)
class UnfinishedReport:
    """A report that `run_id` continues, and how often it began to read everything."""

    run_id: str
    passes: int


def report_part(
    ports: ReportPorts, day: Day, run_id: str | None, has_time: Callable[[], bool]
) -> ReadReport | UnfinishedReport:
    """Begin a day's report, or read on in the stored one, while there is time.

    A part that is sent again reads on from what was stored. Of two parts at the same time one is
    stored. Raises: DayNotBegun, UnknownId, TryAgain.
    """
    if run_id is None:
        run_id, so_far, version = ports.chance.token(), begin_report(day, ports.now()), 0
    else:
        found = ports.runs.load(run_id)
        if found is None:
            raise UnknownId("report", run_id)
        so_far, version = ReportSoFar.load(found[0]), found[1]
        if so_far.report.day != day:
            raise UnknownId("report", run_id)
    read = continue_report(ports.scan, so_far, pause_ms=ports.pause_ms, has_time=has_time)
    if read is not None:
        return read
    # Otherwise another part was stored meanwhile, from which the next one reads on.
    with suppress(ChangedMeanwhile):
        ports.runs.save(run_id, so_far.dump(), version)
    return UnfinishedReport(run_id, len(so_far.seen) + 1)


def read_report(scan: DayScan, day: Day, *, pause_ms: PauseMs, now: int) -> ReadReport:
    """Read the whole report of a day. Raises: DayNotBegun, TryAgain."""
    read = continue_report(scan, begin_report(day, now), pause_ms=pause_ms, has_time=lambda: True)
    assert read is not None
    return read


def _read_to_the_end(so_far: ReportSoFar, last: tuple[AccountDay, ...]) -> ReadReport:
    seen = so_far.seen
    standing = [a for a in last if {found.get(a.account_key) for found in seen} == {a.difference}]
    moving = [account for account in last if account not in standing]
    return ReadReport(so_far.report, tuple(standing), tuple(moving))


def _read_tables(scan: DayScan, so_far: ReportSoFar, has_time: Callable[[], bool]) -> bool:
    """Read from where it stopped; return whether both tables were read to their ends."""
    report = so_far.report
    while True:
        if not has_time():
            return False
        rows, so_far.after = scan.page(so_far.table, so_far.after)
        for row in rows:
            report.add(row)
        settled = [order_no for row in rows if (order_no := report.settled_on_the_day(row))]
        for some in batched(settled, ORDERS_MAX, strict=False):
            for order in scan.completed(some):
                report.add(order)
        if so_far.after is None and so_far.table is DayTable.TRADERS:
            return True
        if so_far.after is None:
            so_far.table = DayTable.TRADERS


class OrderFactsIndex(Protocol):
    """Reads the facts of all orders, 1,250 with a request; they may lag a little."""

    def facts(self, first_id: int, last_id: int) -> Iterator[OrderFacts]:
        """Yield those of all orders with ids in [first_id, last_id], unsorted. Raises: TryAgain."""


def orders_of_day(index: OrderFactsIndex, day: Day) -> Iterator[OrderFacts]:
    """Yield what the figures count of each order that was created on a day. Raises: TryAgain."""
    return index.facts(*id_range(day.start, day.end - 1))


class MerchantDays(Protocol):
    """Stores merchants' days in live mode."""

    def save(self, day: date, days: Mapping[str, MerchantDay], read_at: int) -> None:
        """Replace a day's figures by merchant_id, and when its orders were read (Unix seconds).

        Raises: TryAgain.
        """


def count_days(
    index: OrderFactsIndex, store: MerchantDays, now: int, has_time: Callable[[], bool]
) -> Sequence[date]:
    """Count the orders of the days that are due now, while there is time; return the days.

    Raises: TryAgain.
    """
    counted = []
    for each in due_days(now):
        if not has_time():
            break
        day = day_of(each)
        starts = range(day.start, min(day.end, now + 1), _SLICE_SECONDS)
        slices = (id_range(start, start + _SLICE_SECONDS - 1) for start in starts)
        counts = counts_by_merchant(chain.from_iterable(index.facts(*ids) for ids in slices), now)
        live = {
            merchant_id: MerchantDay.of(one)
            for (merchant_id, mode), one in counts.items()
            if mode is Mode.LIVE
        }
        store.save(each, live, now)
        counted.append(each)
    return counted


def due_days(now: int) -> Sequence[date]:
    """Return the days to count at a time (Unix seconds): today, for three hours yesterday too.

    Orders of earlier days still change, for example when a dispute ends. So one of them is counted
    too, in turn: each every 7.5 hours.
    """
    back = timedelta(days=now // _EVERY_SECONDS % SHOWN_DAYS)
    today = date_in_china(now)
    return list(dict.fromkeys((today, date_in_china(now - _LATE_SECONDS), today - back)))
