"""Proposals in the Ledger table; each step is one transaction with its money and audit entry.

The execution of a proposal is written by `audit.audit_writes`, in the transaction of the command.
Of an approval, a rejection and the expiry, only one finds the proposal open.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from orderdesk.adapters.dynamodb.audit import audit_writes
from orderdesk.adapters.dynamodb.client import TablesStore, get_item, query_pages
from orderdesk.adapters.dynamodb.keys import PROPOSALS_KEY, answer_key
from orderdesk.adapters.dynamodb.marshal import Item, Value, from_item, to_item
from orderdesk.adapters.dynamodb.operator.funds import merchant_exists_write, release_write, take
from orderdesk.adapters.dynamodb.transactions import Write, put_new_write, transact
from orderdesk.domain.audit import AuditEntry, FirstAnswer
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.ledger.accounts import AccountKind
from orderdesk.domain.ledger.rows import account_of
from orderdesk.domain.proposals import Plan, Proposal, ProposalStatus, Sum, TwoPersonCommand
from orderdesk.domain.times import US_PER_SECOND

_PAGE_ITEMS = 100


def proposal_item(proposal: Proposal) -> Item:
    """Return the item of an open proposal."""
    plan, money = proposal.plan, proposal.plan.money
    return {
        **_key(proposal.proposal_no),
        "command": proposal.command.value,
        "parameters": proposal.parameters,
        "target": plan.target,
        "summary": plan.summary,
        "before": cast("dict[str, Value]", dict(plan.before)),
        "after": cast("dict[str, Value]", dict(plan.after)),
        "memo": plan.reason,
        "basis": cast("dict[str, Value]", dict(plan.basis)),
        "account": None if money is None else money.account.key,
        "amount_micro": None if money is None else money.amount_micro,
        "proposed_by": proposal.proposed_by,
        "proposed_at_us": proposal.proposed_at_us,
        "expires_at": proposal.expires_at,
        "status": proposal.status.value,
    }


def proposal_of(item: Mapping[str, Value]) -> Proposal:
    """Return the proposal of an item."""
    row = cast("Mapping[str, Any]", item)
    return Proposal(
        proposal_no=row["sk"],
        command=TwoPersonCommand(row["command"]),
        parameters=row.get("parameters", ""),
        plan=Plan(
            target=row["target"],
            summary=row["summary"],
            before=row["before"],
            after=row["after"],
            reason=row["memo"],
            basis=row.get("basis", {}),
            money=_sum_of(row),
        ),
        proposed_by=row["proposed_by"],
        proposed_at_us=row["proposed_at_us"],
        expires_at=row["expires_at"],
        status=ProposalStatus(row["status"]),
        decided_by=row.get("decided_by", ""),
        decided_at_us=row.get("decided_at_us"),
        reason=row.get("reason", ""),
        audit_id=row.get("audit_id", ""),
        decision=row.get("decision", ""),
        sealed=row.get("sealed"),
        reveal_until=row.get("reveal_until", 0),
    )


def _sum_of(row: Mapping[str, Any]) -> Sum | None:
    if "account" not in row:
        return None
    account = account_of(row["account"])
    assert account is not None
    return Sum(account, row["amount_micro"])


def _key(proposal_no: str) -> Item:
    return {"pk": PROPOSALS_KEY, "sk": proposal_no}


class OperatorProposals(TablesStore):
    def proposal(self, proposal_no: str) -> Proposal | None:
        item = get_item(self._client, self._tables.ledger, _key(proposal_no))
        return None if item is None else proposal_of(item)

    def newest(self, since: str, before: str | None) -> Iterator[Sequence[Proposal]]:
        query = {
            "TableName": self._tables.ledger,
            "KeyConditionExpression": "pk = :proposals AND sk BETWEEN :since AND :before",
            "ExpressionAttributeValues": to_item(
                {":proposals": PROPOSALS_KEY, ":since": since or "P", ":before": before or "Q"}
            ),
            "ScanIndexForward": False,
            "ConsistentRead": True,
            "Limit": _PAGE_ITEMS,
        }
        for page in query_pages(self._client, query):
            found = (proposal_of(from_item(item)) for item in page)
            yield [proposal for proposal in found if proposal.proposal_no != before]

    def first_answer(self, person: str, key: str, now: int) -> FirstAnswer | None:
        item = get_item(self._client, self._tables.guards, {"pk": answer_key(person, key)})
        row = cast("Mapping[str, Any]", item or {"expires_at": 0})
        if now >= row["expires_at"]:
            return None
        return FirstAnswer(person, key, row["digest"], row["ids"], row["expires_at"])

    def propose(self, proposal: Proposal, entry: AuditEntry, token: str) -> None:
        rest = [
            *audit_writes(self._tables, entry),
            put_new_write(self._tables.ledger, "sk", proposal_item(proposal)),
        ]
        money = proposal.plan.money
        if proposal.hold is not None:
            take(self._client, self._tables, proposal.hold, rest, token, is_held=True)
            return
        if money is not None and money.account.kind is AccountKind.MERCHANT:
            rest.append(merchant_exists_write(self._tables.merchants, money.account.owner))
        transact(self._client, rest, token)

    def reject(self, rejected: Proposal, entry: AuditEntry, token: str) -> None:
        still_open = "expires_at > :now"
        writes = self._ended(rejected, entry.at_us // US_PER_SECOND, still_open)
        transact(self._client, [*writes, *audit_writes(self._tables, entry)], token)

    def record_reveal(self, proposal: Proposal, entry: AuditEntry, token: str) -> None:
        check = {
            "TableName": self._tables.ledger,
            "Key": to_item(_key(proposal.proposal_no)),
            "ConditionExpression": "attribute_exists(sealed) AND reveal_until > :now",
            "ExpressionAttributeValues": to_item({":now": entry.at_us // US_PER_SECOND}),
        }
        readable = Write({"ConditionCheck": check}, lambda _: ChangedMeanwhile())
        transact(self._client, [readable, *audit_writes(self._tables, entry)], token)

    def due(self, since: str, now: int) -> Iterator[str]:
        query = {
            "TableName": self._tables.ledger,
            "KeyConditionExpression": "pk = :proposals AND sk >= :since",
            "FilterExpression": (
                "(#status = :open AND expires_at <= :now) OR "
                "(attribute_exists(sealed) AND reveal_until <= :now)"
            ),
            "ProjectionExpression": "sk",
            "ExpressionAttributeNames": {"#status": "status"},
            "ExpressionAttributeValues": to_item(
                {
                    ":proposals": PROPOSALS_KEY,
                    ":since": since,
                    ":open": ProposalStatus.OPEN.value,
                    ":now": now,
                }
            ),
        }
        for page in query_pages(self._client, query):
            yield from (str(from_item(item)["sk"]) for item in page)

    def expire(self, expired: Proposal, token: str) -> None:
        assert expired.decided_at_us is not None
        now = expired.decided_at_us // US_PER_SECOND
        transact(self._client, self._ended(expired, now, "expires_at <= :now"), token)

    def forget(self, proposal_no: str, now: int, token: str) -> None:
        forget = {
            "TableName": self._tables.ledger,
            "Key": to_item(_key(proposal_no)),
            "UpdateExpression": "REMOVE sealed",
            "ConditionExpression": "reveal_until <= :now",
            "ExpressionAttributeValues": to_item({":now": now}),
        }
        transact(self._client, [Write({"Update": forget}, lambda _: ChangedMeanwhile())], token)

    def _ended(self, ended: Proposal, now: int, on_time: str) -> list[Write]:
        """End a proposal without executing it, and release what it holds."""
        new: Item = {
            "status": ended.status.value,
            "decided_by": ended.decided_by,
            "decided_at_us": ended.decided_at_us,
            "reason": ended.reason,
            "audit_id": ended.audit_id,
        }
        update = {
            "TableName": self._tables.ledger,
            "Key": to_item(_key(ended.proposal_no)),
            "UpdateExpression": (
                f"SET {', '.join(f'#{name} = :{name}' for name in new)} REMOVE #parameters, basis"
            ),
            "ConditionExpression": f"#status = :open AND {on_time}",
            "ExpressionAttributeNames": {f"#{name}": name for name in (*new, "parameters")},
            "ExpressionAttributeValues": to_item(
                {f":{name}": value for name, value in new.items()}
                | {":open": ProposalStatus.OPEN.value, ":now": now}
            ),
        }
        writes = [Write({"Update": update}, lambda _: ChangedMeanwhile())]
        if ended.hold is not None:
            writes.append(release_write(self._tables, ended.hold))
        return writes
