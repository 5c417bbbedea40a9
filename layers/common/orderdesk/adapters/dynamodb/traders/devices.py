"""Traders' devices in the Guards table: one item for all devices of a trader.

TTL deletes an item after its last device expires.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from orderdesk.adapters.dynamodb.client import DynamoDB, TableStore
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item, Stored, Value, value_of
from orderdesk.adapters.dynamodb.transactions import Write, transact
from orderdesk.domain.pushes.devices import DEVICE_SECONDS, Device, Devices
from orderdesk.services.ports import Chance
from orderdesk.services.pushes.devices import KeptDevices

_DEVICE = Stored(Device)


class PushDevices(TableStore):
    def __init__(self, client: DynamoDB, table: str, chance: Chance) -> None:
        super().__init__(client, table)
        self._chance = chance

    def devices_of(self, trader_id: str) -> KeptDevices:
        item = self._get_item(self._table, {"pk": Key.push(trader_id)})
        if item is None:
            return KeptDevices()
        return KeptDevices(_devices_in(item), cast("int", item["version"]))

    def save(self, trader_id: str, kept: KeptDevices, devices: Devices) -> None:
        item: Item = {
            "pk": Key.push(trader_id),
            "devices": value_of(devices),
            "version": kept.version + 1,
            "expires_at": max((device.at for device in devices), default=0) + DEVICE_SECONDS,
        }
        changed = Write.put_next(self._table, "pk", item)
        transact(self._client, [changed], self._chance.token())

    def devices_of_all(self, trader_ids: Sequence[str]) -> dict[str, Devices]:
        """Return the devices of at most KEYS_MAX traders. Raises: TryAgain.

        The read is eventually consistent, at half the price: a new device may miss a push.
        """
        keys = [{"pk": Key.push(trader_id)} for trader_id in trader_ids]
        items = self._get_items(self._table, keys, consistent=False)
        return {
            trader_id: _devices_in(item)
            for trader_id, item in zip(trader_ids, items, strict=True)
            if item
        }


def _devices_in(item: Mapping[str, Value]) -> Devices:
    return tuple(map(_DEVICE.part, cast("list[Any]", item["devices"])))
