"""`ledger.*`: findings as JSON data, a merchant's postings, and what every account owns."""

import json
from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import BeforeValidator, StringConstraints, WithJsonSchema

from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.ledger.findings import Finding, FindingKind
from orderdesk.domain.ledger.rows import account_of
from orderdesk.domain.ledger.seals import Seal
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_usdt
from orderdesk.domain.times import US_PER_SECOND, date_in_china
from orderdesk.services.merchants.statement import Span, first_position, statement
from orderdesk.services.operator.books import newest_seal
from orderdesk.services.operator.ledger import HasTime, RestoredPlace, compare_part, read_balances
from orderdesk.services.operator.merchants import known_merchant
from orderdesk.web.merchant import views
from orderdesk.web.merchant.parameters import BAD_CURSOR, problem
from orderdesk.web.merchant.statement import cursor_of, position_of
from orderdesk.web.operator.declare import Role, command
from orderdesk.web.operator.parameters import (
    PAGE_MAX,
    After,
    CommandParameters,
    Limit,
    MerchantId,
    NoParameters,
    Since,
    Until,
    told,
)
from orderdesk.web.operator.parties import Row, row_of
from orderdesk.web.operator.ports import OperatorPorts
from orderdesk.web.operator.reports import merchant_day

PART_SECONDS = 15
"""How long one part of the check reads; API Gateway answers within 29 s."""

type Known = Mapping[Account, Balance]


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

    restored: Annotated[str, StringConstraints(strict=True, pattern="^[A-Za-z0-9_.-]{3,255}$")] = (
        told("A copy of the Ledger table; its name ends in -restored-….")
    )
    after: (
        Annotated[RestoredPlace, BeforeValidator(_place), WithJsonSchema({"type": "string"})] | None
    ) = None


class LedgerStatementParameters(CommandParameters):
    merchant_id: MerchantId
    mode: Mode = told("Which money.", Mode.LIVE)
    since: Since | None = None
    until: Until | None = None
    limit: Limit = PAGE_MAX
    after: After | None = None


@command("ledger.statement", Role.VIEWER)
def list_postings(ports: OperatorPorts, asked: LedgerStatementParameters) -> Mapping[str, object]:
    """List the postings of a merchant's accounts, the oldest first, each with its balance."""
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
    return {"items": [views.posting(line) for line in page.lines], "next": following}


@command("ledger.balances", Role.VIEWER)
def balances(ports: OperatorPorts, _: NoParameters) -> Mapping[str, object]:
    """List what every account owns, live and test.

    Each account is read at its own time. While orders move, the totals may be off by their
    amounts.
    """
    # `strangers` are balances of no known account; a merchant's `day` is up to the newest seal.
    seal = newest_seal(ports.books.seals)
    owned = read_balances(ports.ledger_scan)
    known = {account: owns for key, owns in owned.items() if (account := account_of(key))}
    totals = totals_of(known.items())
    return {
        **{
            mode.value: {
                "merchants": _merchants(known, mode, seal),
                "traders": _traders(known, mode),
                "totals": totals_data(totals, mode),
            }
            for mode in Mode
        },
        "strangers": [key for key in owned if account_of(key) is None],
        "seal": _named(seal) if seal.end else None,
    }


def _named(seal: Seal) -> dict[str, object]:
    return {"time": seal.end, "date": date_in_china(seal.end - 1).isoformat()}


def _part_of_a_call(ports: OperatorPorts) -> HasTime:
    until_us = ports.operator.now_us() + PART_SECONDS * US_PER_SECOND
    return lambda: ports.operator.now_us() < until_us


@command("ledger.compare", Role.VIEWER)
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


type Totals = Mapping[tuple[AccountKind, Mode], tuple[int, Balance]]
"""The number of accounts of a kind and mode, and their sum."""


_NO_ACCOUNTS = 0, Balance()
_OWNED = "available_micro held_micro"


def totals_of(owned: Iterable[tuple[Account, Balance]]) -> Totals:
    """Sum balances by kind and mode; a split account has several."""
    balances: dict[Account, Balance] = {}
    for account, more in owned:
        balances[account] = balances.get(account, Balance()) + more
    totals: dict[tuple[AccountKind, Mode], tuple[int, Balance]] = {}
    for account, balance in balances.items():
        group = account.kind, account.mode
        count, total = totals.get(group, _NO_ACCOUNTS)
        totals[group] = count + 1, total + balance
    return totals


def totals_data(totals: Totals, mode: Mode) -> dict[str, object]:
    """Return what all accounts of each kind own together."""
    each = {kind: totals.get((kind, mode), _NO_ACCOUNTS) for kind in AccountKind}
    return {
        kind.value: {"accounts": count, **row_of(total, _OWNED)}
        for kind, (count, total) in each.items()
    }


