"""Traders: one item each, and the sparse index of the traders in rotation."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from orderdesk.adapters.dynamodb.client import DynamoDB, QueryParts, TableStore
from orderdesk.adapters.dynamodb.keys import Index, Key
from orderdesk.adapters.dynamodb.marshal import Item, Stored, Value, readable
from orderdesk.domain.payment_methods import ACCOUNTS_MAX, MethodType, PaymentMethod, account_key
from orderdesk.domain.pricing import Mode
from orderdesk.domain.traders.matching import Demand
from orderdesk.domain.traders.trader import (
    NO_CHOICE,
    USUAL_TERMS,
    AccountTerms,
    OwnLimits,
    Trader,
    TraderAccess,
    TraderCounts,
    TraderTerms,
)
from orderdesk.services.ports import Chance

if TYPE_CHECKING:
    from orderdesk.domain.orders.amounts import AccountAmount, AmountRecord

# Each trader on a page costs CPU time and read units; each page costs a request. If a page was too
# small, the next has four times as many; for each order, the page shrinks by 1/16.
LEAST_ON_A_PAGE = 16
MOST_ON_A_PAGE = 2048
PAGE_GROWTH = 4
PAGE_DECAY = 16

_MAY_FIT = "min_cny_fen <= :fen AND max_cny_fen >= :fen AND available_micro >= :usdt"
"""The part of `fits` that DynamoDB can check; it never drops a trader that fits.

The range is the operator's. A trader whose own range is narrower is dropped after the read.
"""

# One attribute for each merchant with open orders, because ADD creates a missing attribute, but no
# missing map. The prefix is short, because a trader's item stays within 1 KB.
_SLOT_PREFIX = "s_"

# One attribute for each account with a buy, as for the slots.
_SUM_PREFIX = "d_"
_ACCOUNT_KEYS = tuple(
    account_key(method_type, number)
    for method_type in MethodType
    for number in range(1, ACCOUNTS_MAX + 1)
)

_SUM_NAMES = {key: f"{_SUM_PREFIX}{key}" for key in _ACCOUNT_KEYS}

_TRADER = Stored(
    Trader,
    beside="terms methods own counts account_terms access",
    usual="methods_changed_at stops approved",
)
_TERMS = Stored(TraderTerms, usual="unique_amounts")
_COUNTS = Stored(TraderCounts, beside="last_accepted_us slots account_sums")
_ACCESS = Stored(TraderAccess, usual="access_code_hash code_used")  # an index key is never empty
METHOD = Stored(PaymentMethod, usual="bank sub_bank card_number account qr_code account_no")
"""How a receiving method is stored in a map, without its empty fields."""


def slot_name(holder: str) -> str:
    """Return the attribute that counts a merchant's open orders; `slot_holder` names it."""
    return f"{_SLOT_PREFIX}{holder}"


def sum_name(key: str) -> str:
    """Return the attribute with the sum of an account's day."""
    return _SUM_NAMES[key]


def trader_item(trader: Trader, shard: int) -> Item:
    """Return the item of a trader, in rotation only while online and not suspended."""
    in_rotation = trader.online and not trader.suspended
    return {
        **_TRADER.item(trader),
        **_TERMS.item(trader.terms),
        "rotation_key": Key.rotation(trader.mode, shard) if in_rotation else None,
        "shard": shard,
        "last_accepted_at": trader.counts.last_accepted_us,
        "methods": [METHOD.item(method) for method in trader.methods],
        "own_limits": cast("dict[str, Value]", trader.own.chosen()) or None,
        "account_terms": _terms_value(trader.account_terms),
        **_COUNTS.item(trader.counts),
        **{slot_name(holder): count for holder, count in trader.counts.slots.items()},
        **{sum_name(key): trader.counts.account_sums.get(key) for key in _ACCOUNT_KEYS},
        **_ACCESS.item(trader.access),
    }


def trader_of(row: Mapping[str, Any]) -> Trader:
    """Return the trader of a row."""
    return _TRADER.of(
        row,
        terms=_TERMS.of(row),
        methods=tuple(map(METHOD.of, row["methods"])),
        own=OwnLimits(**row["own_limits"]) if "own_limits" in row else NO_CHOICE,
        counts=_COUNTS.of(
            row,
            last_accepted_us=row["last_accepted_at"],
            slots=slots_of(row),
            account_sums={key: row[name] for key, name in _SUM_NAMES.items() if name in row},
        ),
        account_terms=_terms_of(row),
        access=_ACCESS.of(row),
    )


