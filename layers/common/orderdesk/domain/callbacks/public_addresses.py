"""Which IP addresses a callback may connect to: globally routable unicast addresses only.

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

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Final

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
