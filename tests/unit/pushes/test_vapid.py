"""The token of a push: RFC 8292's rules, checked with another implementation of ECDSA."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.pushes.vapid import (
    BadKeyAnswer,
    Token,
    authorization,
    public_key_of,
    signed,
    signing_input,
)
from tests.support.push_service import SIGNED, decoded, verified

KEY = ec.derive_private_key(1_000_003, ec.SECP256R1())
DER_KEY = KEY.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
NOW = 1_795_268_000


def header(expires_at: int = NOW + 3600) -> dict[str, str]:
    text = signing_input("https://push.example.com", "https://pay.example.com", expires_at)
    token = Token(signed(text, KEY.sign(text.encode(), SIGNED)), expires_at)
    return {"authorization": authorization(token, public_key_of(DER_KEY))}


def test_a_push_service_verifies_the_token_and_reads_whose_it_is() -> None:
    vapid = verified(header())
    assert vapid.header == {"typ": "JWT", "alg": "ES256"}
    assert vapid.claims == {
        "aud": "https://push.example.com",
        "exp": NOW + 3600,
        "sub": "https://pay.example.com",
    }
    assert len(decoded(vapid.key)) == 65
    assert "=" not in vapid.key


TOO_SHORT = bytes.fromhex("3006020101020205")  # the second number has one byte of its two
numbers = st.integers(1, 2**256 - 1) | st.integers(0, 300) | st.integers(2**247, 2**248)


@given(numbers, numbers)
def test_every_signature_is_two_numbers_of_32_bytes(r: int, s: int) -> None:
    raw = decoded(signed("a.b", encode_dss_signature(r, s)).rpartition(".")[2])
    assert raw == r.to_bytes(32) + s.to_bytes(32)


@pytest.mark.parametrize(
    "der", [encode_dss_signature(2**256, 1), encode_dss_signature(1, 2**256), TOO_SHORT]
)
def test_a_number_that_is_too_long_or_cut_is_refused(der: bytes) -> None:
    with pytest.raises(BadKeyAnswer):
        signed("a.b", der)


@given(st.binary(max_size=80))
def test_what_is_no_signature_is_refused(der: bytes) -> None:
    try:
        text = signed("a.b", der)
    except BadKeyAnswer:
        return
    assert len(decoded(text.rpartition(".")[2])) == 64


@pytest.mark.parametrize("der", [b"", b"\x04", bytes(91), DER_KEY[:-1]])
def test_what_is_no_key_of_p256_is_refused(der: bytes) -> None:
    with pytest.raises(BadKeyAnswer):
        public_key_of(der)
