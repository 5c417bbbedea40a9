"""`ledger.*`: the sealed books and their findings, postings, and what every account owns.

Contract section 13.
"""

import base64
import json
import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Annotated

from pydantic import BeforeValidator, StringConstraints, WithJsonSchema

from orderdesk.domain.accounts import SHARDED, Account, AccountKind, Balance
from orderdesk.domain.authority import Power
from orderdesk.domain.ledger.rows import account_of
from orderdesk.domain.ledger.seals import Finding, FindingKind, OpenFinding, Seal, SealSummary
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.money import format_usdt
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_SECOND, date_in_china
from orderdesk.services.ledger.check import OpenBooks, check_books
from orderdesk.services.merchants.statement import Span, first_position, statement
from orderdesk.services.operator.books import acknowledge, newest_seal
from orderdesk.services.operator.ledger import HasTime, RestoredPlace, compare_part, read_balances
from orderdesk.services.operator.merchants import known_merchant
from orderdesk.web.merchant import views
from orderdesk.web.merchant.lists import cursor_of, position_of
from orderdesk.web.merchant.parameters import BAD_CURSOR, problem
from orderdesk.web.merchant.views import present_of, row_of
from orderdesk.web.operator import parameters as wire
from orderdesk.web.operator.declare import Json, OperatorPorts, Role, Row, command, powers
from orderdesk.web.operator.parameters import CommandParameters, WriteParameters, told
from orderdesk.web.operator.reports import merchant_day

PART_SECONDS = 15
"""How long one part of the check reads; API Gateway answers within 29 s."""

type Known = Mapping[Account, Balance]

_FINDING = re.compile(r"F[0-9a-f]{16}")
_END = re.compile(r"[0-9]{1,10}")


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
    merchant_id: wire.MerchantId
    mode: Mode = told("Which money.", Mode.LIVE)
    since: wire.Since | None = None
    until: wire.Until | None = None
    limit: wire.Limit = wire.PAGE_MAX
    after: wire.After | None = None


@command("ledger.statement", Role.VIEWER)
def list_postings(ports: OperatorPorts, asked: LedgerStatementParameters) -> Json:
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
    following = None if page.following is None else cursor_of(page.following, mode, tag)
    return {"items": [views.posting(line) for line in page.items], "next": following}


@command("ledger.balances", Role.VIEWER)
def balances(ports: OperatorPorts, _: wire.NoParameters) -> Json:
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


def _named(seal: Seal) -> Row:
    return {"time": seal.end, "date": date_in_china(seal.end - 1).isoformat()}


def _part_of_a_call(ports: OperatorPorts) -> HasTime:
    until_us = ports.operator.now_us() + PART_SECONDS * US_PER_SECOND
    return lambda: ports.operator.now_us() < until_us


@command("ledger.compare", Role.VIEWER)
def compare(ports: OperatorPorts, asked: CompareParameters) -> Json:
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


def totals_data(totals: Totals, mode: Mode) -> Row:
    """Return what all accounts of each kind own together."""
    each = {kind: totals.get((kind, mode), _NO_ACCOUNTS) for kind in AccountKind}
    return {
        kind.value: {"accounts": count, **row_of(total, _OWNED)}
        for kind, (count, total) in each.items()
    }


def _merchants(known: Known, mode: Mode, seal: Seal) -> list[Row]:
    """Return each merchant's accounts in one row: its own, its deposit, and the fees it paid."""
    owners = {a.owner for a in known if a.kind in SHARDED and a.mode is mode}
    rows: list[Row] = []
    for owner in sorted(owners):
        own, deposit, fee = (known.get(Account(kind, owner, mode), Balance()) for kind in SHARDED)
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


def _traders(known: Known, mode: Mode) -> list[Row]:
    return [
        {"trader_id": account.owner, **row_of(owns, _OWNED)}
        for account, owns in known.items()
        if account.kind is AccountKind.TRADER and account.mode is mode
    ]


