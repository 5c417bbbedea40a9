"""Operators add traders, and change their receiving methods and access codes."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from orderdesk.domain import credentials
from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.audit import differences
from orderdesk.domain.authority import Effect, Power, changed_numbers
from orderdesk.domain.errors import ChangedMeanwhile, FieldProblem
from orderdesk.domain.identity import mask_name
from orderdesk.domain.ids import token_hash
from orderdesk.domain.operators import (
    OperatorRefusal,
    UnacceptableTerms,
    known,
    name_problems,
    refuse_unfit,
    require_reason,
)
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.proposals import Plan, Whole, plan_of_changes
from orderdesk.domain.traders.terms import (
    TraderTermsChange,
    approved_trader_terms,
    changed_powers,
    check_trader_terms,
    describe_trader_terms,
    is_far_trader,
    priced_terms,
    under_trader_terms,
)
from orderdesk.domain.traders.trader import (
    Trader,
    TraderAccess,
    TraderTerms,
    with_account,
    with_account_resumed,
    with_account_stopped,
    without_account,
)
from orderdesk.services.operator.actions import AuditedChange, Operator
from orderdesk.services.operator.ports import CommandPorts, TraderRegister

# The index usually shows a claim within a second.
PAUSE_BETWEEN_LOOKS_MS = 250


@dataclass(frozen=True, slots=True)
class TraderWithCode:
    """A trader, and its new access code in plain text, which is shown only once."""

    trader: Trader
    access_code: str = field(repr=False)


def add_trader(
    ports: CommandPorts, name: str, mode: Mode, terms: TraderTerms, reason: str = ""
) -> TraderWithCode:
    """Add a trader, offline and without a method.

    Two people are needed for a live trader, and each of them gets a half of its access code.
    Raises: UnacceptableTerms, ProposalNeeded, TryAgain.
    """
    refuse_unfit(name_problems("name", name))
    check_trader_terms(terms)
    operator, register = ports.operator, ports.traders
    below = operator.chance.below
    if not mode.is_test and operator.must_propose and (others := register.named(name)):
        problem = f"{', '.join(sorted(others))} has this name"  # the write refuses it as well
        raise UnacceptableTerms([FieldProblem("name", problem)])

    access_code = credentials.new_access_code(below)
    operator = operator.keeping(*credentials.halves_of(access_code))

    def attempt() -> TraderWithCode:
        trader_id = operator.new_target(credentials.new_id(credentials.TRADER_LETTER, below))
        trader = Trader(
            trader_id=trader_id,
            name=name,
            mode=mode,
            online=False,
            suspended=False,
            terms=terms,
            methods=(),
            created_at=operator.now(),
            access=TraderAccess(access_code_hash=token_hash(access_code)),
        )
        details = {"mode": mode.value, **describe_trader_terms(terms)}
        summary = f"Add the {mode.value} trader {name}, {trader_id}"
        plan = Plan(trader_id, summary, {"name": name, **details}, reason=reason)
        permit = operator.permit(plan, Effect(Power.ADMISSION, mode))
        entry = permit.entry("trader.add", details)
        register.add(trader, below(ports.rotation_shards), entry)
        return TraderWithCode(trader, access_code)

    return operator.commit(attempt)


def set_trader_terms(
    ports: CommandPorts, trader_id: str, change: TraderTermsChange, reason: str = ""
) -> Trader:
    """Change a trader's limits and caps for future orders; its open orders are not affected.

    A claim that read the earlier terms fails on the trader's new version. If unique amounts begin,
    the trader's open buys reserve their amounts, even if some of them are equal. Two people are
    needed for a number of a live trader that differs by more than 5 % from what two people last
    approved, and where a cap begins or ends.
    Raises: UnknownId, UnacceptableTerms, ProposalNeeded; TryAgain, also if the trader's orders
    change too often.
    """
    operator, register = ports.operator, ports.traders

    def changed(trader: Trader) -> AuditedChange[Trader] | None:
        after = under_trader_terms(trader, change)
        if after == trader and operator.decision is None:
            return None
        old, new = describe_trader_terms(trader.terms), describe_trader_terms(after.terms)
        details = differences(old, new)
        plan = plan_of_changes(trader.trader_id, trader.name, old, new, reason)
        is_far = is_far_trader(trader, after)
        powers = changed_powers(trader, after)
        effects = [Effect(power, trader.mode, is_grave=is_far) for power in sorted(powers)]
        permit = operator.permit(plan, *effects)
        approved = approved_trader_terms(trader)
        if operator.decision is not None:
            approved |= changed_numbers(priced_terms(trader), priced_terms(after))
        after = replace(after, approved=approved)
        if after.terms.unique_amounts and not trader.terms.unique_amounts:
            _reserve_open_amounts(register, operator, trader)
        return AuditedChange(after, permit, details)

    return change_trader(ports, trader_id, "trader.set", changed)


def _reserve_open_amounts(register: TraderRegister, operator: Operator, trader: Trader) -> None:
    """Reserve the amounts of a trader's open buys, one by one. A retry continues.

    Raises: ChangedMeanwhile if the index does not show all open orders yet, or if one changed.
    """
    orders = register.open_orders(trader.trader_id)
    if len(orders) != trader.counts.open_orders:
        operator.pause_ms(PAUSE_BETWEEN_LOOKS_MS)
        raise ChangedMeanwhile
    for order in orders:
        is_buy = order.order_type is OrderType.BUY
        if is_buy and order.status.is_open and not order.counted.unique_amount:
            register.reserve_amount(order, operator.now(), operator.chance.token())


def set_method(
    ports: CommandPorts, trader_id: str, key: str, method: PaymentMethod | None, reason: str = ""
) -> Trader:
    """Add an account to a trader, or replace the one with its key; None removes that one.

    Two people are needed for a live trader. Existing orders keep the method they were created with.
    Raises: UnknownId, ProposalNeeded, TryAgain.
    """
    operator = ports.operator

    def changed(trader: Trader) -> AuditedChange[Trader] | None:
        if trader.account(key) == method and operator.decision is None:
            known(method, "method of this trader", key)
            return None
        plan = _plan_of_method(trader, key, method, reason)
        permit = operator.permit(plan, Effect(Power.DESTINATION, trader.mode))
        after = without_account(trader, key) if method is None else with_account(trader, method)
        # The audit entry has the key only; the account's details stay on the trader's item.
        return AuditedChange(after, permit, {"method_type": key})

    action = "trader.remove-method" if method is None else "trader.add-method"
    return change_trader(ports, trader_id, action, changed)


def stop_account(
    ports: CommandPorts, trader_id: str, key: str, reason: str
) -> tuple[Trader, PaymentMethod]:
    """Stop an account: no new order gets it. One person is enough.

    Raises: UnknownId, UnacceptableTerms, TryAgain.
    """
    require_reason(reason)
    operator = ports.operator

    def changed(trader: Trader) -> AuditedChange[Trader] | None:
        method, details = _known_account(trader, key), {"account": key}
        if trader.stopped_at(method) is not None:
            return None
        plan = Plan(
            trader_id,
            f"Stop the {key} account of {trader.name}, {trader_id}",
            details,
            reason=reason,
        )
        permit = operator.permit(plan, Effect(Power.STOP, trader.mode))
        after = with_account_stopped(trader, method, operator.now())
        return AuditedChange(after, permit, details)

    trader = change_trader(ports, trader_id, "trader.stop-account", changed)
    return trader, _known_account(trader, key)


def resume_account(ports: CommandPorts, trader_id: str, key: str, reason: str = "") -> Trader:
    """Resume a stopped account for future orders; its marked buys stay as they are.

    It is a change of destination, so two people are needed for a live trader.
    Raises: UnknownId, ProposalNeeded, TryAgain.
    """
    operator = ports.operator

    def changed(trader: Trader) -> AuditedChange[Trader] | None:
        method = _known_account(trader, key)
        since = trader.stopped_at(method)
        if since is None and operator.decision is None:
            return None
        plan = Plan(
            target=trader.trader_id,
            summary=f"Resume the {key} account of {trader.name}, {trader.trader_id}",
            before=_shown(method) | {"stopped": "yes"},
            after=_shown(method) | {"stopped": "no"},
            whole=Whole(_whole(method), _whole(method)),
            reason=reason,
            basis={"method": _fingerprint(method), "stopped": str(since)},
        )
        permit = operator.permit(plan, Effect(Power.DESTINATION, trader.mode))
        return AuditedChange(with_account_resumed(trader, method), permit, {"account": key})

    return change_trader(ports, trader_id, "trader.resume-account", changed)


def _known_account(trader: Trader, key: str) -> PaymentMethod:
    return known(trader.account(key), "account of this trader", key)


def _plan_of_method(trader: Trader, key: str, method: PaymentMethod | None, reason: str) -> Plan:
    before = trader.account(key)
    verb = "Remove" if method is None else "Add" if before is None else "Replace"
    return Plan(
        target=trader.trader_id,
        summary=f"{verb} the {key} account of {trader.name}, {trader.trader_id}",
        before=_shown(before),
        after=_shown(method),
        whole=Whole(_whole(before), _whole(method)),
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
        "payee": mask_name(method.real_name),
        "bank": method.bank,
        "sub_bank": method.sub_bank,
    }
    return {name: value for name, value in shown.items() if value}


def _whole(method: PaymentMethod | None) -> dict[str, str]:
    """Return what payers would see of an account, for the person who decides."""
    return {} if method is None else {name: text for name, text in method.fields().items() if text}


def _fingerprint(method: PaymentMethod | None) -> str:
    values = None if method is None else method.fields()
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def new_access_code(ports: CommandPorts, trader_id: str, reason: str = "") -> TraderWithCode:
    """Set a new access code; the old code and the sessions it opened end.

    Two people are needed for a live trader, and each of them gets a half of the code.
    Raises: UnknownId, UnacceptableTerms, ProposalNeeded, TryAgain.
    """
    access_code = credentials.new_access_code(ports.operator.chance.below)
    operator = ports.operator.keeping(*credentials.halves_of(access_code))

    def changed(trader: Trader) -> AuditedChange[Trader]:
        plan = Plan(
            target=trader_id,
            summary=f"Reset the access code of {trader.name}, {trader_id}",
            after={"access_code": "a new one; the old one and its sessions end"},
            reason=reason,
            basis={"access_code": trader.access.access_code_hash},
        )
        permit = operator.permit(plan, Effect(Power.DESTINATION, trader.mode))
        return AuditedChange(
            replace(
                trader, access=replace(trader.access, access_code_hash=token_hash(access_code))
            ),
            permit,
        )

    trader = change_trader(ports.acting(operator), trader_id, "trader.reset-code", changed)
    return TraderWithCode(trader, access_code)


def trader_account(register: TraderRegister, trader_id: str, *, as_test: bool) -> Account:
    """Return a trader's account in the trader's own mode.

    `as_test`: the operator means test money, which a live trader refuses.
    Raises: UnknownId, OperatorRefusal, TryAgain.
    """
    mode = known_trader(register, trader_id).mode
    if as_test and mode is not Mode.TEST:
        raise OperatorRefusal(f"trader {trader_id} is live: it has no test money")
    return Account(AccountKind.TRADER, trader_id, mode)


def known_trader(register: TraderRegister, trader_id: str) -> Trader:
    """Return a trader's present state. Raises: UnknownId, TryAgain."""
    return known(register.trader(trader_id), "trader", trader_id)


def change_trader(
    ports: CommandPorts,
    trader_id: str,
    action: str,
    changed: Callable[[Trader], AuditedChange[Trader] | None],
) -> Trader:
    """Change a trader's present state, with an audit entry; no change writes nothing.

    Raises: UnknownId, TryAgain, and whatever `changed` raises.
    """
    read = partial(known_trader, ports.traders, trader_id)
    return ports.operator.change(action, read, changed, ports.traders.change)