def _terms_value(terms: Mapping[str, AccountTerms]) -> dict[str, Value] | None:
    def value(one: AccountTerms) -> dict[str, Value]:
        cap: dict[str, Value] = {}
        if one.daily_cap_fen is not None:
            cap["daily_cap_fen"] = one.daily_cap_fen
        return cap if one.is_on else {**cap, "off": True}

    return {key: value(one) for key, one in terms.items() if one != USUAL_TERMS} or None


def _terms_of(row: Mapping[str, Any]) -> dict[str, AccountTerms]:
    return {
        key: AccountTerms(not one.get("off", False), one.get("daily_cap_fen"))
        for key, one in row.get("account_terms", {}).items()
    }


def slots_of(row: Mapping[str, Any]) -> dict[str, int]:
    """Return a trader's numbers of open orders by merchant."""
    return {
        name.removeprefix(_SLOT_PREFIX): count
        for name, count in row.items()
        if name.startswith(_SLOT_PREFIX)
    }


def _place(item: Mapping[str, Any]) -> tuple[int, str]:
    return int(item["last_accepted_at"]["N"]), item["trader_id"]["S"]


class RotationIndex(TableStore):
    """Read the traders in rotation."""

    def __init__(self, client: DynamoDB, table: str, shards: int) -> None:
        super().__init__(client, table)
        self._shards = shards
        self._depth = LEAST_ON_A_PAGE

    def pages(
        self,
        mode: Mode,
        first_shard: int = 0,
        demand: Demand | None = None,
        at_least: int = LEAST_ON_A_PAGE,
    ) -> Iterator[Iterator[Trader]]:
        """Yield pages of a mode's traders, longest-waiting first; one request for each page.

        A page's traders are parsed on demand, because most orders use only one. With a demand,
        traders whose range or balance does not fit are omitted. With several shards, the order is
        exact within each shard; reading begins at `first_shard`. `at_least`: the minimum number of
        traders that the first page evaluates. Raises: TryAgain.
        """
        self._depth = max(LEAST_ON_A_PAGE, self._depth - self._depth // PAGE_DECAY)
        for offset in range(self._shards):
            key = Key.rotation(mode, (first_shard + offset) % self._shards)
            yield from self._shard_pages(key, demand, max(self._depth, at_least))

    def _shard_pages(
        self, key: str, demand: Demand | None, limit: int
    ) -> Iterator[Iterator[Trader]]:
        parts: QueryParts = {"limit": limit}
        if demand is not None:
            values = {":fen": demand.cny_fen, ":usdt": demand.usdt_micro}
            parts |= {"filtered": _MAY_FIT, "values": values}
        asked = self._query(self._table, Index.ROTATION, key, **parts)
        more: dict[str, Any] = {}
        while True:
            answer = asked.answer(**more)
            # The index has no defined order for traders that accepted at the same time.
            items = sorted(answer["Items"], key=_place)
            yield readable(trader_of, items)
            if "LastEvaluatedKey" not in answer:
                return
            self._depth = limit = min(limit * PAGE_GROWTH, MOST_ON_A_PAGE)
            more = {"Limit": limit, "ExclusiveStartKey": answer["LastEvaluatedKey"]}


class ShardedRotation:
    """Begin at a random shard, so that all shards are used equally."""

    def __init__(self, client: DynamoDB, table: str, shards: int, chance: Chance) -> None:
        self._client, self._table = client, table
        self._index = RotationIndex(client, table, shards)
        self._shards = shards
        self._chance = chance

    def rotation_pages(self, demand: Demand, at_least: int = 1) -> Iterator[Iterator[Trader]]:
        return self._index.pages(demand.mode, self._first(), demand, at_least)

    def amount_records(self, amounts: "Sequence[AccountAmount]") -> "Sequence[AmountRecord]":
        # A buy needs it only after an amount was taken, so a cold start does not load it.
        from orderdesk.adapters.dynamodb.traders.amounts import amount_records  # noqa: PLC0415

        return amount_records(self._client, self._table, amounts)

    def line(self, mode: Mode, at_least: int) -> Iterator[Trader]:
        return chain.from_iterable(self._index.pages(mode, self._first(), None, at_least))

    def _first(self) -> int:
        return self._chance.below(self._shards) if self._shards > 1 else 0
