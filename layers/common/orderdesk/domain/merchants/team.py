"""A merchant's team: members with their passkeys, and open invitations (contract section 12)."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from hmac import compare_digest

from orderdesk.domain.errors import Refusal
from orderdesk.domain.ids import token_hash

INVITATION_SECONDS = 24 * 3600
RECOVERY_REST_SECONDS = 48 * 3600
"""How long an operator's invitation to a team with an admin rests before it opens."""
MEMBERS_MAX = 50
"""The most members and open invitations together; the team is one item of at most 400 KB."""

PASSKEYS_MAX = 5
SHOWN_ID_CHARS = 16
"""The length of the ids of passkeys and sessions on a page, in hex digits."""


class MemberRole(StrEnum):
    """What a member may do; everybody reads."""

    ADMIN = "admin"
    FINANCE = "finance"
    DEVELOPER = "developer"
    VIEWER = "viewer"


class InvitationNotFound(Refusal, reason="invitation_not_found"):
    """The invitation does not exist, was used or withdrawn, or is over."""


class InvitationRests(Refusal, reason="invitation_rests"):
    """The invitation is a recovery that is not open yet; `opens_at` in Unix seconds."""

    def __init__(self, opens_at: int) -> None:
        super().__init__()
        self.opens_at = opens_at


class WrongInvitationCode(Refusal, reason="wrong_invitation_code"):
    """The code does not belong to the invitation's link."""


class MemberNotFound(Refusal, reason="member_not_found"):
    """There is no such member, passkey or invitation in the merchant's team."""


class TeamFull(Refusal, reason="team_full"):
    """The team has its most members and invitations, or the member its most passkeys."""


class LastAdmin(Refusal, reason="last_admin"):
    """The change would leave the team without an admin."""


class LastPasskey(Refusal, reason="last_passkey"):
    """A member keeps one passkey: without any it could never sign in again."""


class PasskeyRefused(Refusal, reason="passkey_refused"):
    """The browser's answer does not prove a passkey of this merchant's team."""


@dataclass(frozen=True, slots=True)
class Passkey:
    """A WebAuthn credential; times in Unix seconds.

    `credential_id` is base64url without padding. `device` is what the browser called itself when
    the passkey was registered.
    """

    credential_id: str = field(repr=False)
    public_key: bytes = field(repr=False)
    sign_count: int
    device: str
    created_at: int
    used_at: int

    @property
    def passkey_id(self) -> str:
        """The id that a page shows: the beginning of a hash, because credential ids are long."""
        return token_hash(self.credential_id)[:SHOWN_ID_CHARS]


@dataclass(frozen=True, slots=True)
class Member:
    """A person of a merchant, with at least one passkey."""

    member_id: str
    name: str
    role: MemberRole
    created_at: int
    passkeys: tuple[Passkey, ...] = field(repr=False)

    def passkey(self, credential_id: str) -> Passkey | None:
        """Return one of the member's passkeys, or None."""
        return next((p for p in self.passkeys if p.credential_id == credential_id), None)


@dataclass(frozen=True, slots=True)
class Invitation:
    """An open invitation; its link's token is stored as SHA-256 only.

    `code_hash` is of a code that the link's page asks for, "" for none. `invited_by` is the admin's
    name, or "" for an operator. The member gets `member_id`. A recovery opens at `opens_at` (Unix
    seconds); others are open from the beginning (0).
    """

    member_id: str
    token_hash: str = field(repr=False)
    name: str
    role: MemberRole
    invited_by: str
    expires_at: int
    code_hash: str = field(default="", repr=False)
    opens_at: int = 0

    def check(self, code: str) -> None:
        """Check a typed code, as `typed_access_code` returns it. Raises: WrongInvitationCode."""
        if self.code_hash and not compare_digest(token_hash(code), self.code_hash):
            raise WrongInvitationCode


@dataclass(frozen=True, slots=True)
class Team:
    """All members of a merchant; `version` grows with each change, and is 0 before the first."""

    merchant_id: str
    members: tuple[Member, ...] = ()
    invitations: tuple[Invitation, ...] = ()
    version: int = 0

    def member(self, member_id: str) -> Member | None:
        """Return a member, or None."""
        return next((m for m in self.members if m.member_id == member_id), None)

    @property
    def has_admin(self) -> bool:
        """Whether somebody can change the team."""
        return any(member.role is MemberRole.ADMIN for member in self.members)

    def recoveries(self, now: int) -> tuple[Invitation, ...]:
        """Return the recoveries that can be stopped at a time (Unix seconds)."""
        return tuple(each for each in self.open_invitations(now) if each.opens_at)

    def open_invitations(self, now: int) -> tuple[Invitation, ...]:
        """Return the invitations that are not over at a time (Unix seconds)."""
        return tuple(each for each in self.invitations if now < each.expires_at)

    def invitation(self, token_hash: str, now: int) -> Invitation:
        """Return an open invitation. Raises: InvitationNotFound, InvitationRests."""
        for each in self.open_invitations(now):
            if each.token_hash == token_hash:
                if now < each.opens_at:
                    raise InvitationRests(each.opens_at)
                return each
        raise InvitationNotFound


