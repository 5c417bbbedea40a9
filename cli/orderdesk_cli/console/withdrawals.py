"""Withdrawals: those that wait for a second operator, and those that were decided."""

from starlette.responses import Response

from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import OperatorRefusal, is_same_person
from orderdesk.domain.proposals import Proposal, ProposalStatus, Sum
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator import proposals as steps
from orderdesk.services.operator.proposals import list_proposals
from orderdesk_cli.console.questions import WHY, Question, ask
from orderdesk_cli.console.sheets import Action, Cell, Cells, Fact, Section, Table, facts, number
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.output import time_text
from orderdesk_cli.wiring import Office

DECIDED_SHOWN = 50
_OPEN_SHOWN = 100
_COLUMNS = ("withdrawal", "status", "account", "USDT", "proposed by", "decided by", "memo")


def all_withdrawals(office: Office, *, open_only: bool) -> list[Proposal]:
    """Read all withdrawals, the newest first."""
    found: list[Proposal] = []
    after: str | None = None
    while True:
        page = list_proposals(
            office.proposals,
            office.now(),
            limit=100,
            after=after,
            open_only=open_only,
            commands=lambda command: command.takes_money,
        )
        found += page.items
        after = page.following
        if after is None:
            return found


def money_of(proposal: Proposal) -> Sum:
    """Return what a withdrawal takes."""
    assert proposal.plan.money is not None
    return proposal.plan.money


def listed(visit: Visit) -> Response:
    """Show the open withdrawals, a section each, and below them the last that were decided."""
    waiting = all_withdrawals(visit.office, open_only=True)[:_OPEN_SHOWN]
    newest = all_withdrawals(visit.office, open_only=False)
    decided = [each for each in newest if each.status is not ProposalStatus.OPEN][:DECIDED_SHOWN]
    rows: list[Cells] = [
        [
            each.proposal_no,
            Cell(each.status.value, chip=each.status.value),
            money_of(each).account.key,
            number(format_usdt(money_of(each).amount_micro)),
            each.proposed_by,
            each.decided_by,
            each.plan.reason,
        ]
        for each in decided
    ]
    sections = [_open(visit, each) for each in waiting]
    table = Table("Decided withdrawals", _COLUMNS, rows, "None was decided yet.")
    sections.append(Section(heading="Decided", tables=[table]))
    lead = f"Waiting for a decision: {len(waiting)}." if waiting else "None waits for a decision."
    return visit.page(
        "sheet.html", section="withdrawals", title="Withdrawals", lead=lead, sections=sections
    )


def _open(visit: Visit, withdrawal: Proposal) -> Section:
    place = f"withdrawals/{withdrawal.proposal_no}"
    is_own = _is_own(visit, withdrawal)
    approve = [] if is_own else [Action("Approve", visit.to(f"{place}/approve"))]
    return Section(
        heading=f"{format_usdt(money_of(withdrawal).amount_micro)} USDT",
        note="You proposed it: another person has to approve it." if is_own else "",
        facts=_facts(withdrawal),
        actions=[*approve, Action("Reject", visit.to(f"{place}/reject"), "wrong")],
    )


def asked_to_approve(visit: Visit) -> Response:
    """Ask whether to pay a withdrawal out."""
    return _asked(visit, "Pay this withdrawal out?", "The USDT leaves the account.", "Pay out")


def asked_to_reject(visit: Visit) -> Response:
    """Ask why a withdrawal is rejected."""
    return _asked(visit, "Reject this withdrawal?", "The amount goes back.", "Reject", "wrong")


def approved(visit: Visit) -> Response:
    """Pay a withdrawal out; refused to the operator who proposed it."""
    steps.approve(visit.office, visit.office.proposer, visit.parts["number"])
    return visit.go("withdrawals")


def rejected(visit: Visit) -> Response:
    """Give a withdrawal's amount back."""
    number_of = visit.parts["number"]
    steps.reject(visit.office.proposals, visit.office.proposer, number_of, visit.reason)
    return visit.go("withdrawals")


def _asked(visit: Visit, title: str, text: str, button: str, look: str = "") -> Response:
    withdrawal = steps.known_proposal(visit.office.proposals, visit.parts["number"])
    if withdrawal.status is not ProposalStatus.OPEN:
        told = f"{withdrawal.proposal_no} was {withdrawal.status.value} before."
        raise OperatorRefusal(told)
    question = Question(
        title=title,
        text=text,
        button=button,
        back=visit.to("withdrawals"),
        facts=_facts(withdrawal),
        fields=[WHY] if look else [],
        look=look,
    )
    return ask(visit, "withdrawals", question)


def _facts(withdrawal: Proposal) -> list[Fact]:
    return facts(
        withdrawal=withdrawal.proposal_no,
        account=money_of(withdrawal).account.key,
        USDT=number(format_usdt(money_of(withdrawal).amount_micro)),
        memo=withdrawal.plan.reason,
        proposed=time_text(withdrawal.proposed_at_us // US_PER_SECOND),
        proposed_by=withdrawal.proposed_by,
    )


def _is_own(visit: Visit, withdrawal: Proposal) -> bool:
    return is_same_person(visit.office.operator.who, withdrawal.proposed_by)
