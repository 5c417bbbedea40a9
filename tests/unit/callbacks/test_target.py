"""The rule of contract section 7 without the lookup: tables of URLs, and properties.

Addresses are tried against the registries, entry by entry, and against the stdlib's tables.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from orderdesk.domain.callbacks.target import (
    Address,
    BadCallbackUrlError,
    CallbackTarget,
    callback_target,
    callback_url_problem,
    is_public,
)

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


def words(text: str) -> list[str]:
    return text.split()


ACCEPTED = words("""
    https://example.com http://example.com/ HTTPS://Example.COM/Cb https://example.com?a=1
    https://example.com/cb?a=1&b=%20|{x} http://example.com:80/cb http://example.com:443/cb
    https://example.com:80/cb https://example.com:1024/cb https://example.com:65535/cb
    https://pay_hook.example.com/cb https://localhost.example.com/cb https://local.example/cb
    https://1.example/cb https://xn--fiqs8s.xn--fiqs8s/cb https://回调.中国/cb
    https://bücher.example/cb https://shop。example.com/cb https://ｅｘａｍｐｌｅ.com/cb
    https://8.8.8.8/cb https://[2606:4700:4700::1111]/cb https://[2606:4700:4700::1111]:8443/cb
    https://[64:ff9b::8.8.8.8]/cb
""")
ACCEPTED += ["https://example.com/" + "a" * 235]

NO_URL = words("""
    example.com/cb //example.com/cb ftp://example.com/cb javascript:alert(1) http:example.com
    http:/example.com httpſ://example.com http:// http:///cb http://?a https://example.com/#f
    https://example.com# https://8.8.8.8#@10.0.0.1/ https://example.com/回调
""")
NO_URL += ["", "https://example.com/" + "a" * 236]

# Parsers drop, fold or keep these, each in its own way.
CHARACTERS = [
    " https://example.com",
    "https://example.com ",
    "https://exam ple.com",
    "https://example.com/a b",
    "https://example.com/\t",
    "https://example.com/\r\nHost: x",
    "ht\ntp://example.com",
    "https://example.com\x00.evil.com",
    "https://example.com\\@10.0.0.1/",
    "https:\\\\example.com",
    "https://exam\u00adple.com",
    "https://example\u200b.com",
    "https://example\u3000.com",
    "https://example.com/\ud800",
]

CREDENTIALS = words("""
    https://user@example.com/ https://user:secret@example.com/ https://@example.com/
    https://example.com@10.0.0.1/ https://example.com＠10.0.0.1/
""")

PORTS = words("""
    https://example.com:/cb https://example.com:0/cb https://example.com:22/cb
    https://example.com:1023/cb https://example.com:65536/cb https://example.com:080/cb
    https://example.com:99999999999/cb https://example.com:80:80/cb https://example.com:-80/cb
    https://example.com:８０/cb
""")

NAMES = words("""
    https://localhost/ https://LOCALHOST/ https://ｌｏｃａｌｈｏｓｔ/ https://localhost./
    https://a.localhost/ https://printer.local/ https://metadata.google.internal/
    https://a.localdomain/ https://home.arpa/ https://router.home.arpa/ https://router.home｡arpa/
    https://intranet/ https://com./ https://example.com./ https://example..com/
    https://.example.com/ https://-example.com/ https://example-.com/ https://%6c%6fcalhost.com/
    https://exam!ple.com/ https://exam℀ple.com/
""")
NAMES += ["https://" + "a" * 64 + ".com/", "https://" + "中文" * 30 + ".com/"]

# Addresses, and texts that inet_aton reads as one.
ADDRESSES = words("""
    https://127.1/ https://0x7f.1/ https://0x7f000001/ https://2130706433/ https://017700000001/
    https://0177.0.0.1/ https://127.0.0.0x1/ https://127.0.0.1./ https://１２７.０.０.１/
    https://127。0。0。1/ https://8․8․8․8/ https://134744072/ https://8.8.2056/ https://08.8.8.8/
    https://1.2.3.4.5/ https://256.256.256.256/ https://example.123/ https://example.0x/
    https://169.254.169.254/latest/meta-data/ https://[fd00:ec2::254]/ https://255.255.255.255/
    https://[::]/ https://[::ffff:8.8.8.8]/ https://[2002:808:808::1]/
    https://[2001:0:808:808::1]/ https://[64:ff9b::10.0.0.1]/ https://[fe80::1%25eth0]/
    https://[fe80::1%eth0]/ https://[8.8.8.8]/ https://[v1.fe80::a]/
    https://[2606:4700:4700::1111/ https://2606:4700:4700::1111/ https://[2606:4700::1]x/
    https://[2606:4700:4700:::1111]/ https://[]/
""")

REFUSED = [*NO_URL, *CHARACTERS, *CREDENTIALS, *PORTS, *NAMES, *ADDRESSES]

LOOPBACK = words("""
    http://localhost:8099/cb http://sink.localhost:8099/cb http://LocalHost/cb
    http://127.0.0.1:8099/cb http://127.1.2.3/cb http://[::1]:8099/cb http://[0:0:0:0:0:0:0:1]/cb
