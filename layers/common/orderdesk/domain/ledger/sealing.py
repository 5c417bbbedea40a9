"""Prove a span of the books against the seal before it, and make the next seal (section 13).

Orders, proposals, requests and audit entries say which postings and changes of balances there must
be. Stored postings must be the same, each once. The sums of windows must have changed by the same
amounts. What differs is a finding; nothing is corrected.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from orderdesk.domain.accounts import Account, AccountKind, parity_of, shard_key
from orderdesk.domain.ledger.proof import (
    BalanceMove,
    is_open_at,
    is_outside,
    merchant_account,
    settled_at,
    subject_of,
)
from orderdesk.domain.ledger.rows import (
    EntryRow,
    MalformedRow,
    PostingRow,
    RequestPlaceRow,
    account_of,
    shard_of,
)
from orderdesk.domain.ledger.seals import (
    Acknowledged,
    Finding,
    FindingKind,
    OpenFinding,
    Seal,
    SealedAccount,
    SealName,
    chained,
    finding_id,
)
from orderdesk.domain.ledger.span import (
    PARITIES,
    Bounds,
    SealedSpan,
    SumsRow,
    counter_findings,
    entry_findings,
    order_findings,
    posting_findings,
    price_digest,
    reversal_findings,
)
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.orders.day_figures import Counts, figures_after, is_kept
from orderdesk.domain.orders.open_orders import COUNTER_PREFIX
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import Proposal, ProposalStatus
from orderdesk.domain.times import US_PER_SECOND, trading_day

CHECKPOINT_EVERY = 1000


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """An account's balance right after the posting at `place`; amounts in micro-USDT."""

    account_key: str
    place: str
    balance: int
    count: int


type Sums = dict[str, SealedAccount]


def closed_accounts(span: SealedSpan) -> tuple[Sums, list[Checkpoint]]:
    """Return the accounts at the end of the span, and the checkpoints on the way."""
    accounts, checkpoints = dict(span.previous.accounts), list[Checkpoint]()
    is_new_day = trading_day(span.end - 1) != span.previous.day
    for key in accounts.keys() | span.postings.keys() | span.balances.keys():
        one = accounts.get(key, SealedAccount())
        if is_new_day:
            one = replace(one, opening=one.closing, day={}, volume={})
        if key in span.postings:
            one = _with_postings(one, key, span, checkpoints)
        accounts[key] = one
    for move in span.moves():
        before = accounts.get(move.account_key, SealedAccount())
        accounts[move.account_key] = _with_move(before, move)
    for order in span.orders.values():
        at = settled_at(order)
        if at is not None and span.has(at) and at >= span.day_start:
            for key, volume in volumes(order):
                one = accounts.get(key, SealedAccount())
                accounts[key] = replace(one, volume={**Counter(one.volume) + Counter(volume)})
    return accounts, checkpoints


