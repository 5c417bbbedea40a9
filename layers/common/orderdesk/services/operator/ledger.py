"""Check the ledger, read all balances, and compare with a restored table (contract section 11)."""

import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Protocol

from orderdesk.domain.errors import ChangedMeanwhile, TryAgain
from orderdesk.domain.ledger.check import Tally
from orderdesk.domain.ledger.check_run import (
    FINDINGS_MAX,
    CheckRun,
    Progress,
    ReadingPlace,
    Segment,
)
from orderdesk.domain.ledger.findings import Finding
from orderdesk.domain.ledger.proof import restored_findings
from orderdesk.domain.ledger.rows import LedgerRow
from orderdesk.domain.operators import UnknownId
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs

type Pages = Iterator[Sequence[LedgerRow]]

SEGMENTS = 4
SEGMENTS_MAX = 64
_KEY_BYTES_MAX = 64  # of blake2b


@dataclass(frozen=True, slots=True)
class PostingsPage:
    """The rows of a page, and where its segment is read on; None at the end of the segment."""

    rows: Sequence[LedgerRow]
    following: str | None


class LedgerScan(Protocol):
    """Reads the tables of the ledger page by page, one segment at a time. Raises: TryAgain."""

    def page(self, place: ReadingPlace) -> PostingsPage:
        """Read one page of a table, of at most 1 MB; thread-safe."""

    def balances(self, segment: Segment) -> Pages:
        """Yield balances only, without the traders'."""

    def traders(self, segment: Segment) -> Pages:
        """Yield the traders' balances and open-order counts."""


def read_in_segments[R](
    tables: Sequence[Callable[[Segment], Iterator[Sequence[R]]]],
    segments: int,
    add: Callable[[R], None],
    progress: Callable[[int, int, int], None],
) -> None:
    """Read tables in segments, at most `segments` at a time, and add every row in this thread.

    `progress` receives the rows, the segments done and the segments in all. At most one page of
    each segment is in memory.
    Raises: TryAgain as soon as one page cannot be read.
    """
    sources = [table(Segment(index, segments)) for index in range(segments) for table in tables]
    pool = ThreadPoolExecutor(max_workers=segments)
    rows = 0
    try:
        under_way = {_next_page(pool, source): source for source in sources}
        progress(rows, 0, len(sources))
        while under_way:
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                source, page = under_way.pop(future), future.result()
                if page is None:
                    progress(rows, len(sources) - len(under_way), len(sources))
                    continue
                under_way[_next_page(pool, source)] = source
                for row in page:
                    add(row)
                rows += len(page)
                progress(rows, len(sources) - len(under_way), len(sources))
    finally:
        pool.shutdown(cancel_futures=True)


def _next_page[R](
    pool: ThreadPoolExecutor, source: Iterator[Sequence[R]]
) -> Future[Sequence[R] | None]:
    return pool.submit(next, source, None)


# Longer than any transaction that was running when a pass ended.
PAUSE_BETWEEN_PASSES_MS = 1000

type Watch = Callable[[Progress], None]
type HasTime = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a run is read: from which tables, with which clock, and how long.

    `watch` receives the progress after each page.
    """

    scan: LedgerScan
    now_us: Callable[[], int]
    pause_ms: PauseMs
    has_time: HasTime = lambda: True
    watch: Watch = lambda _: None


def read_on(reading: Reading, run: CheckRun) -> None:
    """Read on until the run is done or there is no time for another page.

    As many pages are read at a time as the run has segments. Raises: TryAgain; the run is then in
    no defined state.
    """
    with ThreadPoolExecutor(max_workers=run.segments) as pool:
        while not run.is_done and reading.has_time():
            _read_pages(reading, run, pool)
            if not run.starts:
                run.end_reading()
                if not run.is_done:
                    reading.pause_ms(PAUSE_BETWEEN_PASSES_MS)


def _read_pages(reading: Reading, run: CheckRun, pool: ThreadPoolExecutor) -> None:
    waiting = list(run.places())[::-1]
    under_way: dict[Future[PostingsPage], ReadingPlace] = {}
    reading.watch(run.progress())
    try:
        while True:
            while waiting and len(under_way) < run.segments and reading.has_time():
                place = waiting.pop()
                under_way[pool.submit(reading.scan.page, place)] = place
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                place, page = under_way.pop(future), future.result()
                run.add_page(place, page.rows, page.following, reading.now_us())
                if page.following is not None:
                    waiting.append(replace(place, start=page.following))
                reading.watch(run.progress())
    finally:
        for future in under_way:
            future.cancel()


def new_run(chance: Chance, now_us: int, segments: int = SEGMENTS) -> CheckRun:
    """Begin a run with a random key of its own."""
    key = (chance.token() + chance.token()).encode()[:_KEY_BYTES_MAX]
    return CheckRun.begin(now_us, key, segments)


def check_ledger(reading: Reading, chance: Chance, *, segments: int = SEGMENTS) -> CheckRun:
    """Run the check from its start to its end, in memory. Raises: TryAgain."""
    run = new_run(chance, reading.now_us(), segments)
    read_on(reading, run)
    return run


class Runs(Protocol):
    """Stores long reads between their parts; they expire after two days."""

    def load(self, run_id: str) -> tuple[bytes, int] | None:
        """Return a run's state and version; None if there is none. Raises: TryAgain."""

    def save(self, run_id: str, content: bytes, version: int) -> None:
        """Store the state of a run that was loaded at this version, 0 for a new one.

        Raises: ChangedMeanwhile if another part was stored meanwhile; TryAgain.
        """


