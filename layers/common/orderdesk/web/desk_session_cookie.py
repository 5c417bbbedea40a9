"""The cookie that keeps a trader logged in.

Its prefix makes browsers hold it to what it says: sent over TLS (or to this very machine) only,
to this host alone, and set by nobody else. Scripts cannot read it, and no other site's request
carries it.
"""

from orderdesk.services.trader_sessions import SESSION_SECONDS
from orderdesk.web.http import Request

_NAME = "__Host-trader"
_RULES = "HttpOnly; Secure; SameSite=Strict; Path=/"


def session_token(request: Request) -> str | None:
    """Give the token that a request brings, or None."""
    for part in request.headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == _NAME:
            return value
    return None


def session_cookie(token: str) -> str:
    """Write the Set-Cookie of a session that has just begun."""
    return f"{_NAME}={token}; Max-Age={SESSION_SECONDS}; {_RULES}"


def ended_cookie() -> str:
    """Write the Set-Cookie that makes a browser forget its session."""
    return f"{_NAME}=; Max-Age=0; {_RULES}"
