"""The three identity factors: their format and their masks. All persons are invented."""

import time
import unicodedata
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.identity import (
    Identity,
    identity_problems,
    mask_id_card,
    mask_mobile,
    mask_name,
    parse_identity,
    typed_factors,
)
from orderdesk.domain.payment_methods import mask_account
from orderdesk.domain.plain_text import plain_line, plain_name

WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)


def with_check(digits: str) -> str:
    """Complete 17 digits by GB 11643's own table of weights, not by the code's recurrence."""
    total = sum(int(d) * w for d, w in zip(digits, WEIGHTS, strict=True))
    return digits + "10X98765432"[total % 11]


ID_CARD = with_check("11010119900307001")
ID_CARDS = st.builds(
    lambda region, born, number: with_check(f"{region}{born:%Y%m%d}{number:03}"),
    st.integers(100000, 999999),
    st.dates(date(1800, 1, 1), date(2099, 12, 31)),
    st.integers(0, 999),
)
GOOD = {"customer_name": "张三", "id_card": ID_CARD, "mobile": "13800138000"}


def problems(**changed: str | None) -> dict[str, str]:
    return identity_problems(**(GOOD | changed))


@pytest.mark.parametrize("id_card", ["11010519491231002X", "440524188001010014"])
def test_the_examples_of_gb_11643_are_valid(id_card: str) -> None:
    assert problems(id_card=id_card) == {}


@given(ID_CARDS)
def test_every_well_made_id_card_is_accepted_and_normalised(id_card: str) -> None:
    identity = parse_identity("张三", f" {id_card.lower()} ", "13800138000")
    assert identity is not None
    assert identity.id_card == id_card


@given(ID_CARDS, st.integers(0, 17), st.sampled_from("0123456789X"))
def test_every_single_slip_in_an_id_card_is_noticed(id_card: str, at: int, other: str) -> None:
    slipped = id_card[:at] + other + id_card[at + 1 :]
    assert (problems(id_card=slipped) == {}) is (slipped == id_card)


@given(ID_CARDS, st.integers(0, 16))
def test_every_swap_of_neighbours_in_an_id_card_is_noticed(id_card: str, at: int) -> None:
    swapped = id_card[:at] + id_card[at + 1] + id_card[at] + id_card[at + 2 :]
    assert (problems(id_card=swapped) == {}) is (swapped == id_card)


@pytest.mark.parametrize(
    ("id_card", "problem"),
    [
        (None, "missing"),
        ("", "missing"),
        ("   ", "missing"),
        (ID_CARD[:-1], "malformed"),
        (ID_CARD + "0", "malformed"),
        ("110101900307001", "malformed"),  # the 15 digits before 1999
        (f"0{ID_CARD[1:]}", "malformed"),
        (f"X{ID_CARD[1:]}", "malformed"),
        ("".join(chr(0xFEE0 + ord(c)) for c in ID_CARD), None),  # in full width
        (f"\u202a{ID_CARD}\u202c", None),
        (f"{ID_CARD[:6]} {ID_CARD[6:]}", "malformed"),  # only a form may group it
        (f"{ID_CARD[:9]}\n{ID_CARD[10:]}", "malformed"),
        (with_check("11010117000307001"), "malformed"),
        (with_check("11010121000307001"), "malformed"),
        (with_check("11010119901307001"), "bad_birth_date"),
        (with_check("11010119900230001"), "bad_birth_date"),
        (with_check("11010119000229001"), "bad_birth_date"),
        (with_check("11010120000229001"), None),
        (ID_CARD[:-1] + str((int(ID_CARD[-1]) + 1) % 10), "bad_check_digit"),
    ],
)
def test_id_cards(id_card: str | None, problem: str | None) -> None:
    assert problems(id_card=id_card).get("id_card") == problem


@pytest.mark.parametrize(
    "name",
    [
        "张三",
        "欧阳修远",
        "买买提·艾力",
        "𠮷田",
        "李〇",
        "Zhang San",
        "Jean-Luc O'Neill",
        "D’Arcy",
        "Nguyễn Văn An",
        "Ka\N{COMBINING MACRON}lia",
        "محمد علي",
        "あい",
        "张" * 50,
    ],
)
def test_names_of_many_peoples_are_well_formed(name: str) -> None:
    assert problems(customer_name=name) == {}


@pytest.mark.parametrize(
    "name",
    [
        *("张", "张" * 51, "张3", "张３", "张\n三", "张\x00三", "\ud800张", "张三;"),
        *(
            "张\u202e三",
            "<b>张三",
            "·张三",
            "张三·",
            "- -",
            "张*",
            "张_三",
            "😀😀",
            "\u0301张三",
            "张\t三",
        ),
    ],
)
def test_other_names_are_malformed(name: str) -> None:
    assert problems(customer_name=name) == {"customer_name": "malformed"}


@pytest.mark.parametrize(
    ("mobile", "problem"),
    [
        (None, "missing"),
        (" ", "missing"),
        ("13800138000", None),
        (" 19912345678 ", None),
        ("12800138000", "malformed"),
        ("1380013800", "malformed"),
        ("138001380000", "malformed"),
        ("+8613800138000", "malformed"),
        ("138 0013 8000", "malformed"),
        ("138００138000", None),
        ("13800138000\n1", "malformed"),
    ],
)
def test_mobiles(mobile: str | None, problem: str | None) -> None:
    assert problems(mobile=mobile).get("mobile") == problem


