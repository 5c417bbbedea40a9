"""Places for decoding follow from a merchant's rate and from the stack's own limit."""

from random import Random

import pytest

from bench.model.drawings import drawings
from orderdesk.domain.receipts.shares import Place, common_places, own_places, places_to_try


@pytest.mark.parametrize(
    ("max_rps", "concurrency", "own", "common"),
    [
        (50, 10, 2, 5),  # the defaults
        (50, 160, 12, 80),
        (600, 160, 40, 80),
        (600, 1000, 144, 500),
        (0, 160, 2, 80),  # a trader, or a merchant whose rate is not known
        (1, 1, 2, 0),
    ],
)
def test_places_follow_from_rate_and_concurrency(
    max_rps: int, concurrency: int, own: int, common: int
) -> None:
    assert own_places(max_rps, concurrency) == own
    assert common_places(concurrency) == common


def test_a_file_tries_different_places_of_its_owner_and_then_common_ones() -> None:
    seen = set[Place]()
    for seed in range(100):
        tried = places_to_try("m1", 50, 10, Random(seed).randrange)
        assert [place.owner for place in tried] == ["m1", "m1", "", ""]
        assert len(set(tried)) == len(tried)
        seen.update(tried)
    assert seen == {Place("m1", n) for n in range(2)} | {Place("", n) for n in range(5)}


def test_one_merchant_decodes_the_receipts_of_300_orders_a_second() -> None:
    assert drawings(160, 145, max_rps=600, seconds=30).waiting_percent == 0


def test_the_receipts_of_all_merchants_find_their_places() -> None:
    run = drawings(160, 5, others=49, of_another=5, seconds=30)
    assert (run.waiting_percent, run.others_waiting_percent) == (0, 0)


def test_a_merchant_that_sends_more_than_all_can_decode_waits_itself() -> None:
    run = drawings(160, 400, max_rps=600, others=20, of_another=2, seconds=30)
    assert run.waiting_percent > 30
    assert run.others_waiting_percent < 10
