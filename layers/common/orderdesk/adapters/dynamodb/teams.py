"""Merchants' teams: one item of the Merchants table each, with an own audit trail."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from orderdesk.adapters.dynamodb.audit import audit_entry_of, portal_audit_write
from orderdesk.adapters.dynamodb.client import DynamoDB, TablesStore
from orderdesk.adapters.dynamodb.keys import Key, TableNames
from orderdesk.adapters.dynamodb.marshal import Item, Stored, readable
from orderdesk.adapters.dynamodb.merchants import merchant_item, merchant_of
from orderdesk.adapters.dynamodb.party_writes import NameWrites, NoticeBox, merchant_names
from orderdesk.adapters.dynamodb.transactions import Write
from orderdesk.domain.errors import NameTaken
from orderdesk.domain.merchants.notices import merchant_notices, team_notices
from orderdesk.domain.merchants.team import Team

if TYPE_CHECKING:
    from orderdesk.domain.audit import AuditEntry
    from orderdesk.domain.callbacks.delivery import Delivery
    from orderdesk.domain.merchants.merchant import Merchant


_TEAM = Stored(Team)


def team_item(team: Team) -> Item:
    """Return a team's DynamoDB item; one that is not stored yet has its key only."""
    if not team.version:
        return {"pk": Key.team(team.merchant_id)}
    return {"pk": Key.team(team.merchant_id), **_TEAM.item(team)}


def team_of(row: Mapping[str, Any]) -> Team:
    """Parse a team's row."""
    return _TEAM.of(row)


def team_write(table: str, before: Team, after: Team) -> Write:
    """Write a team that differs from its stored state. Lost: ChangedMeanwhile."""
    return Write.change(table, "pk", team_item(before), team_item(after))


class TeamStore(TablesStore):
    """Teams in the Merchants table, the audit trail of each, and the notices of changes."""

    def __init__(
        self, client: DynamoDB, tables: TableNames, notices: NoticeBox | None = None
    ) -> None:
        super().__init__(client, tables)
        self._notices = notices or NoticeBox(tables.callbacks)
        self._names = NameWrites(client, tables.merchants, "pk", NameTaken)

    def team(self, merchant_id: str) -> Team:
        item = self._get_item(self._tables.merchants, {"pk": Key.team(merchant_id)})
        return Team(merchant_id) if item is None else team_of(item)

    def merchant_and_team(self, merchant_id: str) -> "tuple[Merchant | None, Team]":
        keys = [{"pk": Key.merchant(merchant_id)}, {"pk": Key.team(merchant_id)}]
        merchant, team = self._get_items(self._tables.merchants, keys)
        return (
            merchant_of(merchant) if merchant else None,
            team_of(team) if team else Team(merchant_id),
        )

    def change(self, before: Team, after: Team, entry: "AuditEntry | None", token: str) -> None:
        writes = [team_write(self._tables.merchants, before, after)]
        notices: list[Delivery] = []
        if entry is not None:
            writes.append(portal_audit_write(self._tables.audit, after.merchant_id, entry))
            changes = team_notices(before, after, entry.who)
            if changes:
                merchant = self.merchant(after.merchant_id)
                notices = self._notices.made(merchant, changes, entry)
        self._notices.commit(self._client, writes, notices, token)

    def merchant(self, merchant_id: str) -> "Merchant":
        item = self._get_item(self._tables.merchants, {"pk": Key.merchant(merchant_id)})
        assert item is not None  # merchants are never deleted
        return merchant_of(item)

    def change_merchant(
        self, before: "Merchant", after: "Merchant", entry: "AuditEntry", token: str
    ) -> None:
        old, new = merchant_item(before), merchant_item(after)
        change = Write.change(self._tables.merchants, "pk", old, new)
        audit = portal_audit_write(self._tables.audit, after.merchant_id, entry)
        names = self._names.moved(
            after.merchant_id, merchant_names(before), merchant_names(after), is_shared=False
        )
        notices = self._notices.made(before, merchant_notices(before, after, entry.who), entry)
        self._notices.commit(self._client, [change, *names, audit], notices, token)

    def trail(self, merchant_id: str, until_us: int, limit: int) -> "Sequence[AuditEntry]":
        asked = self._query(
            self._tables.audit,
            "pk = :key AND sk <= :until",
            {":key": Key.portal_audit(merchant_id), ":until": Key.audit_entry(until_us, "~")},
            newest_first=True,
            consistent=True,
            limit=limit,
        )
        return list(readable(audit_entry_of, asked.page()))
