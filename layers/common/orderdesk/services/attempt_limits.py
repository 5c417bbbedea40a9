"""Limits on failed attempts of an address and on posts to a link, in fixed windows.

A page counts only attempts that fail or change something, and files. Reading a page therefore costs
no write, and the payers behind one address (a carrier's, an office's) do not use up each other's
limit.
"""

from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.errors import TooManyRequests

_WINDOW_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `most` attempts of one kind in a window."""

    kind: str
    most: int
    window_seconds: int = _WINDOW_SECONDS


WRONG_LINKS = Limit("wrong_link", 60)
"""Links with a wrong number or token, by the caller's address."""

WRONG_CODES = Limit("wrong_code", 20)
"""Wrong access codes, by the caller's address. Beyond the limit a right code still works."""

CODE_LOOKUPS = Limit(WRONG_CODES.kind, 1_000)
"""The same count. Beyond this limit no code of the address is looked up: a guess costs one read."""

LINK_POSTS = Limit("post", 30)
"""Posts to a page with a valid link, by the order_no or pending_no."""

DESK_POSTS = Limit("desk_post", 120)
"""Posts of a logged-in trader, by the trader's id."""

PUSH_POSTS = Limit("push_post", 60)
"""Posts that switch pushes, by the trader's id; scripts send them, so they have their own limit."""

PORTAL_SIGN_INS = Limit("portal_sign_in", 1_000)
"""Challenges for sign-ins, by the caller's address. They guess nothing; each is stored 5 min."""

PORTAL_LOGINS = Limit("portal_login", 60)
"""Refused passkeys, by the caller's address. Beyond the limit a right one still works."""

PORTAL_LOOKUPS = Limit(PORTAL_LOGINS.kind, 1_000)
"""The same count. Beyond this limit no passkey of the address is checked."""

PORTAL_POSTS = Limit("portal_post", 240)
"""Posts of a member of a merchant's team, by the member's id."""

PORTAL_FILES = Limit("portal_file", 30)
"""CSV files of a member, by the member's id; each reads thousands of orders or postings."""


class Attempts(Protocol):
    """Counts the attempts of a window."""

    def count(self, key: str, window_seconds: int, limit: int, now: int) -> bool:
        """Count one attempt; return whether it is still within the limit. Raises: TryAgain."""

    def counted(self, key: str, window_seconds: int, now: int) -> int:
        """Return how many attempts were counted in the window so far. Raises: TryAgain."""


def require_unspent(attempts: Attempts, limit: Limit, who: str, now: int) -> None:
    """Refuse if a limit is used up; count nothing. Raises: TooManyRequests, TryAgain."""
    window = limit.window_seconds
    if attempts.counted(f"{limit.kind}#{who}", window, now) >= limit.most:
        raise TooManyRequests(retry_after_seconds=window - now % window)


def require_within(attempts: Attempts, limit: Limit, who: str, now: int) -> None:
    """Count an attempt of `who` (an address or a number, never a token); `now` in Unix seconds.

    Raises: TooManyRequests, TryAgain.
    """
    window = limit.window_seconds
    if not attempts.count(f"{limit.kind}#{who}", window, limit.most, now):
        raise TooManyRequests(retry_after_seconds=window - now % window)
