"""Fundings, withdrawals and their requests, payouts and reversals, for operators.

Each step is one transaction with its balances, postings and audit entry. Concurrent writers:
orders, fundings and withdrawals add to the same balance and never set it, and it never falls below
zero.
"""

from collections.abc import Sequence

from orderdesk.adapters.dynamodb.audit import audit_writes
from orderdesk.adapters.dynamodb.client import DynamoDB
from orderdesk.adapters.dynamodb.keys import Index, Key, TableNames
from orderdesk.adapters.dynamodb.ledger import (
    LedgerStore,
    balance_in,
    balance_place,
    credit_write,
    posting_writes,
    shard_hold_writes,
)
from orderdesk.adapters.dynamodb.marshal import Item, from_item, readable_rows
from orderdesk.adapters.dynamodb.operator.typed import strictly
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.dynamodb.proposals import ProposalStore, payout_key, proposal_key
from orderdesk.adapters.dynamodb.transactions import Shift, Write, changed, never, transact
from orderdesk.adapters.dynamodb.withdrawals import (
    RequestStore,
    entry_check,
    request_key,
    request_of,
    sent_writes,
    take_amount,
    undecided_write,
)
from orderdesk.domain.accounts import SHARDED, Account, AccountKind, Balance, Posting, Transfer
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import ChangedMeanwhile, OrderdeskError
from orderdesk.domain.merchants.withdrawals import RequestStatus, WithdrawalRequest
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import (
    ADDRESS_GONE,
    BalanceTooLow,
    RequestDecided,
    RequestForged,
    UnknownId,
    known,
)
from orderdesk.domain.orders.order import Order
from orderdesk.domain.proposals import ProposalStatus
from orderdesk.domain.times import US_PER_SECOND

_UNDERFLOW = never("an account holds less than its open withdrawals")


