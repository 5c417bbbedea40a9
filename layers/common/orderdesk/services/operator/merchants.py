"""Operators add merchants, change their terms, rotate their secrets, suspend and resume them.

A merchant has at most MAX_ACTIVE_SECRETS at a time. The newest signs from now on and the previous
one stays valid, so the merchant can change over without a refused call. The next rotation drops the
oldest.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self, override

from orderdesk.domain import credentials
from orderdesk.domain.audit import differences
from orderdesk.domain.merchants.merchant import (
    MAX_ACTIVE_SECRETS,
    ApiSecrets,
    Merchant,
    MerchantSecrets,
    MerchantStatus,
    MerchantTerms,
)
from orderdesk.domain.merchants.terms import (
    TermsChange,
    approved_terms,
    changed_money,
    changed_terms,
    check_terms,
    describe_terms,
    far_terms,
)
from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import UnacceptableTerms, UnknownId, name_problems
from orderdesk.domain.proposals import NOTHING, Plan, TwoPersonCommand
from orderdesk.services.operator.actions import GuardedCommand, Operator
from orderdesk.services.operator.ports import CommandPorts, MerchantRegister, Vault


@dataclass(frozen=True, slots=True)
class NewMerchant:
    """A merchant just added, and its plain credentials, which are shown only once."""

    merchant: Merchant
    api_secret: str = field(repr=False)
    test_api_secret: str = field(repr=False)
    callback_secret: str = field(repr=False)


def add_merchant(
    register: MerchantRegister,
    vault: Vault,
    operator: Operator,
    name: str,
    terms: MerchantTerms,
    *,
    allow_loopback: bool,
    reason: str = "",
) -> NewMerchant:
    """Add a merchant with new credentials. Raises: UnacceptableTerms, TryAgain."""
    problems = name_problems("name", name)
    if problems:
        raise UnacceptableTerms(problems)
    check_terms(terms, allow_loopback=allow_loopback)
    below = operator.chance.below

    def attempt() -> NewMerchant:
        merchant_id = credentials.new_merchant_id(below)
        secrets = MerchantSecrets(
            api_secrets=(credentials.new_api_secret(below),),
            link_secret=credentials.new_link_secret(below),
        )
        test_secret = credentials.new_api_secret(below)
        callback_secret = credentials.new_callback_secret(below)
        merchant = Merchant(
            merchant_id=merchant_id,
            name=name,
            api_key=credentials.new_api_key(merchant_id, Mode.LIVE, below),
            status=MerchantStatus.ACTIVE,
            created_at=operator.now(),
            sealed_secrets=vault.seal(merchant_id, secrets),
            sealed_callback_secrets=vault.seal_callback(merchant_id, (callback_secret,)),
            terms=terms,
            test_api_key=credentials.new_api_key(merchant_id, Mode.TEST, below),
            sealed_test_secrets=vault.seal_test(merchant_id, ApiSecrets((test_secret,))),
        )
        details = {"name": name, **describe_terms(terms)}
        entry = operator.entry("merchant.add", merchant_id, reason, details)
        register.add(merchant, entry, operator.chance.token())
        return NewMerchant(merchant, secrets.api_secrets[0], test_secret, callback_secret)

    return operator.commit(attempt)


def set_terms(
    register: MerchantRegister,
    operator: Operator,
    merchant_id: str,
    change: TermsChange,
    *,
    allow_loopback: bool,
    reason: str = "",
) -> Merchant:
    """Change a merchant's terms for future orders.

    Two people are needed for a number of money that differs by more than 5 % from what two people
    last approved. Raises: UnknownId, UnacceptableTerms, ProposalNeeded, TryAgain.
    """

    def changed(merchant: Merchant) -> Merchant:
        terms = changed_terms(merchant.terms, change)
        check_terms(terms, allow_loopback=allow_loopback)
        # An approval continues: `require` refuses it, because what it rests on has changed.
        if terms == merchant.terms and operator.decision is None:
            return merchant
        plan = _plan_of_terms(merchant, terms, reason)
        operator.require(plan, second_person=bool(far_terms(merchant, terms)))
        approved = approved_terms(merchant)
        if operator.decision is not None:
            approved |= changed_money(merchant.terms, terms)
        return replace(merchant, terms=terms, approved=approved)

    return change_merchant(
        register, operator, merchant_id, action="merchant.set", reason=reason, changed=changed
    )


def _plan_of_terms(merchant: Merchant, terms: MerchantTerms, reason: str) -> Plan:
    old, new = describe_terms(merchant.terms), describe_terms(terms)
    names = [name for name, value in new.items() if old[name] != value]
    before = {name: old[name] for name in names}
    return Plan(
        target=merchant.merchant_id,
        summary=f"Change {', '.join(names)} of {merchant.name}",
        before=before,
        after={name: new[name] for name in names},
        reason=reason,
        basis=before,
    )


def suspend_merchant(
    register: MerchantRegister, operator: Operator, merchant_id: str, reason: str = ""
) -> Merchant:
    """Refuse a merchant's calls from now on. Raises: UnknownId, TryAgain.

    A function that has the merchant in its cache accepts calls for at most CacheSeconds more.
    Existing orders are not affected.
    """
    return change_merchant(
        register,
        operator,
        merchant_id,
        action="merchant.suspend",
        reason=reason,
        changed=lambda merchant: replace(merchant, status=MerchantStatus.SUSPENDED),
    )


def resume_merchant(
    register: MerchantRegister, operator: Operator, merchant_id: str, reason: str = ""
) -> Merchant:
    """Accept a suspended merchant's calls again. Raises: UnknownId, TryAgain."""
    return change_merchant(
        register,
        operator,
        merchant_id,
        action="merchant.resume",
        reason=reason,
        changed=lambda merchant: replace(merchant, status=MerchantStatus.ACTIVE),
    )


