"""`fund.*` and `withdraw.*`: USDT that comes in from outside or leaves."""

from collections.abc import Mapping

from orderdesk.domain.ledger.accounts import Transfer
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_usdt
from orderdesk.services.operator.actions import GuardedCommand
from orderdesk.services.operator.funds import (
    FundMerchant,
    FundTrader,
    WithdrawMerchant,
    WithdrawTrader,
)
from orderdesk.web.operator.outcomes import requested
from orderdesk.web.operator.parameters import Flag, FreeText, Id, UsdtMicro, WriteParameters
from orderdesk.web.operator.ports import OperatorPorts


class MoneyParameters(WriteParameters):
    """What every money command takes; `is_test`: the merchant's test account, or a test trader."""

    amount: UsdtMicro
    memo: FreeText
    is_test: Flag = False


class MerchantMoney(MoneyParameters):
    """Parameters of `fund.merchant` and `withdraw.merchant`."""

    merchant_id: Id


class TraderMoney(MoneyParameters):
    """Parameters of `fund.trader` and `withdraw.trader`."""

    trader_id: Id


def fund_merchant(ports: OperatorPorts, asked: MerchantMoney) -> Mapping[str, object]:
    """Fund a merchant's account of a mode."""
    mode = Mode.of(asked.is_test)
    return _answer(ports, FundMerchant(asked.merchant_id, asked.amount, mode, asked.memo))


def fund_trader(ports: OperatorPorts, asked: TraderMoney) -> Mapping[str, object]:
    """Fund a trader's account."""
    return _answer(ports, FundTrader(asked.trader_id, asked.amount, asked.memo, asked.is_test))


def withdraw_merchant(ports: OperatorPorts, asked: MerchantMoney) -> Mapping[str, object]:
    """Withdraw from a merchant's account of a mode."""
    mode = Mode.of(asked.is_test)
    return _withdrawal(ports, WithdrawMerchant(asked.merchant_id, asked.amount, mode, asked.memo))


def withdraw_trader(ports: OperatorPorts, asked: TraderMoney) -> Mapping[str, object]:
    """Withdraw from a trader's account."""
    command = WithdrawTrader(asked.trader_id, asked.amount, asked.memo, asked.is_test)
    return _withdrawal(ports, command)


def _answer(ports: OperatorPorts, command: GuardedCommand[Transfer]) -> Mapping[str, object]:
    return requested(ports, command, lambda done: _transfer_data(ports, done))


def _withdrawal(ports: OperatorPorts, command: GuardedCommand[Transfer]) -> Mapping[str, object]:
    """Answer a withdrawal; its number is the proposal's (contract section 9)."""
    data = _answer(ports, command)
    match data.get("proposal"):
        case {"proposal_no": number}:
            return {**data, "withdrawal_no": number}
        case _:
            return data


def _transfer_data(ports: OperatorPorts, done: Transfer) -> Mapping[str, object]:
    own = done.postings[0]
    balance = ports.funds.balance(own.account)
    return {
        "transfer_id": done.transfer_id,
        f"{own.account.kind.value}_id": own.account.owner,
        "is_test": own.account.mode.is_test,
        "amount": format_usdt(abs(own.amount_micro)),
        "available": format_usdt(balance.available_micro),
        "held": format_usdt(balance.held_micro),
        "memo": done.memo,
    }
