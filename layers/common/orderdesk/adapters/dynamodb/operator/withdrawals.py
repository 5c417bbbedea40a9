"""Withdrawals in the Ledger table; each step is one transaction with its money and audit entry.

Concurrent writers: orders and fundings add to the same balance and never set it, and it never falls
below zero; of two operators' decisions, only one finds the withdrawal open. After a crash, either
nothing or the whole transaction is stored.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from orderdesk.adapters.dynamodb.audit import audit_write
from orderdesk.adapters.dynamodb.balance_shards import (
    BalanceShards,
    is_listing,
    shard_hold_writes,
)
from orderdesk.adapters.dynamodb.client import TablesStore, get_item, query_pages
from orderdesk.adapters.dynamodb.keys import BALANCE_SORT_KEY, WITHDRAWALS_KEY, TableNames
from orderdesk.adapters.dynamodb.ledger import credit_write, posting_writes
from orderdesk.adapters.dynamodb.marshal import Item, Value, from_item, to_item
from orderdesk.adapters.dynamodb.operator.funds import merchant_exists_write
from orderdesk.adapters.dynamodb.transactions import Lost, Write, add_write, never, transact
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import ChangedMeanwhile, OrderdeskError
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.ledger.rows import account_of
from orderdesk.domain.ledger.withdrawals import Withdrawal, WithdrawalStatus, payout
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import BalanceTooLow, UnknownId
from orderdesk.domain.orders.errors import HoldLost

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_UNDERFLOW = never("an account holds less than its open withdrawals")


def withdrawal_item(withdrawal: Withdrawal) -> Item:
    """Return the item of a withdrawal."""
    return {
        **_key(withdrawal.withdrawal_no),
        "account": withdrawal.account.key,
        "amount_micro": withdrawal.amount_micro,
        "memo": withdrawal.memo,
        "proposed_by": withdrawal.proposed_by,
        "proposed_at_us": withdrawal.proposed_at_us,
        "status": withdrawal.status.value,
        "decided_by": withdrawal.decided_by or None,
        "decided_at_us": withdrawal.decided_at_us,
        "reason": withdrawal.reason or None,
    }


def withdrawal_of(item: Mapping[str, Value]) -> Withdrawal:
    """Return the withdrawal of an item."""
    row = cast("Mapping[str, Any]", item)
    account = account_of(row["account"])
    assert account is not None
    return Withdrawal(
        withdrawal_no=row["sk"],
        account=account,
        amount_micro=row["amount_micro"],
        memo=row["memo"],
        proposed_by=row["proposed_by"],
        proposed_at_us=row["proposed_at_us"],
        status=WithdrawalStatus(row["status"]),
        decided_by=row.get("decided_by", ""),
        decided_at_us=row.get("decided_at_us"),
        reason=row.get("reason", ""),
    )


def _key(withdrawal_no: str) -> Item:
    return {"pk": WITHDRAWALS_KEY, "sk": withdrawal_no}


class OperatorWithdrawals(TablesStore):
    def __init__(self, client: "DynamoDBClient", tables: TableNames) -> None:
        super().__init__(client, tables)
        self._shards = BalanceShards(client, tables.ledger)

    def withdrawal(self, withdrawal_no: str) -> Withdrawal | None:
        item = get_item(self._client, self._tables.ledger, _key(withdrawal_no))
        return None if item is None else withdrawal_of(item)

    def withdrawals(self, *, open_only: bool) -> Iterator[Withdrawal]:
        query: dict[str, Any] = {
            "TableName": self._tables.ledger,
            "KeyConditionExpression": "pk = :withdrawals",
            "ExpressionAttributeValues": to_item({":withdrawals": WITHDRAWALS_KEY}),
            "ScanIndexForward": False,
            "ConsistentRead": True,
        }
        if open_only:
            query["FilterExpression"] = "#status = :open"
            query["ExpressionAttributeNames"] = {"#status": "status"}
            query["ExpressionAttributeValues"] |= to_item({":open": WithdrawalStatus.OPEN.value})
        for page in query_pages(self._client, query):
            yield from (withdrawal_of(from_item(item)) for item in page)

    def propose(self, withdrawal: Withdrawal, entry: AuditEntry, token: str) -> None:
        put = {
            "TableName": self._tables.ledger,
            "Item": to_item(withdrawal_item(withdrawal)),
            "ConditionExpression": "attribute_not_exists(pk)",
        }
        rest = [
            Write({"Put": put}, lambda _: ChangedMeanwhile()),
            audit_write(self._tables.audit, entry),
        ]
        try:
            transact(self._client, [*self._held(withdrawal), *rest], token)
        except HoldLost:
            transact(self._client, [*self._gathered(withdrawal), *rest], f"{token}g")

    def _gathered(self, withdrawal: Withdrawal) -> list[Write]:
        """Return the hold on shard 0, gathered from the others. Raises: BalanceTooLow."""
        account, amount = withdrawal.account, withdrawal.amount_micro
        gathered = self._shards.gather(account, 0, amount)
        if gathered is None:
            available = self._shards.total(account).available_micro
            raise BalanceTooLow(account.owner, format_usdt(available), format_usdt(amount))
        table = self._tables.ledger
        return shard_hold_writes(table, account, gathered, amount, lambda _: ChangedMeanwhile())

    def decide(self, decided: Withdrawal, entry: AuditEntry, token: str) -> None:
        writes = [
            self._decided(decided),
            *self._settled(decided),
            audit_write(self._tables.audit, entry),
        ]
        transact(self._client, writes, token)

    def _held(self, withdrawal: Withdrawal) -> list[Write]:
        account, amount = withdrawal.account, withdrawal.amount_micro

        def lost(item: Item | None) -> OrderdeskError:
            if item is None and account.kind is AccountKind.TRADER:
                return UnknownId("trader", account.owner)
            if is_listing(item or {}):
                return HoldLost(is_whole=False)
            available = (item or {}).get("available_micro", 0)
            assert isinstance(available, int)
            return BalanceTooLow(account.owner, format_usdt(available), format_usdt(amount))

        hold = self._moved(account, {"available_micro": -amount, "held_micro": amount}, lost)
        if account.kind is AccountKind.MERCHANT:
            return [merchant_exists_write(self._tables.merchants, account.owner), hold]
        return [hold]

    def _decided(self, decided: Withdrawal) -> Write:
        new = {
            "status": decided.status.value,
            "decided_by": decided.decided_by,
            "decided_at_us": decided.decided_at_us,
            "reason": decided.reason,
        }
        values: Item = {f":{name}": value for name, value in new.items()}
        update = {
            "TableName": self._tables.ledger,
            "Key": to_item(_key(decided.withdrawal_no)),
            "UpdateExpression": f"SET {', '.join(f'#{name} = :{name}' for name in new)}",
            "ConditionExpression": "#status = :open",
            "ExpressionAttributeNames": {f"#{name}": name for name in new},
            "ExpressionAttributeValues": to_item(values | {":open": WithdrawalStatus.OPEN.value}),
        }
        return Write({"Update": update}, lambda _: ChangedMeanwhile())

    def _settled(self, decided: Withdrawal) -> list[Write]:
        """Pay out the held amount of an approved withdrawal; release that of a rejected one."""
        account, amount = decided.account, decided.amount_micro
        match decided.status:
            case WithdrawalStatus.APPROVED:
                transfer = payout(decided)
                _, outside = transfer.postings
                return [
                    self._moved(account, {"held_micro": -amount}, _UNDERFLOW),
                    credit_write(self._tables.ledger, outside),
                    *posting_writes(self._tables.ledger, transfer),
                ]
            case WithdrawalStatus.REJECTED:
                back = {"held_micro": -amount, "available_micro": amount}
                return [self._moved(account, back, _UNDERFLOW)]
            case WithdrawalStatus.OPEN:
                raise ValueError("an open withdrawal is not decided")

    def _moved(
        self,
        account: Account,
        changes: Mapping[str, int],
        lost: Lost,
    ) -> Write:
        """Add to an account's balance; it may not fall below zero."""
        table, key = self._place(account)
        return add_write(table, key, changes, lost, returns_item=True)

    def _place(self, account: Account) -> tuple[str, Item]:
        """Return the table and key of an account's balance; a trader's is on its own item."""
        match account.kind:
            case AccountKind.TRADER:
                return self._tables.traders, {"trader_id": account.owner}
            case AccountKind.MERCHANT | AccountKind.DEPOSIT | AccountKind.FEE | AccountKind.FUNDING:
                return self._tables.ledger, {"pk": account.key, "sk": BALANCE_SORT_KEY}
