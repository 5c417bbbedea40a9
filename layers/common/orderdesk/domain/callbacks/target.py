"""Which URLs and addresses a callback may use (contract section 7), without a DNS lookup.

The sender (`adapters/callback_http/sender.py`) parses the URL with the same `callback_target`, so
that two parsers cannot disagree on the host. The sender then checks every address of that host:
only globally routable unicast addresses are allowed.

The lists contain every block of the IANA IPv4 and IPv6 Special-Purpose Address Registries as of
October 2025, and multicast.

- https://www.iana.org/assignments/iana-ipv4-special-registry
- https://www.iana.org/assignments/iana-ipv6-special-registry

Some of these blocks are globally reachable according to the registries. They are refused too: they
are anycast services (AS112, AMT, PCP, TURN). The nearest node answers, possibly one in our own
network, and no merchant's server has such an address.

NAT64's well-known prefix is the one exception. The IPv4 address that the gateway forwards to
decides, because a network without IPv4 reaches the whole IPv4 internet through this prefix.
"""

import re
import unicodedata
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

from orderdesk.domain.plain_text import ascii_host

type Address = IPv4Address | IPv6Address

_SPECIAL_V4: Final = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",  # this network, unspecified
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT; 100.100.100.200 is Alibaba Cloud's metadata
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local; 169.254.169.254 is the cloud's metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # IETF protocol assignments: DS-Lite, PCP, TURN, NAT64 discovery
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # automatic multicast tunnelling
        "192.88.99.0/24",  # 6to4 relays, withdrawn; 6a44
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112, direct delegation
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, limited broadcast
    )
)
# All global unicast addresses (RFC 4291). The other seven eighths of IPv6 are not routable; they
# are refused without being listed below.
_GLOBAL_V6: Final = IPv6Network("2000::/3")
_SPECIAL_V6: Final = tuple(
    IPv6Network(block)
    for block in (
        "::/96",  # unspecified, loopback, and IPv4-compatible, withdrawn
        "::ffff:0:0/96",  # IPv4-mapped: a socket connects to the IPv4 address
        "::ffff:0:0:0/96",  # IPv4-translated (RFC 7915)
        "64:ff9b:1::/48",  # local-use NAT64 prefix (RFC 8215)
        "100::/64",  # discard
        "100:0:0:1::/64",  # dummy prefix
        "2001::/23",  # IETF protocol assignments: Teredo, benchmarking, ORCHID, AMT, AS112, DET
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: a relay sends on to the IPv4 address within
        "2620:4f:8000::/48",  # AS112, direct delegation
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
        "fc00::/7",  # unique local; fd00:ec2::254 is the cloud's metadata
        "fe80::/10",  # link-local
        "fec0::/10",  # site-local, withdrawn
        "ff00::/8",  # multicast
    )
)
# RFC 6052's well-known prefix: a NAT64 gateway forwards to the IPv4 address in the last 32 bits.
_NAT64: Final = IPv6Network("64:ff9b::/96")
# RFC 5214: an ISATAP router tunnels to the IPv4 address behind this interface id. The second id has
# the "globally unique" bit set.
_ISATAP: Final = frozenset({0x0000_5EFE, 0x0200_5EFE})
_V4_BITS: Final = 32
_V4_MASK: Final = 0xFFFF_FFFF

_LOOPBACK_V4: Final = IPv4Network("127.0.0.0/8")
_LOOPBACK_V6: Final = IPv6Address("::1")


def is_public(address: Address, *, allow_loopback: bool) -> bool:
    """Return whether a callback may connect to an address (contract section 7).

    `allow_loopback`, for the local stack only, also allows 127.0.0.0/8 and ::1, but no IPv6 address
    that embeds one of them.
    """
    if isinstance(address, IPv4Address):
        return _is_public_v4(address) or (allow_loopback and address in _LOOPBACK_V4)
    return _is_public_v6(address) or (allow_loopback and address == _LOOPBACK_V6)


def _is_public_v4(address: IPv4Address) -> bool:
    return not any(address in block for block in _SPECIAL_V4)


def _is_public_v6(address: IPv6Address) -> bool:
    if address.scope_id is not None:  # a zone is for one link; no internet address has one
        return False
    embedded = IPv4Address(int(address) & _V4_MASK)
    if address in _NAT64:
        return _is_public_v4(embedded)
    if address not in _GLOBAL_V6 or any(address in block for block in _SPECIAL_V6):
        return False
    is_isatap = (int(address) >> _V4_BITS) & _V4_MASK in _ISATAP
    return not is_isatap or _is_public_v4(embedded)


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