""")
NEVER_LOOPBACK = words("""
    http://localhost:22/cb http://localhost./cb http://10.0.0.1:8099/cb http://169.254.169.254/
    http://0.0.0.0:8099/ http://127.1:8099/ http://2130706433:8099/ http://１２７.０.０.１:8099/
    http://[::ffff:127.0.0.1]:8099/ http://[64:ff9b::127.0.0.1]:8099/ http://[::]:8099/
    http://db.internal:8099/ http://intranet:8099/
""")


@pytest.mark.parametrize("url", ACCEPTED)
@pytest.mark.parametrize("allow_loopback", [False, True])
def test_a_public_target_is_accepted(url: str, allow_loopback: bool) -> None:  # noqa: FBT001
    assert callback_url_problem(url, allow_loopback=allow_loopback) is None


@pytest.mark.parametrize("url", REFUSED)
def test_anything_else_is_refused_without_quoting_it(url: str) -> None:
    problem = callback_url_problem(url, allow_loopback=False)
    assert problem is not None
    assert problem.startswith("must ")
    assert not url or url not in problem


@pytest.mark.parametrize("url", LOOPBACK)
def test_loopback_is_for_the_local_stack_only(url: str) -> None:
    assert callback_url_problem(url, allow_loopback=True) is None
    assert callback_url_problem(url, allow_loopback=False) is not None


@pytest.mark.parametrize("url", NEVER_LOOPBACK)
def test_the_local_stack_admits_nothing_private_but_loopback(url: str) -> None:
    assert callback_url_problem(url, allow_loopback=True) is not None


def test_each_kind_of_problem_has_its_text() -> None:
    def problem(url: str) -> str | None:
        return callback_url_problem(url, allow_loopback=False)

    assert problem("https://e.com/" + "a" * 255) == "must be at most 255 characters"
    assert problem("ftp://e.com") == "must be an http or https URL without a fragment"
    assert problem("https://a:b@e.com") == "must not hold a user name or password"
    assert problem("https://e.com:25") == "must use port 80, 443 or 1024 to 65535"
    assert problem("https://10.0.0.1") == "must not be a private, local or reserved address"
    assert problem("https://0x0a.0.0.1") == "must write an IP address in its usual form"


def test_a_target_is_what_the_sender_connects_to() -> None:
    def target(url: str) -> CallbackTarget:
        return callback_target(url, allow_loopback=False)

    assert target("HTTPS://Bücher.Example?a=B") == CallbackTarget(
        "https", "xn--bcher-kva.example", 443, "/?a=B"
    )
    assert target("http://[2606:4700:4700:0::1111]:8080/a?b") == CallbackTarget(
        "http", "2606:4700:4700::1111", 8080, "/a?b"
    )
    with pytest.raises(BadCallbackUrlError):
        target("https://localhost/")


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("faß.de", "xn--fa-hia.de"),  # fass.de has another owner
        ("βόλος.com", "xn--nxasmm1c.com"),
        ("回调.中国", "xn--zbss05j.xn--fiqs8s"),
        ("ｅｘａｍｐｌｅ。com", "example.com"),
    ],
)
def test_a_name_is_converted_as_by_browsers(host: str, name: str) -> None:
    assert callback_target(f"https://{host}/", allow_loopback=False).host == name


@pytest.mark.parametrize("host", ["☕.example", "\u0301a.example", "ä_b.example"])
def test_a_name_that_idna_2008_does_not_allow_is_refused(host: str) -> None:
    problem = callback_url_problem(f"https://{host}/", allow_loopback=False)
    assert problem == "must name a valid host"


def spellings(ip: Address) -> list[str]:
    """Return an address as URLs may spell it: inet_aton's forms, full-width digits, inside IPv6."""
    if not isinstance(ip, IPv4Address):
        return [f"[{form}]" for form in (ip.compressed, ip.exploded, ip.exploded.upper())]
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
        *(f"[{prefix}{dotted}]" for prefix in ("::", "::ffff:", "::ffff:0:", "64:ff9b::")),
        *(spelling for v6 in embeddings(ip).values() for spelling in spellings(v6)),
    ]


@given(st.sampled_from(REGISTRY).flatmap(drawn_from))
def test_no_spelling_of_a_special_address_passes(ip: Address) -> None:
    for spelling in spellings(ip):
        assert callback_url_problem(f"https://{spelling}/", allow_loopback=False), spelling


HOSTS = st.text(st.sampled_from("aA0x.:[]@/?#\\%-_ 。１ſ＠中"), max_size=20)


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
        host = f"[{target.host}]" if ":" in target.host else target.host
        again = f"{target.scheme}://{host}:{target.port}"
        assert callback_url_problem(again, allow_loopback=True) is None
