"""The short payment reference of an order (contract section 8)."""

from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.ids import numbered, payment_reference

IDENTIFIERS = st.integers(0, (1 << 53) - 1)
NOW = 1_780_000_000


def test_it_is_the_end_of_the_order_number() -> None:
    assert payment_reference("B202606011234567890123456") == "123456"


@given(IDENTIFIERS)
def test_it_is_six_digits(identifier: int) -> None:
    reference = payment_reference(numbered("B", identifier, NOW))
    assert len(reference) == 6
    assert reference.isdecimal()
    assert reference.isascii()


@given(IDENTIFIERS, st.integers(1, 999_999))
def test_orders_of_one_moment_have_different_ones(identifier: int, apart: int) -> None:
    """An id grows by 8192 a millisecond, so orders within a tenth of a second never share it."""
    one, other = (numbered("B", number, NOW) for number in (identifier, identifier + apart))
    assert payment_reference(one) != payment_reference(other)
