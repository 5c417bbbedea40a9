"""`orderdesk proposal …`, and `approve` and `reject`: what a second person decides."""

from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk_cli.commands import Commands
from orderdesk_cli.options import RequiredReason
from orderdesk_cli.sheets.proposals import PROPOSAL, PROPOSALS, REVEALED

if TYPE_CHECKING:
    from orderdesk_cli.api import Api
    from orderdesk_cli.commands import Parameters
    from orderdesk_cli.sheets.sheet import Json, Sheet

commands, top = Commands(), Commands()
group = commands.typer

OpenOnly = Annotated[bool, typer.Option("--open", help="Only those that nobody has decided.")]
ProposalNo = Annotated[str, typer.Argument(metavar="NO", help="proposal_no.", show_default=False)]


def _asks(api: "Api", given: "Parameters") -> "tuple[Json, Sheet]":
    return api.call("proposal.show", proposal_no=given["proposal_no"]), PROPOSAL


def approve_command(group: Commands) -> None:
    """Add `approve` to a group."""

    @group.writes("proposal.approve", PROPOSAL, asks=_asks)
    def approve(proposal_no: ProposalNo) -> None:
        """Execute what another person proposed; not by the person who proposed it."""


def reject_command(group: Commands) -> None:
    """Add `reject` to a group."""

    @group.writes("proposal.reject", PROPOSAL, asks=_asks)
    def reject(proposal_no: ProposalNo, *, reason: RequiredReason) -> None:
        """Reject a proposal and release what it holds; its proposer withdraws it so."""


for _group in (commands, top):
    approve_command(_group)
    reject_command(_group)


@commands.lists("proposal.list", PROPOSALS)
def list_proposals(open_only: OpenOnly = False) -> None:
    """List proposals, the newest first."""


@commands.reads("proposal.show", PROPOSAL)
def show(proposal_no: ProposalNo) -> None:
    """Show a proposal: what it changes, who proposed it, who decided it."""


@commands.writes("proposal.reveal", REVEALED)
def reveal(proposal_no: ProposalNo) -> None:
    """Show the secret that an approved proposal made; to its proposer only, for an hour."""
