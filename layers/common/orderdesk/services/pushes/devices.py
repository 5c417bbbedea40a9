"""A trader's devices: subscribe, unsubscribe, and remove with the session.

Two tabs, or the desk and the sender, may change a trader's devices at the same time. Each change is
therefore written on the condition that the devices read are still stored.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from orderdesk.domain.ids import token_hash
from orderdesk.domain.pushes.devices import (
    Device,
    Devices,
    with_device,
    without_device,
    without_session,
)
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.ports import Chance
from orderdesk.services.retrying import PauseMs, until_committed


@dataclass(frozen=True, slots=True)
class KeptDevices:
    """A trader's devices as stored; version 0 if nothing is stored."""

    devices: Devices = ()
    version: int = 0


class DeviceStore(Protocol):
    """Stores traders' devices. Each method raises TryAgain."""

    def devices_of(self, trader_id: str) -> KeptDevices:
        """Return a trader's present devices."""

    def save(self, trader_id: str, kept: KeptDevices, devices: Devices, token: str) -> None:
        """Replace the devices that were read.

        Raises: ChangedMeanwhile.
        """


@dataclass(frozen=True, slots=True)
class DevicePorts:
    store: DeviceStore
    chance: Chance
    pause_ms: PauseMs


def switch_on(endpoint: str, token: str, trader: Trader, ports: DevicePorts, now: int) -> None:
    """Send pushes to a device from now on (Unix seconds); `token` is the session's.

    A device that is already subscribed belongs to this session from now on. Raises: TryAgain.
    """
    new = Device(endpoint, token_hash(token), trader.access.access_code_hash, now)
    _change(trader.trader_id, lambda devices: with_device(devices, new), ports)


def switch_off(key: str, trader_id: str, ports: DevicePorts) -> None:
    """Send no more pushes to a device; a missing one is no error. Raises: TryAgain."""
    _change(trader_id, lambda devices: without_device(devices, key), ports)


def forget_session(token: str, trader_id: str, ports: DevicePorts) -> None:
    """Remove the devices of a session that ends. Raises: TryAgain."""
    session = token_hash(token)
    _change(trader_id, lambda devices: without_session(devices, session), ports)


def _change(trader_id: str, change: Callable[[Devices], Devices], ports: DevicePorts) -> None:
    def attempt() -> None:
        kept = ports.store.devices_of(trader_id)
        devices = change(kept.devices)
        if devices != kept.devices:
            ports.store.save(trader_id, kept, devices, ports.chance.token())

    until_committed(attempt, ports)
