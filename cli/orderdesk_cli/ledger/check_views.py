"""The result of the ledger check, as operators see it."""

from orderdesk.domain.ledger.rows import Difference, DifferenceKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.services.operator.ledger import Verdict
from orderdesk_cli.ledger.balance_views import totals_data
from orderdesk_cli.output import Answer, Json


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
        "withdrawals": totals.open_withdrawals,
        "passes": verdict.passes,
        "totals": {mode.value: totals_data(totals, mode) for mode in Mode},
    }
    found = f"Differences: {len(differences)}" if differences else "The ledger balances"
    read = (
        f"accounts: {totals.accounts}, postings: {totals.postings}, "
        f"open orders: {totals.open_orders}, open withdrawals: {totals.open_withdrawals}"
    )
    warning = (
        f"{len(verdict.moving)} more differed in each of {verdict.passes} passes, by changing "
        "amounts: money moves through them now; check again when less does"
    )
    return Answer(
        data,
        f"{found} ({read}).",
        warning if verdict.moving else "",
        [f"difference: {told(difference)}" for difference in differences],
    )


def _text(kind: DifferenceKind) -> str:  # noqa: C901, PLR0911 - one for each
    match kind:
        case DifferenceKind.TRANSFER:
            return "its postings sum to {actual} USDT, not to {expected}"
        case DifferenceKind.BALANCE:
            return "owns {actual} USDT, its postings sum to {expected}"
        case DifferenceKind.HELD:
            return "held are {actual} USDT, its open orders and withdrawals hold {expected}"
        case DifferenceKind.NEGATIVE_AVAILABLE:
            return "available are {actual} USDT, less than nothing"
        case DifferenceKind.NEGATIVE_HELD:
            return "held are {actual} USDT, less than nothing"
        case DifferenceKind.OPEN_ORDERS:
            return "counts {actual} open orders, has {expected}"
        case DifferenceKind.OPEN_BUYS:
            return "counts {actual} open buys, has {expected}"
        case DifferenceKind.OPEN_CNY:
            return "counts {actual} CNY in open buys, has {expected}"
        case DifferenceKind.OPEN_AMOUNTS:
            return "{actual} of its open amounts and open buys do not match"
        case DifferenceKind.UNKNOWN_ACCOUNT:
            return "is no account, and owns {actual} USDT"
        case DifferenceKind.WHOLE_POSTINGS:
            return "all postings sum to {actual} USDT, not to {expected}"
        case DifferenceKind.WHOLE_BALANCES:
            return "all accounts own {actual} USDT, not {expected}"


def told(difference: Difference) -> str:
    """Say in one line what differs, and by how much."""
    amounts = _amounts(difference)
    what = _text(difference.kind).format(**amounts)
    is_transfer = difference.kind is DifferenceKind.TRANSFER
    subject = f"transfer {difference.subject}" if is_transfer else difference.subject
    return f"{subject}: {what} (difference {amounts['delta']})"


def _difference_data(difference: Difference) -> dict[str, Json]:
    """Write a difference for programs: amounts as text, counts of orders as numbers."""
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
    match difference.kind:
        case DifferenceKind.OPEN_ORDERS | DifferenceKind.OPEN_BUYS | DifferenceKind.OPEN_AMOUNTS:
            return {**values}
        case DifferenceKind.OPEN_CNY:
            return {name: format_cny(fen) for name, fen in values.items()}
        case (
            DifferenceKind.TRANSFER
            | DifferenceKind.BALANCE
            | DifferenceKind.HELD
            | DifferenceKind.NEGATIVE_AVAILABLE
            | DifferenceKind.NEGATIVE_HELD
            | DifferenceKind.UNKNOWN_ACCOUNT
            | DifferenceKind.WHOLE_POSTINGS
            | DifferenceKind.WHOLE_BALANCES
        ):
            return {name: format_usdt(micro) for name, micro in values.items()}
