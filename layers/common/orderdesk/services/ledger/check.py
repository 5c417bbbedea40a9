"""Check the books now: the newest seal, and what came after (contract section 13).

The proof of a window is run on the span that is not sealed yet. Money moves while it is read, so
what differs is read again; only what each reading finds the same is a finding.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from orderdesk.domain.accounts import WINDOW_SECONDS
from orderdesk.domain.ledger.seals import (
    NOTHING_SEALED,
    BrokenSeal,
    Finding,
    FindingKind,
    OpenFinding,
    Seal,
    SealName,
    SealSummary,
    day_end,
    finding_id,
)
from orderdesk.domain.ledger.span import SealedSpan, SumsRow
from orderdesk.domain.proposals import Proposal
from orderdesk.domain.times import SECONDS_PER_DAY
from orderdesk.services.ledger.seal import AHEAD_SECONDS, SealPorts, prove
from orderdesk.services.retrying import PauseMs

READINGS_MAX = 3
PAUSE_MS = 1000
"""Longer than any transaction that was running when a reading ended."""
POSTINGS_MAX = 5_000
"""The check proves this many postings that are sealed already again, if that is enough."""
SEALS_MAX = SECONDS_PER_DAY // WINDOW_SECONDS
"""How many seals a trading day has."""


@dataclass(frozen=True, slots=True)
class OpenBooks:
    """The books now: a seal that is not made, its balances, and the newest seal that is.

    `findings` are all open ones. `sealed` are the ids of those in the newest seal. `acknowledged`
    counts the accepted ones in it, `withdrawals` the open ones.
    """

    seal: Seal
    findings: Sequence[OpenFinding]
    sealed: frozenset[str] = frozenset()
    acknowledged: int = 0
    withdrawals: int = 0
    balances: Mapping[str, Mapping[int, SumsRow]] = field(default_factory=dict, repr=False)
    newest: SealSummary | None = None


def check_books(ports: SealPorts, pause_ms: PauseMs) -> OpenBooks:
    """Prove what came after a seal; the newest one, or an earlier one with few postings since.

    Raises: TryAgain.
    """
    found = ports.seals.newest_first(limit=SEALS_MAX)
    if not found:
        return open_books(ports, pause_ms, (NOTHING_SEALED, None), NOTHING_SEALED)
    newest = found[0]
    try:
        last = ports.seals.load(newest.name)
        base = _base(ports, found) or (last, newest.name)
    except BrokenSeal as broken:
        last = replace(NOTHING_SEALED, findings=[_broken(broken)])
        base = _base(ports, found) or (NOTHING_SEALED, None)
    return replace(open_books(ports, pause_ms, base, last), newest=newest)


type Base = tuple[Seal, SealName | None]


def _base(ports: SealPorts, newest_first: Sequence[SealSummary]) -> Base | None:
    """Return the oldest of these seals that the check can begin at, None for the newest one.

    The more that was sealed is proved again, the more of what was changed since then is found. It
    is bounded by the number of postings, so the time does not grow.
    """
    newest = newest_first[0]
    if newest.postings <= POSTINGS_MAX:
        return NOTHING_SEALED, None
    for summary in reversed(newest_first):
        if newest.postings - summary.postings <= POSTINGS_MAX:
            try:
                return ports.seals.load(summary.name), summary.name
            except BrokenSeal:
                continue
    return None


def _broken(broken: BrokenSeal) -> OpenFinding:
    finding = Finding(FindingKind.BROKEN_SEAL, f"seal {broken.end}", 0, 1, problem=broken.problem)
    return OpenFinding(finding_id(None, finding), broken.end, finding)


def open_books(
    ports: SealPorts, pause_ms: PauseMs, base: Base, last: Seal, *, until: int | None = None
) -> OpenBooks:
    """Prove what came after a seal, until now or another time (Unix seconds).

    It is read up to three times, until nothing differs that `last`, the newest seal, does not have.
    Raises: TryAgain.
    """
    previous, name = base
    names = frozenset(each.finding_id for each in last.findings)
    found: dict[str, OpenFinding] | None = None
    for number in range(READINGS_MAX):
        if number:
            pause_ms(PAUSE_MS)
        now = ports.now()
        end = min(now + AHEAD_SECONDS, until or day_end(now))
        span = SealedSpan(previous, end, is_open=end > now)
        seal = prove(ports, span, name).seal
        now_found = {each.finding_id: each for each in seal.findings}
        found = {key: each for key, each in now_found.items() if found is None or key in found}
        if found.keys() <= names:
            break
    sealed = {each.finding_id: each for each in last.findings}
    standing = {**(found or {}), **{key: sealed[key] for key in found or {} if key in sealed}}
    standing |= {key: each for key, each in sealed.items() if each.parity is None}
    open_now = [each for key, each in standing.items() if key not in span.accepted]
    rows = (span.decisions[number] for number in seal.proposals)
    holding = sum(isinstance(row, Proposal) and row.hold is not None for row in rows)
    return OpenBooks(
        seal,
        sorted(open_now, key=lambda each: each.finding_id),
        names,
        len(last.acknowledged),
        len(seal.requests) + holding,
        span.balances,
    )
