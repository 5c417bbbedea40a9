"""Withdrawals: those that wait for a second operator, and those that were decided."""

from itertools import islice

from starlette.responses import Response

from orderdesk.domain.ledger.withdrawals import Withdrawal
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import OperatorRefusal, principal_of
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator import withdrawals as steps
from orderdesk_cli.console.questions import WHY, Question, ask
from orderdesk_cli.console.sheets import Action, Cell, Cells, Fact, Section, Table, facts, number
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.output import time_text

DECIDED_SHOWN = 50
_OPEN_SHOWN = 100
_COLUMNS = ("withdrawal", "status", "account", "USDT", "proposed by", "decided by", "memo")


def listed(visit: Visit) -> Response:
    """Show the open withdrawals, a section each, and below them the last that were decided."""
    stored = visit.office.withdrawals
    waiting = list(islice(stored.withdrawals(open_only=True), _OPEN_SHOWN))
    newest = islice(stored.withdrawals(open_only=False), _OPEN_SHOWN + DECIDED_SHOWN)
    decided = [each for each in newest if not each.is_open][:DECIDED_SHOWN]
    rows: list[Cells] = [
        [
            each.withdrawal_no,
            Cell(each.status.value, chip=each.status.value),
            each.account.key,
            number(format_usdt(each.amount_micro)),
            each.proposed_by,
            each.decided_by,
            each.memo,
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


def _open(visit: Visit, withdrawal: Withdrawal) -> Section:
    place = f"withdrawals/{withdrawal.withdrawal_no}"
    is_own = _is_own(visit, withdrawal)
    approve = [] if is_own else [Action("Approve", visit.to(f"{place}/approve"))]
    return Section(
        heading=f"{format_usdt(withdrawal.amount_micro)} USDT",
        note="You proposed it: another operator has to approve it." if is_own else "",
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
    steps.approve(visit.office.withdrawals, visit.office.operator, visit.parts["number"])
    return visit.go("withdrawals")


def rejected(visit: Visit) -> Response:
    """Give a withdrawal's amount back."""
    number_of = visit.parts["number"]
    steps.reject(visit.office.withdrawals, visit.office.operator, number_of, visit.reason)
    return visit.go("withdrawals")


def _asked(visit: Visit, title: str, text: str, button: str, look: str = "") -> Response:
    withdrawal = steps.known_withdrawal(visit.office.withdrawals, visit.parts["number"])
    if not withdrawal.is_open:
        told = f"{withdrawal.withdrawal_no} was {withdrawal.status.value} before."
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


def _facts(withdrawal: Withdrawal) -> list[Fact]:
    return facts(
        withdrawal=withdrawal.withdrawal_no,
        account=withdrawal.account.key,
        USDT=number(format_usdt(withdrawal.amount_micro)),
        memo=withdrawal.memo,
        proposed=time_text(withdrawal.proposed_at_us // US_PER_SECOND),
        proposed_by=withdrawal.proposed_by,
    )


def _is_own(visit: Visit, withdrawal: Withdrawal) -> bool:
    own = principal_of(visit.office.operator.who)
    return own is not None and own == principal_of(withdrawal.proposed_by)
