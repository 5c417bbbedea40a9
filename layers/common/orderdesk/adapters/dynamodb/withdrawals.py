"""Withdrawals in the Ledger table: held amounts, merchants' requests and address books.

A request is an item of its merchant's partition. A second item finds it by its number: in the
partition of open requests while an operator has something to do, then in that of ended ones.

Every change has a condition on the request's status and proposal, so of two changes at once one
finds it changed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from orderdesk.adapters.dynamodb.audit import portal_audit_write
from orderdesk.adapters.dynamodb.client import DynamoDB, QueryParts, TablesStore
from orderdesk.adapters.dynamodb.keys import Index, Key, TableNames
from orderdesk.adapters.dynamodb.ledger import (
    LedgerStore,
    balance_place,
    is_listing,
    shard_hold_writes,
)
from orderdesk.adapters.dynamodb.marshal import Item, Stored, Value, readable
from orderdesk.adapters.dynamodb.transactions import Lost, Shift, Write, changed, never, transact
from orderdesk.domain.accounts import Account
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import OrderdeskError
from orderdesk.domain.merchants.merchant import MerchantStatus, MerchantSuspended
from orderdesk.domain.merchants.withdrawals import (
    REST_SECONDS,
    Address,
    AddressBook,
    Network,
    RequestNoTaken,
    RequestStatus,
    WithdrawalProblem,
    WithdrawalRefused,
    WithdrawalRequest,
)
from orderdesk.domain.orders.order_errors import HoldLost
from orderdesk.domain.proposals import Sum
from orderdesk.domain.times import US_PER_SECOND

# --- items ---

_REQUEST = Stored(
    WithdrawalRequest,
    beside="request_no merchant_id",
    usual="proposal_no transfer_id reason txid sealed",
)


def request_item(request: WithdrawalRequest) -> Item:
    """Return the item of a new request."""
    return request_key(request.merchant_id, request.request_no) | _REQUEST.item(request)


def request_of(row: Mapping[str, Any]) -> WithdrawalRequest:
    """Return the request of a row."""
    _, _, merchant_id = row["pk"].partition("#")
    return _REQUEST.of(row, request_no=row["sk"], merchant_id=merchant_id)


def request_key(merchant_id: str, request_no: str) -> Item:
    return {"pk": Key.requests(merchant_id), "sk": request_no}


def place_item(request: WithdrawalRequest, *, is_open: bool) -> Item:
    """Return the item that finds a request by its number."""
    partition = Key.OPEN_REQUESTS if is_open else Key.ENDED_REQUESTS
    return {"pk": partition, "sk": request.request_no, "merchant_id": request.merchant_id}


_BOOK_SORT_KEY = "addresses"
_ENTRY = Stored(Address, beside="network address")


def book_key(merchant_id: str) -> Item:
    return {"pk": Key.addresses(merchant_id), "sk": _BOOK_SORT_KEY}


def address_name(network: Network, address: str) -> str:
    """Return the name of an address in the map of its book's item."""
    return f"{network.value}:{address}"


def book_item(book: AddressBook) -> Item:
    """Return the item of an address book."""
    addresses: dict[str, Value] = {
        address_name(each.network, each.address): _ENTRY.item(each) for each in book.addresses
    }
    return {**book_key(book.merchant_id), "addresses": addresses, "version": book.version}


def book_of(merchant_id: str, item: Mapping[str, Value] | None) -> AddressBook:
    """Return the address book of an item; None is a book that was never stored."""
    if item is None:
        return AddressBook(merchant_id)
    row = cast("Mapping[str, Any]", item)
    addresses = []
    for name, each in row["addresses"].items():
        network, _, address = name.partition(":")
        addresses.append(_ENTRY.of(each, network=Network(network), address=address))
    addresses.sort(key=lambda each: (each.added_at, each.address))
    return AddressBook(merchant_id, tuple(addresses), row["version"])


class BookStore(TablesStore):
    def address_book(self, merchant_id: str) -> AddressBook:
        item = self._get_item(self._tables.ledger, book_key(merchant_id))
        return book_of(merchant_id, item)


class RequestStore(BookStore):
    """Read requests of whichever merchant."""

    def request(self, request_no: str) -> WithdrawalRequest | None:
        table = self._tables.ledger
        for partition in (Key.OPEN_REQUESTS, Key.ENDED_REQUESTS):
            place = self._get_item(table, {"pk": partition, "sk": request_no})
            if place is not None:
                key = request_key(str(place["merchant_id"]), request_no)
                return self._find(table, key, request_of)
        return None


