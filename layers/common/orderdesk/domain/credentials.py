"""Ids, keys, secrets and access codes, made from randomness that is an argument.

`below(n)` returns a random int in [0, n) and must be cryptographically secure.
"""

import base64
import string
from collections.abc import Callable

from orderdesk.domain.ids import base64url

type Below = Callable[[int], int]

_ID_LETTERS = string.ascii_lowercase + string.digits
_ID_LENGTH = 12
_KEY_LETTERS = string.ascii_letters + string.digits
_KEY_LENGTH = 24
_SECRET_LETTERS = string.ascii_letters + string.digits + "-_"
_SECRET_LENGTH = 43  # of 64 letters: 258 bits
_SECRET_BYTES = 32
CALLBACK_SECRET_PREFIX = "whsec_"  # noqa: S105 - a prefix, not a secret
# Crockford's base 32, for codes that people read aloud and type: no two letters look alike.
_CODE_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_CODE_GROUPS = 7
_CODE_GROUP_LENGTH = 4
_CODE_LENGTH = _CODE_GROUPS * _CODE_GROUP_LENGTH
_CODE_STARTS = range(0, _CODE_LENGTH, _CODE_GROUP_LENGTH)
_LOOK_ALIKE = str.maketrans("oil", "011")

MERCHANT_LETTER = "m"
TRADER_LETTER = "t"
MEMBER_LETTER = "u"
ADDRESS_PREFIX = "ep_"
API_SECRET_PREFIX = "sk_"  # noqa: S105 a prefix, not a secret


def new_id(prefix: str, below: Below) -> str:
    """Draw an id: its prefix, and 12 lower-case letters and digits."""
    return prefix + _text(_ID_LETTERS, _ID_LENGTH, below)


def new_link_token(below: Below) -> str:
    """Draw a link's token of 256 random bits, as unpadded base64url."""
    return base64url(new_link_secret(below))


def new_key_text(below: Below) -> str:
    """Draw the random part of an api_key."""
    return _text(_KEY_LETTERS, _KEY_LENGTH, below)


def new_api_secret(below: Below) -> str:
    """Draw an api_secret of 258 bits."""
    return API_SECRET_PREFIX + _text(_SECRET_LETTERS, _SECRET_LENGTH, below)


def new_link_secret(below: Below) -> bytes:
    """Draw the 256-bit secret from which the tokens of page links are derived."""
    return bytes(below(256) for _ in range(_SECRET_BYTES))


def new_callback_secret(below: Below) -> str:
    """Draw a callback secret as Standard Webhooks writes it: `whsec_<base64 of 256 bits>`."""
    return CALLBACK_SECRET_PREFIX + base64.b64encode(new_link_secret(below)).decode()


def new_access_code(below: Below) -> str:
    """Draw a trader's access code: 140 random bits in seven groups of four.

    It cannot be guessed from its hash, so the plain SHA-256 of `ids.token_hash` is enough. A slow
    password hash helps only with passwords that people choose.
    """
    groups = (_text(_CODE_LETTERS, _CODE_GROUP_LENGTH, below) for _ in range(_CODE_GROUPS))
    return "-".join(groups)


def halves_of(access_code: str) -> tuple[str, str]:
    """Return the two halves of an access code; typed one after the other they are the code.

    One half does not help to guess the other, which has at least 60 random bits.
    """
    groups = access_code.split("-")
    middle = len(groups) - len(groups) // 2
    return "-".join(groups[:middle]), "-".join(groups[middle:])


def typed_access_code(text: str) -> str:
    """Normalise a typed access code: any case, any spacing, o for 0, i and l for 1.

    Return "" if the length is wrong.
    """
    letters = [letter for letter in text.casefold().translate(_LOOK_ALIKE) if letter.isalnum()]
    groups = ["".join(letters[i : i + _CODE_GROUP_LENGTH]) for i in _CODE_STARTS]
    return "-".join(groups) if len(letters) == _CODE_LENGTH else ""


def _text(letters: str, length: int, below: Below) -> str:
    return "".join(letters[below(len(letters))] for _ in range(length))
