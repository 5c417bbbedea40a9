"""Addresses of withdrawals: their checksums, and the rules of the book (contract section 12)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.merchants.withdrawals import (
    ADDRESSES_MAX,
    REST_SECONDS,
    Address,
    AddressBook,
    Network,
    WithdrawalProblem,
    WithdrawalRefused,
    canonical_address,
    keccak_256,
)

TRON = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"
# The examples of EIP-55.
EVM = [
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0xde709f2102306220921060314715629080e2fb77",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
]


def problem_of(network: Network, text: str) -> WithdrawalProblem | None:
    try:
        canonical_address(network, text)
    except WithdrawalRefused as refused:
        return refused.problem
    return None


@pytest.mark.parametrize(
    ("message", "digest"),
    [
        (b"", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
        (b"abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
        (b"a" * 136, "a6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e"),
    ],
)
def test_keccak_256_is_that_of_ethereum(message: bytes, digest: str) -> None:
    assert keccak_256(message).hex() == digest


@pytest.mark.parametrize("network", [Network.ERC20, Network.BEP20])
@pytest.mark.parametrize("address", EVM)
def test_an_evm_address_gets_its_checksum(network: Network, address: str) -> None:
    digits = address[2:]
    for text in (address, f"0x{digits.lower()}", f"0x{digits.upper()}"):
        assert canonical_address(network, text) == address


@given(st.sampled_from(EVM[2:]), st.integers(2, 41))
def test_a_letter_in_the_wrong_case_is_refused(address: str, at: int) -> None:
    swapped = address[:at] + address[at].swapcase() + address[at + 1 :]
    is_digit = swapped == address
    assert problem_of(Network.ERC20, swapped) == (
        None if is_digit else WithdrawalProblem.BAD_ADDRESS
    )


def test_a_tron_address_is_accepted_as_it_is() -> None:
    assert canonical_address(Network.TRC20, TRON) == TRON


@given(
    st.integers(0, 33),
    st.sampled_from("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"),
)
def test_a_mistyped_letter_of_a_tron_address_is_refused(at: int, letter: str) -> None:
    typed = TRON[:at] + letter + TRON[at + 1 :]
    expected = None if typed == TRON else WithdrawalProblem.BAD_ADDRESS
    assert problem_of(Network.TRC20, typed) == expected


@pytest.mark.parametrize(
    ("network", "text"),
    [
        (Network.TRC20, EVM[0]),
        (Network.TRC20, f"{TRON}\n"),
        (Network.TRC20, "T" + "z" * 33),
        (Network.TRC20, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"),  # of Bitcoin
        (Network.ERC20, TRON),
        (Network.ERC20, EVM[0][2:]),
        (Network.ERC20, f"0X{EVM[0][2:]}"),
        (Network.ERC20, EVM[0] + "0"),
        (Network.BEP20, ""),
    ],
)
def test_an_address_of_another_form_is_refused(network: Network, text: str) -> None:
    assert problem_of(network, text) is WithdrawalProblem.BAD_ADDRESS


def an_address(number: int = 0) -> Address:
    return Address(Network.ERC20, f"0x{number:040d}", "cold", "mei", 1_900_000_000)


def test_a_book_is_bounded_and_has_each_address_once() -> None:
    book = AddressBook("m1")
    for number in range(ADDRESSES_MAX):
        book = book.plus(an_address(number))
    assert book.version == ADDRESSES_MAX
    for new, problem in (
        (an_address(ADDRESSES_MAX), WithdrawalProblem.BOOK_FULL),
        (replace(an_address(3), label="again"), WithdrawalProblem.ADDRESS_KNOWN),
        (replace(an_address(99), label=" "), WithdrawalProblem.BAD_LABEL),
        (replace(an_address(99), label="x" * 65), WithdrawalProblem.BAD_LABEL),
        (replace(an_address(99), label="a\u202eb"), WithdrawalProblem.BAD_LABEL),
    ):
        with pytest.raises(WithdrawalRefused) as refused:
            book.plus(new)
        assert refused.value.problem is problem
    smaller = book.minus(an_address(3))
    assert smaller.find(Network.ERC20, an_address(3).address) is None
    assert smaller.find(Network.BEP20, an_address(4).address) is None
    assert smaller.plus(an_address(99)).addresses[-1] == an_address(99)


def test_a_new_address_rests_a_day() -> None:
    assert an_address().usable_at == 1_900_000_000 + REST_SECONDS
