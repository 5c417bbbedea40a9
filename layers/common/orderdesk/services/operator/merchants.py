"""Operators add merchants, change their terms, revoke their secrets, suspend and resume them.

They also invite the first members of a merchant's team to the portal (contract section 12).

No operator sees a live secret: a merchant's people make it in the portal.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

from orderdesk.domain import credentials
from orderdesk.domain.audit import differences
from orderdesk.domain.authority import Effect, Power, changed_numbers
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.ids import token_hash
from orderdesk.domain.merchants.merchant import (
    ApiSecrets,
    Merchant,
    MerchantSecrets,
    MerchantStatus,
    MerchantTerms,
    make_api_key,
)
from orderdesk.domain.merchants.notices import TERM_POWERS, changed_term_names
from orderdesk.domain.merchants.team import (
    INVITATION_SECONDS,
    MEMBERS_MAX,
    RECOVERY_REST_SECONDS,
    Invitation,
    MemberRole,
    Team,
    TeamFull,
    invitation_token,
    invited,
)
from orderdesk.domain.merchants.terms import (
    TermsChange,
    approved_terms,
    changed_terms,
    check_terms,
    describe_terms,
    far_terms,
    money_terms,
)
from orderdesk.domain.operators import UnacceptableTerms, known, name_problems, refuse_unfit
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import Plan, plan_of_changes
from orderdesk.services.operator.actions import AuditedChange
from orderdesk.services.operator.ports import CommandPorts, MerchantRegister


@dataclass(frozen=True, slots=True)
class NewMerchant:
    """A merchant just added, and its plain credentials, which are shown only once.

    Without a live key `api_secret` and `callback_secret` are "".
    """

    merchant: Merchant
    test_api_secret: str = field(repr=False)
    api_secret: str = field(default="", repr=False)
    callback_secret: str = field(default="", repr=False)


def add_merchant(
    ports: CommandPorts, name: str, terms: MerchantTerms, reason: str = ""
) -> NewMerchant:
    """Add a merchant with a test key.

    Its live key and its callback secret are made in the portal, by the people whom two operators
    let in. Who acts alone gets them at once. Raises: UnacceptableTerms, TryAgain.
    """
    refuse_unfit(name_problems("name", name))
    check_terms(terms, allow_loopback=ports.allow_loopback)
    operator, vault = ports.operator, ports.vault
    below, alone = operator.chance.below, operator.caller.alone
    effect = Effect(Power.ADMISSION, Mode.LIVE if alone else Mode.TEST)

    def attempt() -> NewMerchant:
        merchant_id = credentials.new_id(credentials.MERCHANT_LETTER, below)
        live_secret = credentials.new_api_secret(below) if alone else ""
        secrets = MerchantSecrets(
            api_secrets=(live_secret,) if alone else (),
            link_secret=credentials.new_link_secret(below),
        )
        test_secret = credentials.new_api_secret(below)
        callback_secret = credentials.new_callback_secret(below)
        merchant = Merchant(
            merchant_id=merchant_id,
            name=name,
            api_key=make_api_key(merchant_id, Mode.LIVE, credentials.new_key_text(below))
            if alone
            else "",
            status=MerchantStatus.ACTIVE,
            created_at=operator.now(),
            sealed_secrets=vault.seal(merchant_id, secrets),
            sealed_callback_secrets=vault.seal_callback(merchant_id, (callback_secret,)),
            terms=terms,
            test_api_key=make_api_key(merchant_id, Mode.TEST, credentials.new_key_text(below)),
            sealed_test_secrets=vault.seal_key(merchant_id, Mode.TEST, ApiSecrets((test_secret,))),
        )
        details = {"name": name, **describe_terms(terms)}
        plan = Plan(merchant_id, f"Add the merchant {name}", details, reason=reason)
        entry = operator.permit(plan, effect).entry("merchant.add", details)
        ports.merchants.add(merchant, entry)
        shown = (live_secret, callback_secret) if alone else ("", "")
        return NewMerchant(merchant, test_secret, *shown)

    return operator.commit(attempt)


def set_terms(
    ports: CommandPorts, merchant_id: str, change: TermsChange, reason: str = ""
) -> Merchant:
    """Change a merchant's terms for future orders.

    Two people are needed for a number of money that differs by more than 5 % from what two people
    last approved. Raises: UnknownId, UnacceptableTerms, ProposalNeeded, TryAgain.
    """
    operator = ports.operator

    def changed(merchant: Merchant) -> AuditedChange[Merchant] | None:
        terms = changed_terms(merchant.terms, change)
        check_terms(terms, allow_loopback=ports.allow_loopback)
        # An approval continues: `permit` refuses it, because what it rests on has changed.
        if terms == merchant.terms and operator.decision is None:
            return None
        old, new = describe_terms(merchant.terms), describe_terms(terms)
        plan = plan_of_changes(merchant.merchant_id, merchant.name, old, new, reason)
        is_far = bool(far_terms(merchant, terms))
        powers = {TERM_POWERS[name] for name in changed_term_names(merchant.terms, terms)}
        effects = [Effect(power, is_grave=is_far) for power in sorted(powers)]
        permit = operator.permit(plan, *effects)
        approved = approved_terms(merchant)
        if operator.decision is not None:
            approved |= changed_numbers(money_terms(merchant.terms), money_terms(terms))
        details = differences(plan.before, plan.after)
        return AuditedChange(replace(merchant, terms=terms, approved=approved), permit, details)

    return _change(ports, merchant_id, "merchant.set", changed)


def set_status(
    ports: CommandPorts, merchant_id: str, status: MerchantStatus, reason: str = ""
) -> Merchant:
    """Refuse a merchant's calls from now on, or accept them again. Raises: UnknownId, TryAgain.

    A function that has the merchant in its cache accepts calls for at most CacheSeconds more.
    Existing orders are not affected.
    """
    verb = "suspend" if status is MerchantStatus.SUSPENDED else "resume"

    def changed(merchant: Merchant) -> AuditedChange[Merchant]:
        details = differences({"status": merchant.status.value}, {"status": status.value})
        summary = f"{verb.title()} {merchant.name}, {merchant_id}"
        plan = Plan(merchant_id, summary, details, reason=reason)
        permit = ports.operator.permit(plan, Effect(Power.STOP))
        return AuditedChange(replace(merchant, status=status), permit, details)

    return _change(ports, merchant_id, f"merchant.{verb}", changed)


class Revoked(StrEnum):
    """What an operator can stop of a merchant's secrets."""

    LIVE_KEY = "live"
    TEST_KEY = "test"
    CALLBACKS = "callback"


