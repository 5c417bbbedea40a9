"""What the check of the books found, as operators see it."""

from collections.abc import Mapping
from types import MappingProxyType

from orderdesk.domain.ledger.rows import Difference, DifferenceKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_usdt
from orderdesk.services.operator.ledger import Verdict
from orderdesk_cli.ledger.balance_views import totals_data
from orderdesk_cli.output import Answer, Json

_TOLD: Mapping[DifferenceKind, str] = MappingProxyType(
    {
        DifferenceKind.TRANSFER: "its postings sum to {actual} USDT, not to {expected}",
        DifferenceKind.BALANCE: "owns {actual} USDT, its postings sum to {expected}",
        DifferenceKind.HELD: "held are {actual} USDT, its open orders hold {expected}",
        DifferenceKind.NEGATIVE_AVAILABLE: "available are {actual} USDT, less than nothing",
        DifferenceKind.NEGATIVE_HELD: "held are {actual} USDT, less than nothing",
        DifferenceKind.OPEN_ORDERS: "counts {actual} open orders, has {expected}",
        DifferenceKind.UNKNOWN_ACCOUNT: "is no account, and owns {actual} USDT",
        DifferenceKind.WHOLE_POSTINGS: "all postings sum to {actual} USDT, not to {expected}",
        DifferenceKind.WHOLE_BALANCES: "all accounts own {actual} USDT, not {expected}",
    }
)


def checked(verdict: Verdict) -> Answer:
    """Answer `ledger check`."""
    totals, differences = verdict.totals, verdict.differences
    data: dict[str, Json] = {
        "balanced": not differences,
        "differences": [_difference_data(difference) for difference in differences],
        "moving": [_difference_data(difference) for difference in verdict.moving],
        "accounts": totals.accounts,
        "postings": totals.postings,
        "orders": totals.open_orders,
        "passes": verdict.passes,
        "totals": {mode.value: totals_data(totals, mode) for mode in Mode},
    }
    found = f"Differences: {len(differences)}" if differences else "The ledger balances"
    read = (
        f"accounts: {totals.accounts}, postings: {totals.postings}, "
        f"open orders: {totals.open_orders}"
    )
    warning = (
        f"{len(verdict.moving)} more differed in each of {verdict.passes} passes, by changing "
        "amounts: money moves through them now; check again when less does"
    )
    return Answer(
        data,
        f"{found} ({read}).",
        warning if verdict.moving else "",
        [f"difference: {_told(difference)}" for difference in differences],
    )


def _told(difference: Difference) -> str:
    amounts = _amounts(difference)
    what = _TOLD[difference.kind].format(**amounts)
    is_transfer = difference.kind is DifferenceKind.TRANSFER
    subject = f"transfer {difference.subject}" if is_transfer else difference.subject
    return f"{subject}: {what} (difference {amounts['delta']})"


def _difference_data(difference: Difference) -> dict[str, Json]:
    """Write a difference for programs: amounts of USDT as text, counts of orders as numbers."""
    return {
        "subject": difference.subject,
        "kind": difference.kind.value,
        **_amounts(difference),
    }


def _amounts(difference: Difference) -> dict[str, str | int]:
    values = {
        "expected": difference.expected,
        "actual": difference.actual,
        "delta": difference.delta,
    }
    if difference.kind is DifferenceKind.OPEN_ORDERS:
        return {**values}
    return {name: format_usdt(micro) for name, micro in values.items()}
