"""USDT from outside, credited to a merchant's or a trader's account (contract section 9)."""

from orderdesk.domain.ledger.accounts import Account, AccountKind, Transfer, funding
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import UnacceptableTerms, transfer_problems
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.ports import Funds, TraderRegister
from orderdesk.services.operator.traders import trader_account


def fund_merchant(
    funds: Funds,
    operator: Operator,
    merchant_id: str,
    amount_micro: int,
    *,
    mode: Mode,
    memo: str,
) -> Transfer:
    """Fund a merchant's account of a mode; `amount_micro` in micro-USDT.

    Raises: UnknownId, UnacceptableTerms; TryAgain, after which the funding may exist or not.
    """
    account = Account(AccountKind.MERCHANT, merchant_id, mode)
    return _fund(funds, operator, account, amount_micro, memo)


def fund_trader(
    funds: Funds,
    register: TraderRegister,
    operator: Operator,
    trader_id: str,
    amount_micro: int,
    *,
    memo: str,
    as_test: bool = False,
) -> Transfer:
    """Fund a trader's account in the trader's own mode; `amount_micro` in micro-USDT.

    Raises: as for a merchant, and WrongMode (see `trader_account`).
    """
    account = trader_account(register, trader_id, as_test=as_test)
    return _fund(funds, operator, account, amount_micro, memo)


def _fund(
    funds: Funds, operator: Operator, account: Account, amount_micro: int, memo: str
) -> Transfer:
    problems = transfer_problems(amount_micro, memo)
    if problems:
        raise UnacceptableTerms(problems)

    def attempt() -> Transfer:
        details = {"amount_usdt": format_usdt(amount_micro), "account": account.key}
        entry = operator.entry(f"fund.{account.kind.value}", account.owner, memo, details)
        transfer = funding(
            account, amount_micro, transfer_id=entry.audit_id, at_us=entry.at_us, memo=memo
        )
        funds.fund(transfer, entry, operator.chance.token())
        return transfer

    return operator.commit(attempt)
