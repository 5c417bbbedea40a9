"""Books kept in memory as the contract says, to test the check of the ledger."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from orderdesk.domain.ledger.accounts import (
    Account,
    AccountKind,
    Balance,
    Posting,
    Transfer,
    TransferKind,
    funding,
)
from orderdesk.domain.ledger.check_run import CheckRun, ReadingPlace, Segment, Source
from orderdesk.domain.ledger.findings import Finding, FindingKind
from orderdesk.domain.ledger.rows import (
    AmountRow,
    BalanceRow,
    DecisionRow,
    EntryRow,
    LedgerRow,
    MalformedRow,
    OpenBuysRow,
    PostingRow,
    ProposalRow,
    RequestPlaceRow,
    RequestRow,
    TraderRow,
)
from orderdesk.domain.ledger.settlement import account_held_on, amount_held, settlement
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.open_orders import counter_key
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry
from orderdesk.domain.pricing import FeePolicy, OrderType, quote
from orderdesk.services.operator.ledger import Pages, PostingsPage, Reading, check_ledger
from tests.support.chance import SeededChance
from tests.support.orders import buy_order

USDT = 1_000_000
MERCHANT = Account(AccountKind.MERCHANT, "m0", Mode.LIVE)
TRADER = Account(AccountKind.TRADER, "t0", Mode.LIVE)
OUTSIDE = Account(AccountKind.FUNDING, "", Mode.LIVE)
FEES = FeePolicy(service_bps=60, deposit_bps=100)
THEN = 1_900_000_000  # the time of every transfer, in Unix seconds
THEN_US = THEN * 10**6
LATER_US = THEN_US + 3600 * 10**6


def an_order(number: int, side: OrderType, mode: Mode, merchant: str, trader: str | None) -> Order:
    """Return an open order of about ¥1000."""
    letter, status = "B", OrderStatus.PENDING
    if side is OrderType.SELL:
        letter, status = "S", OrderStatus.ASSIGNED if trader else OrderStatus.MATCHING
    return replace(
        buy_order(0),
        order_no=f"{letter}{number}",
        order_id=number,
        order_type=side,
        mode=mode,
        status=status,
        merchant_id=merchant,
        trader_id=trader,
        open_shard=number % 2 if side is OrderType.BUY else None,
        quote=quote(side, 1000_00 + number, 72360, FEES),
    )


@dataclass
class KeptBooks:
    """Balances, transfers and orders; every change keeps them consistent."""

    owned: dict[Account, Balance] = field(default_factory=dict)
    transfers: list[Transfer] = field(default_factory=list)
    orders: dict[str, Order] = field(default_factory=dict)
    proposals: dict[str, ProposalRow] = field(default_factory=dict)
    requests: dict[str, RequestRow] = field(default_factory=dict)
    entries: list[EntryRow] = field(default_factory=list)
    decisions: list[DecisionRow] = field(default_factory=list)

    def add(self, account: Account, available: int = 0, held: int = 0) -> None:
        now = self.owned.get(account, Balance())
        self.owned[account] = Balance(now.available_micro + available, now.held_micro + held)

    def fund(self, account: Account, micro: int, *, alone: bool = False) -> None:
        """Fund an account: by an approved proposal, or by an administrator alone."""
        number = f"{'a' if alone else 'P'}{len(self.transfers)}"
        if alone:
            entry = EntryRow(number, THEN_US, account.key, micro, is_funding=True, is_alone=True)
            self.entries.append(entry)
        else:
            self.proposals[number] = executed(number, account, micro)
            self.decisions += decisions_of(number, account, micro)
        self._post(funding(account, micro, transfer_id=number, at_us=THEN_US, memo="m"))

    def _post(self, transfer: Transfer) -> None:
        """Append a transfer; it is paid from what is available, or held if it is no funding."""
        self.transfers.append(transfer)
        for posting in transfer.postings:
            is_held = posting.amount_micro < 0 and transfer.kind is not TransferKind.FUNDING
            if is_held:
                self.add(posting.account, held=posting.amount_micro)
            else:
                self.add(posting.account, posting.amount_micro)

    def place(self, order: Order) -> None:
        """Open an order, if there is enough to hold."""
        account, micro = account_held_on(order), amount_held(order)
        if self.owned.get(account, Balance()).available_micro < micro:
            return
        self.orders[order.order_no] = order
        self.add(account, -micro, micro)

    def cancel(self, order: Order) -> None:
        """Cancel an order and release what it holds."""
        self.orders[order.order_no] = replace(order, status=OrderStatus.CANCELLED)
        self.add(account_held_on(order), amount_held(order), -amount_held(order))

    def complete(self, order: Order) -> None:
        """Complete an order and pay out what it holds."""
        paid = order if order.trader_id else replace(order, trader_id="t0")
        self.orders[order.order_no] = replace(
            paid,
            status=OrderStatus.COMPLETED,
            timeline=(*paid.timeline, TimelineEntry(OrderStatus.COMPLETED, THEN)),
        )
        self._post(settlement(paid, THEN))

    def propose(self, account: Account, micro: int) -> None:
        """Propose a withdrawal, if there is enough to hold."""
        if self.owned.get(account, Balance()).available_micro < micro:
            return
        number = f"PW{len(self.proposals)}"
        self.proposals[number] = ProposalRow(
            *(number, account.key, micro),
            is_funding=False,
            is_open=True,
            is_executed=False,
            proposed_by="a",
            proposed_at_us=THEN_US,
        )
        self.decisions.append(decisions_of(number, account, micro)[0])
        self.add(account, -micro, micro)

    def request(self, micro: int) -> None:
        """Request a withdrawal of the first merchant, if there is enough to hold."""
        if self.owned.get(MERCHANT, Balance()).available_micro < micro:
            return
        number = f"W{len(self.requests)}"
        self.requests[number] = RequestRow(
            *(number, MERCHANT.owner, MERCHANT.key, micro, "mei", THEN_US),
            is_held=True,
            is_paid=False,
            is_open=True,
        )
        self.decisions.append(DecisionRow(number, False, "mei", MERCHANT.key, micro))
        self.add(MERCHANT, -micro, micro)

    def take_up(self, request: RequestRow) -> None:
        """Propose to pay a request, or let that proposal expire."""
        if request.ref:
            self.requests[request.request_no] = replace(request, ref="")
            self.proposals[request.ref] = replace(self.proposals[request.ref], is_open=False)
            return
        number, micro = f"PW{len(self.proposals)}", request.amount_micro
        self.requests[request.request_no] = replace(request, ref=number)
        self.proposals[number] = ProposalRow(
            *(number, MERCHANT.key, micro),
            is_funding=False,
            is_open=True,
            is_executed=False,
            proposed_by="a",
            proposed_at_us=THEN_US,
            request_no=request.request_no,
        )
        self.decisions.append(decisions_of(number, MERCHANT, micro)[0])

    def held_requests(self) -> list[RequestRow]:
        return [row for row in self.requests.values() if row.is_held]

    def decide(self, row: ProposalRow, *, approving: bool) -> None:
        kind, owner, mode = row.account_key.split(":")
        account = Account(AccountKind(kind), owner, Mode(mode))
        self.proposals[row.proposal_no] = replace(
            row,
            is_open=False,
            is_executed=approving,
            is_rejected=not approving,
            decided_by="b",
            decided_at_us=THEN_US,
        )
        if row.request_no:
            request = self.requests[row.request_no]
            self.requests[row.request_no] = replace(
                request, is_held=False, is_paid=approving, is_open=approving
            )
        if not approving:
            self.add(account, row.amount_micro, -row.amount_micro)
            return
        self.decisions.append(decisions_of(row.proposal_no, account, row.amount_micro)[1])
        outside = Account(AccountKind.FUNDING, "", account.mode)
        postings = Posting(account, -row.amount_micro), Posting(outside, row.amount_micro)
        kind_of_transfer = TransferKind.WITHDRAWAL
        self._post(Transfer(row.proposal_no, kind_of_transfer, THEN_US, "m", postings))

    def open_withdrawals(self) -> list[ProposalRow]:
        return [row for row in self.proposals.values() if row.is_open]

    def open_orders(self) -> list[Order]:
        return [order for order in self.orders.values() if order.status.is_open]

    def rows(self) -> list[LedgerRow]:
        """Return the rows that a scan of the tables reads."""
        rows: list[LedgerRow] = []
        for account, balance in self.owned.items():
            if account.kind is AccountKind.TRADER:
                taken = [
                    order
                    for order in self.open_orders()
                    if (order.trader_id, order.mode) == (account.owner, account.mode)
                ]
                rows.append(TraderRow(account, balance, len(taken)))
                rows += [
                    AmountRow(account, frozenset({order.order_no}))
                    for order in taken
                    if order.unique_amount
                ]
            else:
                rows.append(BalanceRow(account.key, balance))
        for transfer in self.transfers:
            rows += [posting_row(transfer, posting) for posting in transfer.postings]
        rows += [*self.proposals.values(), *self.entries, *self.decisions]
        for request in self.requests.values():
            place = RequestPlaceRow(request.request_no, request.merchant_id, request.is_open)
            rows += [request, place]
        return [*rows, *self._counters(), *self.orders.values()]

    def _counters(self) -> list[OpenBuysRow]:
        counted: dict[str, OpenBuysRow] = {}
        for order in self.open_orders():
            if order.open_shard is not None:
                key = counter_key(order.merchant_id, order.mode, order.open_shard)
                row = counted.get(key, OpenBuysRow(key, 0, 0))
                fen = row.open_fen + order.quote.cny_fen
                counted[key] = OpenBuysRow(key, row.open_buys + 1, fen)
        return list(counted.values())


def executed(number: str, account: Account, micro: int) -> ProposalRow:
    """Return a funding that two people decided."""
    return ProposalRow(
        *(number, account.key, micro),
        is_funding=True,
        is_open=False,
        is_executed=True,
        proposed_by="a",
        proposed_at_us=THEN_US,
        decided_by="b",
        decided_at_us=THEN_US,
    )


def decisions_of(number: str, account: Account, micro: int) -> list[DecisionRow]:
    """Return the audit entries of a proposal that two people decided."""
    return [
        DecisionRow(number, is_approval, who, account.key, micro)
        for is_approval, who in ((False, "a"), (True, "b"))
    ]


def posting_row(transfer: Transfer, posting: Posting) -> PostingRow:
    return PostingRow(
        posting.account.key,
        transfer.transfer_id,
        posting.amount_micro,
        transfer.kind.value,
        transfer.order_no,
        transfer.at_us,
    )


class BooksScan:
    """Yield the rows of books in pages of two; `change` changes a row in reading n (from 1)."""

    def __init__(
        self,
        rows: Sequence[LedgerRow],
        change: Callable[[LedgerRow, int], LedgerRow] = lambda row, _: row,
    ) -> None:
        self.rows = {source: [row for row in rows if source_of(row) is source] for source in Source}
        self.change = change
        self.reading = 0

    def page(self, place: ReadingPlace) -> PostingsPage:
        if (place.source, place.segment.index, place.start) == (Source.LEDGER, 0, None):
            self.reading += 1
        mine = [
            row
            for row in self.rows[place.source][place.segment.index :: place.segment.of]
            if place.since_us is None or is_since(row, place.since_us)
        ]
        start = int(place.start or 0)
        rows = [self.change(row, self.reading) for row in mine[start : start + 2]]
        return PostingsPage(rows, str(start + 2) if start + 2 < len(mine) else None)

    def balances(self, segment: Segment) -> Pages:
        return self._pages((BalanceRow,), segment)

    def traders(self, segment: Segment) -> Pages:
        return self._pages((TraderRow,), segment)

    def _pages(self, of: tuple[type, ...], segment: Segment) -> Iterator[Sequence[LedgerRow]]:
        rows = [row for rows in self.rows.values() for row in rows if isinstance(row, of)]
        yield rows[segment.index :: segment.of]


def source_of(row: LedgerRow) -> Source:
    match row:
        case BalanceRow() | PostingRow() | ProposalRow() | MalformedRow():
            return Source.LEDGER
        case RequestRow() | RequestPlaceRow():
            return Source.LEDGER
        case TraderRow() | AmountRow():
            return Source.TRADERS
        case Order() | OpenBuysRow():
            return Source.ORDERS
        case DecisionRow() | EntryRow():
            return Source.AUDIT


def is_since(row: LedgerRow, since_us: int) -> bool:
    """Return whether a scan reads a row that leaves out what cannot matter before a time."""
    match row:
        case PostingRow() | EntryRow():
            return row.at_us >= since_us
        case Order():
            return row.status.is_open or row.timeline[-1].time * 10**6 >= since_us
        case _:
            return True


def check(
    scan: BooksScan, now_us: int = LATER_US, segments: int = 3, pauses: list[int] | None = None
) -> CheckRun:
    paused = [] if pauses is None else pauses
    return check_ledger(
        Reading(scan, lambda: now_us, paused.append), SeededChance(Random(0)), segments=segments
    )


def found(rows: Iterable[LedgerRow], now_us: int = LATER_US) -> list[Finding]:
    run = check(BooksScan(list(rows)), now_us)
    assert run.moving == []
    return run.found


def kinds(rows: Iterable[LedgerRow], now_us: int = LATER_US) -> set[tuple[str, FindingKind, int]]:
    return {(f.key, f.kind, f.delta) for f in found(rows, now_us)}


def used_books() -> KeptBooks:
    """Return books with fundings, two buys (one settled), and sells with and without a trader."""
    books = KeptBooks()
    books.fund(MERCHANT, 1000 * USDT)
    books.fund(TRADER, 1000 * USDT)
    for number, (side, trader) in enumerate(
        [
            (OrderType.BUY, "t0"),
            (OrderType.BUY, "t0"),
            (OrderType.SELL, None),
            (OrderType.SELL, "t0"),
        ]
    ):
        books.place(an_order(number, side, Mode.LIVE, "m0", trader))
    books.complete(books.orders["B0"])
    return books


def changed(rows: list[LedgerRow], old: LedgerRow, *new: LedgerRow) -> list[LedgerRow]:
    """Replace a row by others, or remove it."""
    at = rows.index(old)
    return [*rows[:at], *new, *rows[at + 1 :]]


def balance_row(rows: list[LedgerRow], account: Account) -> BalanceRow:
    [row] = [r for r in rows if isinstance(r, BalanceRow) and r.account_key == account.key]
    return row


def trader_row(rows: list[LedgerRow]) -> TraderRow:
    [row] = [r for r in rows if isinstance(r, TraderRow)]
    return row
