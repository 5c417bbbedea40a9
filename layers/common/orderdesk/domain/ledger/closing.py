"""The accounts at the end of a span, from those of the seal before (section 13)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter

from orderdesk.domain.ledger.accounts import Account, AccountKind, parity_of
from orderdesk.domain.ledger.balance_moves import BalanceMove, merchant_account, settled_at
from orderdesk.domain.ledger.findings import FindingKind
from orderdesk.domain.ledger.rows import PostingRow, shard_of
from orderdesk.domain.ledger.seals import OpenFinding, SealedAccount, chained
from orderdesk.domain.ledger.span import PARITIES, SealedSpan
from orderdesk.domain.orders.order import Order
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
