"""`proposal.*`: what one person proposed and another one decides; and the results of writes."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated

from pydantic import StringConstraints

from orderdesk.domain.authority import Power
from orderdesk.domain.ids import token_hash
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest, is_request_no
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import SecondPersonNeeded, is_same_person
from orderdesk.domain.proposals import (
    TRANSFERS,
    PartResult,
    Proposal,
    ProposalStatus,
    Sum,
    is_proposal_no,
)
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator import funds
from orderdesk.services.operator import proposals as decisions
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.proposals import (
    Repeated,
    SentCommand,
    known_proposal,
    list_proposals,
)
from orderdesk.services.operator.traders import known_trader
from orderdesk.web.body import parse_object
from orderdesk.web.merchant.views import row_of
from orderdesk.web.operator import parameters as wire
from orderdesk.web.operator.declare import DECLARED, Json, OperatorPorts, Role, Row, command, powers
from orderdesk.web.operator.order_views import owner_id
from orderdesk.web.operator.parameters import CommandParameters, WriteParameters, told
from orderdesk.web.operator.parties import with_names
from orderdesk.web.pages.values import code_address

ProposalNo = Annotated[
    str, StringConstraints(strict=True, min_length=1, max_length=64), told("proposal_no.")
]

_CODE = "qr_code"
_INVITE = "merchant.invite"
_ADD_TRADER = "trader.add"
_CODES = frozenset({_ADD_TRADER, "trader.reset-code"})
_ID_OF_SUBJECT = {
    "merchant": "merchant_id",
    "trader": "trader_id",
    "order": "order_no",
    "callback": "webhook_id",
}


class ProposalParameters(CommandParameters):
    proposal_no: ProposalNo


class DecisionParameters(WriteParameters):
    proposal_no: ProposalNo


class ApprovalParameters(DecisionParameters):
    """Parameters of `proposal.approve`; `digest` is of what the approver has seen."""

    digest: wire.FreeText = told("Of what `proposal show` returned; without it you are asked.")


class RejectionParameters(DecisionParameters):
    reason: wire.NeededReason


class ProposalsParameters(CommandParameters):
    open_only: wire.Flag = told("Only those that nobody has decided.", False)
    limit: wire.Limit = wire.PAGE_MAX
    after: Annotated[str, wire.written_as(is_proposal_no)] | None = None


class WithdrawalsParameters(ProposalsParameters):
    """Parameters of `withdraw.list`; a page can end with a request."""

    after: (
        Annotated[str, wire.written_as(lambda no: is_proposal_no(no) or is_request_no(no))] | None
    ) = None


@command("proposal.list", Role.VIEWER)
def list_all(ports: OperatorPorts, asked: ProposalsParameters) -> Json:
    """List proposals, the newest first."""
    now = ports.operator.now()
    page = list_proposals(
        ports.proposals, now, limit=asked.limit, after=asked.after, open_only=asked.open_only
    )
    items = with_names(ports.reads, (proposal_data(proposal, now) for proposal in page.items))
    return {"items": items, "next": page.following}


@command("withdraw.list", Role.VIEWER)
def list_withdrawals(ports: OperatorPorts, asked: WithdrawalsParameters) -> Json:
    """List merchants' open requests, then withdrawals, the newest first."""
    now = ports.operator.now()
    page = funds.list_withdrawals(
        ports, now, limit=asked.limit, after=asked.after, open_only=asked.open_only
    )
    items = (
        proposal_data(item, now) if isinstance(item, Proposal) else request_data(item)
        for item in page.items
    )
    return {"items": with_names(ports.reads, items), "next": page.following}


@command("proposal.show", Role.VIEWER)
def show(ports: OperatorPorts, asked: ProposalParameters) -> Json:
    """Show a proposal: what it changes, who proposed it, who decided it.

    Who may decide it sees everything that it would write. Raises: UnknownId, TryAgain.
    """
    proposal = known_proposal(ports.proposals, asked.proposal_no)
    (data,) = with_names(ports.reads, [proposal_data(proposal, ports.operator.now())])
    is_open = proposal.status_at(ports.operator.now()) is ProposalStatus.OPEN
    if not (is_open and may_decide(ports, proposal)):
        return data
    decisions.record_show(ports, proposal)
    return data | _whole_data(proposal)


def may_decide(ports: OperatorPorts, proposal: Proposal) -> bool:
    """Return whether the caller may call the proposed command, and so may decide it."""
    return bool(ports.rights.allowed([proposal.command]))


def _whole_data(proposal: Proposal) -> Row:
    """Return what is written and what it replaces, unmasked; a payment code is drawn, too."""
    plan = proposal.plan
    before, after = ({**plan.before, **plan.whole.before}, {**plan.after, **plan.whole.after})
    data: Row = {"whole": {"before": before, "after": after}}
    code = plan.whole.after.get(_CODE)
    return data | ({"code": {"text": code, "picture": code_address(code)}} if code else {})


@command("proposal.approve", Role.SUPPORT, powers(Power.CONTACT, "proposal_no digest"))
def approve(ports: OperatorPorts, asked: ApprovalParameters) -> Json:
    """Execute what another person proposed, after reading all of it; not by its proposer."""
    _check_decider(ports, asked.proposal_no)
    run = partial(run_stored, ports)
    done = decisions.approve(ports, asked.proposal_no, asked.digest, run)
    return proposal_data(done, ports.operator.now())


def run_stored(ports: OperatorPorts, operator: Operator, stored: SentCommand) -> None:
    """Run a proposal's command for the operator who decides."""
    command = DECLARED[stored.command]
    sent = parse_object(stored.parameters.encode())
    command.run(ports.acting(operator), command.parameters.model_validate(sent))


