"""Fundings, withdrawals, withdrawal requests and proposals, for operators.

Each step is one transaction with its balances, postings and audit entry. Concurrent writers:
orders, fundings and withdrawals add to the same balance and never set it, and it never falls below
zero.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from orderdesk.adapters.dynamodb.audit import CONTENT, answered_write, audit_writes
from orderdesk.adapters.dynamodb.balance_shards import BalanceShards
from orderdesk.adapters.dynamodb.balance_writes import Shift, balance_write
from orderdesk.adapters.dynamodb.client import TablesStore, get_item, get_items, query_pages
from orderdesk.adapters.dynamodb.keys import (
    OPEN_REQUESTS_KEY,
    PROPOSALS_KEY,
    TableNames,
    answer_key,
    merchant_key,
    team_key,
)
from orderdesk.adapters.dynamodb.ledger import balance_place, credit_write, posting_writes
from orderdesk.adapters.dynamodb.marshal import Item, from_item, readable, readable_rows, to_item
from orderdesk.adapters.dynamodb.operator.typed import strictly
from orderdesk.adapters.dynamodb.proposals import (
    BLOCKED,
    ProposalStore,
    payout_key,
    proposal_item,
    proposal_key,
    proposal_of,
)
from orderdesk.adapters.dynamodb.transactions import Write, never, put_new_write, transact
from orderdesk.adapters.dynamodb.withdrawals import (
    agreed_write,
    approved_write,
    entry_check,
    rejected_writes,
    request_key,
    request_of,
    sent_writes,
    stored_book,
    stored_request,
    take_amount,
    taken_up_write,
)
from orderdesk.adapters.sending import call
from orderdesk.domain.audit import AuditEntry, FirstAnswer
from orderdesk.domain.errors import ChangedMeanwhile, OrderdeskError
from orderdesk.domain.ledger.accounts import (
    SHARDED,
    Account,
    AccountKind,
    Balance,
    Posting,
    Transfer,
)
from orderdesk.domain.merchants.addresses import AddressBook
from orderdesk.domain.merchants.withdrawals import WithdrawalRequest
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import (
    ADDRESS_GONE,
    BalanceTooLow,
    RequestDecided,
    RequestForged,
    UnknownId,
)
from orderdesk.domain.proposals import PartResult, Proposal, ProposalStatus, Sum
from orderdesk.domain.times import US_PER_SECOND

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

UNDERFLOW = never("an account holds less than its open withdrawals")
_PAGE_ITEMS = 100
# Below and above every proposal_no.
FIRST, LAST = "P", "Q"


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

    def owner_name(self, account: Account) -> str:
        is_trader, owner = account.kind is AccountKind.TRADER, account.owner
        table = self._tables.traders if is_trader else self._tables.merchants
        key = {"trader_id": owner} if is_trader else {"pk": merchant_key(owner)}
        item = get_item(self._client, table, key)
        if item is None:
            raise UnknownId("trader" if is_trader else "merchant", owner)
        return str(item["name"])

    def has_team(self, merchant_id: str) -> bool:
        item = get_item(self._client, self._tables.merchants, {"pk": team_key(merchant_id)})
        return bool((item or {}).get("members"))

    def fund(self, transfer: Transfer, entry: AuditEntry, token: str) -> None:
        at = transfer.at_us // US_PER_SECOND
        writes = [s for posting in transfer.postings for s in self._balance_writes(posting, at)]
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
        own, to = transfer.postings
        at = transfer.at_us // US_PER_SECOND
        rest = [*self._posted(transfer, entry), credit_write(self._tables.ledger, to, at)]
        if request is not None:
            rest += request_writes(self._tables.ledger, request, transfer)
        if is_held:
            paid = balance_write(
                *balance_place(self._tables, own.account), Shift(0, own.amount_micro, at), UNDERFLOW
            )
            transact(self._client, [*rest, paid], token)
            return
        money = Sum(own.account, -own.amount_micro)
        take(self._client, self._tables, money, rest, token, at=at, is_held=False)

    def put_off(
        self, entry: AuditEntry, token: str, *, request: WithdrawalRequest | None = None
    ) -> None:
        assert entry.executes is not None
        ledger = self._tables.ledger
        writes = audit_writes(self._tables, entry)
        writes.append(put_new_write(ledger, "sk", payout_key(entry.executes.proposal_no)))
        if request is not None:
            number = request.request_no
            writes += [
                agreed_write(
                    *(ledger, request, entry.at_us),
                    lambda _: RequestDecided(f"{number} was decided or changed meanwhile"),
                ),
                entry_check(ledger, request, lambda _: RequestForged(number, ADDRESS_GONE)),
            ]
        transact(self._client, writes, token)

    def _posted(self, transfer: Transfer, entry: AuditEntry) -> list[Write]:
        """Write the entry first: if its proposal was decided, the other conditions fail, too."""
        return [*audit_writes(self._tables, entry), *posting_writes(self._tables.ledger, transfer)]

    def _balance_writes(self, posting: Posting, at: int) -> list[Write]:
        """Post to one account's balance: a trader's is on its item, others are in the ledger."""
        match posting.account.kind:
            case AccountKind.TRADER:
                return [trader_credit_write(self._tables.traders, posting, at)]
            case AccountKind.MERCHANT:
                owner = merchant_exists_write(self._tables.merchants, posting.account.owner)
                return [owner, credit_write(self._tables.ledger, posting, at)]
            case AccountKind.DEPOSIT | AccountKind.FEE | AccountKind.FUNDING:
                return [credit_write(self._tables.ledger, posting, at)]


def request_writes(table: str, request: WithdrawalRequest, transfer: Transfer) -> list[Write]:
    """Approve a request as it was read, by the transfer that pays it to its entry in the book."""
    number = request.request_no
    return [
        approved_write(
            *(table, request, transfer.transfer_id, transfer.at_us),
            lambda _: RequestDecided(f"{number} was decided, taken up or changed meanwhile"),
        ),
        entry_check(table, request, lambda _: RequestForged(number, ADDRESS_GONE)),
    ]


def take(
    client: "DynamoDBClient",
    tables: TableNames,
    money: Sum,
    rest: Sequence[Write],
    token: str,
    *,
    at: int,
    is_held: bool,
) -> None:
    """Deduct an amount from an account's available balance, with other writes.

    As `take_amount`. Raises: also BalanceTooLow, UnknownId.
    """
    account = money.account
    is_merchants = account.kind in SHARDED
    owner = [merchant_exists_write(tables.merchants, account.owner)] if is_merchants else []
    writes = [*rest, *owner]

    def refused(available_micro: int | None) -> OrderdeskError:
        if available_micro is None and account.kind is AccountKind.TRADER:
            return UnknownId("trader", account.owner)
        usdt = format_usdt(available_micro or 0), format_usdt(money.amount_micro)
        return BalanceTooLow(account.owner, *usdt)

    take_amount(client, tables, money, writes, token, refused=refused, at=at, is_held=is_held)


def merchant_exists_write(table: str, merchant_id: str) -> Write:
    """Check that a merchant exists. Lost: UnknownId."""
    check = {
        "TableName": table,
        "Key": to_item({"pk": merchant_key(merchant_id)}),
        "ConditionExpression": "attribute_exists(pk)",
    }
    return Write({"ConditionCheck": check}, lambda _: UnknownId("merchant", merchant_id))


def trader_credit_write(table: str, posting: Posting, at: int) -> Write:
    """Add a posting's amount to a trader's available balance. Lost: UnknownId.

    `version` stays, so a concurrent claim remains valid: the balance only grows.
    """
    account = posting.account
    exists_in_this_mode = "#mode = :mode"
    return balance_write(
        table,
        {"trader_id": account.owner},
        Shift(posting.amount_micro, 0, at),
        lambda _: UnknownId("trader", account.owner),
        condition=exists_in_this_mode,
        names={"#mode": "mode"},
        values={":mode": account.mode.value},
    )


class OperatorRequests(TablesStore):
    """Withdrawal requests of all merchants."""

    def request(self, request_no: str) -> WithdrawalRequest | None:
        return stored_request(self._client, self._tables.ledger, request_no)

    def address_book(self, merchant_id: str) -> AddressBook:
        return stored_book(self._client, self._tables.ledger, merchant_id)

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
        return [*readable_rows(lambda item: strictly(request_of(item)), items)]

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


class OperatorProposals(ProposalStore):
    def newest(self, since: str, before: str | None) -> Iterator[Sequence[Proposal]]:
        since, before = since or FIRST, before or LAST
        if before < since:
            return  # DynamoDB refuses such a range
        query = {
            "TableName": self._tables.ledger,
            "KeyConditionExpression": "pk = :proposals AND sk BETWEEN :since AND :before",
            "ExpressionAttributeValues": to_item(
                {":proposals": PROPOSALS_KEY, ":since": since, ":before": before}
            ),
            "ScanIndexForward": False,
            "ConsistentRead": True,
            "Limit": _PAGE_ITEMS,
        }
        for page in query_pages(self._client, query):
            found = readable(_listed, page)
            yield [proposal for proposal in found if proposal.proposal_no != before]

    def first_answer(self, person: str, key: str, now: int) -> FirstAnswer | None:
        item = get_item(self._client, self._tables.guards, {"pk": answer_key(person, key)})
        row = cast("Mapping[str, Any]", item or {"expires_at": 0})
        if now >= row["expires_at"]:
            return None
        return FirstAnswer(person, key, row["digest"], row["ids"], row["expires_at"])

    def keep_key(self, answer: FirstAnswer, now: int, token: str) -> None:
        transact(self._client, [answered_write(self._tables.guards, answer, now)], token)

    def propose(self, proposal: Proposal, entry: AuditEntry, token: str) -> None:
        rest = [
            *audit_writes(self._tables, entry),
            put_new_write(self._tables.ledger, "sk", proposal_item(proposal)),
        ]
        money = proposal.plan.money
        if proposal.hold is not None:
            at = entry.at_us // US_PER_SECOND
            take(self._client, self._tables, proposal.hold, rest, token, at=at, is_held=True)
            return
        plan = proposal.plan
        if plan.request_no:
            rest.append(
                taken_up_write(
                    *(self._tables.ledger, plan.target, plan.request_no, proposal.proposal_no),
                    lambda _: RequestDecided(f"{plan.request_no} was decided or taken up before"),
                )
            )
        elif money is not None and money.account.kind is AccountKind.MERCHANT:
            rest.append(merchant_exists_write(self._tables.merchants, money.account.owner))
        transact(self._client, rest, token)

    def reject(
        self, rejected: Proposal, entry: AuditEntry, token: str, *, is_blocked: bool = False
    ) -> None:
        on_time = BLOCKED if is_blocked else "expires_at > :now"
        writes = self.ended_writes(rejected, entry.at_us // US_PER_SECOND, on_time)
        if is_blocked:
            key = to_item(payout_key(rejected.proposal_no))
            place = {"TableName": self._tables.ledger, "Key": key}
            writes.append(Write({"Delete": place}, lambda _: ChangedMeanwhile()))
        if rejected.plan.request_no:
            request = self._request(rejected)
            writes += rejected_writes(self._tables, request, entry.at_us, rejected.reason)
        transact(self._client, [*writes, *audit_writes(self._tables, entry)], token)

    def _request(self, proposal: Proposal) -> WithdrawalRequest:
        key = request_key(proposal.plan.target, proposal.plan.request_no)
        item = get_item(self._client, self._tables.ledger, key)
        assert item is not None, "a proposal's request was deleted"
        return request_of(item)

    def record(self, entry: AuditEntry, token: str) -> None:
        transact(self._client, audit_writes(self._tables, entry), token)

    def finish(
        self, proposal_no: str, results: Sequence[PartResult], entry: AuditEntry, token: str
    ) -> None:
        new: Item = {
            "status": ProposalStatus.EXECUTED.value,
            "executed_at_us": entry.at_us,
            "results": [[each.order_no, each.status, each.refused] for each in results],
        }
        update = {
            "TableName": self._tables.ledger,
            "Key": to_item(proposal_key(proposal_no)),
            "UpdateExpression": (
                f"SET {', '.join(f'#{name} = :{name}' for name in new)} REMOVE {CONTENT}"
            ),
            "ConditionExpression": "#status = :begun",
            "ExpressionAttributeNames": {f"#{name}": name for name in (*new, "parameters")},
            "ExpressionAttributeValues": to_item(
                {f":{name}": value for name, value in new.items()}
                | {":begun": ProposalStatus.BEGUN.value}
            ),
        }
        finished = Write({"Update": update}, lambda _: ChangedMeanwhile())
        transact(self._client, [finished, *audit_writes(self._tables, entry)], token)

    def record_reveal(self, proposal: Proposal, entry: AuditEntry, token: str) -> None:
        check = {
            "TableName": self._tables.ledger,
            "Key": to_item(proposal_key(proposal.proposal_no)),
            "ConditionExpression": "attribute_exists(sealed) AND reveal_until > :now",
            "ExpressionAttributeValues": to_item({":now": entry.at_us // US_PER_SECOND}),
        }
        readable = Write({"ConditionCheck": check}, lambda _: ChangedMeanwhile())
        transact(self._client, [readable, *audit_writes(self._tables, entry)], token)


def _listed(item: Item) -> Proposal:
    """Return the proposal of an item whose attributes all have their types. Raises: UNREADABLE."""
    proposal = proposal_of(item)
    strictly(proposal.plan)
    return strictly(proposal)
