"""The addresses of a callback's host: one lookup, in bounded time; all are checked."""

import queue
import socket
import threading
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import Final

from orderdesk.domain.callbacks.public_addresses import Address, is_public

type Lookup = Callable[[str], Sequence[Address]]
"""Return a name's addresses in the order to try. Raises: OSError, ValueError for none."""

_LOCALHOST: Final = "localhost"


class NoAddressError(Exception):
    """The name has no address, or the lookup took too long."""


class RefusedTargetError(Exception):
    """At least one address is not public."""


def system_lookup(host: str) -> list[Address]:
    """Query the system's resolver, which has its own timeout. Raises: OSError, UnicodeError."""
    # RFC 6761, 6.3: names under localhost are the local machine; some resolvers do not know them.
    name = _LOCALHOST if host.endswith(f".{_LOCALHOST}") else host
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(ip_address(str(sockaddr[0])) for *_, sockaddr in found))


def public_addresses(
    host: str, lookup: Lookup, seconds: float, *, allow_loopback: bool
) -> Sequence[Address]:
    """Return the addresses of a host, which may be an address itself; `seconds` limits the lookup.

    One private address refuses the whole target, because the sender could connect to it.
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
    """Look up in a thread, because getaddrinfo has no timeout and cannot be cancelled."""
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
