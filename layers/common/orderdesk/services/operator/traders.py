"""Operators add traders, and change their receiving methods and access codes."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, override

from orderdesk.domain import credentials
from orderdesk.domain.audit import differences
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.ids import token_hash
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import UnacceptableTerms, UnknownId, WrongMode, name_problems
from orderdesk.domain.orders.open_orders import is_counted
from orderdesk.domain.payment_methods import MethodType, PaymentMethod, account_key, masked_name
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.proposals import Plan, TwoPersonCommand
from orderdesk.domain.traders.terms import (
    TraderTerms,
    TraderTermsChange,
    check_trader_terms,
    describe_trader_terms,
    trader_terms_of,
    under_trader_terms,
)
from orderdesk.domain.traders.trader import Trader, with_account, without_account
from orderdesk.services.operator.actions import GuardedCommand, Operator
from orderdesk.services.operator.ports import CommandPorts, TraderRegister

# The index usually shows a claim within a second.
PAUSE_BETWEEN_LOOKS_MS = 250


@dataclass(frozen=True, slots=True)
class TraderWithCode:
    """A trader, and its new access code in plain text, which is shown only once."""

    trader: Trader
    access_code: str = field(repr=False)


def add_trader(
    register: TraderRegister,
    operator: Operator,
    name: str,
    mode: Mode,
    terms: TraderTerms,
    *,
    shards: int = 1,
    reason: str = "",
) -> TraderWithCode:
    """Add a trader, offline and without a method; `shards` is the deployment's RotationShards.

    Raises: UnacceptableTerms, TryAgain.
    """
    problems = name_problems("name", name)
    if problems:
        raise UnacceptableTerms(problems)
    check_trader_terms(terms)
    below = operator.chance.below

    def attempt() -> TraderWithCode:
        trader_id = credentials.new_trader_id(below)
        access_code = credentials.new_access_code(below)
        trader = Trader(
            trader_id=trader_id,
            name=name,
            mode=mode,
            online=False,
            suspended=False,
            min_cny_fen=terms.min_cny_fen,
            max_cny_fen=terms.max_cny_fen,
            max_open=terms.max_open,
            daily_cap_fen=terms.daily_cap_fen,
            unique_amounts=terms.unique_amounts,
            methods=(),
            created_at=operator.now(),
            access_code_hash=token_hash(access_code),
        )
        details = {"mode": mode.value, **describe_trader_terms(terms)}
        entry = operator.entry("trader.add", trader_id, reason, details)
        register.add(trader, below(shards), entry, operator.chance.token())
        return TraderWithCode(trader, access_code)

    return operator.commit(attempt)


def set_trader_terms(
    register: TraderRegister,
    operator: Operator,
    trader_id: str,
    change: TraderTermsChange,
    reason: str = "",
) -> Trader:
    """Change a trader's limits and caps for future orders; its open orders are not affected.

    A claim that read the earlier terms fails on the trader's new version. If unique amounts begin,
    the trader's open buys reserve their amounts, even if some of them are equal.
    Raises: UnknownId, UnacceptableTerms; TryAgain, also if the trader's orders change too often.
    """

    def changed(trader: Trader) -> Trader:
        after = under_trader_terms(trader, change)
        if after.unique_amounts and not trader.unique_amounts:
            _reserve_open_amounts(register, operator, trader)
        return after

    return change_trader(
        register,
        operator,
        trader_id,
        action="trader.set",
        reason=reason,
        changed=changed,
        details=lambda before, after: differences(_described(before), _described(after)),
    )


def _reserve_open_amounts(register: TraderRegister, operator: Operator, trader: Trader) -> None:
    """Reserve the amounts of a trader's open buys, one by one. A retry continues.

    Raises: ChangedMeanwhile if the index does not show all open orders yet, or if one changed.
    """
    orders = register.open_orders(trader.trader_id)
    if len(orders) != trader.open_orders:
        operator.pause_ms(PAUSE_BETWEEN_LOOKS_MS)
        raise ChangedMeanwhile
    for order in orders:
        is_buy = order.order_type is OrderType.BUY
        if is_buy and is_counted(order) and not order.unique_amount:
            register.reserve_amount(order, operator.now(), operator.chance.token())


def add_method(
    register: TraderRegister,
    operator: Operator,
    trader_id: str,
    method: PaymentMethod,
    reason: str = "",
) -> Trader:
    """Add an account to a trader; it replaces the one of the same type and number.

    Two people are needed for a live trader that has USDT or open orders. Existing orders keep the
    method they were created with. Raises: UnknownId, ProposalNeeded, TryAgain.
    """

    def changed(trader: Trader) -> Trader:
        if method in trader.methods and operator.decision is None:
            return trader
        plan = _plan_of_method(trader, method.account_key, method, reason)
        operator.require(plan, second_person=_is_at_work(trader))
        return with_account(trader, method)

    # The audit entry has the key only; the account's details stay on the trader's item.
    details = {"method_type": method.account_key}
    return change_trader(
        register,
        operator,
        trader_id,
        action="trader.add-method",
        reason=reason,
        changed=changed,
        details=lambda *_: details,
    )


def remove_method(
    register: TraderRegister,
    operator: Operator,
    trader_id: str,
    key: str,
    reason: str = "",
) -> Trader:
    """Remove an account from a trader; existing orders keep it.

    Two people are needed as for `add_method`. Raises: UnknownId, ProposalNeeded, TryAgain.
    """

    def changed(trader: Trader) -> Trader:
        if trader.account(key) is None and operator.decision is None:
            raise UnknownId("method of this trader", key)
        plan = _plan_of_method(trader, key, None, reason)
        operator.require(plan, second_person=_is_at_work(trader))
        return without_account(trader, key)

    details = {"method_type": key}
    return change_trader(
        register,
        operator,
        trader_id,
        action="trader.remove-method",
        reason=reason,
        changed=changed,
        details=lambda *_: details,
    )


def _is_at_work(trader: Trader) -> bool:
    """Return whether a change of the trader's account or login can cost somebody live money."""
    has_money = trader.available_micro > 0 or trader.held_micro > 0
    return not trader.mode.is_test and (has_money or trader.open_orders > 0)


