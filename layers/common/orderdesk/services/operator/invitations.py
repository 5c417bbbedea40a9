"""Operators invite the first members of a merchant's team to the portal (contract section 12)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, override

from orderdesk.domain import credentials
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.ids import token_hash
from orderdesk.domain.merchants.team import (
    INVITATION_SECONDS,
    MEMBERS_MAX,
    Invitation,
    MemberRole,
    Team,
    TeamFull,
    invitation_token,
    invited,
)
from orderdesk.domain.operators import UnacceptableTerms, name_problems
from orderdesk.domain.proposals import Plan, TwoPersonCommand
from orderdesk.services.operator.actions import GuardedCommand, Operator
from orderdesk.services.operator.merchants import known_merchant
from orderdesk.services.operator.ports import CommandPorts


@dataclass(frozen=True, slots=True)
class Invited:
    """An invitation just made, and its link, which is shown only once."""

    invitation: Invitation
    invite_url: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class InviteMember(GuardedCommand[Invited]):
    """`merchant.invite`."""

    merchant_id: str
    member: str
    role: MemberRole
    reason: str = ""
    name: ClassVar = TwoPersonCommand.INVITE_MEMBER

    @override
    def carry_out(self, ports: CommandPorts, operator: Operator) -> Invited:
        """Invite a person to a merchant's team, by a link for one use within 24 hours.

        Two people are needed for an admin or finance.
        Raises: UnknownId, UnacceptableTerms, ProposalNeeded, TryAgain.
        """
        problems = name_problems("name", self.member)
        if problems:
            raise UnacceptableTerms(problems)
        below = operator.chance.below
        secret = credentials.new_link_token(below)
        token = invitation_token(self.merchant_id, secret)
        url = f"{ports.pages_url.rstrip('/')}/portal/invite/{token}"
        operator = operator.keeping(url)
        made = Invitation(
            member_id=credentials.new_member_id(below),
            token_hash=token_hash(secret),
            name=self.member,
            role=self.role,
            invited_by="",
            expires_at=operator.now() + INVITATION_SECONDS,
        )

        def changed(team: Team) -> Team:
            merchant = known_merchant(ports.merchants, self.merchant_id)
            plan = Plan(
                target=self.merchant_id,
                summary=f"Invite {self.member} as {self.role.value} of {merchant.name}",
                after={"member": self.member, "role": self.role.value},
                reason=self.reason,
            )
            operator.require(plan, second_person=self.role.needs_second_operator)
            try:
                return invited(team, made, operator.now())
            except TeamFull:
                problem = FieldProblem("merchant_id", f"its team has {MEMBERS_MAX} members")
                raise UnacceptableTerms([problem]) from None

        def write(before: Team, after: Team) -> None:
            details = {"member": self.member, "role": self.role.value, "member_id": made.member_id}
            entry = operator.entry("merchant.invite", self.merchant_id, self.reason, details)
            ports.merchants.change_team(before, after, entry, operator.chance.token())

        operator.change(lambda: ports.merchants.team(self.merchant_id), changed, write)
        return Invited(made, url)

    @override
    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> Self:
        return cls(**{**parameters, "role": MemberRole(parameters["role"])})