def invited(team: Team, invitation: Invitation, now: int) -> Team:
    """Return the team with one more invitation; those that are over go. Raises: TeamFull."""
    still_open = team.open_invitations(now)
    if len(team.members) + len(still_open) >= MEMBERS_MAX:
        raise TeamFull
    return replace(team, invitations=(*still_open, invitation))


def uninvited(team: Team, member_id: str) -> Team:
    """Return the team without an invitation. Raises: MemberNotFound."""
    rest = tuple(each for each in team.invitations if each.member_id != member_id)
    if rest == team.invitations:
        raise MemberNotFound
    return replace(team, invitations=rest)


def joined(team: Team, token_hash: str, passkey: Passkey, now: int) -> Team:
    """Return the team after an invitation was accepted with a new passkey.

    Raises: InvitationNotFound, InvitationRests, PasskeyRefused.
    """
    invitation = team.invitation(token_hash, now)
    _check_new(team.members, passkey)
    member = Member(invitation.member_id, invitation.name, invitation.role, now, (passkey,))
    rest = tuple(each for each in team.open_invitations(now) if each is not invitation)
    return replace(team, members=(*team.members, member), invitations=rest)


def with_role(team: Team, member_id: str, role: MemberRole) -> Team:
    """Return the team after a member's role changed. Raises: MemberNotFound, LastAdmin."""
    return _changed(team, replace(known_member(team, member_id), role=role))


def without_member(team: Team, member_id: str) -> Team:
    """Return the team without a member. Raises: MemberNotFound, LastAdmin."""
    gone = known_member(team, member_id)
    rest = tuple(each for each in team.members if each is not gone)
    return _still_administered(team, replace(team, members=rest))


def with_passkey(team: Team, member_id: str, passkey: Passkey) -> Team:
    """Return the team after a member registered one more passkey.

    Raises: MemberNotFound, TeamFull, PasskeyRefused.
    """
    member = known_member(team, member_id)
    _check_new(team.members, passkey)
    if len(member.passkeys) >= PASSKEYS_MAX:
        raise TeamFull
    return _changed(team, replace(member, passkeys=(*member.passkeys, passkey)))


def without_passkey(team: Team, member_id: str, passkey_id: str) -> Team:
    """Return the team without a passkey. Raises: MemberNotFound, LastPasskey."""
    member = known_member(team, member_id)
    rest = tuple(each for each in member.passkeys if each.passkey_id != passkey_id)
    if rest == member.passkeys:
        raise MemberNotFound
    if not rest:
        raise LastPasskey
    return _changed(team, replace(member, passkeys=rest))


def with_use(team: Team, member_id: str, used: Passkey) -> Team:
    """Return the team after a passkey was used; `used` has its new sign count and time.

    An authenticator that counts must count upwards: an equal or lower number can be a copy's.
    Raises: PasskeyRefused, also if the passkey was revoked.
    """
    member = team.member(member_id)
    before = None if member is None else member.passkey(used.credential_id)
    if member is None or before is None:
        raise PasskeyRefused
    if (used.sign_count or before.sign_count) and used.sign_count <= before.sign_count:
        raise PasskeyRefused
    keys = tuple(used if each is before else each for each in member.passkeys)
    return _changed(team, replace(member, passkeys=keys))


def known_member(team: Team, member_id: str) -> Member:
    """Return a member. Raises: MemberNotFound."""
    member = team.member(member_id)
    if member is None:
        raise MemberNotFound
    return member


def invitation_token(merchant_id: str, secret: str) -> str:
    """Return the token of an invitation's link: the merchant id, a dot, and the secret."""
    return f"{merchant_id}.{secret}"


def user_handle(merchant_id: str, member_id: str) -> str:
    """Return the WebAuthn user handle of a member, which a sign-in returns."""
    return f"{merchant_id}.{member_id}"


def _changed(team: Team, member: Member) -> Team:
    members = tuple(member if m.member_id == member.member_id else m for m in team.members)
    return _still_administered(team, replace(team, members=members))


def _still_administered(before: Team, after: Team) -> Team:
    """Return the team after a change that leaves an admin, if it had one. Raises: LastAdmin."""
    if before.has_admin and not after.has_admin:
        raise LastAdmin
    return after


def _check_new(members: Iterable[Member], passkey: Passkey) -> None:
    """Raise PasskeyRefused if somebody of the team has this passkey."""
    if any(member.passkey(passkey.credential_id) for member in members):
        raise PasskeyRefused
