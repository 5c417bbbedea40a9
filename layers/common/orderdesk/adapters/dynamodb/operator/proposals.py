"""Proposals for operators: proposed, rejected and finished, each with its audit entry."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from orderdesk.adapters.dynamodb.audit import CONTENT, answered_write, audit_writes, commit_audited
from orderdesk.adapters.dynamodb.keys import Index, Key
from orderdesk.adapters.dynamodb.marshal import Item, readable
from orderdesk.adapters.dynamodb.operator.funds import merchant_exists_write, take
from orderdesk.adapters.dynamodb.operator.typed import strictly
from orderdesk.adapters.dynamodb.proposals import (
    BLOCKED,
    ProposalStore,
    payout_key,
    proposal_item,
    proposal_key,
    proposal_of,
)
from orderdesk.adapters.dynamodb.transactions import Shift, Write, transact
from orderdesk.adapters.dynamodb.withdrawals import (
    ended_writes,
    request_key,
    request_of,
    taken_up_write,
)
from orderdesk.domain.accounts import AccountKind
from orderdesk.domain.audit import AuditEntry, FirstAnswer
from orderdesk.domain.merchants.withdrawals import RequestStatus, WithdrawalRequest
from orderdesk.domain.operators import RequestDecided
from orderdesk.domain.proposals import PartResult, Proposal, ProposalStatus
from orderdesk.domain.times import US_PER_SECOND

_PAGE_ITEMS = 100
# Below and above every proposal_no.
FIRST, LAST = "P", "Q"


class OperatorProposals(ProposalStore):
    def newest(self, since: str, before: str | None) -> Iterator[Sequence[Proposal]]:
        since, before = since or FIRST, before or LAST
        if before < since:
            return  # DynamoDB refuses such a range
        asked = self._query(
            *(self._tables.ledger, Index.ITEMS, Key.PROPOSALS),
            ("BETWEEN", since, before),
            newest_first=True,
            consistent=True,
            limit=_PAGE_ITEMS,
        )
        for page in asked.pages():
            found = readable(_listed, page)
            yield [proposal for proposal in found if proposal.proposal_no != before]

    def first_answer(self, person: str, key: str, now: int) -> FirstAnswer | None:
        item = self._get_item(self._tables.guards, {"pk": Key.answer(person, key)})
        row = cast("Mapping[str, Any]", item or {"expires_at": 0})
        if now >= row["expires_at"]:
            return None
        return FirstAnswer(person, key, row["digest"], row["ids"], row["expires_at"])

    def keep_key(self, answer: FirstAnswer, now: int, token: str) -> None:
        transact(self._client, [answered_write(self._tables.guards, answer, now)], token)

    def propose(self, proposal: Proposal, entry: AuditEntry) -> None:
        rest = [
            *audit_writes(self._tables, entry),
            Write.put_new(self._tables.ledger, "sk", proposal_item(proposal)),
        ]
        money = proposal.plan.money
        hold = proposal.hold
        if hold is not None:
            moved = Shift(-hold.amount_micro, hold.amount_micro, entry.at_us // US_PER_SECOND)
            take(self._client, self._tables, hold.account, moved, rest, token=entry.token)
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
        transact(self._client, rest, entry.token)

    def reject(self, rejected: Proposal, entry: AuditEntry, *, is_blocked: bool = False) -> None:
        on_time = BLOCKED if is_blocked else "expires_at > :now"
        writes = self.ended_writes(rejected, entry.at_us // US_PER_SECOND, on_time)
        if is_blocked:
            key = payout_key(rejected.proposal_no)
            writes.append(Write.delete(self._tables.ledger, key, ""))
        if rejected.plan.request_no:
            request = self._request(rejected)
            ended, reason = RequestStatus.REJECTED, rejected.reason
            writes += ended_writes(self._tables, request, ended, entry.at_us, reason=reason)
        commit_audited(self._client, self._tables, writes, entry)

    def _request(self, proposal: Proposal) -> WithdrawalRequest:
        key = request_key(proposal.plan.target, proposal.plan.request_no)
        item = self._get_item(self._tables.ledger, key)
        assert item is not None, "a proposal's request was deleted"
        return request_of(item)

    def record(self, entry: AuditEntry) -> None:
        commit_audited(self._client, self._tables, [], entry)

    def finish(self, proposal_no: str, results: Sequence[PartResult], entry: AuditEntry) -> None:
        new: Item = {
            "status": ProposalStatus.EXECUTED.value,
            "executed_at_us": entry.at_us,
            "results": [[each.order_no, each.status, each.refused] for each in results],
        }
        finished = Write.set(
            self._tables.ledger,
            proposal_key(proposal_no),
            new,
            "#status = :begun",
            values={":begun": ProposalStatus.BEGUN.value},
            removes=CONTENT,
        )
        commit_audited(self._client, self._tables, [finished], entry)

    def record_reveal(self, proposal: Proposal, entry: AuditEntry) -> None:
        readable = Write.check(
            self._tables.ledger,
            proposal_key(proposal.proposal_no),
            "attribute_exists(sealed) AND reveal_until > :now",
            values={":now": entry.at_us // US_PER_SECOND},
        )
        commit_audited(self._client, self._tables, [readable], entry)


def _listed(item: Item) -> Proposal:
    """Return the proposal of an item whose attributes all have their types. Raises: UNREADABLE."""
    proposal = proposal_of(item)
    strictly(proposal.plan)
    return strictly(proposal)
