"""`proposal.*`: what one person proposed and another one decides."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import StringConstraints

from orderdesk.domain.merchants.withdrawals import is_request_no
from orderdesk.domain.proposals import Proposal, TwoPersonCommand, is_proposal_no
from orderdesk.services.operator import proposals as decisions
from orderdesk.services.operator import withdrawals
from orderdesk.services.operator.proposals import known_proposal, list_proposals
from orderdesk.web.operator.outcomes import proposal_data, request_data
from orderdesk.web.operator.parameters import (
    PAGE_MAX,
    CommandParameters,
    Flag,
    FreeText,
    Limit,
    WriteParameters,
    written_as,
)
from orderdesk.web.operator.ports import OperatorPorts

ProposalNo = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=64)]


class ProposalParameters(CommandParameters):
    """Parameters of `proposal.show`."""

    proposal_no: ProposalNo


class DecisionParameters(WriteParameters):
    """Parameters of `proposal.approve` and `proposal.reveal`."""

    proposal_no: ProposalNo


class RejectionParameters(DecisionParameters):
    """Parameters of `proposal.reject`."""

    reason: FreeText


class ProposalsParameters(CommandParameters):
    """Parameters of `proposal.list`."""

    open_only: Flag = False
    limit: Limit = PAGE_MAX
    after: Annotated[str, written_as(is_proposal_no)] | None = None


class WithdrawalsParameters(ProposalsParameters):
    """Parameters of `withdraw.list`; a page can end with a request."""

    after: Annotated[str, written_as(lambda no: is_proposal_no(no) or is_request_no(no))] | None = (
        None
    )


def list_all(ports: OperatorPorts, asked: ProposalsParameters) -> Mapping[str, object]:
    """Return a page of proposals, newest first."""
    now = ports.operator.now()
    page = list_proposals(
        ports.proposals, now, limit=asked.limit, after=asked.after, open_only=asked.open_only
    )
    items = [proposal_data(proposal, now) for proposal in page.items]
    return {"items": items, "next": page.following}


def list_withdrawals(ports: OperatorPorts, asked: WithdrawalsParameters) -> Mapping[str, object]:
    """Return a page of the open requests, oldest first, then of withdrawals, newest first."""
    now = ports.operator.now()
    page = withdrawals.list_withdrawals(
        ports, now, limit=asked.limit, after=asked.after, open_only=asked.open_only
    )
    items = [
        proposal_data(item, now) if isinstance(item, Proposal) else request_data(item)
        for item in page.items
    ]
    return {"items": items, "next": page.following}


def show(ports: OperatorPorts, asked: ProposalParameters) -> Mapping[str, object]:
    """Return a proposal. Raises: UnknownId."""
    return proposal_data(known_proposal(ports.proposals, asked.proposal_no), ports.operator.now())


def approve(ports: OperatorPorts, asked: DecisionParameters) -> Mapping[str, object]:
    """Execute a proposal, and return it."""
    done = decisions.approve(ports, ports.operator, asked.proposal_no)
    return proposal_data(done, ports.operator.now())


def reject(ports: OperatorPorts, asked: RejectionParameters) -> Mapping[str, object]:
    """Reject a proposal, and return it."""
    done = decisions.reject(ports.proposals, ports.operator, asked.proposal_no, asked.reason)
    return proposal_data(done, ports.operator.now())


def reveal(ports: OperatorPorts, asked: DecisionParameters) -> Mapping[str, object]:
    """Return the secret that an approved proposal made; each call is audited."""
    shown = decisions.reveal(ports.proposals, ports.vault, ports.operator, asked.proposal_no)
    is_link = shown.proposal.command is TwoPersonCommand.INVITE_MEMBER
    return {
        **proposal_data(shown.proposal, ports.operator.now()),
        "secret": shown.secret,
        **({"invite_url": shown.secret} if is_link else {}),
    }