# --- writes ---


def taken_up_write(
    table: str, merchant_id: str, request_no: str, proposal_no: str, lost: Lost
) -> Write:
    """Note the open proposal of a request that has none."""
    return Write.set(
        table,
        request_key(merchant_id, request_no),
        {"proposal_no": proposal_no},
        f"{_STATUS} AND {_NO_PROPOSAL}",
        lost,
        values={":status_before": RequestStatus.REQUESTED.value},
    )


def returned_write(table: str, merchant_id: str, request_no: str, proposal_no: str) -> Write:
    """Remove the expired proposal of a request, which keeps its hold. Lost: never."""
    return Write.update(
        table,
        request_key(merchant_id, request_no),
        "REMOVE proposal_no",
        "#status = :requested AND proposal_no = :proposal_no",
        never("an open proposal's request is not requested"),
        values={":requested": RequestStatus.REQUESTED.value, ":proposal_no": proposal_no},
    )


_STATUS = "#status = :status_before"
_NO_PROPOSAL = "attribute_not_exists(proposal_no)"


def undecided_write(
    table: str,
    request: WithdrawalRequest,
    new: Item,
    lost: Lost = changed,
    *,
    is_as_read: bool = False,
) -> Write:
    """Set attributes of a request that is not decided, and has the proposal that it had.

    With `is_as_read` also if it has the address and amount that it had.
    """
    conditions = [_STATUS, _NO_PROPOSAL]
    asked: Item = {":status_before": RequestStatus.REQUESTED.value}
    if request.proposal_no:
        conditions[1] = "proposal_no = :proposal_before"
        asked[":proposal_before"] = request.proposal_no
    if is_as_read:
        conditions.append("address = :address AND amount_micro = :amount")
        asked |= {":address": request.address, ":amount": request.amount_micro}
    key = request_key(request.merchant_id, request.request_no)
    return Write.set(table, key, new, " AND ".join(conditions), lost, values=asked)


def entry_check(
    table: str, request: WithdrawalRequest, sign: str, at: int, lost: Lost = changed
) -> Write:
    """Compare when the entry that a request names was added to the address book (Unix seconds)."""
    return Write.check(
        table,
        book_key(request.merchant_id),
        f"addresses.#address.added_at {sign} :added",
        lost,
        values={":added": at},
        names={"#address": address_name(request.network, request.address)},
    )