class OperatorFunds(RequestStore):
    def __init__(self, client: DynamoDB, tables: TableNames) -> None:
        super().__init__(client, tables)
        self._ledger = LedgerStore(client, tables.ledger)

    def balance(self, account: Account) -> Balance:
        if account.kind is not AccountKind.TRADER:
            return self._ledger.balance(account)
        key = {"trader_id": account.owner}
        item = known(self._get_item(self._tables.traders, key), "trader", account.owner)
        return balance_in(item)

    def owner_name(self, account: Account) -> str:
        is_trader, owner = account.kind is AccountKind.TRADER, account.owner
        table = self._tables.traders if is_trader else self._tables.merchants
        key = {"trader_id": owner} if is_trader else {"pk": Key.merchant(owner)}
        item = self._get_item(table, key)
        return str(known(item, "trader" if is_trader else "merchant", owner)["name"])

    def has_team(self, merchant_id: str) -> bool:
        item = self._get_item(self._tables.merchants, {"pk": Key.team(merchant_id)})
        return bool((item or {}).get("members"))

    def post(
        self,
        transfer: Transfer,
        entry: AuditEntry,
        *,
        is_held: bool,
        request: WithdrawalRequest | None = None,
    ) -> None:
        own, to = transfer.postings
        tables, at = self._tables, transfer.at_us // US_PER_SECOND
        rest = [
            *audit_writes(tables, entry),  # first: if its proposal was decided, others fail, too
            *posting_writes(tables.ledger, transfer),
            credit_write(tables.ledger, to, at),
        ]
        if request is not None:
            rest += request_writes(tables.ledger, request, transfer)
        if own.amount_micro > 0:
            transact(self._client, [*rest, *self._funded_writes(own, at)], entry.token)
        elif is_held:
            transact(self._client, [*rest, _paid_write(tables, own, at)], entry.token)
        else:
            moved = Shift(own.amount_micro, 0, at)
            take(self._client, tables, own.account, moved, rest, token=entry.token)

    def put_off(self, entry: AuditEntry, *, request: WithdrawalRequest | None = None) -> None:
        assert entry.executes is not None
        ledger = self._tables.ledger
        writes = audit_writes(self._tables, entry)
        writes.append(Write.put_new(ledger, "sk", payout_key(entry.executes.proposal_no)))
        if request is not None:
            new: Item = {"agreed_at_us": entry.at_us}
            writes += _decided_writes(ledger, request, new, "decided or changed")
        transact(self._client, writes, entry.token)

    def _funded_writes(self, posting: Posting, at: int) -> list[Write]:
        credit, account = self._moved(posting, 0, at), posting.account
        if account.kind is AccountKind.TRADER:
            return [credit]
        return [merchant_exists_write(self._tables.merchants, account.owner), credit]

    def reverse(
        self,
        before: Order,
        after: Order,
        transfer: Transfer,
        entry: AuditEntry,
        *,
        also: Sequence[tuple[Order, Order]] = (),
    ) -> None:
        """Reverse a completed order, in one transaction with its postings and balances.

        A transaction has at most 100 actions, and each split account may have 32 shards. So what
        the order's shard lacks is gathered there first, in a transaction of its own: it moves
        available USDT within the account, and a crash after it loses nothing.
        """
        at, shard = transfer.at_us // US_PER_SECOND, before.shard
        for number, posting in enumerate(transfer.postings):
            self._gather(posting, shard, at, f"{entry.token}{number}")
        moved = [self._moved(posting, shard, at) for posting in transfer.postings]
        writes = [
            *audit_writes(self._tables, entry),
            *(
                Write.change(self._tables.orders, "pk", order_item(old), order_item(new))
                for old, new in [(before, after), *also]
            ),
            *moved,
            *posting_writes(self._tables.ledger, transfer),
        ]
        transact(self._client, writes, entry.token)

    def _gather(self, posting: Posting, shard: int, at: int, token: str) -> None:
        """Gather what a split account returns on one shard. Raises: ChangedMeanwhile."""
        account, amount = posting.account, -posting.amount_micro
        if amount <= 0 or account.kind is AccountKind.TRADER:
            return
        found = self._ledger.gather(account, shard, amount)
        if found is None:
            raise ChangedMeanwhile
        if found.given:
            moved = Shift(0, 0, at)
            writes = shard_hold_writes(self._tables.ledger, account, found, moved, changed)
            transact(self._client, writes, token)

    def _moved(self, posting: Posting, shard: int, at: int) -> Write:
        """Add to a balance: a trader's is on its item, others are in the ledger."""
        tables, account, amount = self._tables, posting.account, posting.amount_micro
        if amount <= 0:
            place = balance_place(tables, account, shard)
            return Write.balance(*place, Shift(amount, 0, at), changed)
        if account.kind is AccountKind.TRADER:
            return trader_credit_write(tables.traders, posting, at)
        return credit_write(tables.ledger, posting, at, shard)

    def open_after(self, request_no: str, limit: int) -> Sequence[WithdrawalRequest]:
        place = (self._tables.ledger, Index.ITEMS, Key.OPEN_REQUESTS)
        asked = self._query(*place, (">", request_no), consistent=True, limit=limit)
        places = asked.rows()
        keys = [request_key(str(place["merchant_id"]), str(place["sk"])) for place in places]
        items = self._get_items(self._tables.ledger, keys)
        return [*readable_rows(lambda item: strictly(request_of(item)), items)]

    def record_sent(
        self, proposal_no: str, request: WithdrawalRequest | None, txid: str, entry: AuditEntry
    ) -> None:
        ledger = self._tables.ledger
        writes = audit_writes(self._tables, entry)
        if proposal_no:
            writes.append(_sent_write(ledger, proposal_no, txid, entry.at_us))
        if request is not None:
            writes += sent_writes(ledger, request, txid, entry.at_us)
        transact(self._client, writes, entry.token)


def _paid_write(tables: TableNames, own: Posting, at: int) -> Write:
    """Pay a posting's amount out of the held balance of its account."""
    moved = Shift(0, own.amount_micro, at)
    return Write.balance(*balance_place(tables, own.account), moved, _UNDERFLOW)


def request_writes(table: str, request: WithdrawalRequest, transfer: Transfer) -> list[Write]:
    """Approve a request by the transfer that pays it."""
    new: Item = {
        "status": RequestStatus.APPROVED.value,
        "transfer_id": transfer.transfer_id,
        "decided_at_us": transfer.at_us,
    }
    return _decided_writes(table, request, new, "decided, taken up or changed")


