"""`ledger.*`: the check of the books, its findings as JSON data, and what every account owns."""

import json
from collections.abc import Mapping
from typing import Annotated

from pydantic import BeforeValidator, StringConstraints

from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.check import KindTotal, Totals
from orderdesk.domain.ledger.check_run import PASSES_MAX, CheckRun
from orderdesk.domain.ledger.findings import Finding, FindingKind, Unit
from orderdesk.domain.ledger.rows import account_of
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_cny, format_usdt
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.merchants.statement import Span, first_position, statement
from orderdesk.services.operator.ledger import (
    SEGMENTS,
    HasTime,
    RestoredPlace,
    check_part,
    compare_part,
    read_balances,
)
from orderdesk.services.operator.merchants import known_merchant
from orderdesk.web.merchant import views
from orderdesk.web.merchant.parameters import BAD_CURSOR, problem
from orderdesk.web.merchant.statement import cursor_of, position_of
from orderdesk.web.operator.parameters import (
    PAGE_MAX,
    After,
    AfterPart,
    CommandParameters,
    Id,
    Limit,
    NoParameters,
    Seconds,
)
from orderdesk.web.operator.ports import OperatorPorts

PART_SECONDS = 15
"""How long one part of the check reads; API Gateway answers within 29 s."""

type Known = Mapping[Account, Balance]


class CheckParameters(CommandParameters):
    """Parameters of `ledger.check`."""

    after: AfterPart | None = None


def _place(value: JsonValue) -> RestoredPlace:
    try:
        match json.loads(value) if isinstance(value, str) else None:
            case [str(pk), str(sk)]:
                return pk, sk
            case _:
                raise problem(BAD_CURSOR)
    except json.JSONDecodeError:
        raise problem(BAD_CURSOR) from None


class CompareParameters(CommandParameters):
    """Parameters of `ledger.compare`; `restored` is the name of the restored table."""

    restored: Annotated[str, StringConstraints(strict=True, pattern=r"^[A-Za-z0-9_.-]{3,255}$")]
    after: Annotated[RestoredPlace, BeforeValidator(_place)] | None = None


class LedgerStatementParameters(CommandParameters):
    """Parameters of `ledger.statement`."""

    merchant_id: Id
    mode: Mode = Mode.LIVE
    since: Seconds | None = None
    until: Seconds | None = None
    limit: Limit = PAGE_MAX
    after: After | None = None


def list_postings(ports: OperatorPorts, asked: LedgerStatementParameters) -> Mapping[str, object]:
    """Return a page of the postings of a merchant's accounts, oldest first, with balances."""
    merchant = known_merchant(ports.merchants, asked.merchant_id)
    # The tag only binds the place to this merchant; a changed one affects its caller alone.
    tag = merchant.merchant_id.encode()
    who, mode, span = merchant.merchant_id, asked.mode, Span(asked.since, asked.until)
    if asked.after is None:
        position = first_position(ports.postings, who, mode, span)
    else:
        position = position_of(asked.after, mode, tag, field="after", mode_field="mode")
    page = statement(
        ports.postings, who, mode, span, position, limit=asked.limit, now=ports.operator.now()
    )
    following = None if page.next is None else cursor_of(page.next, mode, tag)
    return {"items": views.statement(page, None)["postings"], "next": following}


def balances(ports: OperatorPorts, _: NoParameters) -> Mapping[str, object]:
    """Return what every account owns, by mode; `strangers` are balances of no known account."""
    tally = read_balances(ports.ledger_scan, segments=SEGMENTS)
    owned, totals = tally.balances(), tally.totals()
    known = {account: owns for key, owns in owned.items() if (account := account_of(key))}
    return {
        **{
            mode.value: {
                "merchants": _merchants(known, mode),
                "traders": _traders(known, mode),
                "totals": totals_data(totals, mode),
            }
            for mode in Mode
        },
        "strangers": [key for key in owned if account_of(key) is None],
    }


def check(ports: OperatorPorts, asked: CheckParameters) -> Mapping[str, object]:
    """Read on in a run of the check for some seconds, or begin one.

    `next` names the run until it is done; the result is in the last part.
    """
    run_id, run = check_part(ports.ledger_check, asked.after, _part_of_a_call(ports))
    progress = run.progress()
    return {
        "progress": {
            "text": f"Pass {progress.number} of at most {PASSES_MAX}: {progress.rows} items",
            "done": progress.done,
            "of": progress.of,
        },
        **(check_data(run) if run.is_done else {}),
        "next": None if run.is_done else run_id,
    }


def _part_of_a_call(ports: OperatorPorts) -> HasTime:
    until_us = ports.operator.now_us() + PART_SECONDS * US_PER_SECOND
    return lambda: ports.operator.now_us() < until_us


def compare(ports: OperatorPorts, asked: CompareParameters) -> Mapping[str, object]:
    """Compare postings with those of a restored table for some seconds.

    `items` are the findings of this part, `postings` is how many were compared.
    """
    restored = ports.restored_ledger(asked.restored)
    part = compare_part(restored, asked.after, _part_of_a_call(ports))
    return {
        "items": [finding_data(finding) for finding in part.found],
        "postings": part.postings,
        "next": None if part.following is None else json.dumps(part.following),
    }


def check_data(run: CheckRun) -> dict[str, object]:
    """Return the result of a run."""
    totals = run.tally.totals()
    return {
        "balanced": not run.found,
        "findings": [finding_data(finding) for finding in run.found],
        "more": run.more,
        "moving": [finding_data(finding) for finding in run.moving],
        "accounts": totals.accounts,
        "postings": totals.postings,
        "orders": totals.open_orders,
        "withdrawals": totals.open_withdrawals,
        "passes": run.number,
        "totals": {mode.value: totals_data(totals, mode) for mode in Mode},
    }


def totals_data(totals: Totals, mode: Mode) -> dict[str, object]:
    """Return what all accounts of each kind own together."""
    each = {kind: totals.owned.get((kind, mode), KindTotal()) for kind in AccountKind}
    return {
        kind.value: {
            "accounts": total.accounts,
            "available": format_usdt(total.available_micro),
            "held": format_usdt(total.held_micro),
        }
        for kind, total in each.items()
    }


def _merchants(known: Known, mode: Mode) -> list[dict[str, str]]:
    """Return each merchant's accounts in one row: its own, its deposit, and the fees it paid."""
    owners = {a.owner for a in known if _is_merchants(a.kind) and a.mode is mode}
    rows = []
    for owner in sorted(owners):
        own, deposit, fee = (
            known.get(Account(kind, owner, mode), Balance())
            for kind in (AccountKind.MERCHANT, AccountKind.DEPOSIT, AccountKind.FEE)
        )
        rows.append(
            {
                "merchant_id": owner,
                "available": format_usdt(own.available_micro),
                "held": format_usdt(own.held_micro),
                "deposit": format_usdt(deposit.available_micro),
                "fee": format_usdt(fee.available_micro),
            }
        )
    return rows


def _is_merchants(kind: AccountKind) -> bool:
    """Return whether an account of a kind belongs to a merchant."""
    match kind:
        case AccountKind.MERCHANT | AccountKind.DEPOSIT | AccountKind.FEE:
            return True
        case AccountKind.TRADER | AccountKind.FUNDING:
            return False


def _traders(known: Known, mode: Mode) -> list[dict[str, str]]:
    return [
        {
            "trader_id": account.owner,
            "available": format_usdt(owns.available_micro),
            "held": format_usdt(owns.held_micro),
        }
        for account, owns in known.items()
        if account.kind is AccountKind.TRADER and account.mode is mode
    ]


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
