"""One merchant's flood: its rate holds over all containers, and other merchants are served."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.depth import examples
from tests.support.merchant_client import MerchantClient
from tests.support.stack_seed import StackSeed

MAX_RPS = 5
FLOOD_CALLS = examples(budget=80, full=200)
FLOODERS = 8
QUIET_CALLS = examples(budget=16, full=40)


def balance_of(client: MerchantClient) -> int:
    return client.post("/merchant/balance", {}).code


def in_turn(client: MerchantClient, calls: int) -> list[float]:
    """Make calls one at a time; return the seconds of each."""
    taken = []
    for _ in range(calls):
        began = time.monotonic()
        assert balance_of(client) == 1
        taken.append(time.monotonic() - began)
    return taken


@pytest.mark.deep
def test_a_flood_is_bounded_and_the_other_merchant_is_served(stack_seed: StackSeed) -> None:
    _, loud = stack_seed.add_merchant(max_rps=MAX_RPS)
    _, quiet = stack_seed.add_merchant()
    alone = in_turn(quiet, QUIET_CALLS)
    with ThreadPoolExecutor(FLOODERS + 1) as pool:
        began = time.monotonic()
        others = pool.submit(in_turn, quiet, QUIET_CALLS)
        codes = list(pool.map(balance_of, [loud] * FLOOD_CALLS))
        seconds = time.monotonic() - began
        beside = others.result()
    passed = codes.count(1)
    assert codes.count(1201) == FLOOD_CALLS - passed
    assert 2 * MAX_RPS <= passed <= 2 * MAX_RPS + MAX_RPS * (int(seconds) + 1)
    print(
        f"flood: {FLOOD_CALLS} calls in {seconds:.1f} s, {passed} passed; other merchant's median "
        f"{sorted(alone)[QUIET_CALLS // 2] * 1000:.0f} ms alone, "
        f"{sorted(beside)[QUIET_CALLS // 2] * 1000:.0f} ms beside it"
    )
