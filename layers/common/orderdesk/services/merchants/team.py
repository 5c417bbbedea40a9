"""What members do with their team: invitations, roles, passkeys, sessions (contract section 12)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from orderdesk.domain.credentials import MEMBER_LETTER, new_id, new_link_token
from orderdesk.domain.ids import token_hash
from orderdesk.domain.merchants.team import (
    INVITATION_SECONDS,
    Invitation,
    MemberRole,
    Team,
    invitation_token,
    invited,
    known_member,
    uninvited,
    with_passkey,
    with_role,
    without_member,
    without_passkey,
)
from orderdesk.services.merchants.portal import (
    PortalPorts,
    PortalSession,
    Presented,
    SignedIn,
    end_session,
    new_challenge,
    new_passkey,
)


@dataclass(frozen=True, slots=True)
class TeamChange:
    """A member's change of its own team: the ports, who acts, and when."""

    ports: PortalPorts
    who: SignedIn
    now: int

    def invite(self, name: str, role: MemberRole) -> str:
        """Invite a person for 24 hours; return the link's token, which is shown once.

        Raises: TeamFull, TryAgain.
        """
        below = self.ports.chance.below
        secret = new_link_token(below)
        made = Invitation(
            member_id=new_id(MEMBER_LETTER, below),
            token_hash=token_hash(secret),
            name=name,
            role=role,
            invited_by=self.who.member.name,
            expires_at=self.now + INVITATION_SECONDS,
        )
        self._change(
            lambda team: invited(team, made, self.now),
            "member.invite",
            made.member_id,
            name=name,
            role=role.value,
        )
        return invitation_token(self.who.merchant_id, secret)

    def withdraw(self, member_id: str) -> None:
        """Withdraw an invitation. Raises: MemberNotFound, TryAgain."""
        self._change(lambda team: uninvited(team, member_id), "member.withdraw", member_id)

    def change_role(self, member_id: str, role: MemberRole) -> None:
        """Change a member's role. Raises: MemberNotFound, LastAdmin, TryAgain."""
        name = known_member(self.who.team, member_id).name
        self._change(
            lambda team: with_role(team, member_id, role),
            "member.role",
            member_id,
            name=name,
            role=role.value,
        )

    def remove(self, member_id: str) -> None:
        """Remove a member; its sessions end with it.

        Raises: MemberNotFound, LastAdmin, TryAgain.
        """
        name = known_member(self.who.team, member_id).name
        self._change(
            lambda team: without_member(team, member_id), "member.remove", member_id, name=name
        )

    def begin_passkey(self) -> str:
        """Return a challenge for one more passkey of the member. Raises: TryAgain."""
        return new_challenge(self.ports, _adding(self.who), self.now)

    def add_passkey(self, presented: Presented) -> None:
        """Register one more passkey of the member.

        Its challenge was made after the use of a passkey that the member has, so that a session
        alone adds none. Raises: PasskeyRefused, TeamFull, TryAgain.
        """
        passkey, own_id = new_passkey(self.ports, _adding(self.who), presented), self._own_id
        self._change(
            lambda team: with_passkey(team, own_id, passkey),
            "passkey.add",
            own_id,
            device=passkey.device,
        )

    def revoke_passkey(self, passkey_id: str) -> None:
        """Revoke a passkey of the member; the sessions that it opened end.

        Raises: MemberNotFound, LastPasskey, TryAgain.
        """
        self._change(
            lambda team: without_passkey(team, self._own_id, passkey_id),
            "passkey.revoke",
            self._own_id,
        )

    def end_session(self, member_id: str, session_id: str) -> None:
        """End a session of any member of the team. Raises: MemberNotFound, TryAgain."""
        known_member(self.who.team, member_id)
        entry = self.ports.entry(self.who.by, "session.end", member_id)
        end_session(self.ports, self.who.merchant_id, member_id, session_id, entry)

    def _change(
        self, changed: Callable[[Team], Team], action: str, target: str, **details: str
    ) -> None:
        """Change the team, with an entry of its audit trail. Raises: TryAgain."""
        self.ports.change_team(
            self.who.merchant_id,
            changed,
            lambda _: self.ports.entry(self.who.by, action, target, **details),
        )

    @property
    def _own_id(self) -> str:
        return self.who.member.member_id


def _adding(who: SignedIn) -> str:
    return f"add#{who.session.token_hash}"


def sessions_of(ports: PortalPorts, team: Team, now: int) -> Mapping[str, Sequence[PortalSession]]:
    """Return the open sessions of each member, by member_id. Raises: TryAgain."""
    listed = ports.sessions.of_members(
        team.merchant_id, [member.member_id for member in team.members]
    )
    return {
        member.member_id: [
            each
            for each in kept.sessions
            if now < each.expires_at and member.passkey(each.credential_id)
        ]
        for member, kept in zip(team.members, listed, strict=True)
    }