def revoke_secret(
    ports: CommandPorts, merchant_id: str, what: Revoked, reason: str = ""
) -> Merchant:
    """Stop the keys of a mode, or the callback secret; one person may, and learns no new one.

    The merchant's people make a new key in the portal. Callbacks are signed by a new secret that
    nobody has seen, until they make one there. Raises: UnknownId, UnacceptableTerms, TryAgain.
    """
    operator, vault = ports.operator, ports.vault

    def without(merchant: Merchant) -> Merchant:
        match what:
            case Revoked.LIVE_KEY:
                old = vault.unseal(merchant_id, merchant.sealed_secrets)
                left = MerchantSecrets(api_secrets=(), link_secret=old.link_secret)
                sealed = vault.seal(merchant_id, left)
                return replace(
                    _without_keys(merchant, Mode.LIVE), api_key="", sealed_secrets=sealed
                )
            case Revoked.TEST_KEY:
                without_test = _without_keys(merchant, Mode.TEST)
                return replace(without_test, test_api_key="", sealed_test_secrets=b"")
            case Revoked.CALLBACKS:
                new = (credentials.new_callback_secret(operator.chance.below),)
                sealed = vault.seal_callback(merchant_id, new)
                return replace(merchant, sealed_callback_secrets=sealed)

    def changed(merchant: Merchant) -> AuditedChange[Merchant]:
        summary = f"Revoke the {what.value} secret of {merchant.name}, {merchant_id}"
        plan = Plan(merchant_id, summary, {"key": what.value}, reason=reason)
        permit = operator.permit(plan, Effect(Power.STOP))
        return AuditedChange(without(merchant), permit, {"key": what.value})

    return _change(ports, merchant_id, "merchant.revoke-secret", changed)