def _decided_writes(table: str, request: WithdrawalRequest, new: Item, other: str) -> list[Write]:
    """Change a request as it was read, whose entry is still in the address book."""
    number = request.request_no
    return [
        undecided_write(
            *(table, request, new),
            lambda _: RequestDecided(f"{number} was {other} meanwhile"),
            is_as_read=True,
        ),
        entry_check(
            *(table, request, "=", request.address_added_at),
            lambda _: RequestForged(number, ADDRESS_GONE),
        ),
    ]


def take(
    client: DynamoDB,
    tables: TableNames,
    account: Account,
    moved: Shift,
    rest: Sequence[Write],
    *,
    token: str,
) -> None:
    """As `take_amount`. Raises: also BalanceTooLow, UnknownId."""
    is_merchants = account.kind in SHARDED
    owner = [merchant_exists_write(tables.merchants, account.owner)] if is_merchants else []

    def refused(available_micro: int | None) -> OrderdeskError:
        if available_micro is None and account.kind is AccountKind.TRADER:
            return UnknownId("trader", account.owner)
        usdt = format_usdt(available_micro or 0), format_usdt(-moved.available_micro)
        return BalanceTooLow(account.owner, *usdt)

    take_amount(client, tables, account, moved, [*rest, *owner], token=token, refused=refused)


def merchant_exists_write(table: str, merchant_id: str) -> Write:
    """Check that a merchant exists. Lost: UnknownId."""
    key, lost = {"pk": Key.merchant(merchant_id)}, lambda _: UnknownId("merchant", merchant_id)
    return Write.check(table, key, "attribute_exists(pk)", lost)


def trader_credit_write(table: str, posting: Posting, at: int) -> Write:
    """Add a posting's amount to a trader's available balance. Lost: UnknownId.

    `version` stays, so a concurrent claim remains valid: the balance only grows.
    """
    account = posting.account
    exists_in_this_mode = "#mode = :mode"
    return Write.balance(
        table,
        {"trader_id": account.owner},
        Shift(posting.amount_micro, 0, at),
        lambda _: UnknownId("trader", account.owner),
        condition=exists_in_this_mode,
        values={":mode": account.mode.value},
    )


def _sent_write(table: str, proposal_no: str, txid: str, at_us: int) -> Write:
    """Record the transaction of an executed withdrawal, once. Lost: ChangedMeanwhile."""
    return Write.set(
        table,
        proposal_key(proposal_no),
        {"txid": txid, "sent_at_us": at_us},
        "#status = :executed AND attribute_not_exists(txid)",
        values={":executed": ProposalStatus.EXECUTED.value},
    )


_WAITS = "#status IN (:approved, :blocked)"
_WAITING: Item = {
    ":approved": ProposalStatus.APPROVED.value,
    ":blocked": ProposalStatus.BLOCKED.value,
}


class PayoutStore(RequestStore, ProposalStore):
    def waiting(self) -> Sequence[str]:
        asked = self._query(self._tables.ledger, Index.ITEMS, Key.PAYOUTS, consistent=True)
        return [str(from_item(item)["sk"]) for item in asked.items()]

    def pay(self, transfer: Transfer, request: WithdrawalRequest | None, token: str) -> None:
        own, to = transfer.postings
        at, number = transfer.at_us // US_PER_SECOND, transfer.transfer_id
        ledger = self._tables.ledger
        new: Item = {"status": ProposalStatus.EXECUTED.value, "executed_at_us": transfer.at_us}
        writes = [
            self._waits_write(number, new),
            Write.delete(ledger, payout_key(number), ""),
            *posting_writes(ledger, transfer),
            credit_write(ledger, to, at),
            _paid_write(self._tables, own, at),
        ]
        if request is not None:
            writes += request_writes(ledger, request, transfer)
        transact(self._client, writes, token)

    def block(self, proposal_no: str, token: str) -> None:
        new: Item = {"status": ProposalStatus.BLOCKED.value}
        transact(self._client, [self._waits_write(proposal_no, new)], token)

    def _waits_write(self, proposal_no: str, new: Item) -> Write:
        """Change a payout that waits. Lost: ChangedMeanwhile."""
        key = proposal_key(proposal_no)
        return Write.set(self._tables.ledger, key, new, _WAITS, values=_WAITING)
