"""Sign-in: the invitation, the login, the logout, and the challenges of all passkeys."""

import base64
from dataclasses import dataclass

from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import (
    Invitation,
    InvitationNotFound,
    PasskeyRefused,
    WrongInvitationCode,
    user_handle,
)
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
    NotSignedIn,
    RelyingParty,
    accept,
    end_session,
    joining,
    new_challenge,
    open_invitation,
    sign_in,
)
from orderdesk.web.pages.frame import Data, Page, SeeOther
from orderdesk.web.pages.portal.gate import (
    LOGOUT,
    PORTAL,
    GuestScene,
    PortalGate,
    PortalScene,
    Routes,
)
from orderdesk.web.pages.routing import Open, Route
from orderdesk.web.pages.scene import read_form

CODE_FIELD = "code"
INVITE = f"{PORTAL}/invite/{{token}}"
LOGIN = f"{PORTAL}/login"
# Those of all common authenticators: Ed25519, ES256, RS256.
_ALGORITHMS = (-8, -7, -257)
_MS_PER_SECOND = 1000


@dataclass(frozen=True, slots=True)
class SignIn:
    """The pages in front of the session."""

    gate: PortalGate

    def routes(self) -> Routes:
        return (
            Open("GET", LOGIN, self.show_login),
            Open("POST", LOGIN, self.log_in),
            Open("POST", f"{LOGIN}/challenge", self.ask_to_log_in, is_data=True),
            Open("GET", INVITE, self.show_invitation),
            Open("POST", INVITE, self.join),
            Open("POST", f"{INVITE}/challenge", self.ask_to_join, is_data=True),
            Route("POST", f"{PORTAL}/challenge", self.ask_to_confirm, is_data=True, harmless=True),
            Route("GET", LOGOUT, ask_to_log_out),
            Route("POST", LOGOUT, self.log_out, harmless=True),
        )

    def show_login(self, scene: GuestScene) -> Page | SeeOther:
        """Ask for a passkey, unless there is a session."""
        try:
            self.gate.enter(scene)
        except NotSignedIn:
            return _login_page(scene)
        return SeeOther(scene.links.to())

    def log_in(self, scene: GuestScene) -> Page | SeeOther:
        """Check the passkey, start a session, redirect to the page that was asked for.

        People of one office share an address, so refused passkeys must not lock out a right one.
        """
        attempts, address = self.gate.ports.attempts, scene.request.source_ip
        require_unspent(attempts, PORTAL_LOOKUPS, address, scene.now)
        presented = self.gate.presented(scene)
        try:
            cookie = sign_in(self.gate.ports, presented)
        except PasskeyRefused:
            require_within(attempts, PORTAL_LOGINS, address, scene.now)
            return _login_page(scene, is_refused=True)
        return SeeOther(
            self.gate.asked_page(scene), self.gate.session_cookie(scene.request, cookie)
        )

    def ask_to_log_in(self, scene: GuestScene) -> Data:
        """Return a challenge for a sign-in; the browser lists its passkeys of this host."""
        attempts, address = self.gate.ports.attempts, scene.request.source_ip
        require_within(attempts, PORTAL_SIGN_INS, address, scene.now)
        challenge = new_challenge(self.gate.ports, SIGN_IN, scene.now)
        return _assertion(challenge, self.gate.party(scene.request), ())

    def show_invitation(self, scene: GuestScene) -> Page:
        """Show who invites whom; a link preview consumes nothing."""
        return self._invitation_page(scene)

    def _invitation_page(self, scene: GuestScene, *, is_refused: bool = False) -> Page:
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
            require_within(self.gate.ports.attempts, WRONG_LINKS, address, scene.now)
            return self._invitation_page(scene, is_refused=True)
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
            require_within(ports.attempts, WRONG_LINKS, address, scene.now)
            raise
        return merchant, invitation

    def _invited(self, scene: GuestScene) -> tuple[Merchant, Invitation]:
        """Return the invitation of a POST; those with one link are counted."""
        merchant, invitation = self._invitation(scene)
        attempts = self.gate.ports.attempts
        require_within(attempts, LINK_POSTS, invitation.member_id, scene.now)
        return merchant, invitation


def ask_to_log_out(scene: PortalScene) -> Page:
    """Ask whether to log out; only the form's POST ends the session."""
    return Page("portal/logout.html", {}, scene.links.here("logout"))


def _login_page(scene: GuestScene, *, is_refused: bool = False) -> Page:
    view = {"is_refused": is_refused}
    status = 401 if is_refused else 200
    return Page("portal/login.html", view, scene.links.here("login"), status=status)


def _assertion(challenge: str, party: RelyingParty, allowed: tuple[str, ...]) -> Data:
    """Return the options of `navigator.credentials.get`; binary values are base64url."""
    return {
        "challenge": challenge,
        "rpId": party.host,
        "timeout": CHALLENGE_SECONDS * _MS_PER_SECOND,
        "userVerification": "required",
        "allowCredentials": [{"type": "public-key", "id": each} for each in allowed],
    }


def registration(
    challenge: str, party: RelyingParty, handle: str, name: str, known: tuple[str, ...] = ()
) -> Data:
    """Return the options of `navigator.credentials.create`, for a passkey that names its user.

    `known` are the credential ids that the member has.
    """
    user_id = base64.urlsafe_b64encode(handle.encode()).rstrip(b"=").decode()
    return {
        "challenge": challenge,
        "rp": {"id": party.host, "name": "orderdesk"},
        "user": {"id": user_id, "name": name, "displayName": name},
        "pubKeyCredParams": [{"type": "public-key", "alg": each} for each in _ALGORITHMS],
        "timeout": CHALLENGE_SECONDS * _MS_PER_SECOND,
        "attestation": "none",
        "authenticatorSelection": {
            "residentKey": "required",
            "requireResidentKey": True,
            "userVerification": "required",
        },
        "excludeCredentials": [{"type": "public-key", "id": each} for each in known],
    }
