"""Withdrawals, as operators see them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from orderdesk.domain.ledger.accounts import Transfer
from orderdesk.domain.money import format_usdt
from orderdesk.domain.proposals import Proposal, Sum, TwoPersonCommand
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.proposals import list_proposals
from orderdesk_cli.output import Answer, Json, listing, record, time_text

if TYPE_CHECKING:
    from orderdesk_cli.wiring import Office


def all_withdrawals(office: "Office", *, open_only: bool) -> list[Proposal]:
    """Read all withdrawals, the newest first."""
    found: list[Proposal] = []
    after: str | None = None
    while True:
        page = list_proposals(
            office.proposals,
            office.now(),
            limit=100,
            after=after,
            open_only=open_only,
            commands=lambda command: command.takes_money,
        )
        found += page.items
        after = page.following
        if after is None:
            return found


def shown(title: str, done: Proposal | Transfer) -> Answer:
    """Answer a step of one withdrawal, or one that needed no second person."""
    if isinstance(done, Proposal):
        return Answer(_data(done), record(title, _texts(done)))
    own, _ = done.postings
    account = own.account
    data: dict[str, Json] = {
        "transfer_id": done.transfer_id,
        f"{account.kind.value}_id": account.owner,
        "is_test": account.mode.is_test,
        "amount": format_usdt(-own.amount_micro),
        "memo": done.memo,
    }
    return Answer(data, record("Paid out", {name: str(value) for name, value in data.items()}))


def listed(withdrawals: Sequence[Proposal]) -> Answer:
    """Answer `withdraw list`."""
    data: list[Json] = [_data(each) for each in withdrawals]
    columns = ["withdrawal_no", "status", "account", "USDT", "proposed", "by", "decided by", "memo"]
    rows = [
        [
            each.proposal_no,
            each.status.value,
            money_of(each).account.key,
            format_usdt(money_of(each).amount_micro),
            time_text(each.proposed_at_us // US_PER_SECOND),
            each.proposed_by,
            each.decided_by,
            each.plan.reason,
        ]
        for each in withdrawals
    ]
    return Answer(data, listing(columns, rows, "No withdrawals."))


def money_of(proposal: Proposal) -> Sum:
    """Return what a withdrawal takes."""
    assert proposal.command in {
        TwoPersonCommand.WITHDRAW_MERCHANT,
        TwoPersonCommand.WITHDRAW_TRADER,
    }
    assert proposal.plan.money is not None
    return proposal.plan.money


def _data(proposal: Proposal) -> dict[str, Json]:
    money = money_of(proposal)
    return {
        "withdrawal_no": proposal.proposal_no,
        "status": proposal.status.value,
        f"{money.account.kind.value}_id": money.account.owner,
        "is_test": money.account.mode.is_test,
        "amount": format_usdt(money.amount_micro),
        "memo": proposal.plan.reason,
        "proposed_by": proposal.proposed_by,
        "proposed_time": proposal.proposed_at_us // US_PER_SECOND,
        "decided_by": proposal.decided_by or None,
        "decided_time": _decided_time(proposal),
        "reason": proposal.reason or None,
    }


def _texts(proposal: Proposal) -> dict[str, str]:
    money = money_of(proposal)
    return {
        "withdrawal_no": proposal.proposal_no,
        "status": proposal.status.value,
        f"{money.account.kind.value}_id": money.account.owner,
        "mode": money.account.mode.value,
        "USDT": format_usdt(money.amount_micro),
        "memo": proposal.plan.reason,
        "proposed by": proposal.proposed_by,
        "proposed": time_text(proposal.proposed_at_us // US_PER_SECOND),
        "decided by": proposal.decided_by,
        "decided": time_text(_decided_time(proposal)),
        "reason": proposal.reason,
    }


def _decided_time(proposal: Proposal) -> int | None:
    decided = proposal.decided_at_us
    return None if decided is None else decided // US_PER_SECOND