@pytest.mark.parametrize(
    ("written", "name"),
    [
        *((f"买买提{dot}艾力", "买买提·艾力") for dot in ".．∙⋅･•·‧・"),
        ("买买提 · 艾力", "买买提·艾力"),
        ("张\u3000三", "张三"),
        (" 张  三\u200b", "张三"),
        ("\u200f\ufeff张\u00ad三\u2060", "张三"),
        ("⼭⽥太郎", "山田太郎"),  # Kangxi radicals
        ("金\uf90a", "金金"),  # a compatibility ideograph
        ("王\ue863", "王䶮"),
        ("王\ue81e", "王龴"),
        ("王\ue81a", "王㑳"),
        ("葛\U000e0100城", "葛城"),
        ("Ｚhang  San", "Zhang  San"),
        ("Nguye\u0302\u0303n An", "Nguyễn An"),
    ],
)
def test_a_name_is_made_plain(written: str, name: str) -> None:
    identity = parse_identity(written, ID_CARD, "13800138000")
    assert identity is not None
    assert identity.customer_name == name


@pytest.mark.parametrize("name", ["John A. Smith", "Smith Jr.", "张.", ".三"])
def test_a_dot_that_joins_no_parts_stays(name: str) -> None:
    assert plain_name(name) == name


def test_a_character_of_the_private_area_is_the_assigned_one() -> None:
    assert plain_name("\ue815\ue81b\ue81e\ue863\ue864") == "⺁㑇龴䶮龻"


@given(st.text(max_size=80))
def test_a_plain_form_is_its_own_plain_form(text: str) -> None:
    for plain in (plain_line, plain_name):
        assert plain(plain(text)) == plain(text)


GROUPED = [
    ID_CARD.lower(),
    f"{ID_CARD[:6]} {ID_CARD[6:14]}-{ID_CARD[14:]}",
    f" {ID_CARD[:6]}\u3000{ID_CARD[6:]}\u200b",
    "".join(chr(0xFEE0 + ord(c)) for c in ID_CARD),
]
MOBILES = [
    *("138 0013 8000", "138-0013-8000", "+8613800138000", "+86 138 0013 8000", "008613800138000"),
    *("\u202d+86-138\u20100013\u20138000\u202c", "１３８００１３８０００", "＋86 13800138000"),
]


@pytest.mark.parametrize("id_card", GROUPED)
@pytest.mark.parametrize("mobile", MOBILES)
def test_numbers_of_a_form_may_be_grouped(id_card: str, mobile: str) -> None:
    identity = parse_identity(*typed_factors("张三", id_card, mobile))
    assert identity == Identity("张三", ID_CARD, "13800138000")


def test_all_problems_are_found_at_once_and_then_there_is_no_identity() -> None:
    found = identity_problems(None, "1", "2")
    assert found == {"customer_name": "missing", "id_card": "malformed", "mobile": "malformed"}
    assert parse_identity(None, "1", "2") is None
    assert parse_identity("张三", ID_CARD, None) is None


def test_parsing_gives_the_normal_form() -> None:
    identity = parse_identity(" 买买提•艾力 ", "11010519491231002x", " 13800138000 ")
    assert identity == Identity("买买提·艾力", "11010519491231002X", "13800138000")
    composed = parse_identity("Nguye\u0302\u0303n An", ID_CARD, "13800138000")
    assert composed is not None
    assert composed.customer_name == "Nguyễn An"


TEXTS = st.none() | st.text(max_size=60)


@given(TEXTS, TEXTS, TEXTS)
def test_no_text_raises_and_problems_are_exactly_what_prevents_an_identity(
    name: str | None, id_card: str | None, mobile: str | None
) -> None:
    found = identity_problems(name, id_card, mobile)
    assert (parse_identity(name, id_card, mobile) is None) is bool(found)


def test_masks() -> None:
    assert mask_name("张三") == "张*"
    assert mask_name("欧阳修远") == "欧***"
    assert mask_id_card("44030019900101123X") == "4403**********123X"
    assert mask_mobile("13800138000") == "138****8000"


@given(st.text(max_size=20))
def test_a_mask_always_hides_something_and_keeps_the_length(text: str) -> None:
    for mask in (mask_name, mask_id_card, mask_mobile, mask_account):
        assert len(mask(text)) == len(text)
        assert not text or "*" in mask(text)


def test_an_identity_shows_its_masks_only() -> None:
    identity = Identity(**GOOD)
    for shown in (repr(identity), str(identity), f"{identity}", repr([identity])):
        assert "张*" in shown
        assert not any(value in shown for value in GOOD.values())


def test_a_long_name_is_refused_without_sorting_its_marks() -> None:
    by_class = {unicodedata.combining(chr(code)): chr(code) for code in range(0x300, 0x700)}
    name = "a" + "".join(by_class[rank] * 110 for rank in sorted(by_class, reverse=True) if rank)
    taken_ns = []
    for _ in range(3):
        began_ns = time.thread_time_ns()
        assert problems(customer_name=name)["customer_name"] == "malformed"
        taken_ns.append(time.thread_time_ns() - began_ns)
    assert min(taken_ns) < 5_000_000, "normalising sorts them, in proportion to their square"


def test_a_name_may_be_written_with_its_marks_apart() -> None:
    written = unicodedata.normalize("NFD", "\u1f80" * 50)
    assert len(written) == 150
    assert "customer_name" not in problems(customer_name=f"   {written}   ")
    assert problems(customer_name=written + "\u1f80")["customer_name"] == "malformed"
