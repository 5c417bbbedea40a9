"""`orderdesk fund|withdraw|proposal|rate …`, and `approve` and `reject`: money and its decisions.

Live money needs a second person.
"""

from typing import TYPE_CHECKING

from orderdesk_cli.commands import lists, reads, writes
from orderdesk_cli.sheets import operators as sheets

if TYPE_CHECKING:
    import click

    from orderdesk_cli.api import Api
    from orderdesk_cli.commands import Foreseen, Parameters
    from orderdesk_cli.sheets.sheet import Json, Sheet

_HELD = "USDT: held now, paid out once it is approved"


def _about(command: str) -> "Foreseen":
    """Return what shows the money command before it is asked for."""
    kind = command.rpartition(".")[2]

    def shown(api: "Api", given: "Parameters") -> "tuple[Json, Sheet]":
        its_id = given[f"{kind}_id"]
        named = api.call(f"{kind}.show", **{f"{kind}_id": its_id})
        return {**given, "command": command, f"{kind}_name": named.get("name")}, sheets.FORESEEN

    return shown


def _proposal(api: "Api", given: "Parameters") -> "tuple[Json, Sheet]":
    return api.call("proposal.show", proposal_no=given["proposal_no"]), sheets.PROPOSAL


def _transfer(command: str, text: str) -> "click.Command":
    of = command.rpartition(".")[2]
    asks = f"{of}_id amount:usdt memo! is_test:{of}"
    return writes(command, sheets.TRANSFERRED, asks, text, question=_about(command))


_DECISIONS = [
    writes(
        *("proposal.approve", sheets.PROPOSAL, "proposal_no"),
        "Execute what another person proposed; not by the person who proposed it.",
        question=_proposal,
    ),
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
            "Show the secret that an approved proposal made; to its proposer only, for an hour.",
        ),
    ],
    "rate": [
        writes(
            *("rate.set", sheets.RATES, "order_type rate:base reason yes"),
            "Set the base rate of a side as of now; a change of more than 5 % needs --yes.",
        ),
        reads(
            *("rate.list", sheets.RATES, "", "Show the base rates and since when they are set."),
            name="show",
        ),
    ],
}
