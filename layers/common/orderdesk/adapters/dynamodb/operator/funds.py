"""Fundings: both balances, both postings and the audit entry in one transaction."""

from orderdesk.adapters.dynamodb.audit import audit_write
from orderdesk.adapters.dynamodb.client import TablesStore
from orderdesk.adapters.dynamodb.keys import merchant_key
from orderdesk.adapters.dynamodb.ledger import credit_write, posting_writes
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.ledger.accounts import AccountKind, Posting, Transfer
from orderdesk.domain.operators import UnknownId


class OperatorFunds(TablesStore):
    def fund(self, transfer: Transfer, entry: AuditEntry, token: str) -> None:
        writes = [
            *(s for posting in transfer.postings for s in self._balance_writes(posting)),
            *posting_writes(self._tables.ledger, transfer),
            audit_write(self._tables.audit, entry),
        ]
        transact(self._client, writes, token)

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
