"""Sign-in by passkeys, and the team: members, invitations, passkeys, sessions, audit trail."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.ids import base64url
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import (
    Invitation,
    InvitationNotFound,
    LastAdmin,
    LastPasskey,
    MemberRole,
    PasskeyRefused,
    WrongInvitationCode,
    user_handle,
)
from orderdesk.domain.plain_text import NAME_LENGTH_MAX, plain_line, text_problems
from orderdesk.domain.times import MS_PER_SECOND
from orderdesk.services.attempt_limits import (
    LINK_POSTS,
    PORTAL_LOGINS,
    PORTAL_LOOKUPS,
    PORTAL_SIGN_INS,
    WRONG_LINKS,
    require_unspent,
    require_within,
)
from orderdesk.services.merchants.portal import (
    CHALLENGE_SECONDS,
    SIGN_IN,
    RelyingParty,
    accept,
    end_session,
    joining,
    new_challenge,
    open_invitation,
    sign_in,
)
from orderdesk.services.merchants.team import TeamChange, sessions_of
from orderdesk.web.pages.frame import Data, Page, SeeOther, Shown, status_of
from orderdesk.web.pages.portal.gate import (
    ADMINS,
    LOGOUT,
    PORTAL,
    GuestScene,
    PortalGate,
    PortalScene,
    Routes,
)
from orderdesk.web.pages.portal.portal_texts import PortalTexts
from orderdesk.web.pages.routing import Open, RoleNotAllowed, Route
from orderdesk.web.pages.scene import chosen, read_form
from orderdesk.web.pages.texts import Notice

CODE_FIELD = "code"
INVITE = f"{PORTAL}/invite/{{token}}"
LOGIN = f"{PORTAL}/login"
# Those of all common authenticators: Ed25519, ES256, RS256.
_ALGORITHMS = (-8, -7, -257)
TEAM = f"{PORTAL}/team"
_MEMBER = f"{TEAM}/members/{{member_id}}"
_ENTRIES = 50
_TIME_US = re.compile(r"[0-9]{1,16}")


@dataclass(frozen=True, slots=True)
class SignIn:
    """The pages in front of the session."""

    gate: PortalGate

    def routes(self) -> Routes:
        return (
            Open("GET", LOGIN, self.gate.show_login),
            Open("POST", LOGIN, self.log_in),
            Open("POST", f"{LOGIN}/challenge", self.ask_to_log_in, is_data=True),
            Open("GET", INVITE, self.show_invitation),
            Open("POST", INVITE, self.join),
            Open("POST", f"{INVITE}/challenge", self.ask_to_join, is_data=True),
            Route("POST", f"{PORTAL}/challenge", self.ask_to_confirm, is_data=True, harmless=True),
            Route("GET", LOGOUT, ask_to_log_out),
            Route("POST", LOGOUT, self.log_out, harmless=True),
        )

    def log_in(self, scene: GuestScene) -> Page | SeeOther:
        """Check the passkey, start a session, redirect to the page that was asked for.

        People of one office share an address, so refused passkeys must not lock out a right one.
        """
        attempts, address = self.gate.attempts, scene.request.source_ip
        require_unspent(attempts, PORTAL_LOOKUPS, address, scene.now)
        presented = self.gate.presented(scene)
        try:
            cookie = sign_in(self.gate.ports, presented)
        except PasskeyRefused:
            require_within(attempts, PORTAL_LOGINS, address, scene.now)
            return self.gate.login_page(scene, is_refused=True)
        return self.gate.led_back(scene, self.gate.session_cookie(scene.request, cookie))

    def ask_to_log_in(self, scene: GuestScene) -> Data:
        """Return a challenge for a sign-in; the browser lists its passkeys of this host."""
        attempts, address = self.gate.attempts, scene.request.source_ip
        require_within(attempts, PORTAL_SIGN_INS, address, scene.now)
        challenge = new_challenge(self.gate.ports, SIGN_IN, scene.now)
        return _assertion(challenge, self.gate.party(scene.request), ())

    def show_invitation(self, scene: GuestScene, *, is_refused: bool = False) -> Page:
        """Show who invites whom; a link preview consumes nothing."""
        merchant, invitation = self._invitation(scene)
        view = {
            "merchant": merchant.terms.display_name or merchant.name,
            "name": invitation.name,
            "role": scene.texts.roles[invitation.role],
            "token": scene.request.path_parameters["token"],
            "asks_code": bool(invitation.code_hash),
            "is_refused": is_refused,
        }
        status = 403 if is_refused else 200
        return Page("portal/invite.html", view, "", status=status)

    def join(self, scene: GuestScene) -> Page | SeeOther:
        """Register the invited person's passkey, use the invitation up, start a session."""
        self._invited(scene)
        presented, token = self.gate.presented(scene), scene.request.path_parameters["token"]
        code = read_form(scene.request, (CODE_FIELD,))[CODE_FIELD]
        try:
            cookie = accept(self.gate.ports, token, code, presented)
        except WrongInvitationCode:
            address = scene.request.source_ip
            require_within(self.gate.attempts, WRONG_LINKS, address, scene.now)
            return self.show_invitation(scene, is_refused=True)
        return SeeOther(scene.links.to(), self.gate.session_cookie(scene.request, cookie))

    def ask_to_join(self, scene: GuestScene) -> Data:
        """Return a challenge for the invited person's first passkey."""
        merchant, invitation = self._invited(scene)
        challenge = new_challenge(self.gate.ports, joining(invitation), scene.now)
        party = self.gate.party(scene.request)
        handle = user_handle(merchant.merchant_id, invitation.member_id)
        return registration(challenge, party, handle, f"{invitation.name} · {merchant.name}")

    def ask_to_confirm(self, scene: PortalScene) -> Data:
        """Return a challenge for a change in this session, by any passkey of the member."""
        challenge = new_challenge(self.gate.ports, scene.who.purpose, scene.now)
        own = tuple(each.credential_id for each in scene.who.member.passkeys)
        return _assertion(challenge, self.gate.party(scene.request), own)

    def log_out(self, scene: PortalScene) -> SeeOther:
        """End the session, redirect to the login."""
        who = scene.who
        end_session(self.gate.ports, who.merchant_id, who.member.member_id, who.session.session_id)
        return SeeOther(scene.links.to("login"), self.gate.session_cookie(scene.request, ""))

    def _invitation(self, scene: GuestScene) -> tuple[Merchant, Invitation]:
        """Return the invitation of the link; wrong links of an address are counted."""
        ports, address = self.gate.ports, scene.request.source_ip
        token = scene.request.path_parameters["token"]
        try:
            merchant, _, invitation = open_invitation(ports, token, scene.now)
        except InvitationNotFound:
            require_within(self.gate.attempts, WRONG_LINKS, address, scene.now)
            raise
        return merchant, invitation

    def _invited(self, scene: GuestScene) -> tuple[Merchant, Invitation]:
        """Return the invitation of a POST; those with one link are counted."""
        merchant, invitation = self._invitation(scene)
        attempts = self.gate.attempts
        require_within(attempts, LINK_POSTS, invitation.member_id, scene.now)
        return merchant, invitation


