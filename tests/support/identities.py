"""Identities that nobody has: a fictitious region and day, with the right check digit."""

from secrets import randbelow
from urllib.parse import urlsplit

import httpx

_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def id_card(first_17: str = "11010120000101000") -> str:
    """Append the check digit to 17 digits (GB 11643)."""
    total = sum(int(digit) * weight for digit, weight in zip(first_17, _WEIGHTS, strict=True))
    return first_17 + "10X98765432"[total % 11]


def somebody() -> str:
    """Return an id card that no other test uses, of a person born in the 19th century."""
    born = f"{1800 + randbelow(100)}{1 + randbelow(12):02d}{10 + randbelow(19)}"
    return id_card(f"110101{born}{randbelow(1_000):03d}")


def identity(mobile: str = "13800000001") -> dict[str, str]:
    """Return the three factors; the mobile decides the sandbox's result."""
    return {"customer_name": "测试丙", "id_card": id_card(), "mobile": mobile}


def submit_identity(
    identity_url: str, mobile: str = "13800000001", **changes: str
) -> httpx.Response:
    """Post the deployed identity page's form; follow no redirect."""
    parts = urlsplit(identity_url)
    headers = {"origin": f"{parts.scheme}://{parts.netloc}", "sec-fetch-site": "same-origin"}
    return httpx.post(
        identity_url, data={**identity(mobile), **changes}, headers=headers, timeout=None
    )
