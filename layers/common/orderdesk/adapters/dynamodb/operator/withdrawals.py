"""Withdrawal requests of all merchants, for operators."""

from collections.abc import Sequence

from orderdesk.adapters.dynamodb.audit import audit_writes
from orderdesk.adapters.dynamodb.client import TablesStore, get_items
from orderdesk.adapters.dynamodb.keys import OPEN_REQUESTS_KEY
from orderdesk.adapters.dynamodb.marshal import from_item, readable, to_item
from orderdesk.adapters.dynamodb.operator.typed import strictly
from orderdesk.adapters.dynamodb.proposals import proposal_key
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.adapters.dynamodb.withdrawals import (
    request_key,
    request_of,
    sent_writes,
    stored_request,
)
from orderdesk.adapters.sending import call
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.proposals import ProposalStatus


class OperatorRequests(TablesStore):
    def request(self, request_no: str) -> WithdrawalRequest | None:
        return stored_request(self._client, self._tables.ledger, request_no)

    def open_after(self, request_no: str, limit: int) -> Sequence[WithdrawalRequest]:
        answer = call(
            lambda: self._client.query(
                TableName=self._tables.ledger,
                KeyConditionExpression="pk = :open AND sk > :after",
                ExpressionAttributeValues=to_item(
                    {":open": OPEN_REQUESTS_KEY, ":after": request_no}
                ),
                ConsistentRead=True,
                Limit=limit,
            )
        )
        places = map(from_item, answer["Items"])
        keys = [request_key(str(place["merchant_id"]), str(place["sk"])) for place in places]
        items = get_items(self._client, self._tables.ledger, keys)
        return [*readable(lambda item: strictly(request_of(item)), map(to_item, items))]

    def record_sent(
        self,
        proposal_no: str,
        request: WithdrawalRequest | None,
        txid: str,
        entry: AuditEntry,
        token: str,
    ) -> None:
        ledger = self._tables.ledger
        writes = audit_writes(self._tables, entry)
        if proposal_no:
            writes.append(_sent_write(ledger, proposal_no, txid, entry.at_us))
        if request is not None:
            writes += sent_writes(ledger, request, txid, entry.at_us)
        transact(self._client, writes, token)


def _sent_write(table: str, proposal_no: str, txid: str, at_us: int) -> Write:
    """Record the transaction of an executed withdrawal, once. Lost: ChangedMeanwhile."""
    update = {
        "TableName": table,
        "Key": to_item(proposal_key(proposal_no)),
        "UpdateExpression": "SET txid = :txid, sent_at_us = :at_us",
        "ConditionExpression": "#status = :executed AND attribute_not_exists(txid)",
        "ExpressionAttributeNames": {"#status": "status"},
        "ExpressionAttributeValues": to_item(
            {":executed": ProposalStatus.EXECUTED.value, ":txid": txid, ":at_us": at_us}
        ),
    }
    return Write({"Update": update}, lambda _: ChangedMeanwhile())