def ask_to_log_out(scene: PortalScene) -> Page:
    """Ask whether to log out; only the form's POST ends the session."""
    return Page("portal/logout.html", {}, scene.links.here("logout"))


def _assertion(challenge: str, party: RelyingParty, allowed: tuple[str, ...]) -> Data:
    """Return the options of `navigator.credentials.get`; binary values are base64url."""
    return {
        "challenge": challenge,
        "rpId": party.host,
        "timeout": CHALLENGE_SECONDS * MS_PER_SECOND,
        "userVerification": "required",
        "allowCredentials": [{"type": "public-key", "id": each} for each in allowed],
    }


def registration(
    challenge: str, party: RelyingParty, handle: str, name: str, known: tuple[str, ...] = ()
) -> Data:
    """Return the options of `navigator.credentials.create`, for a passkey that names its user.

    `known` are the credential ids that the member has.
    """
    return {
        "challenge": challenge,
        "rp": {"id": party.host, "name": "orderdesk"},
        "user": {"id": base64url(handle.encode()), "name": name, "displayName": name},
        "pubKeyCredParams": [{"type": "public-key", "alg": each} for each in _ALGORITHMS],
        "timeout": CHALLENGE_SECONDS * MS_PER_SECOND,
        "attestation": "none",
        "authenticatorSelection": {
            "residentKey": "required",
            "requireResidentKey": True,
            "userVerification": "required",
        },
        "excludeCredentials": [{"type": "public-key", "id": each} for each in known],
    }


