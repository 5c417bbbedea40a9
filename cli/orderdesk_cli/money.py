"""`orderdesk fund|withdraw|deposit|fees|proposal|rate …`, `approve`, `reject`: money, decisions.

Live money needs a second person.
"""

from typing import TYPE_CHECKING

import click

from orderdesk_cli.answering import Answer, drawing
from orderdesk_cli.commands import DECLARED, Declared, Said, lists, reads, runs, writes
from orderdesk_cli.confirmation import confirm, is_at_terminal
from orderdesk_cli.sheets import operators as sheets

if TYPE_CHECKING:
    from orderdesk_cli.api import Api
    from orderdesk_cli.commands import Foreseen, Parameters
    from orderdesk_cli.sheets.sheet import Json, Sheet

_UNSEEN = "without a terminal it needs --digest, which `proposal show` returns"
_HELD = "USDT: held now, paid out once it is approved"


def _about(command: str, kind: str) -> "Foreseen":
    """Return what shows the money command on a merchant or trader before it is asked for."""

    def shown(api: "Api", given: "Parameters") -> "tuple[Json, Sheet]":
        its_id = given[f"{kind}_id"]
        named = api.call(f"{kind}.show", **{f"{kind}_id": its_id})
        return {**given, "command": command, f"{kind}_name": named.get("name")}, sheets.FORESEEN

    return shown


def _proposal(api: "Api", given: "Parameters") -> "tuple[Json, Sheet]":
    return api.call("proposal.show", proposal_no=given["proposal_no"]), sheets.PROPOSAL


def _transfer(command: str, text: str, of: str = "") -> click.Command:
    of = of or command.rpartition(".")[2]
    asks = f"{of}_id amount:usdt memo! is_test:{of}"
    return writes(command, sheets.TRANSFERRED, asks, text, question=_about(command, of))


@runs("approve", "proposal_no digest", writes=True)
def _approve(api: "Api", said: Said, proposal_no: str, digest: str | None) -> Answer:
    """Execute what another person proposed, after showing all of it; not by its proposer."""
    shown = {} if digest else api.call("proposal.show", proposal_no=proposal_no)
    if not digest:
        if not is_at_terminal():
            raise click.UsageError(_UNSEEN)
        confirm(lambda: drawing(sheets.PROPOSAL, shown), is_agreed=False)
    seen = digest or shown.get("digest")
    sent = {"proposal_no": proposal_no, "digest": seen}
    return Answer(api.write("proposal.approve", alone=said.alone, **sent), sheets.PROPOSAL)


DECLARED["proposal.approve"] = Declared("proposal_no", sheets.PROPOSAL)
_DECISIONS = [
    _approve,
    writes(
        *("proposal.reject", sheets.PROPOSAL, "proposal_no reason!"),
        "Reject a proposal and release what it holds; its proposer withdraws it so.",
        question=_proposal,
    ),
]

COMMANDS = {
    "": _DECISIONS,
    "fund": [
        _transfer("fund.merchant", "Fund a merchant's account, the live one unless --test."),
        _transfer("fund.trader", "Fund a trader's account, live or test as the trader is."),
    ],
    "deposit": [
        _transfer(
            *(
                "deposit.release",
                "Propose to release USDT of a merchant's deposit to it: held now.",
            ),
            of="merchant",
        ),
    ],
    "fees": [
        _transfer(
            "fees.withdraw",
            f"Propose to pay out fees and spread of a merchant's orders, {_HELD}.",
            of="merchant",
        ),
    ],
    "withdraw": [
        # Before the other one, whose parameters the console asks for on a merchant's page.
        writes(
            *("withdraw.merchant", sheets.TRANSFERRED, "request_no"),
            "Take up a merchant's withdrawal request as a proposal, for another person to decide.",
            name="request",
            question=lambda *_: None,
        ),
        _transfer("withdraw.merchant", f"Propose a withdrawal of a merchant's {_HELD}."),
        _transfer("withdraw.trader", f"Propose a withdrawal of a trader's {_HELD}."),
        *_DECISIONS,
        writes(
            *("withdraw.sent", sheets.SENT, "withdrawal_no txid"),
            "Record the transaction that paid an approved withdrawal; it cannot be changed.",
        ),
        lists(
            *("withdraw.list", sheets.WITHDRAWALS, "open_only"),
            "List merchants' open requests, then withdrawals, the newest first.",
        ),
    ],
    "proposal": [
        *_DECISIONS,
        lists("proposal.list", sheets.PROPOSALS, "open_only", "List proposals, the newest first."),
        reads(
            *("proposal.show", sheets.PROPOSAL, "proposal_no"),
            "Show a proposal: what it changes, who proposed it, who decided it.",
        ),
        writes(
            *("proposal.reveal", sheets.REVEALED, "proposal_no"),
            "Show your half of the secret that an approval made: until it is used, at most 24 h.",
        ),
    ],
    "rate": [
        writes(
            *("rate.set", sheets.RATES, "order_type rate:base reason yes"),
            "Set the base rate of a side as of now; a change of more than 5 % needs --yes.",
        ),
        *(
            reads(
                *(
                    "rate.list",
                    sheets.RATES,
                    "",
                    "Show the base rates and since when they are set.",
                ),
                name=name,
            )
            for name in ("list", "show")
        ),
    ],
}
