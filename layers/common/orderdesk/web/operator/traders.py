"""`trader.*`: traders, their limits, receiving methods, access codes and duty.

Cards and accounts are masked. An access code is only in the answer that creates it.
"""

from dataclasses import replace
from functools import partial
from typing import Annotated

from pydantic import BeforeValidator

from orderdesk.domain.authority import Power
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.money import CNY_DECIMALS, format_cny
from orderdesk.domain.operators import UnacceptableTerms
from orderdesk.domain.payment_methods import ACCOUNTS_MAX, MethodType, PaymentMethod, account_key
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.terms import TRADER_TERM_POWERS
from orderdesk.domain.traders.trader import Trader, TraderTerms
from orderdesk.services.operator import duty, traders
from orderdesk.services.operator.duty import Duty
from orderdesk.services.traders.stops import StopPorts, mark_buys
from orderdesk.web.merchant.parameters import ANY_INT, whole
from orderdesk.web.merchant.payment_method import read_own_method
from orderdesk.web.merchant.views import row_of
from orderdesk.web.operator import parameters as wire
from orderdesk.web.operator.declare import Json, OperatorPorts, Role, Row, command, powers
from orderdesk.web.operator.order_views import order_data
from orderdesk.web.operator.parameters import CommandParameters, WriteParameters, told
from orderdesk.web.operator.parties import PageParameters, masked_method, page_of, with_names

_NO_INTEGER = 'must be an integer, or "" for no cap'
_count = wire.or_word("", None, partial(whole, _NO_INTEGER, *ANY_INT))
_cny = wire.or_word("", None, wire.cny_fen)
CountCap = Annotated[int | None, BeforeValidator(_count), wire.count_text(1)]
CnyCap = Annotated[int | None, BeforeValidator(_cny), wire.decimal_text(CNY_DECIMALS, "")]
_NO_ACCOUNT = f"must be an integer from 1 to {ACCOUNTS_MAX}"
AccountNo = Annotated[
    int,
    BeforeValidator(partial(whole, _NO_ACCOUNT, 1, ACCOUNTS_MAX)),
    told(
        f"Of several of its type: 1 (if absent) to {ACCOUNTS_MAX}.", minimum=1, maximum=ACCOUNTS_MAX
    ),
]
AccountKey = Annotated[wire.Id, told("Its type, with its number from 2 on: bank, wechat2.")]


_TERMS = {
    "min_cny": "min_cny_fen",
    "max_cny": "max_cny_fen",
    "max_open": "max_open",
    "daily_cny": "daily_cap_fen",
    "unique_amounts": "unique_amounts",
}
_POWERS = {name: TRADER_TERM_POWERS[term] for name, term in _TERMS.items()}
_METHOD = "real_name bank sub_bank card_number account qr_code"


class AddTraderParameters(WriteParameters):
    name: wire.FreeText = told("For people.")
    min_cny: wire.CnyFen = told("Smallest order.")
    max_cny: wire.CnyFen = told("Largest order.")
    is_test: wire.Flag = told("Accepts test orders only.", False)
    max_open: wire.Whole | None = told("Open orders at a time; no cap if absent.", None, minimum=1)
    daily_cny: wire.CnyFen | None = told("A day (UTC+8); no cap if absent.", None)
    unique_amounts: wire.Flag = told("Never two open buys of one amount on one method.", False)
    reason: wire.Reason = ""


class SetTraderParameters(WriteParameters):
    """Parameters of `trader.set`: what is not sent stays as it is, and "" removes a cap."""

    trader_id: wire.TraderId
    min_cny: wire.CnyFen | None = told("Smallest order.", None)
    max_cny: wire.CnyFen | None = told("Largest order.", None)
    max_open: CountCap = told('Open orders at a time; "" for no cap.', None)
    daily_cny: CnyCap = told('CNY a day (UTC+8); "" for no cap.', None)
    unique_amounts: wire.Flag | None = told(
        "Never two open buys of one amount on one method.", None
    )
    reason: wire.Reason = ""


class TraderMethodParameters(WriteParameters):
    """Parameters of `trader.add-method`; which are required depends on the type."""

    trader_id: wire.TraderId
    method_type: MethodType = told("Of receiving.")
    real_name: wire.FreeText = ""
    bank: wire.FreeText = ""
    sub_bank: wire.FreeText = ""
    card_number: wire.FreeText = ""
    account: wire.FreeText = ""
    qr_code: wire.FreeText = told("The code's own text, or a picture of it.", "")
    account_no: AccountNo = 1
    reason: wire.Reason = ""