def rotate_api_secret(
    register: MerchantRegister,
    vault: Vault,
    operator: Operator,
    merchant_id: str,
    reason: str = "",
) -> str:
    """Create a new api_secret, which is shown only once.

    Two people are needed. Raises: UnknownId, ProposalNeeded, TryAgain.
    """
    new = credentials.new_api_secret(operator.chance.below)
    operator = operator.keeping(new)

    def changed(merchant: Merchant) -> Merchant:
        operator.require(_plan_of_rotation(merchant, reason), second_person=True)
        old = vault.unseal(merchant_id, merchant.sealed_secrets)
        secrets = old.rotated(new, operator.now())
        return replace(merchant, sealed_secrets=vault.seal(merchant_id, secrets))

    action = "merchant.rotate-secret"
    change_merchant(register, operator, merchant_id, action=action, reason=reason, changed=changed)
    return new


def _plan_of_rotation(merchant: Merchant, reason: str) -> Plan:
    return Plan(
        target=merchant.merchant_id,
        summary=f"Rotate the API secret of {merchant.name}",
        after={"api_secret": "a new one; the newest of today stays valid"},
        reason=reason,
        basis={"api_secret": hashlib.sha256(merchant.sealed_secrets).hexdigest()},
    )


@dataclass(frozen=True, slots=True)
class NewTestSecret:
    """A merchant's test key, and its new secret, which is shown only once."""

    api_key: str = field(repr=False)
    api_secret: str = field(repr=False)


