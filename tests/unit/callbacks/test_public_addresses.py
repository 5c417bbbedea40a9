"""The address rule against the registries, entry by entry, and against the stdlib's tables."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orderdesk.domain.callbacks.public_addresses import Address, is_public

# Every address block of the IANA IPv4 Special-Purpose Address Registry, and multicast.
REGISTRY_V4 = """
    0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
    192.0.0.0/24 192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32
    192.0.0.171/32 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.88.99.2/32
    192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 240.0.0.0/4
    255.255.255.255/32 224.0.0.0/4
"""
# Likewise for IPv6, without NAT64's well-known prefix; then the ranges reserved by RFC 4291 and its
# predecessors, and everything that is no global unicast.
REGISTRY_V6 = """
    ::1/128 ::/128 ::ffff:0:0/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32
    2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28
    2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16
    fc00::/7 fe80::/10
    ::/96 ::ffff:0:0:0/96 fec0::/10 ff00::/8 ::/8 100::/8 200::/7 400::/6 800::/5 1000::/4 4000::/3
    6000::/3 8000::/3 a000::/3 c000::/3 e000::/4 f000::/5 f800::/6 fe00::/9
"""
REGISTRY = [ip_network(block) for block in (REGISTRY_V4 + REGISTRY_V6).split()]
NAT64 = IPv6Network("64:ff9b::/96")


def contained(ip: Address, blocks: list[IPv4Network | IPv6Network]) -> bool:
    return any(ip in block for block in blocks)


def drawn_from(block: IPv4Network | IPv6Network) -> st.SearchStrategy[Address]:
    return st.integers(int(block.network_address), int(block.broadcast_address)).map(
        IPv4Address if isinstance(block, IPv4Network) else IPv6Address
    )


@pytest.mark.parametrize("block", REGISTRY, ids=str)
@pytest.mark.parametrize("allow_loopback", [False, True])
def test_a_block_is_refused_from_its_first_address_to_its_last(
    block: IPv4Network | IPv6Network,
    allow_loopback: bool,  # noqa: FBT001
) -> None:
    for ip in (block.network_address, block[block.num_addresses // 2], block.broadcast_address):
        is_loopback = ip in IPv4Network("127.0.0.0/8") or ip == IPv6Address("::1")
        assert is_public(ip, allow_loopback=allow_loopback) is (allow_loopback and is_loopback)


@pytest.mark.parametrize("block", REGISTRY, ids=str)
def test_the_address_before_a_block_and_the_one_after_are_judged_by_the_registry(
    block: IPv4Network | IPv6Network,
) -> None:
    kind = IPv4Address if isinstance(block, IPv4Network) else IPv6Address
    for number in (int(block.network_address) - 1, int(block.broadcast_address) + 1):
        if 0 <= number < 1 << block.max_prefixlen:
            ip = kind(number)
            assert is_public(ip, allow_loopback=False) is not contained(ip, REGISTRY), ip


@pytest.mark.parametrize("text", ["2606:4700:4700::1111%eth0", "fe80::1%eth0", "::1%lo"])
def test_an_address_with_a_zone_is_refused(text: str) -> None:
    assert not is_public(ip_address(text), allow_loopback=False)


def embeddings(ip: IPv4Address) -> dict[str, IPv6Address]:
    """Return an IPv4 address in every IPv6 form from which a machine on the way extracts it."""
    value = int(ip)
    flipped = value ^ 0xFFFF_FFFF
    public64 = int(IPv6Address("2606:4700:4700:1::"))
    return {
        "compatible": IPv6Address(value),
        "mapped": IPv6Address(0xFFFF_0000_0000 | value),
        "translated": IPv6Address(0xFFFF_0000_0000_0000 | value),
        "nat64": IPv6Address(int(NAT64.network_address) | value),
        "nat64 of a network": IPv6Address(int(IPv6Address("64:ff9b:1::")) | value),
        "6to4": IPv6Address(int(IPv6Address("2002::1")) | value << 80),
        "teredo server": IPv6Address(int(IPv6Address("2001::")) | value << 64 | 0xF7F7_F7F7),
        "teredo client": IPv6Address(int(IPv6Address("2001:0:808:808::")) | flipped),
        "isatap": IPv6Address(public64 | 0x0000_5EFE << 32 | value),
        "isatap, unique": IPv6Address(public64 | 0x0200_5EFE << 32 | value),
    }


# An IPv6 form of a public IPv4 address may pass if it has no other use.
JUDGED_BY_THE_IPV4_WITHIN = {"nat64", "isatap", "isatap, unique"}


@given(
    st.ip_addresses(v=4)
    | st.sampled_from([b for b in REGISTRY if b.version == 4]).flatmap(drawn_from)
)
@example(IPv4Address("169.254.169.254"))
@example(IPv4Address("127.0.0.1"))
def test_inside_ipv6_few_forms_of_a_public_ipv4_address_pass_and_none_of_another(
    ip: IPv4Address,
) -> None:
    expected = is_public(ip, allow_loopback=False)
    for form, wrapped in embeddings(ip).items():
        passes = form in JUDGED_BY_THE_IPV4_WITHIN and expected
        assert is_public(wrapped, allow_loopback=False) is passes, form
        is_loopback = wrapped == IPv6Address("::1")
        assert is_public(wrapped, allow_loopback=True) is (passes or is_loopback), form


@given(st.one_of(st.ip_addresses(), st.sampled_from(REGISTRY).flatmap(drawn_from)))
def test_what_the_standard_library_refuses_is_refused(ip: Address) -> None:
    """The stdlib's tables are made from the same registries by others."""
    if ip in NAT64:
        return
    if (
        not ip.is_global
        or ip.is_private
        or ip.is_reserved
        or ip.is_loopback
        or ip.is_link_local
        or ip.is_multicast
        or ip.is_unspecified
    ):
        assert not is_public(ip, allow_loopback=False)


@given(st.one_of(st.ip_addresses(), st.sampled_from(REGISTRY).flatmap(drawn_from)))
def test_public_is_what_no_registry_names(ip: Address) -> None:
    if ip in NAT64 or (int(ip) >> 32) & 0xFDFF_FFFF == 0x5EFE:
        return
    assert is_public(ip, allow_loopback=False) is not contained(ip, REGISTRY)
