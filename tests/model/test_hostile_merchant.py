"""A hostile merchant in the model: the others get traders (contract section 6)."""

from tests.model.hostile import UNLIMITED_SELLS, hostile_hour


def test_a_hostile_merchant_takes_no_trader_from_others() -> None:
    """Without the limits, it takes nearly all slots as soon as its sells are assigned."""
    seconds = 240
    before = hostile_hour(seconds, slot_share=100, **UNLIMITED_SELLS)
    after = hostile_hour(seconds)
    assert before.percent > 10
    assert (after.percent, after.slots) == (0, 200)
