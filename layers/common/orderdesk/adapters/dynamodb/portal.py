"""What the portal has in the Guards table, and what members do to callbacks.

TTL deletes items late, so the conditions and the use cases check the time.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, override

from orderdesk.adapters.dynamodb.audit import portal_audit_write
from orderdesk.adapters.dynamodb.callback_endpoints import EndpointStore, endpoint_item
from orderdesk.adapters.dynamodb.callbacks import KEY, CallbackStore, delivery_item
from orderdesk.adapters.dynamodb.client import (
    DynamoDB,
    TablesStore,
    TableStore,
    get_items_of,
    put_whole,
)
from orderdesk.adapters.dynamodb.keys import Key, TableNames
from orderdesk.adapters.dynamodb.marshal import Item, Stored
from orderdesk.adapters.dynamodb.teams import merchant_and_team_of
from orderdesk.adapters.dynamodb.transactions import Unmet, Write, transact, write_alone
from orderdesk.domain.orders.day_figures import Counts, MerchantDay, split_figures_name
from orderdesk.domain.times import SECONDS_PER_DAY
from orderdesk.services.merchants.portal import MemberSessions

if TYPE_CHECKING:
    from orderdesk.domain.audit import AuditEntry
    from orderdesk.domain.callbacks.delivery import Delivery
    from orderdesk.domain.callbacks.endpoints import Endpoint
    from orderdesk.domain.merchants.merchant import Merchant
    from orderdesk.domain.merchants.team import Team


class PortalSessionStore(TablesStore):
    """One item holds all sessions of a member."""

    def sessions(self, merchant_id: str, member_id: str) -> MemberSessions:
        key = {"pk": Key.visits(merchant_id, member_id)}
        item = self._get_item(self._tables.guards, key)
        return _sessions_of(merchant_id, member_id, item or {})

    def with_team(
        self, merchant_id: str, member_id: str
    ) -> "tuple[MemberSessions, Merchant | None, Team]":
        merchants = self._tables.merchants
        sessions, merchant, team = get_items_of(
            self._client,
            [
                (self._tables.guards, {"pk": Key.visits(merchant_id, member_id)}),
                (merchants, {"pk": Key.merchant(merchant_id)}),
                (merchants, {"pk": Key.team(merchant_id)}),
            ],
        )
        kept = _sessions_of(merchant_id, member_id, sessions)
        return kept, *merchant_and_team_of(merchant_id, merchant, team)

    def of_members(self, merchant_id: str, member_ids: Sequence[str]) -> Sequence[MemberSessions]:
        keys = [{"pk": Key.visits(merchant_id, each)} for each in member_ids]
        items = self._get_items(self._tables.guards, keys)
        return [
            _sessions_of(merchant_id, each, item)
            for each, item in zip(member_ids, items, strict=True)
        ]

    def save(
        self, before: MemberSessions, after: MemberSessions, entry: "AuditEntry | None", token: str
    ) -> None:
        item: Item = {
            "pk": Key.visits(after.merchant_id, after.member_id),
            **_SESSIONS.item(after),
            # Without sessions it is deleted with the last one that ended.
            "expires_at": max(each.expires_at for each in (*before.sessions, *after.sessions)),
        }
        writes = [Write.put_next(self._tables.guards, "pk", item)]
        if entry is not None:
            writes.append(portal_audit_write(self._tables.audit, after.merchant_id, entry))
        transact(self._client, writes, token)


_SESSIONS = Stored(MemberSessions, beside="merchant_id member_id")


def _sessions_of(merchant_id: str, member_id: str, item: Item) -> MemberSessions:
    if not item:
        return MemberSessions(merchant_id, member_id)
    return _SESSIONS.of(item, merchant_id=merchant_id, member_id=member_id)


class ChallengeStore(TableStore):
    """Challenges, each deleted by its first use."""

    def keep(self, challenge_hash: str, purpose: str, expires_at: int) -> None:
        key = Key.challenge(challenge_hash)
        item: Item = {"pk": key, "purpose": purpose, "expires_at": expires_at}
        put_whole(self._client, self._table, item)

    def take(self, challenge_hash: str, purpose: str, now: int) -> bool:
        """Delete a challenge; a retry after a lost response finds nothing, which is safe."""
        delete = Write.delete(
            self._table,
            {"pk": Key.challenge(challenge_hash)},
            "purpose = :purpose AND expires_at > :now",
            Unmet,
            values={":purpose": purpose, ":now": now},
        )
        try:
            write_alone(self._client, delete)
        except Unmet:
            return False
        return True


class _Recorded[T](TableStore):
    """Base of stores whose changes have an entry in the audit trail of the merchant's team.

    Both are written in one transaction; `entry` creates the entry.
    """

    def __init__(
        self,
        client: DynamoDB,
        tables: TableNames,
        retention_days: int,
        entry: "Callable[[T], AuditEntry]",
    ) -> None:
        super().__init__(client, tables.callbacks, retention_days)  # type: ignore[call-arg]
        self._audit, self._entry = tables.audit, entry

    def _record(self, changed: T, item: Item, merchant_id: str) -> None:
        entry = self._entry(changed)
        put = Write.put_next(self._table, KEY, item)
        audit = portal_audit_write(self._audit, merchant_id, entry)
        transact(self._client, [put, audit], entry.token)


class RecordedDeliveries(_Recorded["Delivery"], CallbackStore):
    @override
    def save(self, delivery: "Delivery") -> None:
        item = delivery_item(delivery, self._retention_days)
        self._record(delivery, item, delivery.event.merchant_id)


class RecordedEndpoints(_Recorded["Endpoint"], EndpointStore):
    @override
    def save(self, endpoint: "Endpoint", event: "Delivery | None" = None) -> None:
        assert event is None, "a member's change of an endpoint is no event"
        self._record(endpoint, endpoint_item(endpoint), endpoint.id.merchant_id)


# Longer than a day is shown.
_KEPT_SECONDS = 40 * SECONDS_PER_DAY


class MerchantDayStore(TableStore):
    """Merchants' figures by day: replaced by seals, so a copy of one is harmless."""

    def save(self, figures: Mapping[str, Counts], dates: Sequence[date], read_at: int) -> None:
        expires_at = read_at + _KEPT_SECONDS
        for key, counts in figures.items():
            day, _, merchant_id = split_figures_name(key)
            if merchant_id:
                pk, values = Key.figures(merchant_id, day.isoformat()), MerchantDay.of(counts)
                self._put({"pk": pk, **_DAY.item(values), "expires_at": expires_at})
        for each in dates:
            pk = Key.figures_read(each.isoformat())
            self._put({"pk": pk, "read_at": read_at, "expires_at": expires_at})

    def days(
        self, merchant_id: str, days: Sequence[date]
    ) -> Sequence[tuple[MerchantDay, int | None]]:
        """Return a merchant's days, each with when it was read (Unix seconds), None if never.

        At most 50 days, with one request. Raises: TryAgain.
        """
        texts = [day.isoformat() for day in days]
        keys = [Key.figures(merchant_id, text) for text in texts]
        keys += [Key.figures_read(text) for text in texts]
        items: Any = self._get_items(self._table, [{"pk": key} for key in keys], consistent=False)
        read = items[len(days) :]
        return [
            (_DAY.of(item) if item else MerchantDay(), mark.get("read_at"))
            for item, mark in zip(items[: len(days)], read, strict=True)
        ]

    def _put(self, item: Item) -> None:
        put_whole(self._client, self._table, item)


_DAY = Stored(MerchantDay)
