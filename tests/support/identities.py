"""Identities that nobody has: a fictitious region and day, the check digit right."""

from secrets import randbelow

_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def id_card(first_17: str = "11010120000101000") -> str:
    """Complete 17 digits with their check digit (GB 11643)."""
    total = sum(int(digit) * weight for digit, weight in zip(first_17, _WEIGHTS, strict=True))
    return first_17 + "10X98765432"[total % 11]


def somebody() -> str:
    """Give the id card of a person of whom no other test knows, born long ago."""
    return id_card(f"110101{1800 + randbelow(100)}01{10 + randbelow(20)}{randbelow(1_000):03d}")


def identity(mobile: str = "13800000001") -> dict[str, str]:
    """Give the three factors; the sandbox passes them unless the mobile says otherwise."""
    return {"customer_name": "测试丙", "id_card": id_card(), "mobile": mobile}