def _plan_of_method(trader: Trader, key: str, method: PaymentMethod | None, reason: str) -> Plan:
    before = trader.account(key)
    verb = "Remove" if method is None else "Add" if before is None else "Replace"
    return Plan(
        target=trader.trader_id,
        summary=f"{verb} the {key} account of {trader.name}",
        before=_shown(before),
        after=_shown(method),
        reason=reason,
        basis={"method": _fingerprint(before)},
    )


def _shown(method: PaymentMethod | None) -> dict[str, str]:
    """Return what a second person compares: the account's number is masked."""
    if method is None:
        return {"method": "none"}
    shown = {
        "method": method.account_key,
        "account": method.masked_number,
        "payee": masked_name(method.real_name),
        "bank": method.bank,
        "sub_bank": method.sub_bank,
    }
    return {name: value for name, value in shown.items() if value}


def _fingerprint(method: PaymentMethod | None) -> str:
    values = None if method is None else method.fields()
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def new_access_code(
    register: TraderRegister, operator: Operator, trader_id: str, reason: str = ""
) -> TraderWithCode:
    """Set a new access code; the old code and the sessions it opened end.

    Two people are needed for a live trader that has USDT or open orders.
    Raises: UnknownId, UnacceptableTerms, ProposalNeeded, TryAgain.
    """
    access_code = credentials.new_access_code(operator.chance.below)
    operator = operator.keeping(access_code)

    def changed(trader: Trader) -> Trader:
        plan = Plan(
            target=trader_id,
            summary=f"Reset the access code of {trader.name}",
            after={"access_code": "a new one; the old one and its sessions end"},
            reason=reason,
            basis={"access_code": trader.access_code_hash},
        )
        operator.require(plan, second_person=_is_at_work(trader))
        return replace(trader, access_code_hash=token_hash(access_code))

    trader = change_trader(
        register,
        operator,
        trader_id,
        action=TwoPersonCommand.RESET_CODE.value,
        reason=reason,
        changed=changed,
        details=lambda *_: {},
    )
    return TraderWithCode(trader, access_code)


def trader_account(register: TraderRegister, trader_id: str, *, as_test: bool) -> Account:
    """Return a trader's account in the trader's own mode.

    `as_test`: the operator means test money, which a live trader refuses.
    Raises: UnknownId, WrongMode, TryAgain.
    """
    mode = known_trader(register, trader_id).mode
    if as_test and mode is not Mode.TEST:
        raise WrongMode(f"trader {trader_id} is live: it has no test money")
    return Account(AccountKind.TRADER, trader_id, mode)


def known_trader(register: TraderRegister, trader_id: str) -> Trader:
    """Return a trader's present state. Raises: UnknownId, TryAgain."""
    trader = register.trader(trader_id)
    if trader is None:
        raise UnknownId("trader", trader_id)
    return trader


def change_trader(
    register: TraderRegister,
    operator: Operator,
    trader_id: str,
    *,
    action: str,
    reason: str,
    changed: Callable[[Trader], Trader],
    details: Callable[[Trader, Trader], Mapping[str, str]],
) -> Trader:
    """Change a trader's present state, with an audit entry; no change writes nothing.

    `details` returns the entry's details from the trader before and after.
    Raises: UnknownId, TryAgain, and whatever `changed` raises.
    """

    def write(before: Trader, after: Trader) -> None:
        entry = operator.entry(action, trader_id, reason, details(before, after))
        register.change(before, after, entry, operator.chance.token())

    return operator.change(lambda: known_trader(register, trader_id), changed, write)


def _described(trader: Trader) -> dict[str, str]:
    return describe_trader_terms(trader_terms_of(trader))


@dataclass(frozen=True, slots=True)
class AddMethod(GuardedCommand[Trader]):
    """`trader.add-method`."""

    trader_id: str
    method: PaymentMethod
    reason: str = ""
    name: ClassVar = TwoPersonCommand.ADD_METHOD

    @override
    def carry_out(self, ports: CommandPorts, operator: Operator) -> Trader:
        return add_method(ports.traders, operator, self.trader_id, self.method, self.reason)

    @override
    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Self:
        fields = parameters["method"]
        method = PaymentMethod(**{**fields, "method_type": MethodType(fields["method_type"])})
        return cls(**{**parameters, "method": method})


@dataclass(frozen=True, slots=True)
class RemoveMethod(GuardedCommand[Trader]):
    """`trader.remove-method`."""

    trader_id: str
    method_type: MethodType
    reason: str = ""
    account_no: int = 1
    name: ClassVar = TwoPersonCommand.REMOVE_METHOD

    @override
    def carry_out(self, ports: CommandPorts, operator: Operator) -> Trader:
        key = account_key(self.method_type, self.account_no)
        return remove_method(ports.traders, operator, self.trader_id, key, self.reason)

    @override
    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Self:
        return cls(**{**parameters, "method_type": MethodType(parameters["method_type"])})


@dataclass(frozen=True, slots=True)
class ResetCode(GuardedCommand[TraderWithCode]):
    """`trader.reset-code`."""

    trader_id: str
    reason: str = ""
    name: ClassVar = TwoPersonCommand.RESET_CODE

    @override
    def carry_out(self, ports: CommandPorts, operator: Operator) -> TraderWithCode:
        return new_access_code(ports.traders, operator, self.trader_id, self.reason)
