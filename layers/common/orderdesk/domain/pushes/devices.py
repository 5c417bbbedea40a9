"""A trader's devices: browsers that asked for pushes while the desk is closed.

A device's endpoint is the address at a push service that its browser provided. Anyone who knows it
can wake the device, so it is never logged and never part of a message.
"""

import hashlib
from dataclasses import dataclass, field
from typing import Final

from orderdesk.domain.callbacks.target import callback_target

DEVICES_MAX: Final = 5
DEVICE_SECONDS: Final = 7 * 86_400
"""How long a device receives pushes without the desk being opened."""

ENDPOINT_LENGTH_MAX: Final = 2048
_KEY_LENGTH: Final = 32


@dataclass(frozen=True, slots=True)
class Device:
    """A browser that receives pushes.

    `at` (Unix seconds) is when its session subscribed, or last renewed. `session` is the hash of
    that session's token. `code_hash` is the hash of the access code of that session; a new code
    ends the subscription.
    """

    endpoint: str = field(repr=False)
    session: str = field(repr=False)
    code_hash: str = field(repr=False)
    at: int

    @property
    def key(self) -> str:
        """A hash that identifies the device and does not reveal its endpoint."""
        return device_key(self.endpoint)

    def is_active(self, code_hash: str, now: int) -> bool:
        """Return whether this device still receives pushes for a trader with this access code."""
        return self.code_hash == code_hash and now < self.at + DEVICE_SECONDS


type Devices = tuple[Device, ...]


def device_key(endpoint: str) -> str:
    """Return the key of the device at an endpoint."""
    return hashlib.sha256(endpoint.encode()).hexdigest()[:_KEY_LENGTH]


def push_origin(endpoint: str, *, allow_loopback: bool) -> str | None:
    """Return the origin of a push service's endpoint, or None if the address is not allowed.

    The rules are those of callbacks, and https is required. `allow_loopback`, for the local stack
    only, also allows http.
    """
    try:
        target = callback_target(
            endpoint, allow_loopback=allow_loopback, max_length=ENDPOINT_LENGTH_MAX
        )
    except ValueError:
        return None
    if target.scheme != "https" and not allow_loopback:
        return None
    return target.origin


def with_device(devices: Devices, new: Device) -> Devices:
    """Add or renew a device. Above DEVICES_MAX, remove those that were renewed longest ago."""
    others = (device for device in devices if device.key != new.key)
    known = (device for device in others if device.is_active(new.code_hash, new.at))
    return (*sorted(known, key=lambda device: device.at), new)[-DEVICES_MAX:]


def without_device(devices: Devices, key: str) -> Devices:
    """Remove a device; a missing one is no error."""
    return tuple(device for device in devices if device.key != key)


def without_session(devices: Devices, session: str) -> Devices:
    """Remove the devices of a session."""
    return tuple(device for device in devices if device.session != session)
