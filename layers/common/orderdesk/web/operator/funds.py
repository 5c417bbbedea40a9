"""`fund.*`, `withdraw.*`, `deposit.*`, `fees.*`: USDT comes in or leaves. `rate.*`: base rates."""

from collections.abc import Mapping

from orderdesk.domain.accounts import Account, AccountKind, Transfer
from orderdesk.domain.authority import Power
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import UnacceptableTerms, UnknownId
from orderdesk.domain.pricing import BaseRate, Mode, OrderType
from orderdesk.domain.proposals import Sum
from orderdesk.services.operator import funds
from orderdesk.services.operator.desk_rules import set_rate
from orderdesk.services.operator.funds import known_request, move, pay_request
from orderdesk.services.operator.traders import trader_account
from orderdesk.web.merchant.views import row_of
from orderdesk.web.operator import parameters as wire
from orderdesk.web.operator.declare import Json, OperatorPorts, Role, Row, command, powers
from orderdesk.web.operator.order_views import owner_id
from orderdesk.web.operator.parameters import WriteParameters, told
from orderdesk.web.operator.proposals import proposal_data, request_data

_MERCHANTS_MONEY = powers(Power.MONEY, "merchant_id amount is_test")
_TRADERS_MONEY = powers(Power.MONEY, "trader_id amount is_test")


class MoneyParameters(WriteParameters):
    """What every money command takes; `is_test`: the merchant's test account, or a test trader."""

    amount: wire.UsdtMicro = told("USDT.")
    memo: wire.Memo
    is_test: wire.Flag = told("The merchant's test account, or a test trader's.", False)


class MerchantMoney(MoneyParameters):
    """Parameters of `fund.merchant`, `deposit.release` and `fees.withdraw`."""

    merchant_id: wire.MerchantId


class MerchantWithdrawal(WriteParameters):
    """Parameters of `withdraw.merchant`: amount, memo and merchant, or a request that has them."""

    amount: wire.UsdtMicro | None = told("USDT.", None)
    memo: wire.Memo | None = None
    merchant_id: wire.MerchantId | None = None
    is_test: wire.Flag = told("The merchant's test account, or a test trader's.", False)
    request_no: wire.Id | None = told("request_no, as listed.", None)


class SentParameters(WriteParameters):
    """Parameters of `withdraw.sent`; `withdrawal_no` is a proposal_no or a request_no."""

    withdrawal_no: wire.Id = told("proposal_no or request_no.")
    txid: wire.FreeText = told("The transaction on its network.")


class TraderMoney(MoneyParameters):
    """Parameters of `fund.trader` and `withdraw.trader`."""

    trader_id: wire.TraderId


@command("fund.merchant", Role.FINANCE, _MERCHANTS_MONEY)
def fund_merchant(ports: OperatorPorts, asked: MerchantMoney) -> Json:
    """Fund a merchant's account, the live one unless `is_test`."""
    account = Account(AccountKind.MERCHANT, asked.merchant_id, Mode.of(asked.is_test))
    return _moved(ports, "fund.merchant", Sum(account, asked.amount), asked.memo)


@command("fund.trader", Role.FINANCE, _TRADERS_MONEY)
def fund_trader(ports: OperatorPorts, asked: TraderMoney) -> Json:
    """Fund a trader's account, live or test as the trader is."""
    return _moved(ports, "fund.trader", _trader_sum(ports, asked), asked.memo)


@command(
    "withdraw.merchant", Role.FINANCE, powers(Power.MONEY, "merchant_id amount is_test request_no")
)
def withdraw_merchant(ports: OperatorPorts, asked: MerchantWithdrawal) -> Json:
    """Propose a withdrawal of a merchant's USDT: held now, paid out once it is approved.

    With `request_no` it is what the merchant requested.
    """
    if asked.request_no is not None:
        _check_beside(ports, asked, asked.request_no)
        return _transfer_data(ports, pay_request(ports, asked.request_no))
    if asked.amount is None or asked.memo is None or asked.merchant_id is None:
        needed = ("amount", "memo", "merchant_id")
        missing = [name for name in needed if getattr(asked, name) is None]
        raise UnacceptableTerms([FieldProblem(name, "missing") for name in missing])
    account = Account(AccountKind.MERCHANT, asked.merchant_id, Mode.of(asked.is_test))
    return _moved(ports, "withdraw.merchant", Sum(account, asked.amount), asked.memo)


