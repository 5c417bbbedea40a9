"""Where a callback may go: the rule of contract section 7 on an address and on a URL's text.

The sender looks the name up and judges every address by the same `is_public_address`; it should
take the URL apart with the same `callback_target`, so that no two parsers disagree on the host.
"""

import re
import unicodedata
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

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
# A last label that inet_aton, and so many a resolver, takes for an IPv4 address or its last part.
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*")
# Names for the own machine or network: RFC 6761, RFC 6762, RFC 8375, ICANN's private-use TLD.
_PRIVATE_SUFFIXES: Final = (".localhost", ".localdomain", ".local", ".internal", ".home.arpa")

# IANA IPv4 Special-Purpose Address Registry, and multicast: everything not globally reachable.
_SPECIAL_V4: Final = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",  # this network, unspecified
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local; 169.254.169.254 is the cloud's metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # IETF protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays, withdrawn
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, limited broadcast
    )
)
# IPv6 the other way round: global unicast is this one block, less what the registry takes out.
# So ::1, ::a.b.c.d, IPv4-mapped, fc00::/7 (fd00:ec2::254 is metadata), fe80::/10, ff00::/8 are out.
_GLOBAL_V6: Final = IPv6Network("2000::/3")
_SPECIAL_V6: Final = tuple(
    IPv6Network(block)
    for block in (
        "2001::/23",  # IETF protocol assignments: Teredo, benchmarking, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: an IPv4 address in disguise
        "3fff::/20",  # documentation
    )
)
# RFC 6052's well-known prefix: a NAT64 gateway forwards to the IPv4 address in the last 32 bits.
_NAT64: Final = IPv6Network("64:ff9b::/96")
_V4_MASK: Final = 0xFFFF_FFFF

_LOOPBACK_V4: Final = IPv4Network("127.0.0.0/8")
_LOOPBACK_V6: Final = IPv6Address("::1")


class BadCallbackUrlError(ValueError):
    """The URL is no allowed callback target; the text says why and quotes nothing of it."""


@dataclass(frozen=True, slots=True)
class CallbackTarget:
    """A callback URL taken apart: `host` in ASCII lower case or an address without brackets."""

    scheme: str
    host: str
    port: int
    path_and_query: str


def callback_url_problem(url: str, *, allow_loopback: bool) -> str | None:
    """Say what is wrong with a callback_url, or None (contract section 7, without the lookup).

    `allow_loopback` also admits localhost, *.localhost, 127.0.0.0/8 and [::1], for the local stack.
    """
    try:
        callback_target(url, allow_loopback=allow_loopback)
    except BadCallbackUrlError as problem:
        return str(problem)
    return None


def callback_target(url: str, *, allow_loopback: bool) -> CallbackTarget:
    """Take an allowed callback URL apart; a name's addresses still have to be judged.

    Raises BadCallbackUrlError.
    """
    if len(url) > MAX_LENGTH:
        raise BadCallbackUrlError(f"must be at most {MAX_LENGTH} characters")
    # Unicode's classes C (control, format, surrogate…) and Z (spaces): readers drop or keep them.
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


def is_public_address(ip: IPv4Address | IPv6Address) -> bool:
    """Tell whether an address is globally routable unicast (contract section 7).

    IPv4-mapped, 6to4 and Teredo addresses are never public, whatever they wrap; a NAT64 address
    (64:ff9b::/96) is what the IPv4 address within is.
    """
    if isinstance(ip, IPv4Address):
        return not any(ip in block for block in _SPECIAL_V4)
    if ip in _NAT64:
        return is_public_address(IPv4Address(int(ip) & _V4_MASK))
    return ip in _GLOBAL_V6 and not any(ip in block for block in _SPECIAL_V6)


def _checked_port(port: str | None, scheme: str) -> int:
    number = _DEFAULT_PORTS[scheme] if port is None else int(port)
    if number in _DEFAULT_PORTS.values() or _FIRST_FREE_PORT <= number <= _LAST_PORT:
        return number
    raise BadCallbackUrlError("must use port 80, 443 or 1024 to 65535")


def _checked_host(host: str, *, allow_loopback: bool) -> str:
    if host.startswith("["):
        return _checked_address(host[1:-1], allow_loopback=allow_loopback)
    name = _ascii_name(host)
    labels = name.split(".")
    if len(name) > _MAX_NAME_LENGTH or not all(map(_LABEL.fullmatch, labels)):
        raise BadCallbackUrlError("must name a valid host")
    if _NUMBER.fullmatch(labels[-1]):
        # Judged as written: an address may not hide behind full-width digits.
        return _checked_address(host, allow_loopback=allow_loopback)
    if allow_loopback and labels[-1] == "localhost":
        return name
    if len(labels) == 1 or f".{name}".endswith(_PRIVATE_SUFFIXES):
        raise BadCallbackUrlError("must name a public host")
    return name


def _ascii_name(host: str) -> str:
    """Write a host name in ASCII lower case; IDNA also unfolds full-width letters and dots."""
    if host.isascii():
        return host.lower()
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise BadCallbackUrlError("must name a valid host") from None


def _checked_address(text: str, *, allow_loopback: bool) -> str:
    """Accept a dotted quad or an IPv6 address; inet_aton's other spellings of IPv4 are refused."""
    try:
        ip = ip_address(text)
    except ValueError:
        raise BadCallbackUrlError("must write an IP address in its usual form") from None
    is_loopback = ip in _LOOPBACK_V4 if isinstance(ip, IPv4Address) else ip == _LOOPBACK_V6
    if is_public_address(ip) or (allow_loopback and is_loopback):
        return str(ip)
    raise BadCallbackUrlError("must not be a private, local or reserved address")
