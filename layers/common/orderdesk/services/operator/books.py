"""Acknowledge a finding of the newest seal (contract section 13)."""

from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.ledger.seals import BrokenSeal, OpenFinding
from orderdesk.domain.operators import (
    BooksUnproved,
    UnacceptableTerms,
    UnknownId,
    required_text_problems,
)
from orderdesk.domain.proposals import Plan
from orderdesk.services.ledger.seal import SealStore
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.ports import Proposals


def acknowledge(
    seals: SealStore, proposals: Proposals, operator: Operator, finding_id: str, reason: str
) -> OpenFinding:
    """Accept a finding; the next seal has it among the acknowledged ones and re-bases its sums.

    The audit entry is all that is written; the seal reads it.
    Raises: UnknownId unless the newest seal has it, UnacceptableTerms, ProposalNeeded,
    BooksUnproved, TryAgain.
    """
    problems = required_text_problems("reason", reason)
    if problems:
        raise UnacceptableTerms(problems)
    name = seals.newest()
    try:
        sealed = [] if name is None else seals.load(name).findings
    except BrokenSeal as broken:
        raise BooksUnproved(str(broken)) from None
    found = next((each for each in sealed if each.finding_id == finding_id), None)
    if found is None:
        raise UnknownId("open finding in the newest seal", finding_id)
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
        proposals.record(entry, operator.chance.token())
        return found

    return operator.commit(attempt)