def ended_writes(
    tables: TableNames, request: WithdrawalRequest, status: RequestStatus, at_us: int, **more: Value
) -> list[Write]:
    """Reject or cancel a request as it was read, and release its hold. Lost: ChangedMeanwhile."""
    new: Item = {"status": status.value, "decided_at_us": at_us, **more}
    return [
        undecided_write(tables.ledger, request, new),
        release_write(tables, request.money, at_us // US_PER_SECOND),
        *_ended_place_writes(tables.ledger, request),
    ]


def sent_writes(table: str, request: WithdrawalRequest, txid: str, at_us: int) -> list[Write]:
    """Record the transaction of an approved request. Lost: ChangedMeanwhile."""
    sent = Write.set(
        table,
        request_key(request.merchant_id, request.request_no),
        {"status": RequestStatus.SENT.value, "txid": txid, "sent_at_us": at_us},
        _STATUS,
        values={":status_before": RequestStatus.APPROVED.value},
    )
    return [sent, *_ended_place_writes(table, request)]


def _ended_place_writes(table: str, request: WithdrawalRequest) -> list[Write]:
    """Move what finds a request from the open requests to the ended ones."""
    impossible = never("a request's place is that of another status")
    key: Item = {"pk": Key.OPEN_REQUESTS, "sk": request.request_no}
    place = place_item(request, is_open=False)
    return [
        Write.delete(table, key, "attribute_exists(pk)", impossible),
        Write.put(table, place, "attribute_not_exists(pk)", impossible),
    ]


# --- held amounts ---

type Refused = Callable[[int | None], OrderdeskError]
"""Creates the error for an amount that is not available.

It receives what is available in micro-USDT, None if the account has no item.
"""


def take_amount(
    client: DynamoDB,
    tables: TableNames,
    account: Account,
    moved: Shift,
    rest: Sequence[Write],
    *,
    token: str,
    refused: Refused,
) -> None:
    """Deduct an amount from an account's available balance, with other writes.

    If the account is split, the amount is gathered on shard 0.
    Raises: the errors of `rest` and of `refused`, ChangedMeanwhile.
    """

    def lost(item: Item | None) -> OrderdeskError:
        if is_listing(item or {}):
            return HoldLost(is_whole=False)
        available = None if item is None else item.get("available_micro", 0)
        assert available is None or isinstance(available, int)
        return refused(available)

    taken = Write.balance(*balance_place(tables, account), moved, lost, returns_item=True)
    try:
        transact(client, [*rest, taken], token)
    except HoldLost:
        ledger = LedgerStore(client, tables.ledger)
        gathered = ledger.gather(account, 0, -moved.available_micro)
        if gathered is None:
            raise refused(ledger.balance(account).available_micro) from None
        writes = shard_hold_writes(tables.ledger, account, gathered, moved, changed)
        transact(client, [*rest, *writes], f"{token}g")


def release_write(tables: TableNames, hold: Sum, at: int) -> Write:
    """Return a held amount to the available balance of its account."""
    return Write.balance(
        *balance_place(tables, hold.account),
        Shift(hold.amount_micro, -hold.amount_micro, at),
        never("an account holds less than its open withdrawals"),
    )


# --- what a merchant's people do ---

_NEW = "attribute_not_exists(pk)"
_LAST = "X"  # above every request_no
LOOKED_AT_MAX = 1_000
"""Among so many of a merchant's newest requests those that wait are counted."""


class MerchantWithdrawals(BookStore):
    def change_book(self, before: AddressBook, after: AddressBook, entry: AuditEntry) -> None:
        assert after.version == before.version + 1
        writes = [
            Write.put_next(self._tables.ledger, "pk", book_item(after)),
            portal_audit_write(self._tables.audit, entry.target, entry),
        ]
        transact(self._client, writes, entry.token)

    def request(self, merchant_id: str, request_no: str) -> WithdrawalRequest | None:
        key = request_key(merchant_id, request_no)
        return self._find(self._tables.ledger, key, request_of)

    def newest(
        self, merchant_id: str, before: str | None, limit: int
    ) -> Sequence[WithdrawalRequest]:
        place = (self._tables.ledger, Index.ITEMS, Key.requests(merchant_id))
        more: QueryParts = {"newest_first": True, "consistent": True, "limit": limit}
        asked = self._query(*place, ("<", before or _LAST), **more)
        return [*readable(request_of, asked.page())]

    def has_room(self, merchant_id: str, most: int) -> bool:
        """Count in the merchant's newest requests, by one read whatever its history is."""
        asked = self._query(
            *(self._tables.ledger, Index.ITEMS, Key.requests(merchant_id)),
            ("<", _LAST),
            values={":requested": RequestStatus.REQUESTED.value},
            filtered="#status = :requested",
            projected="sk",
            newest_first=True,
            consistent=True,
            limit=LOOKED_AT_MAX,
        )
        return len(asked.page()) < most

    def create(self, request: WithdrawalRequest, entry: AuditEntry) -> None:
        table, at = self._tables.ledger, request.requested_at_us // US_PER_SECOND

        def taken(_: Item | None) -> OrderdeskError:
            return RequestNoTaken()

        rest = [
            Write.put(table, request_item(request), _NEW, taken),
            Write.put(table, place_item(request, is_open=True), _NEW, taken),
            self._active_merchant(request.merchant_id),
            entry_check(table, request, "<=", at - REST_SECONDS),
            portal_audit_write(self._tables.audit, entry.target, entry),
        ]

        def refused(_: int | None) -> OrderdeskError:
            return WithdrawalRefused(WithdrawalProblem.BALANCE_TOO_LOW)

        money = request.money
        held = Shift(-money.amount_micro, money.amount_micro, at)
        take_amount(
            *(self._client, self._tables, money.account, held, rest),
            token=entry.token,
            refused=refused,
        )

    def cancel(self, request: WithdrawalRequest, entry: AuditEntry) -> None:
        assert not request.proposal_no
        writes = ended_writes(self._tables, request, RequestStatus.CANCELLED, entry.at_us)
        audit = portal_audit_write(self._tables.audit, entry.target, entry)
        transact(self._client, [*writes, audit], entry.token)

    def _active_merchant(self, merchant_id: str) -> Write:
        return Write.check(
            self._tables.merchants,
            {"pk": Key.merchant(merchant_id)},
            "#status = :active",
            lambda _: MerchantSuspended(),
            values={":active": MerchantStatus.ACTIVE.value},
        )
