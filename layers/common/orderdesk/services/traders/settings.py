"""A trader changes its own settings: receiving methods and limits (contract section 8).

Each change is one conditional transaction with its audit entry. Open orders keep the method that
they were matched with. A claim that read the earlier settings fails on the trader's new version.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from orderdesk.domain.audit import DESK_ACTION, AuditEntry, differences, new_audit_id, trader_actor
from orderdesk.domain.credentials import typed_access_code
from orderdesk.domain.errors import NotLoggedIn
from orderdesk.domain.ids import token_matches
from orderdesk.domain.payment_methods import PaymentMethod
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.domain.traders.settings import (
    method_change,
    settings_version,
    terms_change,
    unfit_limits,
)
from orderdesk.domain.traders.trader import (
    AccountTerms,
    OwnLimits,
    SettingsChanged,
    Trader,
    TraderSuspended,
    UnfitLimits,
    describe_limits,
    with_account,
    with_account_stopped,
    without_account,
)
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs, change_until_committed
from orderdesk.services.traders.desk import TraderDirectory, WrongAccessCode


@dataclass(frozen=True, slots=True)
class SettingsPorts:
    """The ports of a change; `now_us` returns Unix microseconds."""

    register: TraderDirectory
    chance: Chance
    now_us: Callable[[], int]
    pause_ms: PauseMs


@dataclass(frozen=True, slots=True)
class SettingsRequest:
    """Whose settings to change, and the version that the page showed; None: any will do."""

    trader_id: str
    seen_version: str | None


def change_method(
    request: SettingsRequest,
    access_code: str,
    key: str,
    method: PaymentMethod | None,
    ports: SettingsPorts,
) -> Trader:
    """Set the account of a key for future orders; None removes it.

    `access_code` is what the trader typed again.
    Raises: WrongAccessCode, SettingsChanged, TraderSuspended, NotLoggedIn, TryAgain.
    """

    def changed(trader: Trader) -> Trader:
        typed = typed_access_code(access_code)
        if not typed or not token_matches(typed, trader.access.access_code_hash):
            raise WrongAccessCode
        if trader.account(key) == method:
            return trader
        new = without_account(trader, key) if method is None else with_account(trader, method)
        return replace(new, methods_changed_at=ports.now_us() // US_PER_SECOND)

    def details(before: Trader, after: Trader) -> Mapping[str, str]:
        return method_change(before, after, key)

    action = "remove-method" if method is None else "set-method"
    return _change(request, action, changed, details, ports)


def set_account_terms(
    request: SettingsRequest, key: str, terms: AccountTerms, ports: SettingsPorts
) -> Trader:
    """Set the terms of an account for future orders; an unknown account is not changed.

    Raises: SettingsChanged, TraderSuspended, NotLoggedIn, TryAgain.
    """

    def changed(trader: Trader) -> Trader:
        if trader.account(key) is None or trader.terms_of(key) == terms:
            return trader
        return replace(trader, account_terms={**trader.account_terms, key: terms})

    def details(before: Trader, after: Trader) -> Mapping[str, str]:
        return terms_change(before, after, key)

    return _change(request, "set-account", changed, details, ports)


def stop_account(trader_id: str, key: str, ports: SettingsPorts) -> PaymentMethod | None:
    """Stop an account for future orders; return it, or None if there is none.

    It is urgent, so it needs no access code, and no version of the settings. Only operators resume
    it. Raises: TraderSuspended, NotLoggedIn, TryAgain.
    """
    stopped: PaymentMethod | None = None

    def changed(trader: Trader) -> Trader:
        nonlocal stopped
        stopped = trader.account(key)
        now = ports.now_us() // US_PER_SECOND
        return trader if stopped is None else with_account_stopped(trader, stopped, now)

    request = SettingsRequest(trader_id, seen_version=None)
    _change(request, "stop-account", changed, lambda *_: {"account": key}, ports)
    return stopped


def set_limits(request: SettingsRequest, own: OwnLimits, ports: SettingsPorts) -> Trader:
    """Set a trader's own limits for future orders, within the operator's.

    Raises: UnfitLimits, SettingsChanged, TraderSuspended, NotLoggedIn, TryAgain.
    """

    def changed(trader: Trader) -> Trader:
        unfit = frozenset(unfit_limits(own, trader.terms))
        if unfit:
            raise UnfitLimits(unfit)
        return replace(trader, own=own)

    def details(before: Trader, after: Trader) -> Mapping[str, str]:
        return differences(describe_limits(before.own), describe_limits(after.own))

    return _change(request, "set-limits", changed, details, ports)


def _change(
    request: SettingsRequest,
    action: str,
    changed: Callable[[Trader], Trader],
    details: Callable[[Trader, Trader], Mapping[str, str]],
    ports: SettingsPorts,
) -> Trader:
    """Change a trader's present state; a repeated request succeeds and writes nothing."""

    def read() -> Trader:
        trader = ports.register.trader(request.trader_id)
        if trader is None:
            raise NotLoggedIn
        if trader.suspended:
            raise TraderSuspended
        return trader

    def write(before: Trader, after: Trader) -> None:
        if request.seen_version not in {None, settings_version(before)}:
            raise SettingsChanged
        entry = AuditEntry(
            audit_id=new_audit_id(ports.chance.below),
            at_us=ports.now_us(),
            who=trader_actor(before.trader_id),
            action=f"{DESK_ACTION}{action}",
            target=before.trader_id,
            details=details(before, after),
            token=ports.chance.token(),
        )
        ports.register.change_settings(before, after, entry)

    return change_until_committed(read, changed, write, ports)
