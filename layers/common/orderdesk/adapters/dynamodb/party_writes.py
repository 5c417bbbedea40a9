"""What a change of a merchant or trader also writes: its shown names, and notices to the merchant.

A name's item has the `owners` that are shown so. Most have one: only who acts alone, and a test
trader, may take a name that another party has. `account.notice` is an item of Callbacks. Both are
written in the transaction of the change itself.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import cast

from orderdesk.adapters.dynamodb.callbacks import KEY, delivery_item
from orderdesk.adapters.dynamodb.client import DynamoDB, get_item
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.callbacks.delivery import Delivery, DeliveryState
from orderdesk.domain.callbacks.events import (
    WEBHOOK_PREFIX,
    CallbackReference,
    CallbackType,
    account_event,
)
from orderdesk.domain.callbacks.steps import opened, watched
from orderdesk.domain.errors import FieldProblem, OrderdeskError, TryAgain
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.notices import AccountNotice
from orderdesk.domain.plain_text import folded
from orderdesk.domain.pricing import Mode
from orderdesk.domain.times import US_PER_MS, US_PER_SECOND

type Names = Mapping[str, str]
"""The field of each name, by the name as people see it."""
type Taken = Callable[[FieldProblem], OrderdeskError]


def merchant_names(merchant: Merchant) -> Names:
    """Return the names that operators and payers see of a merchant."""
    named = {"display_name": merchant.terms.display_name, "name": merchant.name}
    return {name: field for field, text in named.items() if (name := folded(text))}


def owners_in(item: Item | None) -> frozenset[str]:
    """Return the ids of the parties that a name's item has."""
    return cast("frozenset[str]", (item or {}).get("owners", frozenset()))


class NameWrites:
    """Writes the names of a party's item; `taken` creates the error of another party's name."""

    def __init__(self, client: DynamoDB, table: str, key_name: str, taken: Taken) -> None:
        self._client = client
        self._table = table
        self._key_name = key_name
        self._taken = taken

    def moved(self, owner: str, before: Names, after: Names, *, is_shared: bool) -> list[Write]:
        """Return the writes of new and left names; `is_shared` allows another party's name.

        Raises: TryAgain.
        """
        return [
            *(
                self._take_write(owner, name, field, is_shared=is_shared)
                for name, field in after.items()
                if name not in before
            ),
            *(
                write
                for name in before
                if name not in after
                for write in self._leave_writes(owner, name)
            ),
        ]

    def _take_write(self, owner: str, name: str, field: str, *, is_shared: bool) -> Write:
        """Add an owner. Lost: `taken`, if the name has another one."""

        def lost(item: Item | None) -> OrderdeskError:
            others = ", ".join(sorted(owners_in(item)))
            return self._taken(FieldProblem(field, f"{others} has this name"))

        return Write.add(
            self._table,
            {self._key_name: Key.shown_name(name)},
            {},
            lost,
            unbounded={"owners": frozenset({owner})},
            condition="" if is_shared else "attribute_not_exists(owners) OR owners = :owners",
            returns_item=True,
        )

    def _leave_writes(self, owner: str, name: str) -> Iterator[Write]:
        """Remove an owner, and the item with its last one. Lost: ChangedMeanwhile."""
        key: Item = {self._key_name: Key.shown_name(name)}
        owners = owners_in(get_item(self._client, self._table, key))
        table, mine = self._table, {":owners": frozenset({owner})}
        if owners == {owner}:
            yield Write.delete(*(table, key, "owners = :owners"), values=mine)
        elif owner in owners:
            remove, shared = "DELETE owners :owners", "owners <> :owners"
            yield Write.update(*(table, key, remove, shared), values=mine)


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
        kind, made = CallbackType.ACCOUNT_NOTICE, []
        for notice in notices:
            webhook_id = f"{WEBHOOK_PREFIX}{entry.at_us}{entry.audit_id}{notice.kind.value}"
            about = webhook_id, merchant.merchant_id, Mode.LIVE, now
            event = account_event(kind, *about, data=notice.data, callback_url=url or None)
            delivery = opened(event)
            made.append(
                watched(delivery, entry.at_us // US_PER_MS)
                if url
                else replace(delivery, state=DeliveryState.UNDELIVERABLE)
            )
        return made

    def commit(
        self, client: DynamoDB, writes: Sequence[Write], notices: Sequence[Delivery], token: str
    ) -> None:
        """Write a change with the first records of its notices, then send their messages."""
        items = [delivery_item(each, self._retention_days) for each in notices]
        records = [Write.put_next(self._table, KEY, item) for item in items]
        transact(client, [*writes, *records], token)
        for each in notices:
            if self._send is not None and each.state is DeliveryState.PENDING:
                with suppress(TryAgain):
                    self._send(each.reference)