class RemoveParameters(WriteParameters):
    trader_id: wire.TraderId
    method_type: MethodType = told("Of receiving.")
    account_no: AccountNo = 1
    reason: wire.Reason = ""


class ResumeAccountParameters(WriteParameters):
    trader_id: wire.TraderId
    account: AccountKey
    reason: wire.Reason = ""


class StopAccountParameters(ResumeAccountParameters):
    reason: wire.NeededReason


class TraderParameters(CommandParameters):
    trader_id: wire.TraderId


class ChangeTraderParameters(WriteParameters):
    """A trader, and why it is changed."""

    trader_id: wire.TraderId
    reason: wire.Reason = ""


@command("trader.list", Role.VIEWER)
def list_traders(ports: OperatorPorts, asked: PageParameters) -> Json:
    """List all traders, the newest first."""
    return page_of(
        asked,
        ports.traders.traders(),
        lambda trader: (trader.created_at, trader.trader_id),
        trader_data,
    )


@command("trader.show", Role.VIEWER)
def show_trader(ports: OperatorPorts, asked: TraderParameters) -> Json:
    """Show a trader: limits, balance, open orders, methods (masked)."""
    trader, now = traders.known_trader(ports.traders, asked.trader_id), ports.operator.now()
    opened = sorted(ports.open_orders.open_orders(asked.trader_id), key=lambda order: order.since)
    rows = with_names(ports.reads, [order_data(order, now) for order in opened])
    today = format_cny(trader.used_on(trading_day(now)))
    return {**trader_data(trader), "cny_today": today, "orders": rows}


@command("trader.add", Role.FINANCE, {**_POWERS, **powers(Power.ADMISSION, "name is_test")})
def add_trader(ports: OperatorPorts, asked: AddTraderParameters) -> Json:
    """Add a trader, offline; the access code is shown this one time."""
    terms = TraderTerms(
        asked.min_cny, asked.max_cny, asked.max_open, asked.daily_cny, asked.unique_amounts
    )
    mode = Mode.of(asked.is_test)
    return _with_code(traders.add_trader(ports, asked.name, mode, terms, asked.reason))


@command("trader.set", Role.FINANCE, {**_POWERS, **powers(Power.CONTACT, "trader_id")})
def set_terms(ports: OperatorPorts, asked: SetTraderParameters) -> Json:
    """Change a trader's limits for orders to come; what is not named stays as it is."""
    sent = asked.model_fields_set & _TERMS.keys()
    if not sent:
        raise UnacceptableTerms([FieldProblem("terms", "name at least one to change")])
    change = {_TERMS[name]: getattr(asked, name) for name in sent}
    return trader_data(traders.set_trader_terms(ports, asked.trader_id, change, asked.reason))


@command(
    "trader.add-method",
    Role.FINANCE,
    powers(Power.DESTINATION, f"trader_id method_type account_no {_METHOD}"),
)
def add_method(ports: OperatorPorts, asked: TraderMethodParameters) -> Json:
    """Set a receiving method of a trader; it replaces the one of the same type and number.

    bank needs `real_name`, `bank`, `sub_bank` and `card_number`; wechat and alipay need
    `real_name`, `account` and `qr_code`.
    """
    fields = {name: getattr(asked, name) for name in _METHOD.split()}
    method, problems = read_own_method({"method_type": asked.method_type.value, **fields})
    if method is None:
        raise UnacceptableTerms(problems)
    method = replace(method, account_no=asked.account_no)
    key = method.account_key
    return trader_data(traders.set_method(ports, asked.trader_id, key, method, asked.reason))


@command(
    "trader.remove-method",
    Role.FINANCE,
    powers(Power.DESTINATION, "trader_id method_type account_no"),
)
def remove_method(ports: OperatorPorts, asked: RemoveParameters) -> Json:
    """Remove a trader's receiving method; its open orders keep theirs."""
    key = account_key(asked.method_type, asked.account_no)
    return trader_data(traders.set_method(ports, asked.trader_id, key, None, asked.reason))


