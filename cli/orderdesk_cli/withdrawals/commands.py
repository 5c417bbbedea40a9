"""`orderdesk withdraw …`: USDT that goes out, agreed by two operators."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from orderdesk.domain.modes import Mode
from orderdesk.services.operator import proposals as steps
from orderdesk.services.operator.funds import WithdrawMerchant, WithdrawTrader
from orderdesk_cli.confirmation import Yes, confirm
from orderdesk_cli.funds import Amount, Memo, TestAccount, TestTrader, of_merchant, of_trader
from orderdesk_cli.invocation import command, new_group
from orderdesk_cli.output import Answer, record
from orderdesk_cli.values import MerchantId, RequiredReason, TraderId
from orderdesk_cli.withdrawals.views import all_withdrawals, listed, shown

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office

group = new_group()
_PROPOSE = "Propose a withdrawal"

WithdrawalNo = Annotated[
    str, typer.Argument(metavar="NO", help="withdrawal_no.", show_default=False)
]


@command(group, "merchant")
def merchant(
    office: "Office",
    merchant_id: MerchantId,
    amount: Amount,
    *,
    memo: Memo,
    as_json: bool,
    test: TestAccount = False,
    yes: Yes = False,
) -> Answer:
    """Propose a withdrawal from a merchant's account: held now, paid out once it is approved."""
    mode = Mode.TEST if test else Mode.LIVE
    confirm(
        lambda: of_merchant(
            _PROPOSE, office, merchant_id, mode=mode, amount_micro=amount, memo=memo
        ),
        is_agreed=yes or as_json,
    )
    wanted = WithdrawMerchant(merchant_id, amount, mode, memo)
    return shown("Proposed", steps.request(office, office.proposer, wanted))


@command(group, "trader")
def trader(
    office: "Office",
    trader_id: TraderId,
    amount: Amount,
    *,
    memo: Memo,
    as_json: bool,
    test: TestTrader = False,
    yes: Yes = False,
) -> Answer:
    """Propose a withdrawal from a trader's account: held now, paid out once it is approved."""
    confirm(lambda: of_trader(_PROPOSE, office, trader_id, amount, memo), is_agreed=yes or as_json)
    wanted = WithdrawTrader(trader_id, amount, memo, as_test=test)
    return shown("Proposed", steps.request(office, office.proposer, wanted))


@command(group, "approve")
def approve(
    office: "Office", withdrawal_no: WithdrawalNo, *, as_json: bool, yes: Yes = False
) -> Answer:
    """Pay a withdrawal out; not by the operator who proposed it."""
    confirm(lambda: _decision(office, "Pay out", withdrawal_no), is_agreed=yes or as_json)
    approved = steps.approve(office, office.proposer, withdrawal_no)
    return shown("Paid out", approved)


@command(group, "reject")
def reject(
    office: "Office",
    withdrawal_no: WithdrawalNo,
    *,
    reason: RequiredReason,
    as_json: bool,
    yes: Yes = False,
) -> Answer:
    """Give a withdrawal's amount back to its account."""
    confirm(lambda: _decision(office, "Reject", withdrawal_no), is_agreed=yes or as_json)
    rejected = steps.reject(office.proposals, office.proposer, withdrawal_no, reason)
    return shown("Rejected", rejected)


@command(group, "list")
def listing(
    office: "Office",
    open_only: Annotated[
        bool, typer.Option("--open", help="Only those that nobody has decided.")
    ] = False,
) -> Answer:
    """List withdrawals, the newest first."""
    return listed(all_withdrawals(office, open_only=open_only))


def _decision(office: "Office", title: str, withdrawal_no: str) -> Table:
    proposal = steps.known_proposal(office.proposals, withdrawal_no)
    what = {
        "withdrawal_no": withdrawal_no,
        "what": proposal.plan.summary,
        "proposed by": proposal.proposed_by,
        "memo": proposal.plan.reason,
        "status": proposal.status_at(office.now()).value,
    }
    return record(title, what)
