"""Withdrawals, as operators see them."""

from collections.abc import Sequence

from orderdesk.domain.ledger.withdrawals import Withdrawal
from orderdesk.domain.money import format_usdt
from orderdesk.domain.times import US_PER_SECOND
from orderdesk_cli.output import Answer, Json, listing, record, time_text


def shown(title: str, withdrawal: Withdrawal) -> Answer:
    """Answer a step of one withdrawal."""
    return Answer(_data(withdrawal), record(title, _texts(withdrawal)))


def listed(withdrawals: Sequence[Withdrawal]) -> Answer:
    """Answer `withdraw list`."""
    data: list[Json] = [_data(withdrawal) for withdrawal in withdrawals]
    columns = ["withdrawal_no", "status", "account", "USDT", "proposed", "by", "decided by", "memo"]
    rows = [
        [
            withdrawal.withdrawal_no,
            withdrawal.status.value,
            withdrawal.account.key,
            format_usdt(withdrawal.amount_micro),
            time_text(withdrawal.proposed_at_us // US_PER_SECOND),
            withdrawal.proposed_by,
            withdrawal.decided_by,
            withdrawal.memo,
        ]
        for withdrawal in withdrawals
    ]
    return Answer(data, listing(columns, rows, "No withdrawals."))


def _data(withdrawal: Withdrawal) -> dict[str, Json]:
    account = withdrawal.account
    return {
        "withdrawal_no": withdrawal.withdrawal_no,
        "status": withdrawal.status.value,
        f"{account.kind.value}_id": account.owner,
        "is_test": account.mode.is_test,
        "amount": format_usdt(withdrawal.amount_micro),
        "memo": withdrawal.memo,
        "proposed_by": withdrawal.proposed_by,
        "proposed_time": withdrawal.proposed_at_us // US_PER_SECOND,
        "decided_by": withdrawal.decided_by or None,
        "decided_time": _decided_time(withdrawal),
        "reason": withdrawal.reason or None,
    }


def _texts(withdrawal: Withdrawal) -> dict[str, str]:
    return {
        "withdrawal_no": withdrawal.withdrawal_no,
        "status": withdrawal.status.value,
        f"{withdrawal.account.kind.value}_id": withdrawal.account.owner,
        "mode": withdrawal.account.mode.value,
        "USDT": format_usdt(withdrawal.amount_micro),
        "memo": withdrawal.memo,
        "proposed by": withdrawal.proposed_by,
        "proposed": time_text(withdrawal.proposed_at_us // US_PER_SECOND),
        "decided by": withdrawal.decided_by,
        "decided": time_text(_decided_time(withdrawal)),
        "reason": withdrawal.reason,
    }


def _decided_time(withdrawal: Withdrawal) -> int | None:
    decided = withdrawal.decided_at_us
    return None if decided is None else decided // US_PER_SECOND
