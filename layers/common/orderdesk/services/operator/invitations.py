"""Operators invite the first members of a merchant's team to the portal (contract section 12)."""

from dataclasses import dataclass, field, replace
from functools import partial

from orderdesk.domain import credentials
from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.ids import token_hash
from orderdesk.domain.merchants.merchant import Merchant
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
from orderdesk.domain.merchants.terms import describe_terms
from orderdesk.domain.operators import UnacceptableTerms, name_problems
from orderdesk.domain.proposals import Plan
from orderdesk.services.operator.actions import AuditedChange, Operator
from orderdesk.services.operator.merchants import known_merchant
from orderdesk.services.operator.ports import CommandPorts


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation just made, and its link, which is shown only once."""

    invitation: Invitation
    invite_url: str = field(repr=False)


def invite_member(
    ports: CommandPorts,
    operator: Operator,
    merchant_id: str,
    *,
    name: str,
    role: MemberRole,
    reason: str = "",
) -> Invited:
    """Invite a person to a merchant's team, by a link for one use within 24 hours.

    Two people are needed: the proposer gets the link, and the approver the code that its page asks
    for. A link that one person makes alone asks for no code. If the team has an admin, an
    invitation by two is a recovery: all members see it at once, and it opens after 48 hours.
    Raises: UnknownId, UnacceptableTerms, ProposalNeeded, TryAgain.
    """
    problems = name_problems("name", name)
    if problems:
        raise UnacceptableTerms(problems)
    below = operator.chance.below
    secret = credentials.new_link_token(below)
    token = invitation_token(merchant_id, secret)
    url = f"{ports.pages_url.rstrip('/')}/portal/invite/{token}"
    code = "" if operator.decision is None else credentials.new_access_code(below)
    operator = operator.keeping(url, code)
    first = Invitation(
        member_id=credentials.new_member_id(below),
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
        plan = _plan(merchant, team, name, role, reason)
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


def _plan(merchant: Merchant, team: Team, name: str, role: MemberRole, reason: str) -> Plan:
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