def _without_keys(merchant: Merchant, mode: Mode) -> Merchant:
    kept = tuple(key for key in merchant.more_keys if key.mode is not mode)
    return replace(merchant, more_keys=kept)


def known_merchant(register: MerchantRegister, merchant_id: str) -> Merchant:
    """Return a merchant's present state. Raises: UnknownId, TryAgain."""
    return known(register.merchant(merchant_id), "merchant", merchant_id)


def _change(
    ports: CommandPorts,
    merchant_id: str,
    action: str,
    changed: Callable[[Merchant], AuditedChange[Merchant] | None],
) -> Merchant:
    read = partial(known_merchant, ports.merchants, merchant_id)
    return ports.operator.change(action, read, changed, ports.merchants.change_merchant)


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation just made, and its link, which is shown only once."""

    invitation: Invitation
    invite_url: str = field(repr=False)


def invite_member(
    ports: CommandPorts, merchant_id: str, *, name: str, role: MemberRole, reason: str = ""
) -> Invited:
    """Invite a person to a merchant's team, by a link for one use within 24 hours.

    Two people are needed: the proposer gets the link, and the approver the code that its page asks
    for. A link that one person makes alone asks for no code. If the team has an admin, an
    invitation by two is a recovery: all members see it at once, and it opens after 48 hours.
    Raises: UnknownId, UnacceptableTerms, ProposalNeeded, TryAgain.
    """
    refuse_unfit(name_problems("name", name))
    operator = ports.operator
    below = operator.chance.below
    secret = credentials.new_link_token(below)
    token = invitation_token(merchant_id, secret)
    url = f"{ports.pages_url.rstrip('/')}/portal/invite/{token}"
    code = "" if operator.decision is None else credentials.new_access_code(below)
    operator = operator.keeping(url, code)
    first = Invitation(
        member_id=credentials.new_id(credentials.MEMBER_LETTER, below),
        token_hash=token_hash(secret),
        code_hash=token_hash(code) if code else "",
        name=name,
        role=role,
        invited_by="",
        expires_at=operator.now() + INVITATION_SECONDS,
    )
    made = first

    def changed(team: Team) -> AuditedChange[Team]:
        nonlocal made
        merchant = known_merchant(ports.merchants, merchant_id)
        plan = _invitation_plan(merchant, team, name, role, reason)
        permit = operator.permit(plan, Effect(Power.ADMISSION))
        made = _resting(first) if team.has_admin and not operator.caller.alone else first
        try:
            after = invited(team, made, operator.now())
        except TeamFull:
            problem = FieldProblem("merchant_id", f"its team has {MEMBERS_MAX} members")
            raise UnacceptableTerms([problem]) from None
        return AuditedChange(after, permit, {**plan.after, "member_id": made.member_id})

    read = partial(ports.merchants.team, merchant_id)
    operator.change("merchant.invite", read, changed, ports.merchants.change_team)
    return Invited(made, url)


def _invitation_plan(
    merchant: Merchant, team: Team, name: str, role: MemberRole, reason: str
) -> Plan:
    """Return the plan of an invitation; it rests on whether somebody of the team can stop it."""
    verb, opens = "Invite", "at once"
    terms = describe_terms(merchant.terms)
    if team.has_admin:
        terms = {}  # two people have seen them, or their changes
        verb = "Recovery: invite"
        opens = f"{RECOVERY_REST_SECONDS // 3600} h after the approval; all members are notified"
    return Plan(
        target=merchant.merchant_id,
        summary=f"{verb} {name} as {role.value} of {merchant.name}, {merchant.merchant_id}",
        after={"member": name, "role": role.value, "opens": opens, **terms},
        reason=reason,
        basis={"recovery": str(team.has_admin), **terms},
    )


def _resting(invitation: Invitation) -> Invitation:
    """Return an invitation that opens later, and is valid as long from then on."""
    rest = RECOVERY_REST_SECONDS
    opens_at = invitation.expires_at - INVITATION_SECONDS + rest
    return replace(invitation, opens_at=opens_at, expires_at=invitation.expires_at + rest)
