"""Proposals in the Ledger table, and their end without an execution.

The execution of a proposal is written by `audit.audit_writes`, in the transaction of the command.
Of an approval, a rejection and the expiry, only one finds the proposal open.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from orderdesk.adapters.dynamodb.audit import CONTENT
from orderdesk.adapters.dynamodb.client import TablesStore
from orderdesk.adapters.dynamodb.keys import Index, Key
from orderdesk.adapters.dynamodb.marshal import Item, Stored, attributes_of, from_item, value_of
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.adapters.dynamodb.withdrawals import release_write, returned_write
from orderdesk.domain.ledger.rows import account_of
from orderdesk.domain.proposals import Plan, Proposal, ProposalStatus, Sum, Whole
from orderdesk.domain.times import US_PER_SECOND

BLOCKED = "#status = :blocked"
"""The condition that a finding blocks a payout."""


_PROPOSAL = Stored(
    Proposal,
    beside="proposal_no parameters plan",
    usual="decided_by reason audit_id decision reveal_until txid results",
)
_PLAN = Stored(Plan, beside="reason money whole", usual="request_no", later="basis")


def proposal_item(proposal: Proposal) -> Item:
    """Return the item of an open proposal."""
    plan, money = proposal.plan, proposal.plan.money
    return {
        **proposal_key(proposal.proposal_no),
        **_PROPOSAL.item(proposal),
        "parameters": proposal.parameters,
        **_PLAN.item(plan),
        "memo": plan.reason,
        "whole_before": value_of(plan.whole.before),
        "whole_after": value_of(plan.whole.after),
        "account": None if money is None else money.account.key,
        "amount_micro": None if money is None else money.amount_micro,
    }


def proposal_of(row: Mapping[str, Any]) -> Proposal:
    """Return the proposal of a row."""
    whole = Whole(row.get("whole_before", {}), row.get("whole_after", {}))
    plan = replace(_PLAN.of(row, whole=whole), reason=row["memo"], money=_sum_of(row))
    number, parameters = row["sk"], row.get("parameters", "")
    return _PROPOSAL.of(row, proposal_no=number, parameters=parameters, plan=plan)


def _sum_of(row: Mapping[str, Any]) -> Sum | None:
    if "account" not in row:
        return None
    account = account_of(row["account"])
    assert account is not None
    return Sum(account, row["amount_micro"])


def payout_key(proposal_no: str) -> Item:
    """Return the key of what finds a payout while it waits for a seal."""
    return {"pk": Key.PAYOUTS, "sk": proposal_no}


def proposal_key(proposal_no: str) -> Item:
    return {"pk": Key.PROPOSALS, "sk": proposal_no}


class ProposalStore(TablesStore):
    """Read proposals, and end those whose time is over."""

    def proposal(self, proposal_no: str) -> Proposal | None:
        key = proposal_key(proposal_no)
        return self._find(self._tables.ledger, key, proposal_of)

    def due(self, since: str, now: int) -> Iterator[str]:
        is_over = "#status = :open AND expires_at <= :now"
        is_to_forget = "attribute_exists(sealed) AND reveal_until <= :now"
        asked = self._query(
            *(self._tables.ledger, Index.ITEMS, Key.PROPOSALS),
            (">=", since),
            values={":now": now, ":open": ProposalStatus.OPEN.value},
            filtered=f"({is_over}) OR ({is_to_forget})",
            projected="sk",
        )
        return (str(from_item(item)["sk"]) for item in asked.items())

    def expire(self, expired: Proposal, token: str) -> None:
        assert expired.decided_at_us is not None
        now = expired.decided_at_us // US_PER_SECOND
        writes = self.ended_writes(expired, now, "expires_at <= :now")
        number, merchant_id = expired.plan.request_no, expired.plan.target
        if number:
            table = self._tables.ledger
            writes.append(returned_write(table, merchant_id, number, expired.proposal_no))
        transact(self._client, writes, token)

    def forget(self, proposal_no: str, now: int, token: str) -> None:
        forget = Write.update(
            self._tables.ledger,
            proposal_key(proposal_no),
            "REMOVE sealed",
            "reveal_until <= :now",
            values={":now": now},
        )
        transact(self._client, [forget], token)

    def ended_writes(self, ended: Proposal, now: int, on_time: str) -> list[Write]:
        """End a proposal without executing it, and release what it holds itself."""
        asked: Item = {":open": ProposalStatus.OPEN.value, ":now": now}
        condition = f"#status = :open AND {on_time}"
        if on_time == BLOCKED:
            asked, condition = {":blocked": ProposalStatus.BLOCKED.value}, BLOCKED
        writes = [
            Write.set(
                self._tables.ledger,
                proposal_key(ended.proposal_no),
                attributes_of(ended, "status decided_by decided_at_us reason audit_id"),
                condition,
                values=asked,
                removes=CONTENT,
            )
        ]
        if ended.hold is not None:
            writes.append(release_write(self._tables, ended.hold, now))
        return writes
