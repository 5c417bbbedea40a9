"""The addresses of a callback's host: looked up once, in bounded time, and every one checked."""

import queue
import socket
import threading
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import Final

from orderdesk.domain.callbacks.public_addresses import Address, is_public

type Lookup = Callable[[str], Sequence[Address]]
"""Gives a name's addresses in the order to try. Raises: OSError, ValueError if it has none."""

_LOCALHOST: Final = "localhost"


class NoAddressError(Exception):
    """The name has no address, or the lookup took too long."""


class RefusedTargetError(Exception):
    """At least one address is not public."""


def system_lookup(host: str) -> list[Address]:
    """Ask the system's resolver, which sets its own time limit. Raises: OSError, UnicodeError."""
    # RFC 6761, 6.3: names under localhost are the local machine; not every resolver knows this.
    name = _LOCALHOST if host.endswith(f".{_LOCALHOST}") else host
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(str(sockaddr[0])) for *_, sockaddr in found))


def public_addresses(
    host: str, lookup: Lookup, seconds: float, *, allow_loopback: bool
) -> Sequence[Address]:
    """Give the addresses of a host name, or of an address written as text.

    One private address among them refuses the whole target: an attacker who mixes them in waits for
    the sender to try that one. `seconds` bounds the lookup.
    Raises: NoAddressError, RefusedTargetError.
    """
    found = _written(host) or _asked(host, lookup, seconds)
    if not found:
        raise NoAddressError
    if not all(is_public(address, allow_loopback=allow_loopback) for address in found):
        raise RefusedTargetError
    return found


def _written(host: str) -> list[Address]:
    try:
        return [ip_address(host)]
    except ValueError:
        return []


def _asked(host: str, lookup: Lookup, seconds: float) -> Sequence[Address]:
    """Look up in a separate thread, because getaddrinfo has no time limit and cannot be stopped."""
    answers: queue.SimpleQueue[Sequence[Address]] = queue.SimpleQueue()

    def ask() -> None:
        try:
            answers.put(lookup(host))
        except (OSError, ValueError):
            answers.put(())

    threading.Thread(target=ask, name="callback-lookup", daemon=True).start()
    try:
        return answers.get(timeout=seconds)
    except queue.Empty:
        raise NoAddressError from None
