"""Books kept in memory as the contract says, to test the check of the ledger."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance, Transfer, funding
from orderdesk.domain.ledger.check import Tally
from orderdesk.domain.ledger.rows import (
    BalanceRow,
    Difference,
    DifferenceKind,
    LedgerRow,
    OpenBuysRow,
    PostingRow,
    TraderRow,
    WithdrawalRow,
)
from orderdesk.domain.ledger.settlement import account_held_on, amount_held, settlement
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.open_buys import counter_key, open_amounts_of
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import FeePolicy, OrderType, quote
from orderdesk.domain.proposals import (
    Plan,
    Proposal,
    ProposalStatus,
    Sum,
    TwoPersonCommand,
    payout,
    rejected,
)
from tests.support.orders import buy_order

USDT = 1_000_000
MERCHANT = Account(AccountKind.MERCHANT, "m0", Mode.LIVE)
TRADER = Account(AccountKind.TRADER, "t0", Mode.LIVE)
OUTSIDE = Account(AccountKind.FUNDING, "", Mode.LIVE)
FEES = FeePolicy(service_bps=60, deposit_bps=100)


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
    withdrawals: dict[str, Proposal] = field(default_factory=dict)

    def add(self, account: Account, available: int = 0, held: int = 0) -> None:
        now = self.owned.get(account, Balance())
        self.owned[account] = Balance(now.available_micro + available, now.held_micro + held)

    def fund(self, account: Account, micro: int) -> None:
        number = f"f{len(self.transfers)}"
        transfer = funding(account, micro, transfer_id=number, at_us=0, memo="m")
        self.transfers.append(transfer)
        for posting in transfer.postings:
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
        self.orders[order.order_no] = replace(paid, status=OrderStatus.COMPLETED)
        transfer = settlement(paid, 0)
        self.transfers.append(transfer)
        for posting in transfer.postings:
            if posting.amount_micro < 0:
                self.add(posting.account, held=posting.amount_micro)
            else:
                self.add(posting.account, posting.amount_micro)

    def propose(self, account: Account, micro: int) -> None:
        """Propose a withdrawal, if there is enough to hold."""
        if self.owned.get(account, Balance()).available_micro < micro:
            return
        number = f"P{len(self.withdrawals)}"
        plan = Plan("m0", "", {}, money=Sum(account, micro))
        self.withdrawals[number] = Proposal(
            number, TwoPersonCommand.WITHDRAW_MERCHANT, "{}", plan, "a", 0, 1
        )
        self.add(account, -micro, micro)

    def decide(self, withdrawal: Proposal, *, approving: bool) -> None:
        number, hold = withdrawal.proposal_no, withdrawal.hold
        assert hold is not None
        account, micro = hold.account, hold.amount_micro
        if not approving:
            self.withdrawals[number] = rejected(withdrawal, "b", 0, "r")
            self.add(account, micro, -micro)
            return
        self.withdrawals[number] = replace(withdrawal, status=ProposalStatus.EXECUTED)
        transfer = payout(hold, transfer_id=number, at_us=0, memo="m")
        self.transfers.append(transfer)
        own, outside = transfer.postings
        self.add(own.account, held=own.amount_micro)
        self.add(outside.account, outside.amount_micro)

    def open_withdrawals(self) -> list[Proposal]:
        stored = self.withdrawals.values()
        return [proposal for proposal in stored if proposal.status is ProposalStatus.OPEN]

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
                rows.append(TraderRow(account, balance, len(taken), open_amounts_of(taken)))
            else:
                rows.append(BalanceRow(account.key, balance))
        for transfer in self.transfers:
            for posting in transfer.postings:
                key = posting.account.key
                rows.append(PostingRow(key, transfer.transfer_id, posting.amount_micro))
        holds = [proposal.hold for proposal in self.open_withdrawals()]
        rows += [WithdrawalRow(hold.account.key, hold.amount_micro) for hold in holds if hold]
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


def found(rows: Iterable[LedgerRow]) -> list[Difference]:
    tally = Tally()
    for row in rows:
        tally.add(row)
    return list(tally.differences())


def kinds(rows: Iterable[LedgerRow]) -> set[tuple[str, DifferenceKind, int]]:
    return {(d.subject, d.kind, d.delta) for d in found(rows)}


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
