"""Findings of the ledger check as JSON data, each with a line of English."""

from orderdesk.domain.ledger.findings import Finding, FindingKind, Unit
from orderdesk.domain.money import format_cny, format_usdt


def finding_data(finding: Finding) -> dict[str, object]:
    """Return a finding: amounts as text, counts as numbers, no empty names; `text` is a line."""
    names = {
        "order_no": finding.order_no,
        "proposal_no": finding.proposal_no,
        "account": finding.account,
        "problem": finding.problem,
    }
    return {
        "kind": finding.kind.value,
        "key": finding.key,
        **{name: value for name, value in names.items() if value},
        **_amounts(finding),
        "text": told(finding),
    }


def told(finding: Finding) -> str:
    """Return in one line what is wrong, and by how much."""
    names = {"account": finding.account, "problem": finding.problem}
    what = _text(finding.kind).format(**_amounts(finding), **names)
    owner = finding.order_no or finding.proposal_no
    subject = f"{owner}: {finding.key}" if owner and owner != finding.key else finding.key
    return f"{subject}: {what} ({finding.kind.value})"


def _text(kind: FindingKind) -> str:  # noqa: C901, PLR0911, PLR0912 - one for each
    match kind:
        case FindingKind.POSTING_WITHOUT_ORDER:
            return "a settlement of {actual} USDT without a completed order"
        case FindingKind.ORDER_WITHOUT_POSTING:
            return "completed, but its posting of {expected} USDT on {account} is missing"
        case FindingKind.POSTING_WITHOUT_DECISION:
            return "{actual} USDT without an approved proposal"
        case FindingKind.DECISION_WITHOUT_POSTING:
            return "executed, but its posting of {expected} USDT on {account} is missing"
        case FindingKind.CHANGED_AMOUNT:
            return "is {actual} USDT, must be {expected}"
        case FindingKind.CHANGED_ACCOUNT:
            return "is on another account than its order or proposal says"
        case FindingKind.CHANGED_POSTING:
            return "has another time, kind or order than it must have"
        case FindingKind.DUPLICATED_POSTING:
            return "{actual} USDT were posted again"
        case FindingKind.LOST_POSTING:
            return "{expected} USDT are no longer there"
        case FindingKind.NO_SECOND_PERSON:
            return "{actual} of {expected} people decided about {account}"
        case FindingKind.PROPOSAL_WITHOUT_ENTRY:
            return "the audit trail has no entry of its person, account and amount"
        case FindingKind.REQUEST_WITHOUT_ENTRY:
            return "the merchant's audit trail has no entry of its person, account and amount"
        case FindingKind.REQUEST_WITHOUT_DECISION:
            return "no proposal of its amount is in the state that it says"
        case FindingKind.DECISION_WITHOUT_REQUEST:
            return "no withdrawal request of its amount is in the state that it says"
        case FindingKind.UNLISTED_REQUEST:
            return "it is found {actual} times where it must be {expected} times"
        case FindingKind.FUTURE_TIME:
            return "its time is {delta} s in the future"
        case FindingKind.MALFORMED:
            return "cannot be read: {problem}"
        case FindingKind.UNNAMED_TRANSFERS:
            return "{actual} more groups of transfers differ; check again when these are corrected"
        case FindingKind.BALANCE:
            return "owns {actual} USDT, its postings sum to {expected}"
        case FindingKind.HELD:
            return "held are {actual} USDT, its open orders and withdrawals hold {expected}"
        case FindingKind.NEGATIVE_AVAILABLE:
            return "available are {actual} USDT, less than nothing"
        case FindingKind.NEGATIVE_HELD:
            return "held are {actual} USDT, less than nothing"
        case FindingKind.OPEN_ORDERS:
            return "counts {actual} open orders, has {expected}"
        case FindingKind.OPEN_BUYS:
            return "counts {actual} open buys, has {expected}"
        case FindingKind.OPEN_CNY:
            return "counts {actual} CNY in open buys, has {expected}"
        case FindingKind.OPEN_SELLS:
            return "counts {actual} open sells, has {expected}"
        case FindingKind.OPEN_SELL_CNY:
            return "counts {actual} CNY in open sells, has {expected}"
        case FindingKind.OPEN_SLOTS:
            return "{actual} of its counts of a merchant's open orders do not match"
        case FindingKind.OPEN_AMOUNTS:
            return "{actual} of its open amounts and open buys do not match"
        case FindingKind.UNKNOWN_ACCOUNT:
            return "is no account, and owns {actual} USDT"


def _amounts(finding: Finding) -> dict[str, str | int]:
    values = {
        "expected": finding.expected,
        "actual": finding.actual,
        "delta": finding.delta,
    }
    match finding.unit:
        case Unit.COUNT | Unit.SECONDS:
            return {**values}
        case Unit.CNY_FEN:
            return {name: format_cny(fen) for name, fen in values.items()}
        case Unit.USDT_MICRO:
            return {name: format_usdt(micro) for name, micro in values.items()}
