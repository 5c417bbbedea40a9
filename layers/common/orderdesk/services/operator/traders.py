"""Operators add traders, and change their receiving methods and access codes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from orderdesk.domain import credentials
from orderdesk.domain.audit import differences
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.ids import token_hash
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import UnacceptableTerms, UnknownId, WrongMode, name_problems
from orderdesk.domain.orders.open_buys import open_amounts_of
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.domain.traders.terms import (
    TraderTerms,
    TraderTermsChange,
    check_trader_terms,
    describe_trader_terms,
    trader_terms_of,
    under_trader_terms,
)
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.ports import TraderRegister

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
    the trader's open amounts are stored from then on, even if some of them are equal.
    Raises: UnknownId, UnacceptableTerms; TryAgain, also if the trader's orders change too often.
    """

    def changed(trader: Trader) -> Trader:
        after = under_trader_terms(trader, change)
        return _with_open_amounts(register, operator, trader, after)

    return change_trader(
        register,
        operator,
        trader_id,
        action="trader.set",
        reason=reason,
        changed=changed,
        details=lambda before, after: differences(_described(before), _described(after)),
    )


def _with_open_amounts(
    register: TraderRegister, operator: Operator, before: Trader, after: Trader
) -> Trader:
    """Collect the open amounts if unique amounts begin; drop them if they end.

    Raises: ChangedMeanwhile if the index does not show all open orders yet.
    """
    if after.unique_amounts is before.unique_amounts:
        return after
    if not after.unique_amounts:
        return replace(after, open_amounts=frozenset())
    orders = register.open_orders(before.trader_id)
    if len(orders) != before.open_orders:
        operator.pause_ms(PAUSE_BETWEEN_LOOKS_MS)
        raise ChangedMeanwhile
    return replace(after, open_amounts=open_amounts_of(orders))


def add_method(
    register: TraderRegister,
    operator: Operator,
    trader_id: str,
    method: PaymentMethod,
    reason: str = "",
) -> Trader:
    """Add a receiving method to a trader; it replaces the one of the same type.

    Existing orders keep the method they were created with. Raises: UnknownId, TryAgain.
    """

    def changed(trader: Trader) -> Trader:
        others = tuple(m for m in trader.methods if m.method_type is not method.method_type)
        return replace(trader, methods=(*others, method))

    # The audit entry has the type only; the account's details stay on the trader's item.
    details = {"method_type": method.method_type.value}
    return change_trader(
        register,
        operator,
        trader_id,
        action="trader.add-method",
        reason=reason,
        changed=changed,
        details=lambda *_: details,
    )


def new_access_code(
    register: TraderRegister, operator: Operator, trader_id: str, reason: str = ""
) -> TraderWithCode:
    """Set a new access code; the old code and the sessions it opened end.

    Raises: UnknownId, UnacceptableTerms, TryAgain.
    """
    access_code = credentials.new_access_code(operator.chance.below)
    trader = change_trader(
        register,
        operator,
        trader_id,
        action="trader.new-code",
        reason=reason,
        changed=lambda trader: replace(trader, access_code_hash=token_hash(access_code)),
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
