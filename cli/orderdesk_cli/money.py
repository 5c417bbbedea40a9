"""`orderdesk fund|withdraw|proposal|rate …`, and `approve` and `reject`: money and its decisions.

Live money needs a second person.
"""

from typing import TYPE_CHECKING

import click

from orderdesk_cli.commands import lists, reads, writes
from orderdesk_cli.options import (
    MERCHANT_ID,
    REASON,
    REQUIRED_REASON,
    SIDES,
    TRADER_ID,
    argument,
    option,
    rate,
    remark,
    switch,
    usdt,
)
from orderdesk_cli.sheets.operators import (
    FORESEEN,
    PROPOSAL,
    PROPOSALS,
    RATES,
    REVEALED,
    TRANSFERRED,
)

if TYPE_CHECKING:
    from orderdesk_cli.api import Api
    from orderdesk_cli.commands import Foreseen, Parameters
    from orderdesk_cli.sheets.sheet import Json, Sheet

_MONEY = (
    argument("amount", "AMOUNT", "USDT.", usdt),
    option("memo", "TEXT", "Why; kept in ledger and audit trail.", remark, required=True),
)
_OF_MERCHANT = (MERCHANT_ID, *_MONEY, switch("is_test", "--test", "Its test account."))
_OF_TRADER = (TRADER_ID, *_MONEY, switch("is_test", "--test", "Only if it is a test trader."))
_HELD = "USDT: held now, paid out once it is approved"
_OPEN = switch("open_only", "--open", "Only those that nobody has decided.")
_NO = argument("proposal_no", "NO", "proposal_no.")


def _about(command: str) -> "Foreseen":
    """Return what shows the money command before it is asked for."""
    kind = command.rpartition(".")[2]

    def shown(api: "Api", given: "Parameters") -> "tuple[Json, Sheet]":
        its_id = given[f"{kind}_id"]
        named = api.call(f"{kind}.show", **{f"{kind}_id": its_id})
        return {**given, "command": command, f"{kind}_name": named.get("name")}, FORESEEN

    return shown


def _proposal(api: "Api", given: "Parameters") -> "tuple[Json, Sheet]":
    return api.call("proposal.show", proposal_no=given["proposal_no"]), PROPOSAL


def _transfer(command: str, text: str) -> click.Command:
    parameters = _OF_MERCHANT if command.endswith("merchant") else _OF_TRADER
    return writes(command, TRANSFERRED, text, *parameters, asks=_about(command))


_DECISIONS = [
    writes(
        "proposal.approve",
        PROPOSAL,
        "Execute what another person proposed; not by the person who proposed it.",
        _NO,
        asks=_proposal,
    ),
    writes(
        "proposal.reject",
        PROPOSAL,
        "Reject a proposal and release what it holds; its proposer withdraws it so.",
        *(_NO, REQUIRED_REASON),
        asks=_proposal,
    ),
]

COMMANDS = {
    "": _DECISIONS,
    "fund": [
        _transfer("fund.merchant", "Fund a merchant's account, the live one unless --test."),
        _transfer("fund.trader", "Fund a trader's account, live or test as the trader is."),
    ],
    "withdraw": [
        _transfer("withdraw.merchant", f"Propose a withdrawal of a merchant's {_HELD}."),
        _transfer("withdraw.trader", f"Propose a withdrawal of a trader's {_HELD}."),
        *_DECISIONS,
        lists("withdraw.list", PROPOSALS, "List withdrawals, the newest first.", _OPEN),
    ],
    "proposal": [
        *_DECISIONS,
        lists("proposal.list", PROPOSALS, "List proposals, the newest first.", _OPEN),
        reads(
            "proposal.show",
            PROPOSAL,
            "Show a proposal: what it changes, who proposed it, who decided it.",
            _NO,
        ),
        writes(
            "proposal.reveal",
            REVEALED,
            "Show the secret that an approved proposal made; to its proposer only, for an hour.",
            _NO,
        ),
    ],
    "rate": [
        writes(
            "rate.set",
            RATES,
            "Set the base rate of a side as of now; a change of more than 5 % needs --yes.",
            argument("order_type", "buy|sell", "The merchant's side.", click.Choice(SIDES)),
            argument("rate", "RATE", "CNY per USDT.", rate),
            REASON,
            switch("yes", "--yes,-y", "Also if it changes by more than 5 %."),
        ),
        reads("rate.list", RATES, "Show the base rates and since when they are set.", name="show"),
    ],
}
