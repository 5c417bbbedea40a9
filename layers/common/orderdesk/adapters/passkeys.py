"""Passkeys, checked by the library `webauthn`.

Only the portal's function has the library. It is imported with the first answer of a container,
because it takes longer than everything else that the function imports.
"""

import base64
import json
from typing import Any

from orderdesk.domain.merchants.team import Passkey, PasskeyRefused
from orderdesk.services.merchants.portal import Credential, RelyingParty

_ANSWER_CHARS_MAX = 6_000


class WebauthnChecks:
    """Requires that the authenticator verified its user, and that its sign count grows."""

    def parsed(self, text: str) -> Credential:
        try:
            return _parsed(text)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise PasskeyRefused from None

    def registered(self, answer: Credential, party: RelyingParty) -> tuple[bytes, int]:
        import webauthn  # noqa: PLC0415
        from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415

        try:
            checked = webauthn.verify_registration_response(
                credential=answer.text, require_user_verification=True, **_expected(answer, party)
            )
        except (WebAuthnException, ValueError):
            raise PasskeyRefused from None
        return checked.credential_public_key, checked.sign_count

    def asserted(self, answer: Credential, party: RelyingParty, passkey: Passkey) -> int:
        import webauthn  # noqa: PLC0415
        from webauthn.helpers.exceptions import WebAuthnException  # noqa: PLC0415

        try:
            checked = webauthn.verify_authentication_response(
                credential=answer.text,
                credential_public_key=passkey.public_key,
                credential_current_sign_count=passkey.sign_count,
                require_user_verification=True,
                **_expected(answer, party),
            )
        except (WebAuthnException, ValueError):
            raise PasskeyRefused from None
        return checked.new_sign_count


def _expected(answer: Credential, party: RelyingParty) -> dict[str, Any]:
    return {
        "expected_challenge": _bytes_of(answer.challenge),
        "expected_rp_id": party.host,
        "expected_origin": party.origin,
    }


def _parsed(text: str) -> Credential:
    if len(text) > _ANSWER_CHARS_MAX:
        raise ValueError
    whole = json.loads(text)
    response = whole["response"]
    challenge = json.loads(_bytes_of(response["clientDataJSON"]))["challenge"]
    handle = _bytes_of(response.get("userHandle") or "").decode("ascii")
    credential_id = whole["id"]
    for each in (challenge, credential_id):
        _bytes_of(each)
    return Credential(text, credential_id, challenge, handle)


def _bytes_of(text: str) -> bytes:
    """Decode base64url without padding. Raises: ValueError, TypeError."""
    padded = text + "=" * (-len(text) % 4)
    return base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True)
