"""The desk's rules: its block list, and its limits of a trading day (contract section 3, 2106).

Only keyed hashes are stored, and a mask for people. A value is brought to one form before it is
hashed, so that spaces, letter case, invisible characters and a name's dots do not get around it.

The limits are of a customer's buys, and of a payee account's sells. A day has one count for each
mode and keyed hash. It grows in the order's own transaction, and never shrinks: a cancelled or
expired order stays counted.
"""

import hashlib
import hmac
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from orderdesk.domain.identity import Identity, mask_id_card, mask_mobile, mask_name
from orderdesk.domain.orders.order_errors import DeskRule
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.payment_methods import mask_account
from orderdesk.domain.plain_text import plain_line, plain_name
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.times import DAY_OFFSET_SECONDS, SECONDS_PER_DAY, trading_day

BLOCKS_MAX = 200
_DIGEST_DIGITS = 32
_CARD = re.compile(r"[0-9]{4,32}")
_ID_CARD = re.compile(r"[0-9]{17}[0-9X]")
_MOBILE = re.compile(r"1[3-9][0-9]{9}")
_BETWEEN = re.compile(r"[\s\-.]")
_NO_LETTER = re.compile(r"[\W_]")


class BlockKind(StrEnum):
    """What a block compares: a payee's card, account or name, or a customer's card or mobile."""

    CARD = DeskRule.CARD.value
    ACCOUNT = DeskRule.ACCOUNT.value
    ID_CARD = DeskRule.ID_CARD.value
    MOBILE = DeskRule.MOBILE.value
    PAYEE = DeskRule.PAYEE.value


type Subject = tuple[BlockKind, str]
"""A kind and the value in its one form."""


@dataclass(frozen=True, slots=True)
class Block:
    """An entry of the list; times in Unix seconds, `until` is 0 without an end."""

    number: str
    kind: BlockKind
    digest: str
    masked: str
    reason: str
    by: str
    at: int
    until: int = 0

    def holds_at(self, now: int) -> bool:
        """Return whether the block is in force."""
        return holds(self.until, now)


def holds(until: int, now: int) -> bool:
    """Return whether a block with this end is in force (Unix seconds)."""
    return until == 0 or now < until


def normal(kind: BlockKind, value: str) -> str:
    """Return a value in the form that is hashed; "" if it is no such value."""
    shown = unicodedata.normalize("NFKC", plain_line(value))
    seen = (letter for letter in shown if unicodedata.category(letter) != "Cf")
    text = _BETWEEN.sub("", "".join(seen)).upper()
    match kind:
        case BlockKind.CARD:
            return text if _CARD.fullmatch(text) else ""
        case BlockKind.ID_CARD:
            return text if _ID_CARD.fullmatch(text) else ""
        case BlockKind.MOBILE:
            local = text.removeprefix("+86")
            return local if _MOBILE.fullmatch(local) else ""
        case BlockKind.ACCOUNT:
            return text
        case BlockKind.PAYEE:
            return _NO_LETTER.sub("", plain_name(text))


def mask(kind: BlockKind, text: str) -> str:
    """Return a value for people, recognisable but not usable."""
    match kind:
        case BlockKind.CARD:
            return f"****{text[-4:]}"
        case BlockKind.ID_CARD:
            return mask_id_card(text)
        case BlockKind.MOBILE:
            return mask_mobile(text)
        case BlockKind.ACCOUNT:
            return mask_account(text)
        case BlockKind.PAYEE:
            return mask_name(text)


def digest_of(key: bytes, subject: Subject) -> str:
    """Return the keyed hash of a value, in hex."""
    kind, text = subject
    return hmac.new(key, f"{kind}\n{text}".encode(), hashlib.sha256).hexdigest()[:_DIGEST_DIGITS]


def subjects_of(asked: OrderRequest | Identity) -> Iterator[Subject]:
    """Yield what a request or a customer can be refused for."""
    values: list[tuple[BlockKind, str | None]] = [
        (BlockKind.ID_CARD, asked.id_card),
        (BlockKind.MOBILE, asked.mobile),
    ]
    if isinstance(asked, OrderRequest) and asked.payment_method is not None:
        method = asked.payment_method
        values += [
            (BlockKind.CARD, method.card_number),
            (BlockKind.ACCOUNT, method.account),
            (BlockKind.PAYEE, method.real_name),
        ]
    for kind, value in values:
        text = normal(kind, value or "")
        if text:
            yield kind, text


LIMITS = ("id_card_daily_cny", "id_card_daily_count", "payee_daily_cny", "payee_daily_count")
"""The names of the limits; an amount is stored in fen. 0 is none."""

_KINDS: Mapping[OrderType, tuple[str, tuple[BlockKind, ...]]] = {
    OrderType.BUY: ("id_card", (BlockKind.ID_CARD,)),
    OrderType.SELL: ("payee", (BlockKind.CARD, BlockKind.ACCOUNT)),
}


@dataclass(frozen=True, slots=True)
class DayCount:
    """What an order adds to the count of its day; `most_fen` and `most` are the limits, 0 is none.

    The count is over at `expires_at` (Unix seconds).
    """

    mode: Mode
    day: int
    digest: str
    fen: int
    most_fen: int
    most: int
    expires_at: int

    @property
    def is_too_large(self) -> bool:
        """Whether the order alone is above the limit."""
        return 0 < self.most_fen < self.fen


def limits_of(limits: Mapping[str, int], order_type: OrderType) -> tuple[int, int]:
    """Return the limits of a day for orders of this type: CNY in fen, and count."""
    name, _ = _KINDS[order_type]
    return limits.get(f"{name}_daily_cny", 0), limits.get(f"{name}_daily_count", 0)


def counted_subject(order_type: OrderType, subjects: Iterable[Subject]) -> Subject | None:
    """Return whose day an order of this type counts in; None if it names nobody."""
    _, kinds = _KINDS[order_type]
    return next((subject for subject in subjects if subject[0] in kinds), None)


def day_count(limits: tuple[int, int], digest: str, mode: Mode, fen: int, now: int) -> DayCount:
    """Return what an order adds to the day of a time (Unix seconds)."""
    day, (most_fen, most) = trading_day(now), limits
    ends = (day + 2) * SECONDS_PER_DAY - DAY_OFFSET_SECONDS
    return DayCount(mode, day, digest, fen, most_fen, most, ends)
