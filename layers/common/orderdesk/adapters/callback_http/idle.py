"""Connections kept open between attempts, to save handshakes."""

import threading
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from orderdesk.adapters.callback_http.wire import Clock, Limits, Wire
from orderdesk.domain.callbacks.public_addresses import Address


class Destination(NamedTuple):
    """The destination of a connection; for https the certificate was checked for `host`."""

    scheme: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Link:
    """A wire, with the place and the checked address that it is connected to."""

    place: Destination
    address: Address
    wire: Wire


class IdleWires:
    """The unused links, the longest idle first; thread-safe."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()
        self._links: list[tuple[float, Link]] = []

    def take(self, place: Destination, addresses: Collection[Address]) -> Link | None:
        """Return the last-used link to a place and one of `addresses`, or None.

        `addresses` are the checked addresses of a fresh lookup, so a link to an address that the
        name no longer has stays unused until it expires.
        """
        with self._lock:
            self._drop_old()
            for at in range(len(self._links) - 1, -1, -1):
                link = self._links[at][1]
                if link.place == place and link.address in addresses:
                    del self._links[at]
                    if link.wire.is_quiet():
                        return link
                    link.wire.end()
            return None

    def put(self, link: Link) -> None:
        """Keep a link whose exchange has ended."""
        with self._lock:
            self._links.append((self._clock(), link))
            self._drop_old()

    def close(self) -> None:
        """Close every link."""
        with self._lock:
            while self._links:
                self._links.pop()[1].wire.end()

    def _drop_old(self) -> None:
        oldest = self._clock() - self._limits.idle_seconds
        while self._links and (
            self._links[0][0] < oldest or len(self._links) > self._limits.idle_wires
        ):
            self._links.pop(0)[1].wire.end()
