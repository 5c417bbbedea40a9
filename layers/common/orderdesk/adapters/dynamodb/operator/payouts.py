"""Payouts that wait for a seal: found by their places, paid or blocked in one transaction."""

from collections.abc import Sequence

from orderdesk.adapters.dynamodb.balance_writes import Shift, balance_write
from orderdesk.adapters.dynamodb.client import query_pages
from orderdesk.adapters.dynamodb.keys import PAYOUTS_KEY
from orderdesk.adapters.dynamodb.ledger import balance_place, credit_write, posting_writes
from orderdesk.adapters.dynamodb.marshal import Item, from_item, to_item
from orderdesk.adapters.dynamodb.operator.funds import UNDERFLOW, request_writes
from orderdesk.adapters.dynamodb.proposals import ProposalStore, payout_key, proposal_key
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.adapters.dynamodb.withdrawals import stored_book, stored_request
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.ledger.accounts import Transfer
from orderdesk.domain.merchants.addresses import AddressBook
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.proposals import ProposalStatus
from orderdesk.domain.times import US_PER_SECOND

_WAITS = "#status IN (:approved, :blocked)"
_WAITING: Item = {
    ":approved": ProposalStatus.APPROVED.value,
    ":blocked": ProposalStatus.BLOCKED.value,
}


class PayoutStore(ProposalStore):
    def waiting(self) -> Sequence[str]:
        query = {
            "TableName": self._tables.ledger,
            "KeyConditionExpression": "pk = :payouts",
            "ExpressionAttributeValues": to_item({":payouts": PAYOUTS_KEY}),
            "ConsistentRead": True,
        }
        pages = query_pages(self._client, query)
        return [str(from_item(item)["sk"]) for page in pages for item in page]

    def request(self, request_no: str) -> WithdrawalRequest | None:
        return stored_request(self._client, self._tables.ledger, request_no)

    def address_book(self, merchant_id: str) -> AddressBook:
        return stored_book(self._client, self._tables.ledger, merchant_id)

    def pay(self, transfer: Transfer, request: WithdrawalRequest | None, token: str) -> None:
        own, to = transfer.postings
        at, number = transfer.at_us // US_PER_SECOND, transfer.transfer_id
        ledger = self._tables.ledger
        new: Item = {"status": ProposalStatus.EXECUTED.value, "executed_at_us": transfer.at_us}
        place = {"TableName": ledger, "Key": to_item(payout_key(number))}
        writes = [
            self._waits_write(number, new),
            Write({"Delete": place}, lambda _: ChangedMeanwhile()),
            *posting_writes(ledger, transfer),
            credit_write(ledger, to, at),
            balance_write(
                *balance_place(self._tables, own.account), Shift(0, own.amount_micro, at), UNDERFLOW
            ),
        ]
        if request is not None:
            writes += request_writes(ledger, request, transfer)
        transact(self._client, writes, token)

    def block(self, proposal_no: str, token: str) -> None:
        new: Item = {"status": ProposalStatus.BLOCKED.value}
        transact(self._client, [self._waits_write(proposal_no, new)], token)

    def _waits_write(self, proposal_no: str, new: Item) -> Write:
        """Change a payout that waits. Lost: ChangedMeanwhile."""
        update = {
            "TableName": self._tables.ledger,
            "Key": to_item(proposal_key(proposal_no)),
            "UpdateExpression": f"SET {', '.join(f'#{name} = :{name}' for name in new)}",
            "ConditionExpression": _WAITS,
            "ExpressionAttributeNames": {f"#{name}": name for name in new},
            "ExpressionAttributeValues": to_item(
                _WAITING | {f":{name}": value for name, value in new.items()}
            ),
        }
        return Write({"Update": update}, lambda _: ChangedMeanwhile())
