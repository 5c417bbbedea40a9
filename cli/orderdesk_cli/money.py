"""`orderdesk fund|withdraw|deposit|fees|proposal|rate …`, `approve`, `reject`: money, decisions.

Live money needs a second person.
"""

import click

from orderdesk_cli.answering import Answer, confirm, is_at_terminal
from orderdesk_cli.api import Api
from orderdesk_cli.commands import DECLARED, Declared, Foreseen, Parameters, Said, calls, runs
from orderdesk_cli.sheets import operators as sheets
from orderdesk_cli.sheets.sheet import Json, Sheet


def _about(command: str, kind: str) -> Foreseen:
    """Return what shows the money command on a merchant or trader before it is asked for."""

    def shown(api: Api, given: Parameters) -> tuple[Json, Sheet]:
        its_id = given[f"{kind}_id"]
        named = api.call(f"{kind}.show", **{f"{kind}_id": its_id})
        return {**given, "command": command, f"{kind}_name": named.get("name")}, sheets.FORESEEN

    return shown


def _proposal(api: Api, given: Parameters) -> tuple[Json, Sheet]:
    return api.call("proposal.show", proposal_no=given["proposal_no"]), sheets.PROPOSAL


def _transfer(command: str, of: str = "") -> click.Command:
    of = of or command.rpartition(".")[2]
    asks = f"{of}_id! amount! is_test memo!"
    return calls(command, sheets.TRANSFERRED, asks=asks, question=_about(command, of))


@runs("approve", "proposal.approve:proposal_no digest", writes=True)
def _approve(api: Api, said: Said, proposal_no: str, digest: str | None) -> Answer:
    """Execute what another person proposed, after showing all of it; not by its proposer."""
    shown = {} if digest else api.call("proposal.show", proposal_no=proposal_no)
    if is_at_terminal() and not digest:
        confirm(lambda: (shown, sheets.PROPOSAL), is_agreed=False)
    elif not digest:
        # The API refuses its proposer whatever was seen, which is no wrong usage.
        names = (shown["proposed_by"], api.call("rights.list")["person"])
        if len({str(name).casefold() for name in names}) > 1:
            raise click.UsageError(
                "without a terminal it needs --digest, which `proposal show` returns"
            )
    sent = {"proposal_no": proposal_no, "digest": digest or shown.get("digest")}
    return Answer(api.write("proposal.approve", alone=said.alone, **sent), sheets.PROPOSAL)


DECLARED["proposal.approve"] = Declared(sheets.PROPOSAL, "proposal_no")
_DECISIONS = [_approve, calls("proposal.reject", sheets.PROPOSAL, question=_proposal)]

COMMANDS = {
    "": _DECISIONS,
    "fund": [_transfer("fund.merchant"), _transfer("fund.trader")],
    "deposit": [_transfer("deposit.release", of="merchant")],
    "fees": [_transfer("fees.withdraw", of="merchant")],
    "withdraw": [
        # Before the other one, whose parameters the console asks for on a merchant's page.
        calls(
            "withdraw.merchant",
            sheets.TRANSFERRED,
            name="request",
            asks="request_no!",
            text="Make a merchant's withdrawal request a proposal, for another person to decide.",
            question=lambda *_: None,
        ),
        _transfer("withdraw.merchant"),
        _transfer("withdraw.trader"),
        *_DECISIONS,
        calls("withdraw.sent", sheets.SENT),
        calls("withdraw.list", sheets.WITHDRAWALS),
    ],
    "proposal": [
        *_DECISIONS,
        calls("proposal.list", sheets.PROPOSALS),
        calls("proposal.show", sheets.PROPOSAL),
        calls("proposal.reveal", sheets.REVEALED),
    ],
    "rate": [
        calls("rate.set", sheets.RATES),
        *(calls("rate.list", sheets.RATES, name=name) for name in ("list", "show")),
    ],
}
