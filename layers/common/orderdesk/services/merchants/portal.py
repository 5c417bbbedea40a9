"""Sign-in to the merchants' portal by passkey, and its sessions (contract section 12).

A challenge is random, for one purpose, and is used once within five minutes. Only SHA-256 of the
tokens of invitations and sessions is stored. A session ends after 12 hours, when it is ended, and
with its member and its passkey.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from orderdesk.domain.audit import AuditEntry, Requester
from orderdesk.domain.credentials import new_link_token, typed_access_code
from orderdesk.domain.errors import NotLoggedIn
from orderdesk.domain.ids import token_hash
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import (
    SHOWN_ID_CHARS,
    Invitation,
    InvitationNotFound,
    Member,
    Passkey,
    PasskeyRefused,
    Team,
    joined,
    known_member,
    with_use,
)
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs, change_until_committed, until_committed

SESSION_SECONDS = 12 * 3600
CHALLENGE_SECONDS = 300
SESSIONS_MAX = 10
"""The most sessions of a member; one more ends the oldest."""

SIGN_IN = "sign-in"
"""The purpose of challenges for a sign-in."""

# Ids come from links and cookies, and must fit a table's key.
_ID = re.compile(r"[a-z0-9]{1,32}")


@dataclass(frozen=True, slots=True)
class PortalSession:
    """A member's session; times in Unix seconds. `device` is what the browser calls itself."""

    token_hash: str = field(repr=False)
    credential_id: str = field(repr=False)
    device: str
    source_ip: str
    started_at: int
    expires_at: int

    @property
    def session_id(self) -> str:
        """The id that a page shows: the beginning of the token's hash."""
        return self.token_hash[:SHOWN_ID_CHARS]


@dataclass(frozen=True, slots=True)
class MemberSessions:
    """All sessions of a member, oldest first; `version` is 0 before the first."""

    merchant_id: str
    member_id: str
    sessions: tuple[PortalSession, ...] = ()
    version: int = 0


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """Whom browsers make passkeys for: a host, and the origin of the pages."""

    host: str
    origin: str


@dataclass(frozen=True, slots=True)
class Browser:
    """Where a request came from; `device` is what the browser calls itself."""

    source_ip: str
    device: str
    request_id: str

    def requester(self, merchant_id: str, who: str) -> Requester:
        """Return who acts from here."""
        return Requester(merchant_id, who, self.source_ip, self.request_id)


@dataclass(frozen=True, slots=True)
class Credential:
    """The parts of a browser's answer that are read before it is checked.

    `text` is its JSON. `user_handle` is "" where the answer has none.
    """

    text: str = field(repr=False)
    credential_id: str = field(repr=False)
    challenge: str = field(repr=False)
    user_handle: str


@dataclass(frozen=True, slots=True)
class Presented:
    """A browser's answer to a challenge, with whom it is for, where it is from, and the time.

    `text` is the answer's JSON; `now` is in Unix seconds.
    """

    text: str = field(repr=False)
    party: RelyingParty
    browser: Browser
    now: int


class Teams(Protocol):
    """Reads and changes merchants and their teams. Reads raise TryAgain.

    Each change is written with an entry of the team's audit trail, in one transaction. It raises
    ChangedMeanwhile if `before` is outdated; Contended, Throttled, TryAgain.
    """

    def team(self, merchant_id: str) -> Team:
        """Return a merchant's team; without members if there is none."""

    def merchant_and_team(self, merchant_id: str) -> tuple[Merchant | None, Team]:
        """Return a merchant and its team, in one request."""

    def change_team(self, before: Team, after: Team, entry: AuditEntry) -> None:
        """Write the team."""

    def note_use(self, before: Team, after: Team, token: str) -> None:
        """Write when a passkey was used, without an entry."""

    def known_merchant(self, merchant_id: str) -> Merchant:
        """Return a merchant's present state."""

    def change_merchant(self, before: Merchant, after: Merchant, entry: AuditEntry) -> None:
        """Write the changed attributes."""

    def trail(self, merchant_id: str, until_us: int, limit: int) -> Sequence[AuditEntry]:
        """Return the newest entries up to a time (Unix microseconds), newest first."""


class PortalSessions(Protocol):
    """Stores members' sessions. Reads raise TryAgain."""

    def sessions(self, merchant_id: str, member_id: str) -> MemberSessions:
        """Return a member's sessions; those that are over may be among them."""

    def with_team(
        self, merchant_id: str, member_id: str
    ) -> tuple[MemberSessions, Merchant | None, Team]:
        """Return a member's sessions, its merchant and its team, in one request."""

    def of_members(self, merchant_id: str, member_ids: Sequence[str]) -> Sequence[MemberSessions]:
        """Return the sessions of at most 100 members, in their order."""

    def save(
        self, before: MemberSessions, after: MemberSessions, entry: AuditEntry | None, token: str
    ) -> None:
        """Store them, and an entry of the audit trail, in one transaction.

        Raises: ChangedMeanwhile, Contended, Throttled, TryAgain.
        """