@command("deposit.release", Role.FINANCE, _MERCHANTS_MONEY)
def release_deposit(ports: OperatorPorts, asked: MerchantMoney) -> Json:
    """Propose to release USDT of a merchant's deposit to it: held now."""
    account = Account(AccountKind.DEPOSIT, asked.merchant_id, Mode.of(asked.is_test))
    return _moved(ports, "deposit.release", Sum(account, asked.amount), asked.memo)


@command("fees.withdraw", Role.FINANCE, _MERCHANTS_MONEY)
def withdraw_fees(ports: OperatorPorts, asked: MerchantMoney) -> Json:
    """Propose to pay out fees and spread of a merchant's orders: held now, paid once approved."""
    account = Account(AccountKind.FEE, asked.merchant_id, Mode.of(asked.is_test))
    return _moved(ports, "fees.withdraw", Sum(account, asked.amount), asked.memo)


def _moved(ports: OperatorPorts, command: str, money: Sum, memo: str) -> Json:
    return _transfer_data(ports, move(ports, command, money, memo))


def _check_beside(ports: OperatorPorts, asked: MerchantWithdrawal, request_no: str) -> None:
    """Check that nothing but its merchant is named beside a request."""
    beside = [name for name in ("amount", "memo") if getattr(asked, name) is not None]
    if asked.is_test:
        beside.append("is_test")
    if beside:
        problem = "not with request_no: the request has it"
        raise UnacceptableTerms([FieldProblem(name, problem) for name in beside])
    request = known_request(ports.funds, request_no)
    if asked.merchant_id not in {None, request.merchant_id}:
        raise UnknownId("withdrawal request", request_no)


@command("withdraw.sent", Role.FINANCE, powers(Power.CONTACT, "withdrawal_no txid"))
def record_sent(ports: OperatorPorts, asked: SentParameters) -> Json:
    """Record the transaction that paid an approved withdrawal; it cannot be changed."""
    done = funds.record_sent(ports, asked.withdrawal_no, asked.txid)
    request, proposal = done.request, done.proposal
    data = {} if proposal is None else proposal_data(proposal, ports.operator.now())
    return data | ({} if request is None else request_data(request))


@command("withdraw.trader", Role.FINANCE, _TRADERS_MONEY)
def withdraw_trader(ports: OperatorPorts, asked: TraderMoney) -> Json:
    """Propose a withdrawal of a trader's USDT: held now, paid out once it is approved."""
    return _moved(ports, "withdraw.trader", _trader_sum(ports, asked), asked.memo)


def _trader_sum(ports: OperatorPorts, asked: TraderMoney) -> Sum:
    """Return the amount on the trader's account. Raises: UnknownId, OperatorRefusal."""
    account = trader_account(ports.traders, asked.trader_id, as_test=asked.is_test)
    return Sum(account, asked.amount)


def _transfer_data(ports: OperatorPorts, done: Transfer) -> Json:
    own = done.postings[0]
    balance = ports.funds.balance(own.account)
    return {
        "transfer_id": done.transfer_id,
        **owner_id(own.account),
        "is_test": own.account.mode.is_test,
        "amount": format_usdt(abs(own.amount_micro)),
        **row_of(balance, "available_micro held_micro"),
        "memo": done.memo,
    }


class RateParameters(WriteParameters):
    """Parameters of `rate.set`; `yes` confirms a change of more than 5 %."""

    order_type: wire.Side = told("The merchant's side.")
    rate: wire.RateE4 = told("CNY per USDT.")
    reason: wire.Reason = ""
    yes: wire.Flag = told("Also if it changes by more than 5 %.", False)


@command("rate.list", Role.VIEWER)
def list_rates(ports: OperatorPorts, _: wire.NoParameters) -> Json:
    """Show the base rates and since when they are set."""
    return rates_data(ports.merchants.rates())


@command("rate.set", Role.FINANCE, powers(Power.PRICE, "order_type rate yes"))
def change_rate(ports: OperatorPorts, asked: RateParameters) -> Json:
    """Set the base rate of a side as of now; a change of more than 5 % needs `yes`."""
    rate = set_rate(ports, asked.order_type, asked.rate, asked.reason, is_confirmed=asked.yes)
    return rates_data({asked.order_type: rate})


def rates_data(rates: Mapping[OrderType, BaseRate]) -> Row:
    """Return base rates as JSON data, by side."""
    return {
        side.name.lower(): row_of(rate, "rate_e4 source set_at") for side, rate in rates.items()
    }