@dataclass(frozen=True, slots=True)
class TeamPage:
    gate: PortalGate

    def routes(self) -> Routes:
        return (
            Route("GET", TEAM, self.show),
            Route("POST", f"{TEAM}/invite", self.invite, ADMINS, fresh=True),
            Route(
                "POST",
                f"{TEAM}/invitations/{{member_id}}/withdraw",
                self.withdraw,
                ADMINS,
                fresh=True,
            ),
            Route("POST", f"{_MEMBER}/role", self.change_role, ADMINS, fresh=True),
            Route("POST", f"{_MEMBER}/remove", self.remove, ADMINS, fresh=True),
            Route("POST", f"{TEAM}/passkeys/new", self.ask_for_passkey, fresh=True),
            Route("POST", f"{TEAM}/passkeys", self.add_passkey),
            Route("POST", f"{TEAM}/passkeys/{{passkey_id}}/revoke", self.revoke, fresh=True),
            Route("POST", f"{TEAM}/sessions/{{member_id}}/{{session_id}}/end", self.end_session),
        )

    def show(
        self,
        scene: PortalScene,
        *,
        new_link: str = "",
        problem: str = "",
        refused: Notice | None = None,
        status: int = HTTPStatus.OK,
    ) -> Page:
        ports, who = self.gate.ports, scene.who
        team = ports.teams.team(who.merchant_id)
        sessions = sessions_of(ports, team, scene.now)
        entries, older = self._entries(scene)
        view = {
            "may_change": scene.may(tuple(MemberRole)),  # the own passkeys and sessions
            "may_change_all": scene.may(ADMINS),
            "members": team.members,
            "invitations": team.open_invitations(scene.now),
            "sessions": [(each, sessions[each.member_id]) for each in team.members],
            "entries": entries,
            "older": older,
            "new_link": new_link,  # shown once
            "refused": refused,
            "problem": problem,
        }
        here = scene.links.here("team")
        return Page("portal/team.html", view, here, section="team", status=status)

    def invite(self, scene: PortalScene) -> Page:
        """Invite a person, and show the link."""
        form = read_form(scene.request, ("name", "role"))
        name, role = plain_line(form["name"]), chosen(form, "role", MemberRole)
        if not name or text_problems("name", name, NAME_LENGTH_MAX):
            return self.show(scene, problem=scene.texts.team.wrong_name, status=422)
        token = self._change(scene).invite(name, role)
        url = f"{self.gate.pages_url(scene.request)}{PORTAL}/invite/{token}"
        return self.show(scene, new_link=url)

    def withdraw(self, scene: PortalScene) -> Shown:
        member_id = scene.request.path_parameters["member_id"]
        return self._changed(scene, lambda change: change.withdraw(member_id))

    def change_role(self, scene: PortalScene) -> Shown:
        role = chosen(read_form(scene.request, ("role",)), "role", MemberRole)
        member_id = scene.request.path_parameters["member_id"]
        return self._changed(scene, lambda change: change.change_role(member_id, role))

    def remove(self, scene: PortalScene) -> Shown:
        member_id = scene.request.path_parameters["member_id"]
        return self._changed(scene, lambda change: change.remove(member_id))

    def ask_for_passkey(self, scene: PortalScene) -> Page:
        """Ask for one more passkey, after the use of one that the member has."""
        who, challenge = scene.who, self._change(scene).begin_passkey()
        options = registration(
            challenge,
            self.gate.party(scene.request),
            user_handle(who.merchant_id, who.member.member_id),
            f"{who.member.name} · {who.merchant.name}",
            tuple(each.credential_id for each in who.member.passkeys),
        )
        view = {"options": json.dumps(options)}
        here = scene.links.here("team")
        return Page("portal/passkey.html", view, here, section="team")

    def add_passkey(self, scene: PortalScene) -> Shown:
        return self._changed(scene, lambda change: change.add_passkey(self.gate.presented(scene)))

    def revoke(self, scene: PortalScene) -> Shown:
        passkey_id = scene.request.path_parameters["passkey_id"]
        return self._changed(scene, lambda change: change.revoke_passkey(passkey_id))

    def end_session(self, scene: PortalScene) -> Shown:
        """End an own session, or as an admin anybody's."""
        names = scene.request.path_parameters
        if names["member_id"] != scene.who.member.member_id and scene.role not in ADMINS:
            raise RoleNotAllowed
        ended = names["member_id"], names["session_id"]
        return self._changed(scene, lambda change: change.end_session(*ended))

    def _changed(self, scene: PortalScene, make: Callable[[TeamChange], object]) -> Shown:
        """Make a change and redirect; a team or member that would lose its last one stays."""
        try:
            make(self._change(scene))
        except (LastAdmin, LastPasskey) as refused:
            notice, status = scene.texts.problems[refused.reason], status_of(refused.reason)
            return self.show(scene, refused=notice, status=status)
        return SeeOther(scene.links.to("team"))

    def _change(self, scene: PortalScene) -> TeamChange:
        return TeamChange(self.gate.ports, scene.who, scene.now)

    def _entries(self, scene: PortalScene) -> tuple[Sequence[tuple[AuditEntry, str]], str | None]:
        """Return a page of the audit trail, newest first, with details, and the link to older ones.

        Entries of the same microsecond are on the same page or on both.
        """
        texts, before = scene.texts, scene.asked("before", _TIME_US)
        until_us = self.gate.ports.now_us() if before is None else int(before) - 1
        merchant_id = scene.who.merchant_id
        found = self.gate.ports.teams.trail(merchant_id, until_us, _ENTRIES + 1)
        rows = [
            (each, " · ".join(_detail(name, value, texts) for name, value in each.details.items()))
            for each in found[:_ENTRIES]
        ]
        following = found[_ENTRIES].at_us + 1 if len(found) > _ENTRIES else None
        return rows, scene.links.older("team", following)


def _detail(name: str, value: str, texts: PortalTexts) -> str:
    """Return a detail of an entry as the page shows it."""
    if name == "role":
        return texts.roles[MemberRole(value)]
    fields = texts.settings.fields
    return f"{fields[name]}: {value}" if name in fields else value