def _merchants(known: Known, mode: Mode, seal: Seal) -> list[dict[str, object]]:
    """Return each merchant's accounts in one row: its own, its deposit, and the fees it paid."""
    owners = {a.owner for a in known if _is_merchants(a.kind) and a.mode is mode}
    rows: list[dict[str, object]] = []
    for owner in sorted(owners):
        own, deposit, fee = (
            known.get(Account(kind, owner, mode), Balance())
            for kind in (AccountKind.MERCHANT, AccountKind.DEPOSIT, AccountKind.FEE)
        )
        rows.append(
            {
                "merchant_id": owner,
                **row_of(own, _OWNED),
                "deposit": format_usdt(deposit.available_micro),
                "fee": format_usdt(fee.available_micro),
                "day": merchant_day(seal.accounts, owner, mode) if seal.end else None,
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


def _traders(known: Known, mode: Mode) -> list[Row]:
    return [
        {"trader_id": account.owner, **row_of(owns, _OWNED)}
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
        **finding.amounts,
        "text": line_of(finding),
    }


def line_of(finding: Finding) -> str:
    """Return in one line what is wrong, and by how much."""
    names = {"account": finding.account, "problem": finding.problem}
    what = _TEXTS[finding.kind].format(**finding.amounts, **names)
    owner = finding.order_no or finding.proposal_no
    subject = f"{owner}: {finding.key}" if owner and owner != finding.key else finding.key
    return f"{subject}: {what} ({finding.kind.value})"


_TEXTS: Mapping[FindingKind, str] = {
    FindingKind.POSTING_WITHOUT_ORDER: "a settlement of {actual} USDT without a completed order",
    FindingKind.ORDER_WITHOUT_POSTING: "completed, but its posting of {expected} USDT on "
    "{account} is missing",
    FindingKind.POSTING_WITHOUT_DECISION: "{actual} USDT without an approved proposal",
    FindingKind.DECISION_WITHOUT_POSTING: "executed, but its posting of {expected} USDT on "
    "{account} is missing",
    FindingKind.CHANGED_AMOUNT: "is {actual} USDT, must be {expected}",
    FindingKind.CHANGED_ACCOUNT: "is on another account than its order or proposal says",
    FindingKind.CHANGED_POSTING: "has another time, kind or order than it must have",
    FindingKind.DUPLICATED_POSTING: "{actual} USDT were posted again",
    FindingKind.LOST_POSTING: "{expected} USDT are no longer there",
    FindingKind.NO_SECOND_PERSON: "{actual} of {expected} people decided about {account}",
    FindingKind.PROPOSAL_WITHOUT_ENTRY: "the audit trail has no entry of its person, account "
    "and amount",
    FindingKind.REQUEST_WITHOUT_ENTRY: "the merchant's audit trail has no entry of its "
    "person, account and amount",
    FindingKind.REQUEST_WITHOUT_DECISION: "no proposal of its amount is in the state that it says",
    FindingKind.DECISION_WITHOUT_REQUEST: "no withdrawal request of its amount is in the "
    "state that it says",
    FindingKind.UNLISTED_REQUEST: "it is found {actual} times where it must be {expected} times",
    FindingKind.MALFORMED: "cannot be read: {problem}",
    FindingKind.BALANCE: "available differs by {delta} USDT: is {actual}, its moves make "
    "{expected}",
    FindingKind.HELD: "held differs by {delta} USDT: is {actual}, its moves make {expected}",
    FindingKind.NEGATIVE_AVAILABLE: "available are {actual} USDT, less than nothing",
    FindingKind.NEGATIVE_HELD: "held are {actual} USDT, less than nothing",
    FindingKind.OPEN_ORDERS: "counts {actual} open orders, has {expected}",
    FindingKind.OPEN_BUYS: "counts {actual} open buys, has {expected}",
    FindingKind.OPEN_CNY: "counts {actual} CNY in open buys, has {expected}",
    FindingKind.OPEN_SELLS: "counts {actual} open sells, has {expected}",
    FindingKind.OPEN_SELL_CNY: "counts {actual} CNY in open sells, has {expected}",
    FindingKind.OPEN_SLOTS: "{actual} of its counts of a merchant's open orders do not match",
    FindingKind.OPEN_AMOUNTS: "{actual} of its open amounts and open buys do not match",
    FindingKind.UNKNOWN_ACCOUNT: "is no account, and owns {actual} USDT",
    FindingKind.PRICE: "is {actual} USDT, its rate and fees give {expected}",
    FindingKind.CHANGED_PRICE: "its amounts, rate or fees were changed after they were sealed",
    FindingKind.MISSING_ORDER: "was open when it was sealed, and is missing",
    FindingKind.UNSEALED_ORDER: "is older than the last seal, which does not have it",
    FindingKind.CHANGED_DAY: "its postings are {actual} USDT, and not those that were sealed: "
    "{expected} USDT",
    FindingKind.BROKEN_SEAL: "is not what the chain of seals says: {problem}",
}
"""What each kind of finding says."""