@command("trader.stop-account", Role.SUPPORT, powers(Power.STOP, "trader_id account"))
def stop_account(ports: OperatorPorts, asked: StopAccountParameters) -> Json:
    """Stop an account, such as bank or wechat2, at once: no new order gets it.

    Pages of its pending orders say not to pay. Safe to repeat: it marks the orders that an
    interrupted run left.
    """
    keyless = ports.acting(ports.operator.without_key())  # it makes several transactions
    trader, method = traders.stop_account(keyless, asked.trader_id, asked.account, asked.reason)
    stop_ports = StopPorts(ports.open_orders, ports.traders, ports.moves)
    done = mark_buys(asked.trader_id, method, stop_ports, ports.operator.now())
    return {
        **trader_data(trader),
        "stopped": [order.order_no for order in done.orders],
        "warnings": [*_warnings(trader), *(["orders_unseen"] if done.unseen else [])],
    }


@command("trader.resume-account", Role.FINANCE, powers(Power.DESTINATION, "trader_id account"))
def resume_account(ports: OperatorPorts, asked: ResumeAccountParameters) -> Json:
    """Resume a stopped account, so that orders get it again; a second person approves it."""
    return trader_data(traders.resume_account(ports, asked.trader_id, asked.account, asked.reason))


@command("trader.reset-code", Role.FINANCE, powers(Power.DESTINATION, "trader_id"))
def reset_code(ports: OperatorPorts, asked: ChangeTraderParameters) -> Json:
    """Make a trader's new access code, shown this one time; the earlier one ends."""
    return _with_code(traders.new_access_code(ports, asked.trader_id, asked.reason))


def _with_code(new: traders.TraderWithCode) -> Row:
    return {**trader_data(new.trader), "access_code": new.access_code}


@command("trader.online", Role.SUPPORT, powers(Power.STOP, "trader_id"))
def put_online(ports: OperatorPorts, asked: ChangeTraderParameters) -> Json:
    """Add a trader to the rotation; also lifts a suspension."""
    return _put(ports, asked, Duty.ONLINE)


@command("trader.offline", Role.SUPPORT, powers(Power.STOP, "trader_id"))
def put_offline(ports: OperatorPorts, asked: ChangeTraderParameters) -> Json:
    """Remove a trader from the rotation; its open orders run their course."""
    return _put(ports, asked, Duty.OFFLINE)


@command("trader.suspend", Role.SUPPORT, powers(Power.STOP, "trader_id"))
def suspend_trader(ports: OperatorPorts, asked: ChangeTraderParameters) -> Json:
    """Suspend a trader until it is online again: it makes no move, and its sells are given back.

    Safe to repeat: it returns the sells that an interrupted run left.
    """
    done = duty.suspend(ports, asked.trader_id, asked.reason)
    return {
        **trader_data(done.trader),
        "given_back": [order.order_no for order in done.given_back],
        "left": [order.order_no for order in done.left],
        "warnings": [*_warnings(done.trader), *(["orders_unseen"] if done.unseen else [])],
    }


_LIMITS = "min_cny_fen max_cny_fen max_open daily_cny=daily_cap_fen"


def trader_data(trader: Trader) -> Row:
    """Return a trader; what keeps every order away from it is in `warnings`."""
    return {
        **row_of(trader, "trader_id name mode.is_test mode online suspended"),
        "duty": duty.duty_of(trader),
        **row_of(trader.terms, f"{_LIMITS} unique_amounts"),
        "own_limits": row_of(trader.own, _LIMITS),
        "methods_changed_at": trader.methods_changed_at or None,
        **row_of(trader.counts, "available_micro held_micro open_orders"),
        **row_of(trader.counts, "last_accepted_at=last_accepted_us?"),
        "methods": [_account(trader, method) for method in trader.methods],
        "created_at": trader.created_at,
        "warnings": _warnings(trader),
    }


def _account(trader: Trader, method: PaymentMethod) -> Row:
    """Return an account, masked, with its terms."""
    terms = trader.terms_of(method.account_key)
    return {
        **masked_method(method),
        **row_of(method, "account_no account_key"),
        "is_on": terms.is_on,
        "stopped_at": trader.stopped_at(method),
        **row_of(terms, "daily_cny=daily_cap_fen"),
    }


def _warnings(trader: Trader) -> list[str]:
    """Return what an operator should know: no method, or no common range.

    No order fits a trader without a method or a range.
    """
    found = ["no_method"] if trader.online and not trader.methods else []
    return found + (["no_range"] if trader.smallest_fen > trader.largest_fen else [])


def _put(ports: OperatorPorts, asked: ChangeTraderParameters, on: Duty) -> Json:
    return trader_data(duty.set_duty(ports, asked.trader_id, on, asked.reason))
