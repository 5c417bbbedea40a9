"""Which URLs a callback may use: the part of contract section 7 that needs no DNS lookup.

The sender (`adapters/callback_http/sender.py`) parses the URL with the same `callback_target`, so
that two parsers cannot disagree on the host. The sender then checks every address of that host.
"""

import re
import unicodedata
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from orderdesk.domain.callbacks.public_addresses import is_public
from orderdesk.domain.plain_text import ascii_host

MAX_LENGTH: Final = 255

_URL: Final = re.compile(
    r"(?P<scheme>https?)://(?P<authority>[^/?#]*)(?P<path>[^#]*)", re.IGNORECASE | re.ASCII
)
_AUTHORITY: Final = re.compile(
    r"(?P<host>\[[0-9A-Fa-f.]*:[0-9A-Fa-f:.]+\]|[^:\[\]]+)(:(?P<port>[1-9][0-9]{0,4}))?"
)
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_FIRST_FREE_PORT: Final = 1024
_LAST_PORT: Final = 65535

_MAX_NAME_LENGTH: Final = 253
_LABEL: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
# Like inet_aton, many resolvers read a last label like this as an IPv4 address or its last part.
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
# Names of the local machine or network: RFC 6761, RFC 6762, RFC 8375, ICANN's private-use TLD.
_PRIVATE_SUFFIXES: Final = (".localhost", ".localdomain", ".local", ".internal", ".home.arpa")


class BadCallbackUrlError(ValueError):
    """The URL is not an allowed callback target; the text says why and never quotes the URL."""


@dataclass(frozen=True, slots=True)
class CallbackTarget:
    """The parts of a callback URL; `host` is lower-case ASCII, or an address without brackets."""

    scheme: str
    host: str
    port: int
    path_and_query: str

    @property
    def authority(self) -> str:
        """The host, in brackets if it is an IPv6 address, and the port unless it is the usual."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port: for https, the certificate is checked for the host."""
        return f"{self.scheme}://{self.authority}"


def callback_url_problem(url: str, *, allow_loopback: bool) -> str | None:
    """Return what is wrong with a callback_url, or None (contract section 7, without the lookup).

    `allow_loopback` also allows localhost, *.localhost, 127.0.0.0/8 and [::1], for the local stack.
    """
    try:
        callback_target(url, allow_loopback=allow_loopback)
    except BadCallbackUrlError as problem:
        return str(problem)
    return None


def callback_target(
    url: str, *, allow_loopback: bool, max_length: int = MAX_LENGTH
) -> CallbackTarget:
    """Parse an allowed callback URL; the caller must still check the addresses of a host name.

    Raises: BadCallbackUrlError.
    """
    if len(url) > max_length:
        raise BadCallbackUrlError(f"must be at most {max_length} characters")
    # Unicode's classes C (control, format, surrogate…) and Z (spaces): some parsers drop these
    # characters and others keep them.
    if any(c == "\\" or unicodedata.category(c)[0] in "CZ" for c in url):
        raise BadCallbackUrlError("must not hold spaces, control characters or backslashes")
    parts = _URL.fullmatch(url)
    if parts is None or not parts["path"].isascii():
        raise BadCallbackUrlError("must be an http or https URL without a fragment")
    if "@" in parts["authority"]:
        raise BadCallbackUrlError("must not hold a user name or password")
    authority = _AUTHORITY.fullmatch(parts["authority"])
    if authority is None:
        raise BadCallbackUrlError("must name a host, and a port if any")
    scheme, path = parts["scheme"].lower(), parts["path"]
    return CallbackTarget(
        scheme=scheme,
        host=_checked_host(authority["host"], allow_loopback=allow_loopback),
        port=_checked_port(authority["port"], scheme),
        path_and_query=path if path.startswith("/") else "/" + path,
    )


def _checked_port(port: str | None, scheme: str) -> int:
    number = _DEFAULT_PORTS[scheme] if port is None else int(port)
    if number in _DEFAULT_PORTS.values() or _FIRST_FREE_PORT <= number <= _LAST_PORT:
        return number
    raise BadCallbackUrlError("must use port 80, 443 or 1024 to 65535")


def _checked_host(host: str, *, allow_loopback: bool) -> str:
    if host.startswith("["):
        return _checked_address(host[1:-1], allow_loopback=allow_loopback)
    try:
        name = ascii_host(host)
    except UnicodeError:
        raise BadCallbackUrlError("must name a valid host") from None
    labels = name.split(".")
    if len(name) > _MAX_NAME_LENGTH or not all(map(_LABEL.fullmatch, labels)):
        raise BadCallbackUrlError("must name a valid host")
    if _NUMBER.fullmatch(labels[-1]):
        # Check the text as written, so that full-width digits cannot hide an address.
        return _checked_address(host, allow_loopback=allow_loopback)
    if allow_loopback and labels[-1] == "localhost":
        return name
    if len(labels) == 1 or f".{name}".endswith(_PRIVATE_SUFFIXES):
        raise BadCallbackUrlError("must name a public host")
    return name


def _checked_address(text: str, *, allow_loopback: bool) -> str:
    """Accept a dotted quad or an IPv6 address; refuse inet_aton's other spellings of IPv4."""
    try:
        ip = ip_address(text)
    except ValueError:
        raise BadCallbackUrlError("must write an IP address in its usual form") from None
    if is_public(ip, allow_loopback=allow_loopback):
        return str(ip)
    raise BadCallbackUrlError("must not be a private, local or reserved address")
