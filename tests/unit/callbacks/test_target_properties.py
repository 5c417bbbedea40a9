"""Properties of the callback rule: no spelling of a special address passes, no text raises."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from hypothesis import example, given
from hypothesis import strategies as st

from orderdesk.domain.callbacks.public_addresses import is_public
from orderdesk.domain.callbacks.target import CallbackTarget, callback_target, callback_url_problem

NOT_PUBLIC_V4 = """
    0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
    192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24
    198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
"""
NOT_PUBLIC_V6 = """
    ::/96 ::ffff:0:0/96 64:ff9b:1::/48 100::/64 2001::/32 2001:2::/48 2001:10::/28 2001:db8::/32
    2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8
"""


def v4_spellings(ip: IPv4Address) -> list[str]:
    """Return an address in every form of inet_aton, and in full-width digits and dots."""
    value = int(ip)
    a, b, c, d = ip.packed
    dotted = str(ip)
    return [
        dotted,
        str(value),
        hex(value),
        f"0{value:o}",
        f"{a}.{value & 0xFFFFFF}",
        f"{a}.{b}.{value & 0xFFFF}",
        f"{a:#x}.{b:#x}.{c:#x}.{d:#x}",
        f"0{a:o}.0{b:o}.0{c:o}.0{d:o}",
        f"{a}.{b}.{c}.{d:#x}",
        f"{dotted}.",
        dotted.replace(".", "。"),
        dotted.translate(str.maketrans("0123456789", "０１２３４５６７８９")),
        *(f"[{v6}]" for v6 in v6_wrappings(ip)),
    ]


def v6_wrappings(ip: IPv4Address) -> list[str]:
    """Return an IPv4 address in every IPv6 form that contains one."""
    high, low = int(ip) >> 16, int(ip) & 0xFFFF
    flipped = int(ip) ^ 0xFFFFFFFF
    return [
        f"::{ip}",
        f"::ffff:{ip}",
        f"::ffff:{high:x}:{low:x}",
        f"0:0:0:0:0:ffff:{high:04X}:{low:04X}",
        f"::ffff:0:{ip}",
        f"64:ff9b::{ip}",
        f"64:ff9b:1::{ip}",
        f"2002:{high:x}:{low:x}::1",
        f"2001:0:{high:x}:{low:x}::{flipped >> 16:x}:{flipped & 0xFFFF:x}",
    ]


def addresses_in_v4(block: str) -> st.SearchStrategy[IPv4Address]:
    return st.ip_addresses(network=IPv4Network(block)).map(lambda ip: IPv4Address(str(ip)))


def addresses_in_v6(block: str) -> st.SearchStrategy[IPv6Address]:
    return st.ip_addresses(network=IPv6Network(block)).map(lambda ip: IPv6Address(str(ip)))


@given(st.sampled_from(NOT_PUBLIC_V4.split()).flatmap(addresses_in_v4))
def test_no_spelling_of_a_special_ipv4_address_passes(ip: IPv4Address) -> None:
    assert not is_public(ip, allow_loopback=False)
    for spelling in v4_spellings(ip):
        assert callback_url_problem(f"https://{spelling}/", allow_loopback=False), spelling


@given(st.sampled_from(NOT_PUBLIC_V6.split()).flatmap(addresses_in_v6))
def test_no_spelling_of_a_special_ipv6_address_passes(ip: IPv6Address) -> None:
    assert not is_public(ip, allow_loopback=False)
    for spelling in (ip.compressed, ip.exploded, ip.exploded.upper()):
        assert callback_url_problem(f"https://[{spelling}]/", allow_loopback=False), spelling


HOSTS = st.text(st.sampled_from("aA0x.:[]@/?#\\%-_ 。١ſ＠中"), max_size=20)


@given(
    st.one_of(st.text(), st.builds("http://{}".format, st.text()), HOSTS.map("https://".__add__))
)
@example("http://\ud800")
@example("https://" + "." * 240)
def test_no_text_raises_and_what_passes_is_plain(url: str) -> None:
    if callback_url_problem(url, allow_loopback=True) is None:
        target = callback_target(url, allow_loopback=True)
        assert target.scheme in {"http", "https"}
        assert target.host.isascii()
        assert target.host == target.host.lower()
        assert target.port in {80, 443} or 1024 <= target.port <= 65535
        assert target.path_and_query.startswith("/")
        assert (
            callback_url_problem(f"{target.scheme}://{bracketed(target)}", allow_loopback=True)
            is None
        )


def bracketed(target: CallbackTarget) -> str:
    host = f"[{target.host}]" if ":" in target.host else target.host
    return f"{host}:{target.port}"
