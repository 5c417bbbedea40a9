"""Exchange a request with a server that may be slow, broken or hostile (contract section 7).

http.client uses connections that are made here to a checked address; Host, SNI and certificate are
those of the name. urllib3 can also connect to a given address, but limits neither the time of an
exchange nor the size of a response. The sender follows no redirects, uses no proxies, stores no
cookies and decodes no response.
"""

import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPException
from ipaddress import ip_address
from typing import Final, Self

from botocore.httpsession import where

from orderdesk.adapters.callback_http.wire import (
    DEFAULT_LIMITS,
    Answer,
    AttemptFailedError,
    Budget,
    Clock,
    Connect,
    Limits,
    Post,
    Wire,
    connect,
    exchange,
    secure,
)
from orderdesk.domain.callbacks.delivery import Attempt, Failure
from orderdesk.domain.callbacks.target import (
    MAX_LENGTH,
    Address,
    BadCallbackUrlError,
    CallbackTarget,
    callback_target,
    is_public,
)

type Lookup = Callable[[str], Sequence[Address]]
"""Return a name's addresses in the order to try. Raises: OSError, ValueError for none."""

_LOCALHOST: Final = "localhost"


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
    Raises: AttemptFailedError, also for a host without an address and for a slow lookup.
    """
    found = _written(host) or _asked(host, lookup, seconds)
    if not found:
        raise AttemptFailedError(Failure.DNS)
    if not all(is_public(address, allow_loopback=allow_loopback) for address in found):
        raise AttemptFailedError(Failure.REFUSED_TARGET)
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
        raise AttemptFailedError(Failure.DNS) from None


@dataclass(frozen=True, slots=True)
class Link:
    """A wire, with the origin and the checked address that it is connected to."""

    origin: str
    address: Address
    wire: Wire


class IdleWires:
    """The unused links, the longest idle first; thread-safe."""

    def __init__(self, limits: Limits, clock: Clock) -> None:
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()
        self._links: list[tuple[float, Link]] = []

    def take(self, origin: str, addresses: Collection[Address]) -> Link | None:
        """Return the last-used link to an origin and one of `addresses`, or None.

        `addresses` are the checked addresses of a fresh lookup, so a link to an address that the
        name no longer has stays unused until it expires.
        """
        with self._lock:
            self._drop_old()
            for at in range(len(self._links) - 1, -1, -1):
                link = self._links[at][1]
                if link.origin == origin and link.address in addresses:
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


# The first match applies. An SSLError is an OSError. http.client's RemoteDisconnected (the receiver
# closed without a response) is both a ConnectionError and an HTTPException.
_FAILURES: Final[tuple[tuple[type[Exception], Failure], ...]] = (
    (BadCallbackUrlError, Failure.REFUSED_TARGET),
    (TimeoutError, Failure.TIMEOUT),
    (ssl.SSLEOFError, Failure.RESET),
    (ssl.SSLError, Failure.TLS),
    (OSError, Failure.RESET),
    (HTTPException, Failure.PROTOCOL),
)


def public_tls() -> ssl.SSLContext:
    """Return a TLS context that trusts botocore's CA bundle, which is in the Lambda layer."""
    context = ssl.create_default_context(cafile=where())
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


class CallbackSender:
    """Post callbacks, and fetch files by the same rules; thread-safe."""

    def __init__(
        self,
        *,
        allow_loopback: bool,
        limits: Limits = DEFAULT_LIMITS,
        url_length_max: int = MAX_LENGTH,
        tls: ssl.SSLContext | None = None,
        lookup: Lookup = system_lookup,
        connect: Connect = connect,
        clock: Clock = time.monotonic,
    ) -> None:
        """`allow_loopback` is the deployment's AllowLocalTargets. The last four are for tests."""
        self._allow_loopback = allow_loopback
        self._limits = limits
        self._url_length_max = url_length_max
        self._tls = tls or public_tls()
        self._lookup = lookup
        self._connect = connect
        self._clock = clock
        self._idle = IdleWires(limits, clock)

    def send(self, url: str, headers: Mapping[str, str], body: str) -> Attempt:
        """Post once, within the limits; return the response or the failure.

        Raises: ValueError for a header that only the sender may set, or that has a line break.
        """
        return self._attempt(url, lambda target: Post(target, headers, body.encode()))

    def fetch(self, url: str) -> bytes | None:
        """Get a file by the rules of callbacks; None if there is none within the limits."""
        got = self._attempt(url, lambda target: Post(target, {"Accept": "image/*"}, b"", "GET"))
        # A body of `kept_bytes` may have been cut.
        is_whole = got.failure is None and 0 < len(got.answer) < self._limits.kept_bytes
        return got.answer if got.status == HTTPStatus.OK and is_whole else None

    def _attempt(self, url: str, request: Callable[[CallbackTarget], Post]) -> Attempt:
        budget, answer, failure = Budget(self._limits, self._clock), Answer(), None
        try:
            target = callback_target(
                url, allow_loopback=self._allow_loopback, max_length=self._url_length_max
            )
            self._deliver(request(target), budget, answer)
        except AttemptFailedError as error:
            failure = error.failure
        except tuple(kind for kind, _ in _FAILURES) as error:
            failure = next(name for kind, name in _FAILURES if isinstance(error, kind))
        return Attempt(
            answer.status, budget.elapsed_ms(), bytes(answer.body), failure, answer.retry_after
        )

    def close(self) -> None:
        """Close the connections that are kept open."""
        self._idle.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _deliver(self, post: Post, budget: Budget, answer: Answer) -> None:
        # One lookup: the connection goes to a checked address even if the name changes later.
        addresses = public_addresses(
            post.target.host,
            self._lookup,
            budget.wait(self._limits.lookup_seconds),
            allow_loopback=self._allow_loopback,
        )
        idle = self._idle.take(post.target.origin, addresses)
        if idle is None or not self._post_again(idle, post, budget, answer):
            self._post(self._link(post.target, addresses, budget), post, answer)

    def _post_again(self, link: Link, post: Post, budget: Budget, answer: Answer) -> bool:
        """Post over a used link; return False if the receiver has closed it.

        If the receiver closed it during the request, it gets a copy with the same webhook-id.
        """
        link.wire.renew(budget)
        try:
            self._post(link, post, answer)
        except TimeoutError:
            raise
        except OSError:
            if budget.received:
                raise
            return False
        return True

    def _post(self, link: Link, post: Post, answer: Answer) -> None:
        is_reusable = False
        try:
            is_reusable = exchange(link.wire, post, answer, self._limits.kept_bytes)
        finally:
            if is_reusable:
                self._idle.put(link)
            else:
                link.wire.end()

    def _link(self, target: CallbackTarget, addresses: Sequence[Address], budget: Budget) -> Link:
        """Connect to the first address that accepts.

        Raises: AttemptFailedError if none accepts; that, or TimeoutError, of the one that does.
        """
        for address in addresses[: self._limits.addresses_tried]:
            try:
                sock = self._connect(
                    address, target.port, budget.wait(self._limits.connect_seconds)
                )
            except OSError:
                continue
            if target.scheme == "https":
                sock = secure(sock, target.host, self._tls, budget)
            return Link(target.origin, address, Wire(sock, budget))
        raise AttemptFailedError(Failure.CONNECT)
