"""Held buy orders as they stand in the table, for the identity page's tests."""

from dataclasses import replace
from typing import Any

from orderdesk.domain.ids import token_hash
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.orders.order import IdentityRecord
from orderdesk.domain.payment_methods import MethodType

TOKEN = "i" * 43
PENDING_NO = "D202511210009876543210123"
LIFE_SECONDS = 7200
RECORD = IdentityRecord(
    outcome="passed",
    provider="sandbox",
    reference="r",
    masked_name="测**",
    masked_id_card="1101**********0001",
    masked_mobile="138****0001",
)


def held_draft(now: int, **changes: Any) -> Draft:
    """Give a draft held at `now`."""
    draft = Draft(
        pending_no=PENDING_NO,
        merchant_id="m000000000001",
        merchant_order_no=None,
        mode=Mode.LIVE,
        status=DraftStatus.HELD,
        cny_fen=1000_37,
        method_type=MethodType.BANK,
        createtime=now,
        updatetime=now,
        expire_time=now + LIFE_SECONDS,
        identity_token_hash=token_hash(TOKEN),
    )
    return replace(draft, **changes)