@dataclass(frozen=True, slots=True)
class CheckPorts:
    """What the check works with."""

    scan: LedgerScan
    runs: Runs
    chance: Chance
    now_us: Callable[[], int]
    pause_ms: PauseMs


def check_part(ports: CheckPorts, run_id: str | None, has_time: HasTime) -> tuple[str, CheckRun]:
    """Begin a run, or read on in the stored one, while there is time; return its id and state.

    A part whose answer was lost is not repeated: the next call reads on from what was stored. Of
    two parts at the same time one is stored, and both return a stored state.
    Raises: UnknownId, TryAgain.
    """
    if run_id is None:
        run_id, stored = ports.chance.token(), (new_run(ports.chance, ports.now_us()), 0)
    else:
        found = _stored(ports.runs, run_id)
        if found is None:
            raise UnknownId("check of the ledger", run_id)
        stored = found
    return run_id, _part(ports, run_id, *stored, has_time)


def nightly_part(ports: CheckPorts, night: str, has_time: HasTime) -> tuple[CheckRun, bool]:
    """Begin or continue the run of a night; return it, and whether this part finished it.

    Raises: TryAgain; the next part reads on from what was stored.
    """
    run, version = _stored(ports.runs, night) or (new_run(ports.chance, ports.now_us()), 0)
    if run.is_done:
        return run, False
    run = _part(ports, night, run, version, has_time)
    return run, run.is_done


def _stored(runs: Runs, run_id: str) -> tuple[CheckRun, int] | None:
    found = runs.load(run_id)
    if found is None:
        return None
    content, version = found
    return CheckRun.load(json.loads(zlib.decompress(content))), version


def _part(
    ports: CheckPorts, run_id: str, run: CheckRun, version: int, has_time: HasTime
) -> CheckRun:
    if run.is_done:
        return run
    read_on(Reading(ports.scan, ports.now_us, ports.pause_ms, has_time), run)
    try:
        ports.runs.save(run_id, zlib.compress(json.dumps(run.dump()).encode()), version)
    except ChangedMeanwhile:
        stored = _stored(ports.runs, run_id)
        if stored is None:
            raise TryAgain from None
        return stored[0]
    return run


def read_balances(scan: LedgerScan, *, segments: int) -> Tally:
    """Sum up every account's balance, without its postings. Raises: TryAgain."""
    tally = Tally()
    tables: list[Callable[[Segment], Pages]] = [scan.balances, scan.traders]
    read_in_segments(tables, segments, tally.add, lambda *_: None)
    return tally


type RestoredPlace = tuple[str, str]
"""The key of an item of the restored table."""


@dataclass(frozen=True, slots=True)
class RestoredPage:
    """Postings of a restored table, each with the present item of its key, None if it is gone."""

    pairs: Sequence[tuple[LedgerRow | None, LedgerRow | None]]
    following: RestoredPlace | None


class RestoredPostings(Protocol):
    """Reads a restored table and the present one. Raises: UnknownId, TryAgain."""

    def page(self, start: RestoredPlace | None) -> RestoredPage:
        """Read a page of at most 1 MB after a place, None for the first."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A part of a comparison: how many postings were compared, what differs, where to read on."""

    postings: int
    found: Sequence[Finding]
    following: RestoredPlace | None


def compare_part(
    restored: RestoredPostings, start: RestoredPlace | None, has_time: HasTime
) -> Compared:
    """Compare the postings of a restored table with the present ones, while there is time.

    A posting is never changed or deleted, so each restored one must be there unchanged. The
    restored table does not change, and a posting is either there or not: writers may go on.
    Raises: UnknownId, TryAgain.
    """
    postings, found = 0, list[Finding]()
    while True:
        page = restored.page(start)
        postings += len(page.pairs)
        for then, now in page.pairs:
            found += restored_findings(then, now)
        start = page.following
        if start is None or len(found) >= FINDINGS_MAX or not has_time():
            return Compared(postings, found, start)