def volumes(order: Order) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield the volume of a completed order by account: CNY in fen, USDT in micro.

    A merchant's USDT are at its rate, a trader's at the base rate. The difference is the spread.
    """
    price = order.quote
    common = {"orders": 1, "cny": price.cny_fen}
    own = {
        "usdt": price.usdt_micro,
        "fees": price.service_micro,
        "deposits": price.deposit_micro,
        "spread": abs(price.usdt_micro - price.trader_micro),
    }
    yield merchant_account(order), {**common, **own}
    if order.trader_id is not None:
        trader = Account(AccountKind.TRADER, order.trader_id, order.mode)
        yield trader.key, {**common, "usdt": price.trader_micro}


def _with_postings(
    one: SealedAccount, key: str, span: SealedSpan, checkpoints: list[Checkpoint]
) -> SealedAccount:
    closing, count, chain = one.closing, one.count, one.chain
    opening, day = one.opening, dict(one.day)
    for each in sorted(span.postings[key], key=attrgetter("place")):
        count, chain = count + 1, chained(chain, each.digest)
        if isinstance(each.row, PostingRow):
            micro = each.row.amount_micro
            closing += micro
            if each.row.at_us < span.day_start * US_PER_SECOND:
                opening += micro
            else:
                day[each.row.kind] = day.get(each.row.kind, 0) + micro
        if count % CHECKPOINT_EVERY == 0:
            checkpoints.append(Checkpoint(key, each.place, closing, count))
    one = replace(one, closing=closing, count=count, chain=chain, through=span.end)
    return replace(one, opening=opening, day=day)


def _with_move(one: SealedAccount, move: BalanceMove) -> SealedAccount:
    parity, shard = parity_of(move.at), str(move.shard)
    held = dict(one.held)
    if move.held_micro:
        held[shard] = _added(held.get(shard, (0, 0)), parity, move.held_micro)
    return replace(one, available=_added(one.available, parity, move.available_micro), held=held)


def _added(sums: tuple[int, int], parity: int, micro: int) -> tuple[int, int]:
    return (sums[0] + micro, sums[1]) if parity == 0 else (sums[0], sums[1] + micro)


def rebased(accounts: Sums, accepted: Iterable[OpenFinding]) -> None:
    """Add acknowledged differences to what the sums of windows must be."""
    for each in accepted:
        finding, parity = each.finding, each.parity
        one = accounts.get(finding.account)
        if one is None or parity not in PARITIES:
            continue
        if finding.kind is FindingKind.BALANCE:
            one = replace(one, available=_added(one.available, parity, finding.delta))
        else:
            held = dict(one.held)
            number = str(shard_of(finding.key)[1])
            held[number] = _added(held.get(number, (0, 0)), parity, finding.delta)
            one = replace(one, held=held)
        accounts[finding.account] = one


ITEM = -1
"""The parity of a finding about one item: its balance is not the sum of its two sums."""
COUNT = -2
"""The parity of a finding about a counter or a link, of items that were read at several times."""
DRIFTS_MIN = 3
"""In so many seals in a row a counter differs in the same way before it is a finding."""


type Judged = tuple[int, Finding]
"""A finding about a stored balance, and its parity."""


type _Sum = tuple[str, int | None, int]
"""An account, the shard of a sum of holds or None for the available ones, and the parity."""


def in_flight(span: SealedSpan) -> Bounds[_Sum]:
    """Return what orders that moved while the balances were read may have added to their sums.

    A span that is over has no such moves in its sums.
    """
    bounds = Bounds[_Sum]()
    for before, after in span.moved.values() if span.is_open else ():
        known = [] if before is None else span.moves_of(before)
        for move in (Counter(span.moves_of(after)) - Counter(known)).elements():
            parity = parity_of(move.at)
            bounds.may_add((move.account_key, None, parity), move.available_micro)
            bounds.may_add((move.account_key, move.shard, parity), move.held_micro)
    return bounds


def balance_findings(
    accounts: Mapping[str, SealedAccount],
    balances: Mapping[str, Mapping[int, SumsRow]],
    parities: Iterable[int],
    moving: Bounds[_Sum],
) -> Iterator[Judged]:
    """Yield what is wrong with stored balances; sums are compared for these parities only."""
    for key, account in accounts.items():
        rows = balances.get(key, {})
        for shard, row in rows.items():
            yield from item_findings(row)
            if shard and (0 not in rows or shard not in rows[0].listed):
                owned, name = row.balance.owned_micro, _shard_name(key, shard)
                yield ITEM, Finding(FindingKind.UNKNOWN_ACCOUNT, name, 0, owned, account=key)
        for parity in sorted(parities):
            yield from _sum_findings(key, account, rows, parity, moving)


def count_findings(span: SealedSpan) -> Iterator[Judged]:
    """Yield counters that differ from the open orders, and links of requests that do not agree.

    They were read at several times, so a difference must be found again before it counts. A seal
    that catches up does not compare them: they are of a much later time.
    """
    if not span.compared:
        return
    stored = (row.counted for rows in span.balances.values() for row in rows.values())
    counted = [row for row in stored if row is not None]
    orders = span.known_orders().values()
    found = counter_findings(orders, [*counted, *span.counters], span.moved)
    links = link_findings([*span.decisions.values(), *span.linked, *span.places])
    yield from ((COUNT, each) for each in (*found, *links))


def _shard_name(key: str, shard: int) -> str:
    account = account_of(key)
    return key if account is None else shard_key(account, shard)


def item_findings(row: SumsRow) -> Iterator[Judged]:
    """Yield what is wrong with one item of a balance, whatever else happens."""
    key, balance = row.account_key, row.balance
    name = _shard_name(key, row.shard)
    for kind, negative, sums, actual in (
        (
            FindingKind.BALANCE,
            FindingKind.NEGATIVE_AVAILABLE,
            row.available,
            balance.available_micro,
        ),
        (FindingKind.HELD, FindingKind.NEGATIVE_HELD, row.held, balance.held_micro),
    ):
        if sum(sums) != actual:
            yield ITEM, Finding(kind, name, sum(sums), actual, account=key)
        if actual < 0 and not is_outside(key):
            yield ITEM, Finding(negative, name, 0, actual, account=key)


def _sum_findings(
    key: str, account: SealedAccount, rows: Mapping[int, SumsRow], parity: int, moving: Bounds[_Sum]
) -> Iterator[Judged]:
    actual = sum(row.available[parity] for row in rows.values())
    due = moving.nearest((key, None, parity), actual, account.available[parity])
    if actual != due:
        yield parity, Finding(FindingKind.BALANCE, key, due, actual, account=key)
    shards = {int(shard) for shard in account.held} | rows.keys()
    for shard in sorted(shards):
        stored = rows[shard].held[parity] if shard in rows else 0
        held = account.held.get(str(shard), (0, 0))[parity]
        due = moving.nearest((key, shard, parity), stored, held)
        if stored != due:
            name = _shard_name(key, shard)
            yield parity, Finding(FindingKind.HELD, name, due, stored, account=key)


_PLACE, _OPEN, _PAID, _REJECTED = "place", "open", "paid", "rejected"

type _Link = tuple[Any, ...]
"""What a request must have, or has: its kind, the request, and what belongs to the kind."""


def link_findings(
    rows: Iterable[WithdrawalRequest | RequestPlaceRow | Proposal | EntryRow],
) -> Iterator[Finding]:
    """Yield where requests, the proposals that decide them, and their places do not agree.

    Each request expects its place, and the proposal or entry that it names; what was read is
    subtracted.
    """
    links = Counter[_Link]()
    for row in rows:
        if isinstance(row, WithdrawalRequest):
            links.update(_expected(row))
        elif (link := _stored(row)) is not None:
            links[link] -= 1
    for (kind, request_no, ref, *subject), count in sorted(links.items()):
        if count == 0:
            continue
        if kind == _PLACE:
            yield Finding(FindingKind.UNLISTED_REQUEST, request_no, max(count, 0), max(-count, 0))
            continue
        number = ref if ref.startswith("P") else ""
        missing = FindingKind.REQUEST_WITHOUT_DECISION, request_no, 1, 0
        surplus = FindingKind.DECISION_WITHOUT_REQUEST, ref, 0, 1
        found = missing if count > 0 else surplus
        yield Finding(*found, proposal_no=number, account=subject[0])


def _expected(row: WithdrawalRequest) -> Iterator[_Link]:
    yield _PLACE, row.request_no, row.merchant_id, row.status.is_open
    if row.ref:
        state = _OPEN if row.is_held else _PAID if row.is_paid else _REJECTED
        yield state, row.request_no, row.ref, *subject_of(row)


def _stored(row: RequestPlaceRow | Proposal | EntryRow) -> _Link | None:
    """Return the link of what belongs to a request; None if it belongs to none."""
    match row:
        case RequestPlaceRow():
            return _PLACE, row.request_no, row.merchant_id, row.is_open
        case Proposal():
            state, number, ref = _state(row), row.plan.request_no, row.proposal_no
        case EntryRow():
            state, number, ref = _PAID, row.request_no, row.audit_id
    return (state, number, ref, *subject_of(row)) if number and state else None


def _state(row: Proposal) -> str:
    """Return the state that the request of a proposal must have; empty if the proposal expired."""
    if row.status.is_undecided:
        return _OPEN
    if row.status is ProposalStatus.EXECUTED:
        return _PAID
    return _REJECTED if row.status is ProposalStatus.REJECTED else ""


@dataclass(frozen=True, slots=True)
class Sealed:
    """The next seal, its checkpoints, and the findings that are new in it.

    `figures` are those that are other than in the seal before, also those that are not kept.
    """

    seal: Seal
    checkpoints: Sequence[Checkpoint]
    new: Sequence[OpenFinding]
    figures: Mapping[str, Counts]


def seal_span(span: SealedSpan, before: SealName | None) -> Sealed:
    """Return the seal of a span that was read, and what it found."""
    previous = span.previous
    accepted = [each for each in previous.findings if each.finding_id in span.accepted]
    accounts, checkpoints = closed_accounts(span)
    rebased(accounts, accepted)
    readable = {key: one for key, one in accounts.items() if key not in span.unreadable}
    judged = list(balance_findings(readable, span.balances, span.compared, in_flight(span)))
    judged += [(ITEM, malformed(row)) for row in span.malformed if _is_state(row)]
    drifts = {finding_id(*each): each for each in count_findings(span)}
    runs = {name: previous.drifts.get(name, 0) + 1 for name in drifts}
    least = 1 if span.is_open else DRIFTS_MIN
    judged += [each for name, each in drifts.items() if runs[name] >= least]
    events = [
        *(malformed(row) for row in span.malformed if not _is_state(row)),
        *(
            malformed(each.row)
            for some in span.postings.values()
            for each in some
            if isinstance(each.row, MalformedRow)
        ),
        *order_findings(span),
        *posting_findings(span),
        *entry_findings(span),
        *reversal_findings(span),
    ]
    acknowledged = [
        *previous.acknowledged,
        *(
            Acknowledged(a.finding_id, span.accepted[a.finding_id], a.finding, a.parity)
            for a in accepted
        ),
    ]
    kept = [each for each in previous.findings if each not in accepted]
    # A sum that differs is re-based, so it differs no more; the same difference again is new.
    silent = {each.finding_id for each in acknowledged if each.parity not in PARITIES}
    findings, new = _merged(span, kept, events, judged, silent)
    figures = figures_after(previous.figures, span.orders.values(), previous.end, span.end)
    today = trading_day(span.end - 1)
    seal = Seal(
        start=previous.end,
        end=span.end,
        before=before,
        accounts=dict(sorted(accounts.items())),
        orders={
            number: price_digest(order)
            for number, order in sorted(span.orders.items())
            if is_open_at(order, span.end)
        },
        proposals=sorted(_open_proposals(span)),
        requests=dict(sorted(_held_requests(span))),
        findings=findings,
        acknowledged=acknowledged,
        postings=previous.postings + sum(map(len, span.postings.values())),
        drifts=runs,
        figures={key: one for key, one in sorted(figures.items()) if is_kept(key, one, today)},
    )
    changed = {key: one for key, one in figures.items() if one != previous.figures.get(key)}
    return Sealed(seal, checkpoints, new, changed)


def malformed(row: MalformedRow) -> Finding:
    """Return the finding about an item that cannot be read."""
    first, _, _ = row.key.partition(" ")
    owner = Account(AccountKind.TRADER, first, Mode.LIVE).key if row.table == "traders" else first
    key, _ = shard_of(owner)
    account = "" if account_of(key) is None else key
    name = f"{row.table}: {row.key}"
    return Finding(FindingKind.MALFORMED, name, 0, 1, account=account, problem=row.problem)


def _is_state(row: MalformedRow) -> bool:
    """Return whether an item is read for each seal, so that a repair is seen."""
    if row.table in {"traders", "merchants"}:
        return True
    return row.key.endswith(" balance") or row.key.startswith(COUNTER_PREFIX)


def _merged(
    span: SealedSpan,
    kept: Sequence[OpenFinding],
    events: Sequence[Finding],
    judged: Sequence[Judged],
    silent: set[str],
) -> tuple[list[OpenFinding], list[OpenFinding]]:
    """Return all open findings and the new ones.

    A difference of a balance is judged again in each seal, so one that is gone is dropped. Other
    findings stay until two people acknowledge them.
    """
    found: list[tuple[int | None, Finding]] = [(None, event) for event in events]
    found += judged
    judged_now = span.compared | {ITEM, COUNT}
    known = {each.finding_id: each for each in kept}
    open_now = {name: each for name, each in known.items() if each.parity not in judged_now}
    new = []
    for parity, finding in found:
        name = finding_id(parity, finding)
        if name in open_now or name in silent:
            continue
        one = known.get(name)
        if one is None:
            one = OpenFinding(name, span.end, finding, parity)
            new.append(one)
        open_now[name] = one
    return sorted(open_now.values(), key=attrgetter("since", "finding_id")), new


def _open_proposals(span: SealedSpan) -> Iterator[str]:
    for number, row in span.decisions.items():
        if isinstance(row, Proposal) and row.proposed_at_us < span.end * US_PER_SECOND:
            is_open = row.status.is_undecided or row.ended_at_us >= span.end * US_PER_SECOND
            yield from [number] if is_open else []


def _held_requests(span: SealedSpan) -> Iterator[tuple[str, str]]:
    for number, row in span.decisions.items():
        if isinstance(row, WithdrawalRequest) and row.requested_at_us < span.end * US_PER_SECOND:
            is_held = row.is_held or (row.decided_at_us or 0) >= span.end * US_PER_SECOND
            yield from [(number, row.merchant_id)] if is_held else []
