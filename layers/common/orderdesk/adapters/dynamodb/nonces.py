"""What a merchant's signed call uses up: its nonce, and its key's rate of requests.

TTL deletes late, so conditions check the time.
"""

from contextlib import suppress
from typing import cast

from orderdesk.adapters.dynamodb.client import TableStore
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item
from orderdesk.adapters.dynamodb.transactions import Unmet, Write, write_alone
from orderdesk.domain.errors import OrderdeskError, TryAgain
from orderdesk.domain.merchants.merchant import NonceReused
from orderdesk.domain.merchants.request_rate import (
    NS_PER_SECOND,
    USE_KEPT_DAYS,
    cost_ns,
    latest_start_ns,
)
from orderdesk.domain.merchants.signing import NONCE_RETENTION_SECONDS
from orderdesk.domain.times import SECONDS_PER_DAY
from orderdesk.services.ports import Nonce

_USED = "used_until_ns"
# The rate needs two seconds of the past. The portal shows when each key was last used.
_KEPT_SECONDS = USE_KEPT_DAYS * SECONDS_PER_DAY
# A round fails only if another container moves the bucket's time past the clock in between, which
# can happen once after each idle period.
_ROUNDS = 3


class _UsedByThisCall(OrderdeskError):
    """This call has consumed the nonce before."""


def nonce_write(table: str, nonce: Nonce, own: type[OrderdeskError] = TryAgain) -> Write:
    """Consume a nonce. Lost: NonceReused; `own` if an earlier attempt of the call has done it.

    A transaction may be written late, after it seemed to have met a conflict. The call's next
    attempt must not create a second order then.
    """

    def lost(item: Item | None) -> OrderdeskError:
        is_own = item is not None and item.get("holder") == nonce.holder
        return own() if is_own else NonceReused()

    return Write.put(
        table,
        {
            "pk": Key.nonce(nonce.api_key, nonce.value),
            "expires_at": nonce.now + NONCE_RETENTION_SECONDS,
            "holder": nonce.holder,
        },
        "attribute_not_exists(pk) OR expires_at < :now",
        lost,
        values={":now": nonce.now},
        returns_item=True,
    )


class NonceStore(TableStore):
    """Consume nonces outside transactions."""

    def consume(self, nonce: Nonce) -> None:
        with suppress(_UsedByThisCall):  # the response to this write was lost
            write_alone(self._client, nonce_write(self._table, nonce, _UsedByThisCall))


class CallCountStore(TableStore):
    """Count calls with one UpdateItem, or two while the key is busy.

    A transaction would conflict with the other containers' at up to 1,000 updates a second. After a
    lost response the calls may count twice: the merchant has up to two seconds less of its rate.
    """

    def count(self, counter: str, calls: int, max_rps: int, now_ns: int) -> int | None:
        """Advance the bucket's time by the cost of the calls, from now if it is in the past."""
        cost = cost_ns(calls, max_rps)
        latest = latest_start_ns(calls, max_rps, now_ns)
        if latest < now_ns:
            return None
        idle = f"attribute_not_exists({_USED}) OR {_USED} <= :now"
        busy = f"{_USED} BETWEEN :now AND :latest"
        for _ in range(_ROUNDS):
            used = self._set(counter, ":used", idle, {":used": now_ns + cost, ":now": now_ns})
            if used is None:
                return now_ns + cost
            if used > latest:
                return None
            values = {":cost": cost, ":now": now_ns, ":latest": latest}
            before = self._set(counter, f"{_USED} + :cost", busy, values)
            if before is None:
                return used + cost
            if before > latest:
                return None
        raise TryAgain

    def _set(self, counter: str, to: str, condition: str, values: dict[str, int]) -> int | None:
        """Set the time; if the condition fails, return the stored time (0: none)."""
        values[":expires"] = values[":now"] // NS_PER_SECOND + _KEPT_SECONDS
        write = Write.update(
            self._table,
            {"pk": Key.calls(counter)},
            f"SET {_USED} = {to}, expires_at = :expires",
            condition,
            Unmet,
            values=values,
            returns_item=True,
        )
        try:
            write_alone(self._client, write)
        except Unmet as unmet:
            return cast("int", unmet.item.get(_USED, 0))
        return None
