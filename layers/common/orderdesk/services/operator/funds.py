"""USDT from outside, credited to a merchant's or a trader's account (contract section 9)."""

from orderdesk.domain.ledger.accounts import Account, AccountKind, Transfer, funding
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import UnacceptableTerms, WrongMode, transfer_problems
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.ports import Funds, TraderRegister
from orderdesk.services.operator.traders import known_trader


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

    Raises: UnknownId, UnacceptableTerms, TryAgain (then it is unknown whether it was done).
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

    `as_test` says that the operator means test money; it is refused for a live trader.
    Raises: UnknownId, WrongMode, UnacceptableTerms, TryAgain (then it is unknown whether it was
    done).
    """
    mode = known_trader(register, trader_id).mode
    if as_test and mode is not Mode.TEST:
        raise WrongMode(f"trader {trader_id} is live: it takes no test money")
    account = Account(AccountKind.TRADER, trader_id, mode)
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
