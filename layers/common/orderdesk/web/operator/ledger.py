"""`ledger.*`: findings as JSON data, a merchant's postings, and what every account owns."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
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
    """Parameters of `ledger.statement`."""

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


@dataclass(frozen=True, slots=True)
class KindTotal:
    """All accounts of one kind and mode: their number, and their sums in micro-USDT."""

    accounts: int = 0
    available_micro: int = 0
    held_micro: int = 0

    def plus(self, balance: Balance) -> "KindTotal":
        """Return the total with one more account."""
        return KindTotal(
            self.accounts + 1,
            self.available_micro + balance.available_micro,
            self.held_micro + balance.held_micro,
        )


type Totals = Mapping[tuple[AccountKind, Mode], KindTotal]


def totals_of(owned: Iterable[tuple[Account, Balance]]) -> Totals:
    """Sum balances by kind and mode; a split account has several."""
    balances: dict[Account, Balance] = {}
    for account, more in owned:
        one = balances.get(account, Balance())
        sums = one.available_micro + more.available_micro, one.held_micro + more.held_micro
        balances[account] = Balance(*sums)
    totals: dict[tuple[AccountKind, Mode], KindTotal] = {}
    for account, balance in balances.items():
        group = account.kind, account.mode
        totals[group] = totals.get(group, KindTotal()).plus(balance)
    return totals


def totals_data(totals: Totals, mode: Mode) -> dict[str, object]:
    """Return what all accounts of each kind own together."""
    each = {kind: totals.get((kind, mode), KindTotal()) for kind in AccountKind}
    return {
        kind.value: {
            "accounts": total.accounts,
            "available": format_usdt(total.available_micro),
            "held": format_usdt(total.held_micro),
        }
        for kind, total in each.items()
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
                "available": format_usdt(own.available_micro),
                "held": format_usdt(own.held_micro),
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
        **finding.amounts,
        "text": line_of(finding),
    }


def line_of(finding: Finding) -> str:
    """Return in one line what is wrong, and by how much."""
    names = {"account": finding.account, "problem": finding.problem}
    what = _text(finding.kind).format(**finding.amounts, **names)
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
        case FindingKind.MALFORMED:
            return "cannot be read: {problem}"
        case FindingKind.BALANCE:
            return "available differs by {delta} USDT: is {actual}, its moves make {expected}"
        case FindingKind.HELD:
            return "held differs by {delta} USDT: is {actual}, its moves make {expected}"
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
        case FindingKind.PRICE:
            return "is {actual} USDT, its rate and fees give {expected}"
        case FindingKind.CHANGED_PRICE:
            return "its amounts, rate or fees were changed after they were sealed"
        case FindingKind.MISSING_ORDER:
            return "was open when it was sealed, and is missing"
        case FindingKind.UNSEALED_ORDER:
            return "is older than the last seal, which does not have it"
        case FindingKind.CHANGED_DAY:
            return "its postings are {actual} USDT, and not those that were sealed: {expected} USDT"
        case FindingKind.BROKEN_SEAL:
            return "is not what the chain of seals says: {problem}"
