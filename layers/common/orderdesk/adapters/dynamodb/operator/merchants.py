"""Merchants and base rates for operators; each change writes an audit entry."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.audit import audit_writes
from orderdesk.adapters.dynamodb.balance_shards import listing_writes
from orderdesk.adapters.dynamodb.client import TablesStore, scan_pages
from orderdesk.adapters.dynamodb.keys import MERCHANT_PREFIX, RATES_KEY, TableNames
from orderdesk.adapters.dynamodb.marshal import Item, readable, to_item
from orderdesk.adapters.dynamodb.merchants import (
    MerchantStore,
    merchant_item,
    merchant_of,
    rate_attribute,
    rate_value,
)
from orderdesk.adapters.dynamodb.operator.typed import strictly
from orderdesk.adapters.dynamodb.teams import TeamStore, team_write
from orderdesk.adapters.dynamodb.transactions import (
    Write,
    change_write,
    put_new_write,
    transact,
)
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import Team
from orderdesk.domain.pricing import BaseRate, OrderType

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class OperatorMerchants(TablesStore):
    def __init__(self, client: "DynamoDBClient", tables: TableNames) -> None:
        super().__init__(client, tables)
        self._store = MerchantStore(client, tables.merchants)

    def merchant(self, merchant_id: str) -> Merchant | None:
        return self._store.merchant(merchant_id)

    def merchants(self) -> Iterator[Merchant]:
        scan = {
            "TableName": self._tables.merchants,
            "FilterExpression": "begins_with(pk, :prefix)",
            "ExpressionAttributeValues": to_item({":prefix": MERCHANT_PREFIX}),
            "ConsistentRead": True,
        }
        for page in scan_pages(self._client, scan):
            yield from readable(lambda item: strictly(merchant_of(item)), page)

    def add(self, merchant: Merchant, entry: AuditEntry, token: str) -> None:
        put = put_new_write(self._tables.merchants, "pk", merchant_item(merchant))
        self._audited([put, *self._listing(merchant)], entry, token)

    def change(self, before: Merchant, after: Merchant, entry: AuditEntry, token: str) -> None:
        table = self._tables.merchants
        update = change_write(table, "pk", merchant_item(before), merchant_item(after))
        more = after.terms.balance_shards > before.terms.balance_shards
        self._audited([update, *(self._listing(after) if more else ())], entry, token)

    def team(self, merchant_id: str) -> Team:
        return TeamStore(self._client, self._tables).team(merchant_id)

    def change_team(self, before: Team, after: Team, entry: AuditEntry, token: str) -> None:
        self._audited([team_write(self._tables.merchants, before, after)], entry, token)

    def rates(self) -> dict[OrderType, BaseRate]:
        return self._store.rates()

    def set_rate(
        self,
        side: OrderType,
        before: BaseRate | None,
        rate: BaseRate,
        entry: AuditEntry,
        token: str,
    ) -> None:
        """Set one side's rate; the other side's attribute is not written."""
        old: Item = {} if before is None else {":before": rate_value(before)}
        update = {
            "TableName": self._tables.merchants,
            "Key": to_item({"pk": RATES_KEY}),
            "UpdateExpression": "SET #side = :rate",
            "ConditionExpression": "#side = :before" if old else "attribute_not_exists(#side)",
            "ExpressionAttributeNames": {"#side": rate_attribute(side)},
            "ExpressionAttributeValues": to_item({":rate": rate_value(rate), **old}),
        }
        self._audited([Write({"Update": update}, lambda _: ChangedMeanwhile())], entry, token)

    def _listing(self, merchant: Merchant) -> list[Write]:
        """List the shards of the merchant's balances before the first order can use them."""
        shards = merchant.terms.balance_shards
        return listing_writes(self._tables.ledger, merchant.merchant_id, shards)

    def _audited(self, writes: Sequence[Write], entry: AuditEntry, token: str) -> None:
        transact(self._client, [*writes, *audit_writes(self._tables, entry)], token)
