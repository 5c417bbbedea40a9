"""Merchants' figures by day, in Guards: replaced by seals, so a copy of it is harmless."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, cast

from orderdesk.adapters.dynamodb.client import TableStore, get_items, put_whole
from orderdesk.adapters.dynamodb.keys import figures_key
from orderdesk.adapters.dynamodb.marshal import Item, attributes_of, named
from orderdesk.domain.orders.day_figures import Counts, Durations, MerchantDay, split_figures_name
from orderdesk.domain.times import SECONDS_PER_DAY

# Longer than a day is shown.
_KEPT_SECONDS = 40 * SECONDS_PER_DAY


class MerchantDayStore(TableStore):
    def save(self, figures: Mapping[str, Counts], dates: Sequence[date], read_at: int) -> None:
        expires_at = read_at + _KEPT_SECONDS
        for key, counts in figures.items():
            day, _, merchant_id = split_figures_name(key)
            if merchant_id:
                pk, values = figures_key(day.isoformat(), merchant_id), MerchantDay.of(counts)
                self._put({"pk": pk, **_values(values), "expires_at": expires_at})
        for each in dates:
            pk = figures_key(each.isoformat())
            self._put({"pk": pk, "read_at": read_at, "expires_at": expires_at})

    def days(
        self, merchant_id: str, days: Sequence[date]
    ) -> Sequence[tuple[MerchantDay, int | None]]:
        """Return a merchant's days, each with when it was read (Unix seconds), None if never.

        At most 50 days, with one request. Raises: TryAgain.
        """
        texts = [day.isoformat() for day in days]
        keys = [figures_key(text, whose) for whose in (merchant_id, "") for text in texts]
        items: Any = get_items(
            self._client, self._table, [{"pk": key} for key in keys], consistent=False
        )
        read = items[len(days) :]
        return [
            (_day_of(item), mark.get("read_at"))
            for item, mark in zip(items[: len(days)], read, strict=True)
        ]

    def _put(self, item: Item) -> None:
        put_whole(self._client, self._table, item)


_COUNTS = "orders ended completed completed_fen"


def _values(day: MerchantDay) -> Item:
    return attributes_of(day, _COUNTS) | attributes_of(day.completing, "total_seconds classes")


def _day_of(item: Item) -> MerchantDay:
    if not item:
        return MerchantDay()
    row = cast("Mapping[str, Any]", item)
    classes = list(row["classes"])
    completing = Durations(sum(classes), row["total_seconds"], classes)
    return MerchantDay(**named(row, _COUNTS), completing=completing)
