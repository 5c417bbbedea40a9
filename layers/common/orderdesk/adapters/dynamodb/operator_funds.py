"""Fundings: both balances, both postings and the audit entry in one transaction."""

from typing import TYPE_CHECKING

from orderdesk.adapters.dynamodb.audit import audit_statement
from orderdesk.adapters.dynamodb.keys import TableNames, merchant_key
from orderdesk.adapters.dynamodb.ledger import credit_statement, posting_statements
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.dynamodb.transactions import Statement, transact
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.ledger import AccountKind, Posting, Transfer
from orderdesk.domain.operator_errors import UnknownId

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class OperatorFunds:
    """Fills the port `Funds`."""

    def __init__(self, client: "DynamoDBClient", tables: TableNames) -> None:
        self._client = client
        self._tables = tables

    def fund(self, transfer: Transfer, entry: AuditEntry, token: str) -> None:
        """Post a funding of a merchant or trader. Raises: see the port."""
        statements = [
            *(s for posting in transfer.postings for s in self._balance_statements(posting)),
            *posting_statements(self._tables.ledger, transfer),
            audit_statement(self._tables.ledger, entry),
        ]
        transact(self._client, statements, token)

    def _balance_statements(self, posting: Posting) -> list[Statement]:
        """Move one account's balance: a trader's is on its item, the others' in the ledger."""
        match posting.account.kind:
            case AccountKind.TRADER:
                return [trader_credit_statement(self._tables.traders, posting)]
            case AccountKind.MERCHANT:
                owner = merchant_exists_statement(self._tables.merchants, posting.account.owner)
                return [owner, credit_statement(self._tables.ledger, posting)]
            case _:
                return [credit_statement(self._tables.ledger, posting)]


def merchant_exists_statement(table: str, merchant_id: str) -> Statement:
    """Check that a merchant exists; lost: UnknownId."""
    check = {
        "TableName": table,
        "Key": to_item({"pk": merchant_key(merchant_id)}),
        "ConditionExpression": "attribute_exists(pk)",
    }
    return Statement({"ConditionCheck": check}, lambda _: UnknownId("merchant", merchant_id))


def trader_credit_statement(table: str, posting: Posting) -> Statement:
    """Add a posting's amount to what a trader has available; lost: UnknownId.

    Moves no version: a claim made at the same time still holds, there is only more to hold from.
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
    return Statement({"Update": update}, lambda _: UnknownId("trader", account.owner))
