"""The rows that a day's report should have, written from sums without the code under test."""

from typing import Any

from tests.support.mixed_days import Sums


def text(amount: int, decimals: int = 6) -> str:
    """Write an amount of micro-USDT, or of fen with two decimals."""
    digits = f"{abs(amount):0{decimals + 1}d}"
    return f"{'-' if amount < 0 else ''}{digits[:-decimals]}.{digits[-decimals:]}"


def money_of(sums: Sums, key: str) -> dict[str, str]:
    """Give the money columns of an account."""
    return {
        "fundings": text(sums.kinds[key]["funding"]),
        "withdrawals": text(-sums.kinds[key]["withdrawal"]),
        "opening": text(sums.opening[key]),
        "closing": text(sums.closing[key]),
    }


def told_of(sums: Sums, kind: str, mode: str) -> list[dict[str, Any]]:
    """Give the rows of a kind that the sums ask for."""
    keys = {*sums.closing, *sums.volumes}
    return [
        {
            f"{kind}_id": key.split(":")[1],
            "orders": sums.volumes[key]["orders"],
            "cny": text(sums.volumes[key]["cny"], 2),
            **{name: text(sums.volumes[key][name]) for name in ("usdt", "fees", "deposits")},
            **money_of(sums, key),
        }
        for key in sorted(keys, key=lambda key: key.split(":")[1])
        if key.split(":")[::2] == [kind, mode]
    ]
