"""`orderdesk fund …`."""

from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from orderdesk.domain.ledger.accounts import Balance, Transfer
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_usdt
from orderdesk.services.operator import funds as fund_accounts
from orderdesk.services.operator.merchants import known_merchant
from orderdesk.services.operator.traders import known_trader
from orderdesk_cli.confirmation import Yes, confirm
from orderdesk_cli.invocation import command, new_group
from orderdesk_cli.output import Answer, Json, record
from orderdesk_cli.values import MerchantId, TraderId, remark, usdt

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office

group = new_group()

Amount = Annotated[
    int, typer.Argument(parser=usdt, metavar="AMOUNT", help="USDT.", show_default=False)
]
Memo = Annotated[
    str,
    typer.Option(parser=remark, metavar="TEXT", help="Why; kept in ledger and audit trail."),
]
TestAccount = Annotated[bool, typer.Option("--test", help="Its test account.")]
TestTrader = Annotated[bool, typer.Option("--test", help="Only if it is a test trader.")]


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
    """Fund a merchant's account, the live one unless --test."""
    mode = Mode.TEST if test else Mode.LIVE
    confirm(
        lambda: of_merchant("Fund", office, merchant_id, mode=mode, amount_micro=amount, memo=memo),
        is_agreed=yes or as_json,
    )
    transfer = fund_accounts.fund_merchant(
        office.funds, office.operator, merchant_id, amount, mode=mode, memo=memo
    )
    return _funded(transfer, office.balances.balance(transfer.postings[0].account))


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
    """Fund a trader's account, which is live or test as the trader is."""
    confirm(lambda: of_trader("Fund", office, trader_id, amount, memo), is_agreed=yes or as_json)
    transfer = fund_accounts.fund_trader(
        office.funds, office.traders, office.operator, trader_id, amount, memo=memo, as_test=test
    )
    now = known_trader(office.traders, trader_id)
    return _funded(transfer, Balance(now.available_micro, now.held_micro))


def of_merchant(
    title: str, office: "Office", merchant_id: str, *, mode: Mode, amount_micro: int, memo: str
) -> Table:
    """Show what is about to be done with a merchant's money. Raises: UnknownId."""
    name = known_merchant(office.merchants, merchant_id).name
    return _foreseen(title, {"merchant_id": merchant_id, "name": name}, mode, amount_micro, memo)


def of_trader(title: str, office: "Office", trader_id: str, amount_micro: int, memo: str) -> Table:
    """Show what is about to be done with a trader's money. Raises: UnknownId."""
    its = known_trader(office.traders, trader_id)
    whom = {"trader_id": trader_id, "name": its.name}
    return _foreseen(title, whom, its.mode, amount_micro, memo)


def _foreseen(title: str, whom: dict[str, str], mode: Mode, amount_micro: int, memo: str) -> Table:
    what = {"mode": mode.value, "USDT": format_usdt(amount_micro), "memo": memo}
    return record(title, whom | what)


def _funded(transfer: Transfer, balance: Balance) -> Answer:
    credited = transfer.postings[0]
    data: dict[str, Json] = {
        "transfer_id": transfer.transfer_id,
        f"{credited.account.kind.value}_id": credited.account.owner,
        "is_test": credited.account.mode.is_test,
        "amount": format_usdt(credited.amount_micro),
        "available": format_usdt(balance.available_micro),
        "held": format_usdt(balance.held_micro),
        "memo": transfer.memo,
    }
    shown = {name: str(value) for name, value in data.items()}
    shown["is_test"] = credited.account.mode.value
    return Answer(data, record("Funded", shown))
