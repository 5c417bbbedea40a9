"""Order numbers, payment references and link tokens; time and randomness are arguments."""

import base64
import hashlib
import hmac
import re
from datetime import UTC, datetime

# 2025-01-01T00:00:00Z. 40 bits of milliseconds last until 2059, and 13 bits are random. An id
# therefore stays below 2^53, so every JSON parser reads it exactly (contract section 4).
EPOCH_MS = 1_735_689_600_000
RANDOM_BITS = 13
ID_DIGITS = 16  # 2^53

# The purpose of a token. A token is only valid for its purpose.
PAY_LINK = "pay"
IDENTITY_LINK = "identity"
STATEMENT_CURSOR = "statement"

# Never equal to a SHA-256 in hex.
_NO_HASH = "-" * 64

_NUMBER = re.compile(r"[BSDPW][0-9]{24}\Z")


def time_ordered_id(now_ms: int, chance: int) -> int:
    """Return an int below 2^53 that grows with time; `chance` is a random int below 2^13."""
    return ((now_ms - EPOCH_MS) << RANDOM_BITS) | chance


def seconds_of(identifier: int) -> int:
    """Return the time (Unix seconds) of an id of `time_ordered_id`."""
    return ((identifier >> RANDOM_BITS) + EPOCH_MS) // 1000


def id_range(start_seconds: int | None, end_seconds: int | None) -> tuple[int, int]:
    """Return the first and last possible id of a span of Unix seconds, both ends included."""
    highest = (1 << 53) - 1
    first = 0 if start_seconds is None else time_ordered_id(start_seconds * 1000, 0)
    last = highest if end_seconds is None else time_ordered_id((end_seconds + 1) * 1000, 0) - 1
    return min(max(first, 0), highest), min(max(last, 0), highest)


def numbered(letter: str, identifier: int, now_seconds: int) -> str:
    """Format a number for people: a letter, the UTC date, the id in 16 digits.

    B is a buy, S a sell, D a draft, P a proposal, W a withdrawal request.
    """
    return f"{letter}{datetime.fromtimestamp(now_seconds, UTC):%Y%m%d}{identifier:0{ID_DIGITS}d}"


def numbered_at(letter: str, at_us: int, chance: int) -> str:
    """Return a number of a time (Unix us) that grows with it; `chance` is random, below 2^13."""
    return numbered(letter, time_ordered_id(at_us // 1000, chance), at_us // 1_000_000)


def id_of(number: str) -> int:
    """Return the id that an order_no or pending_no contains."""
    return int(number[-ID_DIGITS:])


def is_numbered(letters: str, text: str) -> bool:
    """Return whether a text has the format of `numbered` with one of these letters."""
    return _NUMBER.match(text) is not None and text[0] in letters


def is_order_no(text: str) -> bool:
    """Return whether a text has the format of an order_no."""
    return is_numbered("BS", text)


def is_pending_no(text: str) -> bool:
    """Return whether a text has the format of a pending_no."""
    return is_numbered("D", text)


def base64url(data: bytes) -> str:
    """Return base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def link_token(link_secret: bytes, purpose: str, number: str) -> str:
    """Derive the 256-bit token of a page's link, as unpadded base64url.

    The token is a pseudorandom function of a 256-bit secret. Only its hash is stored, and
    queryOrder can derive the link again (contract sections 4 and 8).
    """
    return base64url(hmac.digest(link_secret, f"{purpose}:{number}".encode(), "sha256"))


def token_hash(token: str) -> str:
    """Return a token's SHA-256 in hex, the only form in which it is stored."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def token_matches(token: str, stored_hash: str | None) -> bool:
    """Compare a link's token with the stored hash in constant time.

    `stored_hash` is None if nothing was found: the comparison takes the same time and returns
    False.
    """
    return hmac.compare_digest(token_hash(token), stored_hash or _NO_HASH)


REFERENCE_DIGITS = 6


def payment_reference(order_no: str) -> str:
    """Return the last six digits of the order_no, which a payer puts in the transfer's remark.

    Digits only, so that a phone's number pad suffices. The end of the number changes most, so
    orders of one amount rarely share a reference. A trader with many compares the amount and the
    payer, too. A reference neither identifies an order by itself nor grants access.
    """
    return order_no[-REFERENCE_DIGITS:]