class Challenges(Protocol):
    """Stores challenges. Each method raises TryAgain."""

    def keep(self, challenge_hash: str, purpose: str, expires_at: int) -> None:
        """Store a challenge for a purpose."""

    def take(self, challenge_hash: str, purpose: str, now: int) -> bool:
        """Delete a challenge; return whether it was there for this purpose and not over."""


class PasskeyChecks(Protocol):
    """Checks browsers' answers. Each method raises PasskeyRefused."""

    def parsed(self, text: str) -> Credential:
        """Parse an answer."""

    def registered(self, answer: Credential, party: RelyingParty) -> tuple[bytes, int]:
        """Check a new passkey; return its public key and sign count."""

    def asserted(self, answer: Credential, party: RelyingParty, passkey: Passkey) -> int:
        """Check the use of a passkey; return its new sign count."""


@dataclass(frozen=True, slots=True)
class PortalPorts:
    teams: Teams
    sessions: PortalSessions
    challenges: Challenges
    passkeys: PasskeyChecks
    chance: Chance
    now_us: Callable[[], int]
    pause_ms: PauseMs

    def entry(self, by: Requester, action: str, target: str, **details: str) -> AuditEntry:
        """Create an entry of the merchant's audit trail at this time."""
        below, token = self.chance.below, self.chance.token()
        return by.entry(below, self.now_us(), action, target, details, token=token)

    def change_team(
        self, merchant_id: str, changed: Callable[[Team], Team], entry: Callable[[Team], AuditEntry]
    ) -> Team:
        """Change a team, with an entry of its audit trail made from the new state.

        Raises: TryAgain, and whatever `changed` raises.
        """
        return change_until_committed(
            lambda: self.teams.team(merchant_id),
            changed,
            lambda before, after: self.teams.change_team(before, after, entry(after)),
            self,
        )

    def change_merchant(
        self,
        merchant_id: str,
        changed: Callable[[Merchant], Merchant],
        entry: Callable[[Merchant, Merchant], AuditEntry],
    ) -> Merchant:
        """Change a merchant, with an entry of its audit trail made from both states.

        Raises: TryAgain.
        """
        return change_until_committed(
            lambda: self.teams.known_merchant(merchant_id),
            changed,
            lambda old, new: self.teams.change_merchant(old, new, entry(old, new)),
            self,
        )


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A member's request: who acts, for which merchant, in which session, and from where."""

    merchant: Merchant
    team: Team
    member: Member
    session: PortalSession
    browser: Browser

    @property
    def merchant_id(self) -> str:
        return self.merchant.merchant_id

    @property
    def by(self) -> Requester:
        """The member as the audit trail names it."""
        return self.browser.requester(self.merchant_id, self.member.name)

    @property
    def purpose(self) -> str:
        """The purpose of challenges for this session's changes."""
        return f"confirm#{self.session.token_hash}"


def new_challenge(ports: PortalPorts, purpose: str, now: int) -> str:
    """Store a new challenge of 256 random bits; return it as base64url. Raises: TryAgain."""
    challenge = new_link_token(ports.chance.below)
    ports.challenges.keep(token_hash(challenge), purpose, now + CHALLENGE_SECONDS)
    return challenge


def joining(invitation: Invitation) -> str:
    """Return the purpose of challenges for an invitation."""
    return f"join#{invitation.token_hash}"


def open_invitation(ports: PortalPorts, token: str, now: int) -> tuple[Merchant, Team, Invitation]:
    """Return the merchant, the team and the invitation of a link; it consumes nothing.

    Raises: InvitationNotFound, TryAgain.
    """
    merchant_id, _, secret = token.partition(".")
    if not _ID.fullmatch(merchant_id):
        raise InvitationNotFound
    merchant, team = ports.teams.merchant_and_team(merchant_id)
    invitation = team.invitation(token_hash(secret), now)
    assert merchant is not None
    return merchant, team, invitation


def accept(ports: PortalPorts, token: str, code: str, presented: Presented) -> str:
    """Register the invited person's passkey, use the invitation up, and open a session.

    `code` is what the person typed, of an invitation that two operators made. The passkey and the
    end of the invitation are one transaction. Return the cookie's value.
    Raises: InvitationNotFound, WrongInvitationCode, PasskeyRefused, TryAgain.
    """
    now = presented.now
    merchant, _, invitation = open_invitation(ports, token, now)
    invitation.check(typed_access_code(code))
    passkey = new_passkey(ports, joining(invitation), presented)

    def entry(_: Team) -> AuditEntry:
        by = presented.browser.requester(merchant.merchant_id, invitation.name)
        role = invitation.role.value
        return ports.entry(by, "member.join", invitation.member_id, role=role)

    team = ports.change_team(
        merchant.merchant_id, lambda team: joined(team, invitation.token_hash, passkey, now), entry
    )
    return _open(ports, team, invitation.member_id, passkey, presented)


def new_passkey(ports: PortalPorts, purpose: str, presented: Presented) -> Passkey:
    """Check a browser's new passkey. Raises: PasskeyRefused, TryAgain."""
    credential = _taken(ports, purpose, presented)
    public_key, sign_count = ports.passkeys.registered(credential, presented.party)
    now, device = presented.now, presented.browser.device
    return Passkey(credential.credential_id, public_key, sign_count, device, now, now)


