"""Fundings and withdrawals: balances, postings and the audit entry in one transaction.

Concurrent writers: orders, fundings and withdrawals add to the same balance and never set it, and
it never falls below zero.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb import holds
from orderdesk.adapters.dynamodb.audit import audit_writes
from orderdesk.adapters.dynamodb.balance_shards import BalanceShards
from orderdesk.adapters.dynamodb.client import TablesStore, get_item
from orderdesk.adapters.dynamodb.keys import TableNames, merchant_key
from orderdesk.adapters.dynamodb.ledger import balance_place, credit_write, posting_writes
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.transactions import Write, add_write, never, transact
from orderdesk.adapters.dynamodb.withdrawals import approved_write
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import OrderdeskError
from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance, Posting, Transfer
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import BalanceTooLow, RequestDecided, UnknownId
from orderdesk.domain.proposals import Sum

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_UNDERFLOW = never("an account holds less than its open withdrawals")


class OperatorFunds(TablesStore):
    def __init__(self, client: "DynamoDBClient", tables: TableNames) -> None:
        super().__init__(client, tables)
        self._shards = BalanceShards(client, tables.ledger)

    def balance(self, account: Account) -> Balance:
        if account.kind is not AccountKind.TRADER:
            return self._shards.total(account)
        item = get_item(self._client, self._tables.traders, {"trader_id": account.owner})
        if item is None:
            raise UnknownId("trader", account.owner)
        available, held = item["available_micro"], item["held_micro"]
        assert isinstance(available, int)
        assert isinstance(held, int)
        return Balance(available, held)

    def fund(self, transfer: Transfer, entry: AuditEntry, token: str) -> None:
        writes = [s for posting in transfer.postings for s in self._balance_writes(posting)]
        transact(self._client, [*self._posted(transfer, entry), *writes], token)

    def pay_out(
        self,
        transfer: Transfer,
        entry: AuditEntry,
        token: str,
        *,
        is_held: bool,
        request: WithdrawalRequest | None = None,
    ) -> None:
        own, outside = transfer.postings
        rest = [*self._posted(transfer, entry), credit_write(self._tables.ledger, outside)]
        if request is not None:
            rest.append(self._approved(request, transfer))
        if is_held:
            paid = add_write(
                *balance_place(self._tables, own.account),
                {"held_micro": own.amount_micro},
                _UNDERFLOW,
            )
            transact(self._client, [*rest, paid], token)
            return
        money = Sum(own.account, -own.amount_micro)
        take(self._client, self._tables, money, rest, token, is_held=False)

    def _approved(self, request: WithdrawalRequest, transfer: Transfer) -> Write:
        number = request.request_no
        return approved_write(
            *(self._tables.ledger, request, transfer.transfer_id, transfer.at_us),
            lambda _: RequestDecided(f"{number} was decided or taken up meanwhile"),
        )

    def _posted(self, transfer: Transfer, entry: AuditEntry) -> list[Write]:
        """Write the entry first: if its proposal was decided, the other conditions fail, too."""
        return [
            *audit_writes(self._tables, entry),
            *posting_writes(self._tables.ledger, transfer),
        ]

    def _balance_writes(self, posting: Posting) -> list[Write]:
        """Post to one account's balance: a trader's is on its item, others are in the ledger."""
        match posting.account.kind:
            case AccountKind.TRADER:
                return [trader_credit_write(self._tables.traders, posting)]
            case AccountKind.MERCHANT:
                owner = merchant_exists_write(self._tables.merchants, posting.account.owner)
                return [owner, credit_write(self._tables.ledger, posting)]
            case AccountKind.DEPOSIT | AccountKind.FEE | AccountKind.FUNDING:
                return [credit_write(self._tables.ledger, posting)]


def take(
    client: "DynamoDBClient",
    tables: TableNames,
    money: Sum,
    rest: Sequence[Write],
    token: str,
    *,
    is_held: bool,
) -> None:
    """Deduct an amount from an account's available balance, with other writes.

    As `holds.take`. Raises: also BalanceTooLow, UnknownId.
    """
    account = money.account
    owner = [merchant_exists_write(tables.merchants, account.owner)]
    writes = [*rest, *(owner if account.kind is AccountKind.MERCHANT else [])]

    def refused(available_micro: int | None) -> OrderdeskError:
        if available_micro is None and account.kind is AccountKind.TRADER:
            return UnknownId("trader", account.owner)
        usdt = format_usdt(available_micro or 0), format_usdt(money.amount_micro)
        return BalanceTooLow(account.owner, *usdt)

    holds.take(client, tables, money, writes, token, refused=refused, is_held=is_held)


def merchant_exists_write(table: str, merchant_id: str) -> Write:
    """Check that a merchant exists. Lost: UnknownId."""
    check = {
        "TableName": table,
        "Key": to_item({"pk": merchant_key(merchant_id)}),
        "ConditionExpression": "attribute_exists(pk)",
    }
    return Write({"ConditionCheck": check}, lambda _: UnknownId("merchant", merchant_id))


def trader_credit_write(table: str, posting: Posting) -> Write:
    """Add a posting's amount to a trader's available balance. Lost: UnknownId.

    `version` stays, so a concurrent claim remains valid: the balance only grows.
    """
    account = posting.account
    exists_in_this_mode = "#mode = :mode"
    update = {
        "TableName": table,
        "Key": to_item({"trader_id": account.owner}),
        "UpdateExpression": "ADD available_micro :amount",
        "ConditionExpression": exists_in_this_mode,
        "ExpressionAttributeNames": {"#mode": "mode"},
        "ExpressionAttributeValues": to_item(
            {":amount": posting.amount_micro, ":mode": account.mode.value}
        ),
    }
    return Write({"Update": update}, lambda _: UnknownId("trader", account.owner))
