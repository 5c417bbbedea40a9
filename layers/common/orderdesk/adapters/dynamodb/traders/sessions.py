"""Traders' sessions in the Guards table; TTL deletes them after they expire."""

from typing import Any, cast

from orderdesk.adapters.dynamodb.client import TableStore, get_item
from orderdesk.adapters.dynamodb.keys import session_key
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.sending import call
from orderdesk.services.traders.sessions import Session


class SessionStore(TableStore):
    def open(self, session: Session) -> None:
        """Store a session; its key is random, so it never overwrites another."""
        item: Item = {
            "pk": session_key(session.token_hash),
            "trader_id": session.trader_id,
            "code_hash": session.code_hash,
            "expires_at": session.expires_at,
        }
        call(lambda: self._client.put_item(TableName=self._table, Item=to_item(item)))

    def find(self, token_hash: str) -> Session | None:
        item = get_item(self._client, self._table, {"pk": session_key(token_hash)})
        if item is None:
            return None
        row = cast("dict[str, Any]", item)
        return Session(token_hash, row["trader_id"], row["code_hash"], row["expires_at"])

    def end(self, token_hash: str) -> None:
        key = to_item({"pk": session_key(token_hash)})
        call(lambda: self._client.delete_item(TableName=self._table, Key=key))