def sign_in(ports: PortalPorts, presented: Presented) -> str:
    """Open a session with a passkey that names its member; return the cookie's value.

    Raises: PasskeyRefused, TryAgain.
    """
    credential = _taken(ports, SIGN_IN, presented)
    merchant_id, _, member_id = credential.user_handle.partition(".")
    if not (_ID.fullmatch(merchant_id) and _ID.fullmatch(member_id)):
        raise PasskeyRefused

    def entry(after: Team) -> AuditEntry:
        name = known_member(after, member_id).name
        by = presented.browser.requester(merchant_id, name)
        return ports.entry(by, "member.sign-in", member_id)

    before = ports.teams.team(merchant_id)
    passkey = _checked(ports, before.member(member_id), credential, presented)
    team = ports.change_team(merchant_id, lambda team: with_use(team, member_id, passkey), entry)
    return _open(ports, team, member_id, passkey, presented)


def confirm(ports: PortalPorts, who: SignedIn, presented: Presented) -> None:
    """Check a fresh use of one of the member's passkeys, for a change in this session.

    Raises: PasskeyRefused, TryAgain.
    """
    credential = _taken(ports, who.purpose, presented)
    passkey, member_id = _checked(ports, who.member, credential, presented), who.member.member_id
    change_until_committed(
        lambda: ports.teams.team(who.merchant_id),
        lambda team: with_use(team, member_id, passkey),
        lambda before, after: ports.teams.note_use(before, after, ports.chance.token()),
        ports,
    )


def _taken(ports: PortalPorts, purpose: str, presented: Presented) -> Credential:
    """Use up the challenge of an answer, whether or not the rest of it is right."""
    credential = ports.passkeys.parsed(presented.text)
    if not ports.challenges.take(token_hash(credential.challenge), purpose, presented.now):
        raise PasskeyRefused
    return credential


def _checked(
    ports: PortalPorts, member: Member | None, credential: Credential, presented: Presented
) -> Passkey:
    """Return the passkey that was used, with its new sign count and time."""
    passkey = None if member is None else member.passkey(credential.credential_id)
    if passkey is None:
        raise PasskeyRefused
    sign_count = ports.passkeys.asserted(credential, presented.party, passkey)
    return replace(passkey, sign_count=sign_count, used_at=presented.now)


def _open(
    ports: PortalPorts, team: Team, member_id: str, passkey: Passkey, presented: Presented
) -> str:
    merchant_id, now = team.merchant_id, presented.now
    token = new_link_token(ports.chance.below)
    session = PortalSession(
        token_hash=token_hash(token),
        credential_id=passkey.credential_id,
        device=presented.browser.device,
        source_ip=presented.browser.source_ip,
        started_at=now,
        expires_at=now + SESSION_SECONDS,
    )

    def add(sessions: tuple[PortalSession, ...]) -> tuple[PortalSession, ...]:
        return (*(each for each in sessions if now < each.expires_at), session)[-SESSIONS_MAX:]

    _change_sessions(ports, merchant_id, member_id, add)
    return f"{merchant_id}.{member_id}.{token}"


def _change_sessions(
    ports: PortalPorts,
    merchant_id: str,
    member_id: str,
    changed: Callable[[tuple[PortalSession, ...]], tuple[PortalSession, ...]],
    entry: AuditEntry | None = None,
) -> None:
    def attempt() -> None:
        before = ports.sessions.sessions(merchant_id, member_id)
        after = replace(before, sessions=changed(before.sessions), version=before.version + 1)
        if after.sessions != before.sessions:
            ports.sessions.save(before, after, entry, ports.chance.token())

    until_committed(attempt, ports)


def signed_in(ports: PortalPorts, cookie: str, browser: Browser, now: int) -> SignedIn:
    """Return who has a session, with the role as it is now. Raises: NotLoggedIn, TryAgain."""
    merchant_id, _, rest = cookie.partition(".")
    member_id, _, token = rest.partition(".")
    if not (_ID.fullmatch(merchant_id) and _ID.fullmatch(member_id)):
        raise NotLoggedIn
    kept, merchant, team = ports.sessions.with_team(merchant_id, member_id)
    hashed = token_hash(token)
    session = next((each for each in kept.sessions if each.token_hash == hashed), None)
    if session is None or now >= session.expires_at:
        raise NotLoggedIn
    member = team.member(member_id)
    if merchant is None or member is None or member.passkey(session.credential_id) is None:
        raise NotLoggedIn
    return SignedIn(merchant, team, member, session, browser)


def end_session(
    ports: PortalPorts,
    merchant_id: str,
    member_id: str,
    session_id: str,
    entry: AuditEntry | None = None,
) -> None:
    """End one session of a member, if there is one. Raises: TryAgain."""

    def rest(sessions: tuple[PortalSession, ...]) -> tuple[PortalSession, ...]:
        return tuple(each for each in sessions if each.session_id != session_id)

    _change_sessions(ports, merchant_id, member_id, rest, entry)
