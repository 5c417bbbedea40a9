"""A customer's three identity factors: format and masks, and the port that verifies them."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, Protocol, override

from orderdesk.domain.plain_text import MIDDLE_DOT, mask, plain_line, plain_name

_NAME_LENGTH: Final = range(2, 51)
# NFC composes at most four characters into one, so a longer text cannot be a name. It is not
# normalised: sorting its combining marks would take quadratic time.
_WRITTEN_NAME_LENGTH_MAX: Final = 4 * 50
_NAME_JOINERS: Final = frozenset(f"{MIDDLE_DOT} -'\N{RIGHT SINGLE QUOTATION MARK}")
# Names use it as a letter, but Unicode classifies it as a number.
_IDEOGRAPHIC_ZERO: Final = "\N{IDEOGRAPHIC NUMBER ZERO}"

_ID_CARD: Final = re.compile(
    r"[1-9][0-9]{5}((?:1[89]|20)[0-9]{2})([0-9]{2})([0-9]{2})[0-9]{3}[0-9X]"
)
_CHECK_CHARACTERS: Final = "0123456789X"
_MOBILE: Final = re.compile(r"1[3-9][0-9]{9}")
_CHINA: Final = re.compile(r"\A(?:\+|00)86")
_BETWEEN_DIGITS: Final = re.compile(r"[\s\-\u2010-\u2015\u2212]")

MISSING: Final = "missing"
MALFORMED: Final = "malformed"
BAD_CHECK_DIGIT: Final = "bad_check_digit"
BAD_BIRTH_DATE: Final = "bad_birth_date"


@dataclass(frozen=True, slots=True, repr=False)
class Identity:
    """The three factors in normal form, as `parse_identity` returns them. The repr is masked."""

    customer_name: str
    id_card: str
    mobile: str

    @override
    def __repr__(self) -> str:
        """Show masks only, so that logs and tracebacks cannot contain an identity."""
        return (
            f"Identity(customer_name={mask_name(self.customer_name)!r}, "
            f"id_card={mask_id_card(self.id_card)!r}, mobile={mask_mobile(self.mobile)!r})"
        )


class VerificationOutcome(StrEnum):
    """The provider's result (codes 2201, 2202). Only UNAVAILABLE is worth a retry."""

    PASSED = "passed"
    FAILED = "failed"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True)
class Verification:
    """One verification; `reference` is the provider's request id, or ""."""

    outcome: VerificationOutcome
    provider: str
    reference: str


class IdentityVerifier(Protocol):
    """Verifies whether the three factors belong to one person."""

    def verify(self, identity: Identity) -> Verification:
        """Ask the provider once, within a bounded time.

        Return UNAVAILABLE, and never raise, for any provider failure: network, timeout, quota, or
        an undocumented response. FAILED is final for these factors.
        """
        ...


def identity_problems(
    customer_name: str | None, id_card: str | None, mobile: str | None
) -> dict[str, str]:
    """Return a problem slug for each field that cannot be sent to a provider (contract section 8).

    The slugs are MISSING (absent or blank) and MALFORMED; an id card also has BAD_BIRTH_DATE and
    BAD_CHECK_DIGIT. If there are no problems, `parse_identity` returns an identity.
    """
    found = {
        "customer_name": _name_problem(_normal_name(customer_name)),
        "id_card": _id_card_problem(_normal_id_card(id_card)),
        "mobile": _mobile_problem(_normal_mobile(mobile)),
    }
    return {name: problem for name, problem in found.items() if problem is not None}


def parse_identity(
    customer_name: str | None, id_card: str | None, mobile: str | None
) -> Identity | None:
    """Normalise the factors; None if one is missing or malformed.

    Normal form: `plain_text.plain_line`; names as `plain_name` returns them; the id card's check
    character X in upper case.
    """
    if identity_problems(customer_name, id_card, mobile):
        return None
    return Identity(_normal_name(customer_name), _normal_id_card(id_card), _normal_mobile(mobile))


def typed_factors(customer_name: str, id_card: str, mobile: str) -> tuple[str, str, str]:
    """Return the factors of a form, without what people write between and before digits."""
    number = _BETWEEN_DIGITS.sub("", plain_line(mobile))
    return customer_name, _BETWEEN_DIGITS.sub("", plain_line(id_card)), _CHINA.sub("", number)


def mask_name(name: str) -> str:
    """Mask all but a name's first character: 张*."""
    return mask(name, head=1, tail=0)


def mask_id_card(id_card: str) -> str:
    """Mask all but an id card's region code and last four characters: 4403**********123X."""
    return mask(id_card, head=4, tail=4)


def mask_mobile(mobile: str) -> str:
    """Mask all but a mobile's network code and last four digits: 138****8000."""
    return mask(mobile, head=3, tail=4)


def _normal_name(name: str | None) -> str:
    if len(name or "") > _WRITTEN_NAME_LENGTH_MAX:
        return name or ""
    return plain_name(name or "")


def _normal_id_card(id_card: str | None) -> str:
    # Only x becomes upper case: str.upper() would also convert letters of other scripts to Latin.
    return plain_line(id_card or "").replace("x", "X")


def _normal_mobile(mobile: str | None) -> str:
    return plain_line(mobile or "")


def _name_problem(name: str) -> str | None:
    if not name:
        return MISSING
    well_formed = (
        len(name) in _NAME_LENGTH
        and _is_letter(name[0])
        and name[-1] not in _NAME_JOINERS
        and all(_is_letter(c) or _is_mark(c) or c in _NAME_JOINERS for c in name)
    )
    return None if well_formed else MALFORMED


def _is_letter(character: str) -> bool:
    return unicodedata.category(character).startswith("L") or character == _IDEOGRAPHIC_ZERO


def _is_mark(character: str) -> bool:
    """Return whether it is an accent or vowel sign; many scripts write these separately."""
    return unicodedata.category(character) in {"Mn", "Mc"}


def _id_card_problem(id_card: str) -> str | None:
    """Check the format, the birth date and the check character of GB 11643-1999."""
    if not id_card:
        return MISSING
    match = _ID_CARD.fullmatch(id_card)
    if match is None:
        return MALFORMED
    try:
        date(*map(int, match.groups()))
    except ValueError:
        return BAD_BIRTH_DATE
    return None if id_card[-1] == _check_character(id_card[:-1]) else BAD_CHECK_DIGIT


def _check_character(digits: str) -> str:
    """Compute ISO 7064 MOD 11-2, the check system of GB 11643-1999, over 17 digits."""
    remainder = 0
    for digit in digits:
        remainder = (remainder + int(digit)) * 2 % 11
    return _CHECK_CHARACTERS[(1 - remainder) % 11]


def _mobile_problem(mobile: str) -> str | None:
    if not mobile:
        return MISSING
    return None if _MOBILE.fullmatch(mobile) else MALFORMED
