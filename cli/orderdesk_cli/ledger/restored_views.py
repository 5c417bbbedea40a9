"""The comparison with a restored ledger, as operators see it."""

from orderdesk.domain.ledger.restored import RestoredDifference, RestoredKind
from orderdesk.domain.money import format_usdt
from orderdesk.services.operator.ledger import Comparison
from orderdesk_cli.output import Answer


def compared(comparison: Comparison) -> Answer:
    """Answer `ledger compare`."""
    found = comparison.differences
    read = f"accounts: {comparison.accounts}, postings: {comparison.postings}"
    since = f"{len(comparison.newer)} transfers are newer"
    return Answer(
        {
            "same": not found,
            "differences": [
                {
                    "account": each.account_key,
                    "kind": each.kind.value,
                    "transfer_id": each.transfer_id,
                    "expected": format_usdt(each.expected),
                    "actual": format_usdt(each.actual),
                }
                for each in found
            ],
            "newer": list(comparison.newer),
            "accounts": comparison.accounts,
            "postings": comparison.postings,
        },
        f"{'Differences: ' + str(len(found)) if found else 'Nothing was lost'} ({read}; {since}).",
        complaints=[f"difference: {_told(each)}" for each in found],
    )


def _told(difference: RestoredDifference) -> str:
    expected, actual = format_usdt(difference.expected), format_usdt(difference.actual)
    key, transfer = difference.account_key, difference.transfer_id
    match difference.kind:
        case RestoredKind.LOST:
            return f"{key}: transfer {transfer} of {expected} USDT is lost"
        case RestoredKind.CHANGED:
            return f"{key}: transfer {transfer} is {actual} USDT, was {expected}"
        case RestoredKind.BALANCE_THEN:
            return f"{key}: owned {actual} USDT then, its postings summed to {expected}"
        case RestoredKind.BALANCE_NOW:
            return f"{key}: owns {actual} USDT, its postings sum to {expected}"
