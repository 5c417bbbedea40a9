"""Acknowledge a finding of the newest seal, and report a trading day (contract section 13).

The report of a day is from the seal of its end; that of today from the books now. The figures of a
day's orders are those of a day later, because orders end after the day on which they were created.
"""

from dataclasses import replace
from datetime import timedelta

from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.ledger.day_report import Day, DayReport, day_of
from orderdesk.domain.ledger.seals import NOTHING_SEALED, BrokenSeal, OpenFinding, Seal, SealSummary
from orderdesk.domain.operators import OperatorRefusal, known, refuse_unfit, required_text_problems
from orderdesk.domain.orders.day_figures import DayFigures, figures_name
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import Plan
from orderdesk.domain.times import trading_day
from orderdesk.services.ledger.check import POSTINGS_MAX, Base, open_books
from orderdesk.services.ledger.seal import SealPorts, SealStore
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.ports import Proposals
from orderdesk.services.retrying import PauseMs


def acknowledge(
    seals: SealStore, proposals: Proposals, operator: Operator, finding_id: str, reason: str
) -> OpenFinding:
    """Accept a finding; the next seal has it among the acknowledged ones and re-bases its sums.

    The audit entry is all that is written; the seal reads it.
    Raises: UnknownId unless the newest seal has it, UnacceptableTerms, ProposalNeeded,
    OperatorRefusal if that is not what the chain of seals says, TryAgain.
    """
    refuse_unfit(required_text_problems("reason", reason))
    name = seals.newest()
    try:
        sealed = [] if name is None else seals.load(name).findings
    except BrokenSeal as broken:
        raise OperatorRefusal(str(broken)) from None
    found = known(
        next((each for each in sealed if each.finding_id == finding_id), None),
        "open finding in the newest seal",
        finding_id,
    )
    finding, amounts = found.finding, found.finding.amounts
    subject = finding.order_no or finding.proposal_no or finding.account or finding.key
    plan = Plan(
        target=subject,
        summary=f"Accept finding {finding_id}: {finding.kind.value} of {finding.key}",
        before={"expected": str(amounts["expected"])},
        after={"accepted": str(amounts["actual"]), "kind": finding.kind.value, "key": finding.key},
        reason=reason,
        basis={"finding": finding_id},
    )
    permit = operator.permit(plan, Effect(Power.BOOKS))

    def attempt() -> OpenFinding:
        details = {"finding": finding_id, "kind": finding.kind.value, "key": finding.key}
        entry = permit.entry("ledger.acknowledge", details)
        proposals.record(entry)
        return found

    return operator.commit(attempt)


def report_of_day(ports: SealPorts, pause_ms: PauseMs, day: Day) -> DayReport:
    """Return the report of a day: of a sealed one without a read of what it proved.

    Raises: OperatorRefusal if it has not begun, or if no seal proves it; TryAgain.
    """
    if ports.now() < day.start:
        raise OperatorRefusal(f"{day.date} has not begun (UTC+8)")
    if day.start < 0:  # no key has a time before 1970
        return _report(day, NOTHING_SEALED, NOTHING_SEALED)
    try:
        found = ports.seals.newest_first()
        if found and found[0].name.end >= day.end:
            return _sealed(ports, pause_ms, day, found[0])
        base = (ports.seals.load(found[0].name), found[0].name) if found else (NOTHING_SEALED, None)
        return _open(ports, pause_ms, day, base)
    except BrokenSeal as broken:
        raise OperatorRefusal(f"no seal proves {day.date}: {broken}") from None


def newest_seal(seals: SealStore) -> Seal:
    """Return the newest seal, or the empty one: without a seal, or if it is broken.

    Raises: TryAgain.
    """
    found = seals.newest_first()
    try:
        return seals.load(found[0].name) if found else NOTHING_SEALED
    except BrokenSeal:
        return NOTHING_SEALED  # `ledger.check` finds it


def _sealed(ports: SealPorts, pause_ms: PauseMs, day: Day, newest: SealSummary) -> DayReport:
    """Return the report of a day before the newest seal; a day before the first one has no seal."""
    ends = ports.seals.newest_first(day.end + 1)
    if ends and ends[0].name.end == day.end:
        seal = ports.seals.load(ends[0].name)
        next_end = day_of(day.date + timedelta(days=1)).end
        later = ports.seals.newest_first(next_end + 1)[0].name
        return _report(day, seal, seal if later.end == day.end else ports.seals.load(later))
    if newest.postings > POSTINGS_MAX:
        raise OperatorRefusal(f"no seal proves {day.date}: it ended before the first seal")
    return _open(ports, pause_ms, day, (NOTHING_SEALED, None))


def _open(ports: SealPorts, pause_ms: PauseMs, day: Day, base: Base) -> DayReport:
    """Return the report of a day that is not sealed, from a seal and what came after it."""
    books = open_books(ports, pause_ms, base, base[0], until=day.end)
    return _report(day, replace(books.seal, findings=books.findings), books.seal)


def _report(day: Day, seal: Seal, later: Seal) -> DayReport:
    number = trading_day(day.start)
    figures = {mode: DayFigures(later.figures.get(figures_name(number, mode), {})) for mode in Mode}
    return DayReport(day, seal.accounts, seal.findings, figures)
