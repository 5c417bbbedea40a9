"""Traders for the desk: sessions, and changes of duty and of own settings."""

from orderdesk.adapters.dynamodb.audit import desk_audit_write
from orderdesk.adapters.dynamodb.client import TablesStore, TableStore, put_whole
from orderdesk.adapters.dynamodb.keys import Index, Key
from orderdesk.adapters.dynamodb.marshal import Stored
from orderdesk.adapters.dynamodb.traders.items import trader_item, trader_of
from orderdesk.adapters.dynamodb.transactions import Write, transact, write_alone
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.traders.desk import Session

_KEY = "trader_id"
_SESSION = Stored(Session, beside="token_hash")


class TraderStore(TablesStore):
    """Read and write a trader's item."""

    def trader(self, trader_id: str) -> Trader | None:
        return self._find(self._tables.traders, {_KEY: trader_id}, trader_of)

    def _changed(self, before: Trader, after: Trader) -> Write:
        """Write the attributes that differ; the shard stays."""
        table = self._tables.traders
        item = self._get_item(table, {_KEY: before.trader_id})
        if item is None:
            raise ChangedMeanwhile
        # This read may be later than that of `before`: a change of the shard changes `version`.
        shard = item["shard"]
        assert isinstance(shard, int)
        return Write.change(table, _KEY, trader_item(before, shard), trader_item(after, shard))


class DeskTraders(TraderStore):
    def of_access_code(self, code_hash: str) -> str | None:
        asked = self._query(self._tables.traders, Index.ACCESS_CODE, code_hash, limit=1)
        ids = [item[_KEY] for item in asked.rows()]
        return str(ids[0]) if ids else None

    def change(self, before: Trader, after: Trader, token: str) -> None:
        """Write what differs: whether a trader is online, or that its access code was used."""
        transact(self._client, [self._changed(before, after)], token)

    def change_settings(self, before: Trader, after: Trader, entry: AuditEntry) -> None:
        audit = desk_audit_write(self._tables.audit, entry)
        transact(self._client, [self._changed(before, after), audit], entry.token)


class SessionStore(TableStore):
    def open(self, session: Session) -> None:
        """Store a session; its key is random, so it never overwrites another."""
        key = {"pk": Key.session(session.token_hash)}
        put_whole(self._client, self._table, {**key, **_SESSION.item(session)})

    def find(self, token_hash: str) -> Session | None:
        item = self._get_item(self._table, {"pk": Key.session(token_hash)})
        return None if item is None else _SESSION.of(item, token_hash=token_hash)

    def end(self, token_hash: str) -> None:
        write_alone(self._client, Write.delete(self._table, {"pk": Key.session(token_hash)}, ""))
