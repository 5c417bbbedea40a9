"""Merchants' teams: one item of the Merchants table each, with an own audit trail."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from orderdesk.adapters.dynamodb.audit import audit_entry_of, portal_audit_write
from orderdesk.adapters.dynamodb.client import DynamoDB, QueryParts
from orderdesk.adapters.dynamodb.keys import Index, Key, TableNames
from orderdesk.adapters.dynamodb.ledger import listing_writes
from orderdesk.adapters.dynamodb.marshal import Item, Stored, readable
from orderdesk.adapters.dynamodb.merchants import MerchantStore, merchant_item, merchant_of
from orderdesk.adapters.dynamodb.party_writes import NameWrites, NoticeBox, Taken, merchant_names
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.domain.errors import NameTaken
from orderdesk.domain.merchants.notices import merchant_notices, team_notices
from orderdesk.domain.merchants.team import Team

if TYPE_CHECKING:
    from orderdesk.domain.audit import AuditEntry
    from orderdesk.domain.merchants.merchant import Merchant

    type MerchantAndTeam = tuple[Merchant | None, Team]

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


def merchant_and_team_of(merchant_id: str, merchant: Item, team: Item) -> "MerchantAndTeam":
    """Return a merchant and its team from their items, which are {} if they are not stored."""
    found = team_of(team) if team else Team(merchant_id)
    return merchant_of(merchant) if merchant else None, found


class TeamStore(MerchantStore):
    """Merchants and their teams, the audit trail of each team, and the notices of changes."""

    def __init__(
        self,
        client: DynamoDB,
        tables: TableNames,
        notices: NoticeBox | None = None,
        *,
        taken: Taken = NameTaken,
        by: str = "",
    ) -> None:
        """`by` is who makes the changes, as the notices say; by default who made the entry."""
        super().__init__(client, tables.merchants)
        self._tables = tables
        self._notices = notices or NoticeBox(tables.callbacks)
        self._names = NameWrites(client, tables.merchants, "pk", taken)
        self._by = by

    def team(self, merchant_id: str) -> Team:
        return self._find(self._table, {"pk": Key.team(merchant_id)}, team_of) or Team(merchant_id)

    def merchant_and_team(self, merchant_id: str) -> "MerchantAndTeam":
        keys = [{"pk": Key.merchant(merchant_id)}, {"pk": Key.team(merchant_id)}]
        return merchant_and_team_of(merchant_id, *self._get_items(self._table, keys))

    def known_merchant(self, merchant_id: str) -> "Merchant":
        merchant = self.merchant(merchant_id)
        assert merchant is not None, "merchants are never deleted"
        return merchant

    def note_use(self, before: Team, after: Team, token: str) -> None:
        transact(self._client, [team_write(self._table, before, after)], token)

    def change_team(self, before: Team, after: Team, entry: "AuditEntry") -> None:
        notices, changes = [], team_notices(before, after, self._by or entry.who)
        if changes:
            merchant = self.known_merchant(after.merchant_id)
            notices = self._notices.made(merchant, changes, entry)
        audit = self._audit(after.merchant_id, entry)
        writes = [team_write(self._table, before, after), *audit]
        self._notices.commit(self._client, writes, notices, entry.token)

    def change_merchant(self, before: "Merchant", after: "Merchant", entry: "AuditEntry") -> None:
        old, new = merchant_names(before), merchant_names(after)
        writes = [
            Write.change(self._table, "pk", merchant_item(before), merchant_item(after)),
            *self._names.moved(after.merchant_id, old, new, is_shared=entry.alone),
            *self._audit(after.merchant_id, entry),
        ]
        if after.terms.balance_shards > before.terms.balance_shards:
            writes += listing_writes(self._tables.ledger, after)
        changes = merchant_notices(before, after, self._by or entry.who)
        notices = self._notices.made(before, changes, entry)
        self._notices.commit(self._client, writes, notices, entry.token)

    def _audit(self, merchant_id: str, entry: "AuditEntry") -> list[Write]:
        return [portal_audit_write(self._tables.audit, merchant_id, entry)]

    def trail(self, merchant_id: str, until_us: int, limit: int) -> "Sequence[AuditEntry]":
        place = (self._tables.audit, Index.ITEMS, Key.portal_audit(merchant_id))
        more: QueryParts = {"newest_first": True, "consistent": True, "limit": limit}
        asked = self._query(*place, ("<=", Key.audit_entry(until_us, "~")), **more)
        return list(readable(audit_entry_of, asked.page()))
