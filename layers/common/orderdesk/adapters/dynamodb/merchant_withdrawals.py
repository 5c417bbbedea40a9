"""A merchant's own withdrawal requests and address book, for the portal."""

from collections.abc import Sequence

from orderdesk.adapters.dynamodb.audit import portal_audit_write
from orderdesk.adapters.dynamodb.client import TablesStore, get_item, query_pages
from orderdesk.adapters.dynamodb.keys import merchant_key, requests_key
from orderdesk.adapters.dynamodb.marshal import Item, readable, to_item
from orderdesk.adapters.dynamodb.transactions import Lost, Write, transact
from orderdesk.adapters.dynamodb.withdrawals import (
    address_name,
    book_item,
    book_key,
    cancelled_writes,
    place_item,
    request_item,
    request_key,
    request_of,
    stored_book,
    take_amount,
)
from orderdesk.adapters.sending import call
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import ChangedMeanwhile, OrderdeskError
from orderdesk.domain.merchants.addresses import (
    REST_SECONDS,
    AddressBook,
    RequestNoTaken,
    WithdrawalProblem,
    WithdrawalRefused,
)
from orderdesk.domain.merchants.merchant import MerchantStatus
from orderdesk.domain.merchants.merchant_errors import MerchantSuspended
from orderdesk.domain.merchants.withdrawals import RequestStatus, WithdrawalRequest
from orderdesk.domain.times import US_PER_SECOND

_LAST = "X"  # above every request_no
# 1 MB each, with more than 1,000 requests.
_PAGES_MAX = 20


class MerchantWithdrawals(TablesStore):
    def address_book(self, merchant_id: str) -> AddressBook:
        return stored_book(self._client, self._tables.ledger, merchant_id)

    def change_book(
        self, before: AddressBook, after: AddressBook, entry: AuditEntry, token: str
    ) -> None:
        put = {
            "TableName": self._tables.ledger,
            "Item": to_item(book_item(after)),
            **_unchanged(before),
        }
        writes = [
            Write({"Put": put}, lambda _: ChangedMeanwhile()),
            portal_audit_write(self._tables.audit, entry.target, entry),
        ]
        transact(self._client, writes, token)

    def request(self, merchant_id: str, request_no: str) -> WithdrawalRequest | None:
        item = get_item(self._client, self._tables.ledger, request_key(merchant_id, request_no))
        return None if item is None else request_of(item)

    def newest(
        self, merchant_id: str, before: str | None, limit: int
    ) -> Sequence[WithdrawalRequest]:
        answer = call(
            lambda: self._client.query(
                TableName=self._tables.ledger,
                KeyConditionExpression="pk = :requests AND sk < :before",
                ExpressionAttributeValues=to_item(
                    {":requests": requests_key(merchant_id), ":before": before or _LAST}
                ),
                ScanIndexForward=False,
                ConsistentRead=True,
                Limit=limit,
            )
        )
        return [*readable(request_of, answer["Items"])]

    def has_room(self, merchant_id: str, most: int) -> bool:
        """Count in all of the merchant's requests; beyond _PAGES_MAX pages there is no room."""
        query = {
            "TableName": self._tables.ledger,
            "KeyConditionExpression": "pk = :requests AND sk < :last",
            "FilterExpression": "#status = :requested",
            "ProjectionExpression": "sk",
            "ExpressionAttributeNames": {"#status": "status"},
            "ExpressionAttributeValues": to_item(
                {
                    ":requests": requests_key(merchant_id),
                    ":last": _LAST,
                    ":requested": RequestStatus.REQUESTED.value,
                }
            ),
            "ConsistentRead": True,
        }
        found = 0
        for number, page in enumerate(query_pages(self._client, query)):
            found += len(page)
            if found >= most or number == _PAGES_MAX:
                return False
        return True

    def create(self, request: WithdrawalRequest, entry: AuditEntry, token: str) -> None:
        table = self._tables.ledger

        def taken(_: Item | None) -> OrderdeskError:
            return RequestNoTaken()

        rest = [
            _new_write(table, request_item(request), taken),
            _new_write(table, place_item(request, is_open=True), taken),
            self._active_merchant(request.merchant_id),
            self._usable_address(request),
            portal_audit_write(self._tables.audit, entry.target, entry),
        ]

        def refused(_: int | None) -> OrderdeskError:
            return WithdrawalRefused(WithdrawalProblem.BALANCE_TOO_LOW)

        at = request.requested_at_us // US_PER_SECOND
        take_amount(
            *(self._client, self._tables, request.money, rest, token),
            refused=refused,
            at=at,
            is_held=True,
        )

    def cancel(self, request: WithdrawalRequest, entry: AuditEntry, token: str) -> None:
        writes = cancelled_writes(self._tables, request, entry.at_us)
        audit = portal_audit_write(self._tables.audit, entry.target, entry)
        transact(self._client, [*writes, audit], token)

    def _active_merchant(self, merchant_id: str) -> Write:
        check = {
            "TableName": self._tables.merchants,
            "Key": to_item({"pk": merchant_key(merchant_id)}),
            "ConditionExpression": "#status = :active",
            "ExpressionAttributeNames": {"#status": "status"},
            "ExpressionAttributeValues": to_item({":active": MerchantStatus.ACTIVE.value}),
        }
        return Write({"ConditionCheck": check}, lambda _: MerchantSuspended())

    def _usable_address(self, request: WithdrawalRequest) -> Write:
        """Check that the address has rested and is still in the book. Lost: ChangedMeanwhile."""
        rested = request.requested_at_us // US_PER_SECOND - REST_SECONDS
        check = {
            "TableName": self._tables.ledger,
            "Key": to_item(book_key(request.merchant_id)),
            "ConditionExpression": "addresses.#address.added_at <= :rested",
            "ExpressionAttributeNames": {
                "#address": address_name(request.network, request.address)
            },
            "ExpressionAttributeValues": to_item({":rested": rested}),
        }
        return Write({"ConditionCheck": check}, lambda _: ChangedMeanwhile())


def _unchanged(before: AddressBook) -> Item:
    """Return the condition that a book is stored as it was read."""
    if before.version == 0:
        return {"ConditionExpression": "attribute_not_exists(pk)"}
    return {
        "ConditionExpression": "version = :before",
        "ExpressionAttributeValues": dict(to_item({":before": before.version})),
    }


def _new_write(table: str, item: Item, lost: Lost) -> Write:
    put = {
        "TableName": table,
        "Item": to_item(item),
        "ConditionExpression": "attribute_not_exists(pk)",
    }
    return Write({"Put": put}, lost)