def rotate_test_secret(
    register: MerchantRegister,
    vault: Vault,
    operator: Operator,
    merchant_id: str,
    reason: str = "",
) -> NewTestSecret:
    """Create a new secret of the test key, and the key if the merchant has none yet.

    One person is enough: a test key reaches no live money. Raises: UnknownId, TryAgain.
    """
    below = operator.chance.below
    new = credentials.new_api_secret(below)

    def changed(merchant: Merchant) -> Merchant:
        if merchant.test_api_key:
            old = vault.unseal_test(merchant_id, merchant.sealed_test_secrets)
            sealed = vault.seal_test(merchant_id, old.rotated(new, operator.now()))
            return replace(merchant, sealed_test_secrets=sealed)
        return replace(
            merchant,
            test_api_key=credentials.new_api_key(merchant_id, Mode.TEST, below),
            sealed_test_secrets=vault.seal_test(merchant_id, ApiSecrets((new,))),
        )

    merchant = change_merchant(
        register,
        operator,
        merchant_id,
        action="merchant.rotate-secret",
        reason=reason,
        changed=changed,
        details={"key": Mode.TEST.value},
    )
    return NewTestSecret(merchant.test_api_key, new)


def rotate_callback_secret(
    register: MerchantRegister,
    vault: Vault,
    operator: Operator,
    merchant_id: str,
    reason: str = "",
) -> str:
    """Create a new callback secret, which is shown only once.

    Until the next rotation callbacks have signatures by both secrets. Raises: UnknownId, TryAgain.
    """
    new = credentials.new_callback_secret(operator.chance.below)

    def changed(merchant: Merchant) -> Merchant:
        old = vault.unseal_callback(merchant_id, merchant.sealed_callback_secrets)
        sealed = vault.seal_callback(merchant_id, _newest_first(new, old))
        return replace(merchant, sealed_callback_secrets=sealed)

    action = "merchant.rotate-callback-secret"
    change_merchant(register, operator, merchant_id, action=action, reason=reason, changed=changed)
    return new


def _newest_first(new: str, old: tuple[str, ...]) -> tuple[str, ...]:
    return (new, *old)[:MAX_ACTIVE_SECRETS]


def known_merchant(register: MerchantRegister, merchant_id: str) -> Merchant:
    """Return a merchant's present state. Raises: UnknownId, TryAgain."""
    merchant = register.merchant(merchant_id)
    if merchant is None:
        raise UnknownId("merchant", merchant_id)
    return merchant


def change_merchant(
    register: MerchantRegister,
    operator: Operator,
    merchant_id: str,
    *,
    action: str,
    reason: str,
    changed: Callable[[Merchant], Merchant],
    details: Mapping[str, str] = NOTHING,
) -> Merchant:
    """Change a merchant's present state, with an audit entry; no change writes nothing.

    Raises: UnknownId, TryAgain, and whatever `changed` raises.
    """

    def write(before: Merchant, after: Merchant) -> None:
        changes = differences(_described(before), _described(after))
        entry = operator.entry(action, merchant_id, reason, {**details, **changes})
        register.change(before, after, entry, operator.chance.token())

    return operator.change(lambda: known_merchant(register, merchant_id), changed, write)


def _described(merchant: Merchant) -> dict[str, str]:
    return {"status": merchant.status.value, **describe_terms(merchant.terms)}


@dataclass(frozen=True, slots=True)
class SetTerms(GuardedCommand[Merchant]):
    """`merchant.set`."""

    merchant_id: str
    change: TermsChange
    reason: str = ""
    name: ClassVar = TwoPersonCommand.SET_MERCHANT

    @override
    def carry_out(self, ports: CommandPorts, operator: Operator) -> Merchant:
        return set_terms(
            ports.merchants,
            operator,
            self.merchant_id,
            self.change,
            allow_loopback=ports.allow_loopback,
            reason=self.reason,
        )

    @override
    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Self:
        change = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in parameters["change"].items()
        }
        return cls(**{**parameters, "change": change})


@dataclass(frozen=True, slots=True)
class RotateSecret(GuardedCommand[str]):
    """`merchant.rotate-secret`; returns the new secret."""

    merchant_id: str
    reason: str = ""
    name: ClassVar = TwoPersonCommand.ROTATE_SECRET

    @override
    def carry_out(self, ports: CommandPorts, operator: Operator) -> str:
        return rotate_api_secret(
            ports.merchants, ports.vault, operator, self.merchant_id, self.reason
        )
