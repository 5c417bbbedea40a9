"""`fund.*`, `withdraw.*`: USDT that comes in from outside or leaves. `rate.*`: the base rates."""

from collections.abc import Mapping

from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.ledger.accounts import Transfer
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_rate, format_usdt
from orderdesk.domain.operators import UnacceptableTerms, UnknownId
from orderdesk.domain.pricing import BaseRate, OrderType
from orderdesk.services.operator import withdrawals
from orderdesk.services.operator.actions import GuardedCommand
from orderdesk.services.operator.funds import (
    FundMerchant,
    FundTrader,
    WithdrawMerchant,
    WithdrawTrader,
)
from orderdesk.services.operator.rates import SetRate
from orderdesk.services.operator.withdrawals import known_request
from orderdesk.web.operator.parameters import (
    Flag,
    FreeText,
    Id,
    NoParameters,
    RateE4,
    Side,
    UsdtMicro,
    WriteParameters,
)
from orderdesk.web.operator.ports import OperatorPorts
from orderdesk.web.operator.proposals import proposal_data, request_data, requested


class MoneyParameters(WriteParameters):
    """What every money command takes; `is_test`: the merchant's test account, or a test trader."""

    amount: UsdtMicro
    memo: FreeText
    is_test: Flag = False


class MerchantMoney(MoneyParameters):
    """Parameters of `fund.merchant`."""

    merchant_id: Id


class MerchantWithdrawal(WriteParameters):
    """Parameters of `withdraw.merchant`: amount, memo and merchant, or a request that has them."""

    amount: UsdtMicro | None = None
    memo: FreeText | None = None
    merchant_id: Id | None = None
    is_test: Flag = False
    request_no: Id | None = None


class SentParameters(WriteParameters):
    """Parameters of `withdraw.sent`; `withdrawal_no` is a proposal_no or a request_no."""

    withdrawal_no: Id
    txid: FreeText


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


def withdraw_merchant(ports: OperatorPorts, asked: MerchantWithdrawal) -> Mapping[str, object]:
    """Withdraw from a merchant's account of a mode, or pay what the merchant requested."""
    if asked.request_no is not None:
        return _answer(ports, _of_request(ports, asked, asked.request_no))
    missing = [
        FieldProblem(name, "missing")
        for name in ("amount", "memo", "merchant_id")
        if getattr(asked, name) is None
    ]
    if missing:
        raise UnacceptableTerms(missing)
    assert asked.merchant_id is not None
    assert asked.amount is not None
    assert asked.memo is not None
    mode = Mode.of(asked.is_test)
    return _answer(ports, WithdrawMerchant(asked.merchant_id, asked.amount, mode, asked.memo))


def _of_request(
    ports: OperatorPorts, asked: MerchantWithdrawal, request_no: str
) -> WithdrawMerchant:
    """Return the command that pays a request; nothing but the merchant may be named beside it."""
    beside = [name for name in ("amount", "memo") if getattr(asked, name) is not None]
    if asked.is_test:
        beside.append("is_test")
    if beside:
        problem = "not with request_no: the request has it"
        raise UnacceptableTerms([FieldProblem(name, problem) for name in beside])
    request = known_request(ports.requests, request_no)
    if asked.merchant_id not in {None, request.merchant_id}:
        raise UnknownId("withdrawal request", request_no)
    money = request.money
    return WithdrawMerchant(
        money.account.owner, money.amount_micro, money.account.mode, request.memo, request_no
    )


def record_sent(ports: OperatorPorts, asked: SentParameters) -> Mapping[str, object]:
    """Record the transaction that paid a withdrawal; the same one again changes nothing."""
    done = withdrawals.record_sent(ports, ports.operator, asked.withdrawal_no, asked.txid)
    request, proposal = done.request, done.proposal
    data = {} if proposal is None else proposal_data(proposal, ports.operator.now())
    return data | ({} if request is None else request_data(request))


def withdraw_trader(ports: OperatorPorts, asked: TraderMoney) -> Mapping[str, object]:
    """Withdraw from a trader's account."""
    command = WithdrawTrader(asked.trader_id, asked.amount, asked.memo, asked.is_test)
    return _answer(ports, command)


def _answer(ports: OperatorPorts, command: GuardedCommand[Transfer]) -> Mapping[str, object]:
    return requested(ports, command, lambda done: _transfer_data(ports, done))


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


class RateParameters(WriteParameters):
    """Parameters of `rate.set`; `yes` confirms a change of more than 5 %."""

    order_type: Side
    rate: RateE4
    reason: FreeText = ""
    yes: Flag = False


def list_rates(ports: OperatorPorts, _: NoParameters) -> Mapping[str, object]:
    """Return the base rates that were set, by side."""
    return rates_data(ports.rates.rates())


def change_rate(ports: OperatorPorts, asked: RateParameters) -> Mapping[str, object]:
    """Set a side's base rate as of now, or propose it; return the rate or the proposal."""
    command = SetRate(asked.order_type, asked.rate, asked.reason, is_confirmed=asked.yes)
    return requested(ports, command, lambda rate: rates_data({asked.order_type: rate}))


def rates_data(rates: Mapping[OrderType, BaseRate]) -> dict[str, object]:
    """Return base rates as JSON data, by side."""
    return {
        side.name.lower(): {
            "rate": format_rate(rate.rate_e4),
            "source": rate.source,
            "set_at": rate.set_at,
        }
        for side, rate in rates.items()
    }