@command("proposal.reject", Role.SUPPORT, powers(Power.CONTACT, "proposal_no"))
def reject(ports: OperatorPorts, asked: RejectionParameters) -> Json:
    """Reject a proposal and release what it holds; its proposer withdraws it so."""
    _check_decider(ports, asked.proposal_no)
    done = decisions.reject(ports, asked.proposal_no, asked.reason)
    return proposal_data(done, ports.operator.now())


def _check_decider(ports: OperatorPorts, proposal_no: str) -> None:
    """Raise SecondPersonNeeded unless the caller may call the proposed command, or proposed it."""
    proposal = known_proposal(ports.proposals, proposal_no)
    if is_same_person(proposal.proposed_by, ports.operator.who):
        return
    if not may_decide(ports, proposal):
        whose = f"{proposal_no} is decided by those who may call {proposal.command}"
        raise SecondPersonNeeded(f"{whose}: you may not")


@command("proposal.reveal", Role.SUPPORT, powers(Power.CONTACT, "proposal_no"))
def reveal(ports: OperatorPorts, asked: DecisionParameters) -> Json:
    """Show your half of the secret that an approval made: until it is used, at most 24 h."""

    def is_used(proposal: Proposal, halves: Sequence[str]) -> bool:
        target = proposal.plan.target
        if proposal.command in _CODES:
            trader, code = known_trader(ports.traders, target), token_hash("-".join(halves))
            access = trader.access
            return access.access_code_hash != code or access.code_used == access.code_mark
        if proposal.command == _INVITE:
            invited = token_hash(halves[0].rpartition(".")[2])
            team = ports.merchants.team(target)
            return all(each.token_hash != invited for each in team.invitations)
        return False

    shown = decisions.reveal(ports, asked.proposal_no, is_used)
    is_link = shown.secret.startswith("http")
    return {
        **proposal_data(shown.proposal, ports.operator.now()),
        "secret": shown.secret,
        **({"invite_url": shown.secret} if is_link else {}),
    }


def repeated(ports: OperatorPorts, command: str, first: Repeated) -> Json:
    """Return the ids of a first answer by their names there, and its proposal as it is now."""
    number = first.ids.get("proposal_no")
    if number is None:
        more = _named_ids(command, first.ids)
    else:
        more = proposed(ports, known_proposal(ports.proposals, number))
    return {"repeated": True, **first.ids, **more}


def _named_ids(command: str, ids: Mapping[str, str]) -> Json:
    """Return the ids of a command that was executed at once, by the names of its own answer."""
    group, _, verb = command.partition(".")
    is_transfer = command in TRANSFERS
    name = _ID_OF_SUBJECT.get(verb if is_transfer else group)
    if is_transfer and name is None:
        name = "merchant_id"  # deposit.release, fees.withdraw
    return {
        **({} if name is None else {name: ids["target"]}),
        **({"transfer_id": ids["audit_id"]} if is_transfer else {}),
    }


def proposed(ports: OperatorPorts, proposal: Proposal) -> Json:
    """Return the data of a command that answers a proposal, and the number of what it is about.

    A withdrawal has its withdrawal_no, a trader that it admits its trader_id.
    """
    number = {"withdrawal_no": proposal.proposal_no} if proposal.takes_money else {}
    if proposal.command == _ADD_TRADER:
        number = {"trader_id": proposal.plan.target}
    return {"proposal": proposal_data(proposal, ports.operator.now()), **number}


def proposal_data(proposal: Proposal, now: int) -> Row:
    """Return a proposal as JSON data, `now` in Unix seconds; it never has a secret."""
    return {
        **row_of(proposal, "proposal_no command"),
        "status": proposal.status_at(now).value,
        **row_of(proposal.plan, "target summary before after memo=reason"),
        **row_of(proposal, "proposed_by proposed_at_us expires_at decided_by? decided_at_us"),
        "executed_at": _executed_at(proposal),
        **row_of(proposal, "reason? digest reveal_until?"),
        **({"results": results_data(proposal.results)} if proposal.results else {}),
        **({} if proposal.plan.money is None else _money_data(proposal, proposal.plan.money)),
    }


def results_data(results: Sequence[PartResult]) -> list[Row]:
    """Return what became of each order of a list."""
    return [row_of(each, "order_no status refused?") for each in results]


def _executed_at(proposal: Proposal) -> int | None:
    """Return when a proposal was executed: when it was approved, unless it waited for a seal."""
    if proposal.status is not ProposalStatus.EXECUTED:
        return None
    at_us = proposal.executed_at_us or proposal.decided_at_us
    return None if at_us is None else at_us // US_PER_SECOND


_WITHDRAWAL = "withdrawal_no=proposal_no plan.request_no? txid? sent_at_us"


def _money_data(proposal: Proposal, money: Sum) -> Row:
    account = money.account
    return {
        **(row_of(proposal, _WITHDRAWAL) if proposal.takes_money else {}),
        **owner_id(account),
        "is_test": account.mode.is_test,
        "amount": format_usdt(money.amount_micro),
    }


def request_data(request: WithdrawalRequest) -> Row:
    """Return a merchant's withdrawal request as JSON data."""
    amount = format_usdt(request.amount_micro)
    return {
        **row_of(request, "request_no status=shown_status"),
        "summary": f"{request.request_no}: {amount} USDT from {request.money.account.key}",
        **row_of(request, "merchant_id amount_micro network address address_label=label"),
        **row_of(request, "address_added_at memo? requested_by requested_at_us proposal_no?"),
        **row_of(request, "decided_at_us reason? txid? sent_at_us"),
    }
