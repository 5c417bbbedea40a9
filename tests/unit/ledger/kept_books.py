"""Books kept in memory as the contract says, to test the check of the ledger."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from orderdesk.domain.accounts import (
    Account,
    AccountKind,
    Balance,
    Posting,
    Transfer,
    TransferKind,
    decided_transfer,
    parity_of,
)
from orderdesk.domain.ledger.rows import (
    AmountRow,
    BalanceRow,
    DecisionRow,
    EntryRow,
    LedgerRow,
    OpenBuysRow,
    PostingRow,
    TraderRow,
)
from orderdesk.domain.ledger.sealing import seal_span
from orderdesk.domain.ledger.seals import NOTHING_SEALED, Finding, FindingKind
from orderdesk.domain.ledger.settlement import account_held_on, amount_held, settlement
from orderdesk.domain.ledger.span import SealedSpan, StoredPosting, SumsRow
from orderdesk.domain.orders.open_orders import counter_key
from orderdesk.domain.orders.order import Order, OrderStatus, TimelineEntry
from orderdesk.domain.pricing import FeePolicy, Mode, OrderType, quote
from orderdesk.domain.proposals import Plan, Proposal, ProposalStatus, Sum
from tests.support.orders import buy_order
from tests.support.seed import with_changes

USDT = 1_000_000
MERCHANT = Account(AccountKind.MERCHANT, "m0", Mode.LIVE)
TRADER = Account(AccountKind.TRADER, "t0", Mode.LIVE)
FEES = FeePolicy(service_bps=60, deposit_bps=100, spread_bps=25)
THEN = 1_900_000_000  # the time of every transfer, in Unix seconds
THEN_US = THEN * 10**6


def an_order(number: int, side: OrderType, mode: Mode, merchant: str, trader: str | None) -> Order:
    """Return an open order of about ¥1000."""
    letter, status = "B", OrderStatus.PENDING
    if side is OrderType.SELL:
        letter, status = "S", OrderStatus.ASSIGNED if trader else OrderStatus.MATCHING
    return with_changes(
        buy_order(THEN),
        order_no=f"{letter}{number}",
        order_id=number,
        order_type=side,
        mode=mode,
        status=status,
        merchant_id=merchant,
        trader_id=trader,
        fees=FEES,
        open_shard=number % 2 if side is OrderType.BUY else 0,
        quote=quote(side, 1000_00 + number, 72360, FEES),
    )


@dataclass
class KeptBooks:
    """Balances, transfers and orders; every change keeps them consistent."""

    owned: dict[Account, Balance] = field(default_factory=dict)
    transfers: list[Transfer] = field(default_factory=list)
    orders: dict[str, Order] = field(default_factory=dict)
    proposals: dict[str, Proposal] = field(default_factory=dict)
    entries: list[EntryRow] = field(default_factory=list)
    decisions: list[DecisionRow] = field(default_factory=list)

    def add(self, account: Account, available: int = 0, held: int = 0) -> None:
        now = self.owned.get(account, Balance())
        self.owned[account] = Balance(now.available_micro + available, now.held_micro + held)

    def fund(self, account: Account, micro: int, *, alone: bool = False) -> None:
        """Fund an account: by an approved proposal, or by an administrator alone."""
        number = f"{'a' if alone else 'P'}{len(self.transfers)}"
        if alone:
            subject = account.key, micro, TransferKind.FUNDING
            entry = EntryRow(number, THEN_US, *subject, is_alone=True)
            self.entries.append(entry)
        else:
            self.proposals[number] = decided(
                proposal_of("fund.merchant", number, account, micro), ProposalStatus.EXECUTED
            )
            self.decisions += decisions_of(number, account, micro)
        self._post(
            decided_transfer(
                *(TransferKind.FUNDING, account, micro), transfer_id=number, at_us=THEN_US, memo="m"
            )
        )

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
        ended = TimelineEntry(OrderStatus.CANCELLED, THEN)
        timeline = (*order.timeline, ended)
        self.orders[order.order_no] = replace(order, status=ended.status, timeline=timeline)
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
        self.proposals[number] = proposal_of("withdraw.merchant", number, account, micro)
        self.decisions.append(decisions_of(number, account, micro)[0])
        self.add(account, -micro, micro)

    def decide(self, row: Proposal, *, approving: bool) -> None:
        account, micro = row.money.account, row.money.amount_micro
        status = ProposalStatus.EXECUTED if approving else ProposalStatus.REJECTED
        self.proposals[row.proposal_no] = decided(row, status)
        if not approving:
            self.add(account, micro, -micro)
            return
        self.decisions.append(decisions_of(row.proposal_no, account, micro)[1])
        self._post(
            decided_transfer(
                *(TransferKind.WITHDRAWAL, account, micro),
                transfer_id=row.proposal_no,
                at_us=THEN_US,
                memo="m",
            )
        )

    def open_withdrawals(self) -> list[Proposal]:
        return [row for row in self.proposals.values() if row.status.is_undecided]

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
                    if order.counted.unique_amount
                ]
            else:
                rows.append(self._balance_row(account, balance))
        for transfer in self.transfers:
            rows += [posting_row(transfer, posting) for posting in transfer.postings]
        rows += [*self.proposals.values(), *self.entries, *self.decisions]
        return [*rows, *self._counters(), *self.orders.values()]

    def _balance_row(self, account: Account, balance: Balance) -> BalanceRow:
        sells = [
            order.quote.cny_fen
            for order in self.open_orders()
            if order.order_type is OrderType.SELL
            and account == Account(AccountKind.MERCHANT, order.merchant_id, order.mode)
        ]
        return BalanceRow(account.key, balance, open_sells=len(sells), open_sell_fen=sum(sells))

    def _counters(self) -> list[OpenBuysRow]:
        counted: dict[str, OpenBuysRow] = {}
        for order in self.open_orders():
            if order.order_type is OrderType.BUY:
                key = counter_key(order.merchant_id, order.mode, order.counted.open_shard)
                row = counted.get(key, OpenBuysRow(key, 0, 0))
                fen = row.open_fen + order.quote.cny_fen
                counted[key] = OpenBuysRow(key, row.open_buys + 1, fen)
        return list(counted.values())


def proposal_of(command: str, number: str, account: Account, micro: int) -> Proposal:
    """Return an open proposal about money."""
    plan = Plan(account.owner, "", {}, money=Sum(account, micro))
    return Proposal(number, command, "", plan, "a", THEN_US, THEN)


def decided(proposal: Proposal, status: ProposalStatus) -> Proposal:
    return replace(proposal, status=status, decided_by="b", decided_at_us=THEN_US)


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
        transfer.kind_of(posting).value,
        transfer.order_no,
        transfer.at_us,
    )


def found(rows: Iterable[LedgerRow]) -> list[Finding]:
    """Return what the proof of a span of all these rows finds."""
    span = SealedSpan(NOTHING_SEALED, THEN + 3600, is_open=True)
    postings: defaultdict[str, list[StoredPosting]] = defaultdict(list)
    for row in rows:
        match row:
            case BalanceRow():
                span.balances[row.account_key][0] = sums(row.account_key, row)
            case TraderRow():
                span.balances[row.account.key][0] = sums(row.account.key, row)
            case PostingRow():
                place = f"{row.at_us}#{row.transfer_id}"
                postings[row.account_key].append(StoredPosting(row, "", place))
            case OpenBuysRow() | AmountRow():
                span.counters.append(row)
            case _:
                span.add(row)
    span.postings.update(postings)
    return [each.finding for each in seal_span(span, None).seal.findings]


def sums(key: str, row: BalanceRow | TraderRow) -> SumsRow:
    """Return a balance whose moves were all at the time of the books."""
    available, held = (
        (0, micro) if parity_of(THEN) else (micro, 0)
        for micro in (row.balance.available_micro, row.balance.held_micro)
    )
    return SumsRow(key, 0, row.balance, available, held, counted=row)


def kinds(rows: Iterable[LedgerRow]) -> set[tuple[str, FindingKind, int]]:
    return {(f.key, f.kind, f.delta) for f in found(rows)}


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