def finding_data(finding: Finding) -> Row:
    """Return a finding: amounts as text, counts as numbers, no empty names; `text` is a line."""
    return {
        **row_of(finding, "kind key"),
        **present_of(finding, "order_no? proposal_no? account? problem?"),
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


class CheckParameters(CommandParameters):
    """Parameters of `ledger.check`; a page can end with a finding."""

    limit: wire.Limit = wire.PAGE_MAX
    after: Annotated[str, wire.written_as(_FINDING.fullmatch)] | None = None


class SealsParameters(CommandParameters):
    """Parameters of `ledger.seals`; a page can end with a seal."""

    limit: wire.Limit = wire.PAGE_MAX
    after: Annotated[str, wire.written_as(_END.fullmatch)] | None = None


class AcknowledgeParameters(WriteParameters):
    finding_id: wire.Id = told("As `ledger check` names it.")
    reason: wire.NeededReason


@command("ledger.check", Role.VIEWER)
def check(ports: OperatorPorts, asked: CheckParameters) -> Json:
    """Compare every balance with the newest seal and what came after; return a page of findings.

    `findings` is the same list as `items`, by its earlier name.
    """
    books = check_books(ports.books, ports.operator.pause_ms)
    after = asked.after or ""
    left = [each for each in books.findings if each.finding_id > after]
    page = list(islice(left, asked.limit))
    items = [open_finding_data(each, is_sealed=each.finding_id in books.sealed) for each in page]
    return {
        **_books_data(books),
        "items": items,
        "findings": items,
        "next": page[-1].finding_id if len(left) > len(page) else None,
    }


def _books_data(books: OpenBooks) -> Row:
    newest, seal = books.newest, books.seal
    stored = (
        (account, row.balance)
        for key, rows in books.balances.items()
        if (account := account_of(key))
        for row in rows.values()
    )
    owned = totals_of(stored)
    return {
        "balanced": not books.findings,
        "seal": None if newest is None else seal_mark(newest),
        "accounts": len(books.balances),
        "postings": seal.postings,
        "orders": len(seal.orders),
        "withdrawals": books.withdrawals,
        "acknowledged": books.acknowledged,
        "totals": {mode.value: totals_data(owned, mode) for mode in Mode},
    }


def seal_mark(summary: SealSummary) -> Row:
    """Return when a seal ended and its hash."""
    return row_of(summary.name, "time=end hash")


def open_finding_data(found: OpenFinding, *, is_sealed: bool) -> Row:
    """Return an open finding; `since` is the seal that has it first, null before it is sealed."""
    return {
        "finding_id": found.finding_id,
        "since": found.since if is_sealed else None,
        **finding_data(found.finding),
    }


@command("ledger.seals", Role.VIEWER)
def list_seals(ports: OperatorPorts, asked: SealsParameters) -> Json:
    """List the seals of the books, the newest first, each with a link to its file."""
    before = None if asked.after is None else int(asked.after)
    found = ports.seal_files.newest_first(before, asked.limit + 1)
    page = found[: asked.limit]
    items = [seal_data(each, ports.seal_files.link(each.name.end)) for each in page]
    return {
        "items": items,
        "public_key": base64.b64encode(ports.seal_files.public_key()).decode(),
        "next": str(page[-1].name.end) if len(found) > len(page) else None,
    }


def seal_data(summary: SealSummary, url: str) -> Row:
    """Return a seal's name and counts; `date` is its trading day (UTC+8)."""
    return {
        **seal_mark(summary),
        "date": date_in_china(summary.name.end - 1).isoformat(),
        **row_of(summary, "start_time=start accounts postings orders findings"),
        "url": url,
    }


@command("ledger.acknowledge", Role.FINANCE, powers(Power.MONEY, "finding_id"))
def accept(ports: OperatorPorts, asked: AcknowledgeParameters) -> Json:
    """Accept a finding with its reason, with a second person; it stays in the books."""
    found = acknowledge(
        ports.books.seals, ports.proposals, ports.operator, asked.finding_id, asked.reason
    )
    return open_finding_data(found, is_sealed=True)
