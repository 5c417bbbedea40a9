"""`account.notice` in the Callbacks table, written in the transaction of the change itself."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from orderdesk.adapters.dynamodb.callbacks import delivery_item, put_next
from orderdesk.adapters.dynamodb.transactions import Write
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.callbacks.delivery import Delivery, DeliveryState
from orderdesk.domain.callbacks.events import WEBHOOK_PREFIX, CallbackReference, account_notice
from orderdesk.domain.callbacks.steps import opened, watched
from orderdesk.domain.errors import ChangedMeanwhile, TryAgain
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.notices import AccountNotice
from orderdesk.domain.times import US_PER_SECOND

_US_PER_MS = 1_000
_DAYS = 90


class NoticeBox:
    """Makes, stores and sends notices.

    Without `send`, or if it fails, the sweep sends the message.
    """

    def __init__(
        self,
        table: str,
        retention_days: int = _DAYS,
        send: Callable[[CallbackReference], None] | None = None,
    ) -> None:
        self._table = table
        self._retention_days = retention_days
        self._send = send

    def made(
        self, merchant: Merchant, notices: Sequence[AccountNotice], entry: AuditEntry
    ) -> list[Delivery]:
        """Return the first records of notices; `merchant` is as it was before the change.

        A merchant that had no default address can read its notice with listEvents.
        """
        url, now = merchant.terms.callback_url, entry.at_us // US_PER_SECOND
        made = []
        for notice in notices:
            webhook_id = f"{WEBHOOK_PREFIX}{entry.at_us}{entry.audit_id}{notice.kind.value}"
            event = account_notice(
                *(webhook_id, merchant.merchant_id, url or None, now), notice.data
            )
            delivery = opened(event)
            made.append(
                watched(delivery, entry.at_us // _US_PER_MS)
                if url
                else replace(delivery, state=DeliveryState.UNDELIVERABLE)
            )
        return made

    def writes(self, notices: Sequence[Delivery]) -> list[Write]:
        """Return the writes of first records. Lost: ChangedMeanwhile."""
        return [
            Write(
                {"Put": put_next(self._table, delivery_item(each, self._retention_days))},
                lambda _: ChangedMeanwhile(),
            )
            for each in notices
        ]

    def send(self, notices: Sequence[Delivery]) -> None:
        """Send the messages of notices that were written."""
        for each in notices:
            if self._send is not None and each.state is DeliveryState.PENDING:
                with suppress(TryAgain):
                    self._send(each.reference)
