"""A merchant's own withdrawal requests and address book, for the portal."""

from collections.abc import Sequence

from orderdesk.adapters.dynamodb.audit import portal_audit_write
from orderdesk.adapters.dynamodb.client import TablesStore, get_item, page_of, query, query_pages
from orderdesk.adapters.dynamodb.keys import merchant_key, requests_key
from orderdesk.adapters.dynamodb.marshal import Item, readable
from orderdesk.adapters.dynamodb.transactions import (
    Write,
    check_write,
    next_write,
    put_write,
    transact,
)
from orderdesk.adapters.dynamodb.withdrawals import (
    book_item,
    cancelled_writes,
    place_item,
    request_item,
    request_key,
    request_of,
    stored_book,
    take_amount,
    usable_address_check,
)
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import ChangedMeanwhile, OrderdeskError
from orderdesk.domain.merchants.addresses import AddressBook
from orderdesk.domain.merchants.merchant import MerchantStatus
from orderdesk.domain.merchants.merchant_errors import MerchantSuspended
from orderdesk.domain.merchants.withdrawal_errors import (
    RequestNoTaken,
    WithdrawalProblem,
    WithdrawalRefused,
)
from orderdesk.domain.merchants.withdrawals import RequestStatus, WithdrawalRequest
from orderdesk.domain.times import US_PER_SECOND

_NEW = "attribute_not_exists(pk)"
_LAST = "X"  # above every request_no
# 1 MB each, with more than 1,000 requests.
_PAGES_MAX = 20


class MerchantWithdrawals(TablesStore):
    def address_book(self, merchant_id: str) -> AddressBook:
        return stored_book(self._client, self._tables.ledger, merchant_id)

    def change_book(
        self, before: AddressBook, after: AddressBook, entry: AuditEntry, token: str
    ) -> None:
        assert after.version == before.version + 1
        writes = [
            next_write(self._tables.ledger, "pk", book_item(after), lambda _: ChangedMeanwhile()),
            portal_audit_write(self._tables.audit, entry.target, entry),
        ]
        transact(self._client, writes, token)

    def request(self, merchant_id: str, request_no: str) -> WithdrawalRequest | None:
        item = get_item(self._client, self._tables.ledger, request_key(merchant_id, request_no))
        return None if item is None else request_of(item)

    def newest(
        self, merchant_id: str, before: str | None, limit: int
    ) -> Sequence[WithdrawalRequest]:
        asked = query(
            self._tables.ledger,
            "pk = :requests AND sk < :before",
            {":requests": requests_key(merchant_id), ":before": before or _LAST},
            newest_first=True,
            consistent=True,
            limit=limit,
        )
        return [*readable(request_of, page_of(self._client, asked))]

    def has_room(self, merchant_id: str, most: int) -> bool:
        """Count in all of the merchant's requests; beyond _PAGES_MAX pages there is no room."""
        values: Item = {":requests": requests_key(merchant_id), ":last": _LAST}
        asked = query(
            self._tables.ledger,
            "pk = :requests AND sk < :last",
            {**values, ":requested": RequestStatus.REQUESTED.value},
            filtered="#status = :requested",
            projected="sk",
            consistent=True,
        )
        found = 0
        for number, page in enumerate(query_pages(self._client, asked)):
            found += len(page)
            if found >= most or number == _PAGES_MAX:
                return False
        return True

    def create(self, request: WithdrawalRequest, entry: AuditEntry, token: str) -> None:
        table = self._tables.ledger

        def taken(_: Item | None) -> OrderdeskError:
            return RequestNoTaken()

        rest = [
            put_write(table, request_item(request), _NEW, taken),
            put_write(table, place_item(request, is_open=True), _NEW, taken),
            self._active_merchant(request.merchant_id),
            usable_address_check(table, request, lambda _: ChangedMeanwhile()),
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
        return check_write(
            self._tables.merchants,
            {"pk": merchant_key(merchant_id)},
            "#status = :active",
            lambda _: MerchantSuspended(),
            values={":active": MerchantStatus.ACTIVE.value},
        )
