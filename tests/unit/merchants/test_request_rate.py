"""A merchant gets its rate and bursts of twice that, over all containers, and hardly more."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orderdesk.domain.errors import TooManyRequests, TryAgain
from orderdesk.domain.merchants.merchant import BadSignature, Merchant
from orderdesk.domain.merchants.request_rate import (
    HIGHEST_MAX_RPS,
    NS_PER_SECOND,
    UNCOUNTED_MOST,
    Seen,
    retry_after_seconds,
)
from orderdesk.domain.pricing import Mode
from orderdesk.services.merchants.authenticate import RequestRates
from orderdesk.services.merchants.refused_calls import (
    KEPT_MOST,
    SECONDS_EACH,
    RefusalLog,
    RefusedCall,
    network_of,
)
from orderdesk.web.pages.values import china_time
from tests.support.seed import a_merchant
from tests.support.token_bucket import used_until_ns

START_US = 1_800_000_000_000_000
SECOND_US = 1_000_000

rates = st.integers(min_value=1, max_value=HIGHEST_MAX_RPS)
gaps_us = st.one_of(
    st.just(0), st.integers(0, 1_000), st.integers(0, 50_000), st.integers(0, 3 * SECOND_US)
)


@dataclass
class Bucket:
    """The shared count, by the contract's arithmetic. Each call waits in it and moves its clock."""

    until: dict[str, int] = field(default_factory=dict)
    requests: int = 0
    clock_us: int = 0
    wait_us: int = 0

    def count(self, counter: str, calls: int, max_rps: int, now_ns: int) -> int | None:
        self.requests += 1
        self.clock_us += self.wait_us
        used = used_until_ns(self.until.get(counter), calls, max_rps, now_ns)
        if used is not None:
            self.until[counter] = used
        return used


def container_of(bucket: Bucket) -> RequestRates:
    return RequestRates(bucket, lambda: bucket.clock_us)


def merchant(max_rps: int, name: str = "m1") -> Merchant:
    return a_merchant(name, max_rps=max_rps)


def passes(container: RequestRates, caller: Merchant, now_us: int) -> bool:
    try:
        container.admit(caller, Mode.LIVE, now_us)
    except TooManyRequests:
        return False
    return True


def passed_times(
    containers: Sequence[RequestRates], caller: Merchant, calls: Sequence[tuple[int, int]]
) -> list[int]:
    """Send each call, a gap later, to a container; return the times of those that passed."""
    now, passed = START_US, []
    for gap, number in calls:
        now += gap
        if passes(containers[number % len(containers)], caller, now):
            passed.append(now)
    return passed


@given(st.integers(1, 19), st.lists(st.tuples(gaps_us, st.integers(0, 4)), max_size=120))
def test_where_every_call_is_counted_no_span_holds_more_than_the_burst_and_the_rate(
    max_rps: int, calls: list[tuple[int, int]]
) -> None:
    bucket = Bucket()
    passed = passed_times([container_of(bucket) for _ in range(5)], merchant(max_rps), calls)
    for first, start in enumerate(passed):
        for last in range(first, len(passed)):
            span_us = passed[last] - start
            assert last - first + 1 <= 2 * max_rps + max_rps * span_us // SECOND_US + 1


@given(rates, st.integers(1, 5), st.lists(st.tuples(gaps_us, st.integers(0, 4)), max_size=200))
def test_containers_together_pass_hardly_more(
    max_rps: int, count: int, calls: list[tuple[int, int]]
) -> None:
    bucket = Bucket()
    passed = passed_times([container_of(bucket) for _ in range(count)], merchant(max_rps), calls)
    if passed:
        seconds = (passed[-1] - passed[0]) // SECOND_US + 1
        uncounted = (UNCOUNTED_MOST - 1) * count * (seconds + 1)
        assert len(passed) <= 2 * max_rps + max_rps * seconds + uncounted


@given(rates, st.integers(1, 5), st.lists(st.integers(0, 4), min_size=1, max_size=200))
def test_a_merchant_within_its_rate_is_never_refused(
    max_rps: int, count: int, numbers: list[int]
) -> None:
    bucket = Bucket()
    gap = -(-SECOND_US // max_rps)
    calls = [(gap, number) for number in numbers]
    passed = passed_times([container_of(bucket) for _ in range(count)], merchant(max_rps), calls)
    assert len(passed) == len(calls)


@given(st.integers(10 * UNCOUNTED_MOST, HIGHEST_MAX_RPS), st.integers(1, 100))
def test_a_few_calls_in_a_second_cost_one_request_a_day(max_rps: int, seconds: int) -> None:
    bucket = Bucket()
    container = container_of(bucket)
    for second in range(seconds):
        for call in range(UNCOUNTED_MOST - 1):
            assert passes(container, merchant(max_rps), START_US + second * SECOND_US + call)
    assert bucket.requests == 1


@given(st.lists(st.integers(0, 40 * 3_600 * SECOND_US), min_size=1, max_size=20), st.data())
def test_the_bucket_shows_the_day_of_the_last_call(gaps: list[int], data: st.DataObject) -> None:
    bucket, now = Bucket(), START_US
    containers = [container_of(bucket) for _ in range(3)]
    for gap in gaps:
        now += gap
        assert passes(data.draw(st.sampled_from(containers)), merchant(50), now)
        shown = min(bucket.until["m1"] // 1_000, now)
        assert china_time(shown // SECOND_US)[:10] == china_time(now // SECOND_US)[:10]


def test_a_burst_passes_and_then_the_rate() -> None:
    container, caller = container_of(Bucket()), merchant(50)
    passed = [
        sum(passes(container, caller, START_US + second * SECOND_US) for _ in range(500))
        for second in range(5)
    ]
    assert passed == [100, 50, 50, 50, 50]


def test_a_flood_costs_one_request_a_second() -> None:
    bucket = Bucket()
    container, caller = container_of(bucket), merchant(50)
    while passes(container, caller, START_US):
        pass
    before = bucket.requests
    assert not any(passes(container, caller, START_US + n) for n in range(999))
    assert bucket.requests == before


def test_a_call_that_waited_is_counted_at_the_present_time() -> None:
    bucket, caller = Bucket(), merchant(50)
    waiting, second = container_of(bucket), container_of(bucket)
    later_us = START_US + 3 * SECOND_US
    assert passes(container_of(bucket), caller, later_us)
    bucket.clock_us = later_us
    assert passes(waiting, caller, START_US)
    assert bucket.until["m1"] == later_us * 1_000 + 2 * NS_PER_SECOND // 50
    while passes(container_of(bucket), caller, later_us):
        pass
    assert not passes(second, caller, START_US), "the bucket is full"


@pytest.mark.parametrize("seconds", [1, 3])
def test_a_call_that_waits_twice_is_refused_or_tried_again_if_the_bucket_is_full(
    seconds: int,
) -> None:
    bucket, caller = Bucket(), merchant(50)
    waiting = container_of(bucket)
    bucket.until["m1"] = (START_US + 60 * SECOND_US) * 1_000
    bucket.clock_us, bucket.wait_us = START_US, seconds * SECOND_US
    if seconds == 1:
        assert not passes(waiting, caller, START_US)
        assert bucket.requests == 2
    else:
        with pytest.raises(TryAgain):
            passes(waiting, caller, START_US)


def test_one_merchants_flood_is_not_anothers() -> None:
    container = container_of(Bucket())
    while passes(container, merchant(50), START_US):
        pass
    assert passes(container, merchant(50, "m2"), START_US)


def test_a_container_keeps_a_bounded_number_of_merchants() -> None:
    container = container_of(Bucket())
    for number in range(1_100):
        passes(container, merchant(50, f"m{number}"), START_US)
    assert len(container._seen) == 1_000


def test_who_is_refused_waits_for_a_second_at_least() -> None:
    assert retry_after_seconds(Seen(refused_until_ns=10**18 + 1), 10**18) == 1
    assert retry_after_seconds(Seen(refused_until_ns=10**18 + 10**9 + 1), 10**18) == 2


NOW = 1_800_000_000
PATH = "/merchant/balance"


@dataclass
class Recorded:
    """Knows some merchants, and keeps what is recorded."""

    merchants: tuple[Merchant, ...]
    calls: list[tuple[str, RefusedCall]] = field(default_factory=list)

    def find(self, merchant_id: str) -> Merchant | None:
        return next((m for m in self.merchants if m.merchant_id == merchant_id), None)

    def add(self, merchant_id: str, call: RefusedCall) -> None:
        self.calls.append((merchant_id, call))


def log_of(*merchants: Merchant) -> tuple[RefusalLog, Recorded]:
    recorded = Recorded(merchants)
    return RefusalLog(recorded, recorded), recorded


def test_a_refused_call_of_a_known_key_is_recorded() -> None:
    merchant = a_merchant("m1")
    log, recorded = log_of(merchant)
    log.note(merchant.api_key, PATH, BadSignature(), "203.0.113.77", NOW)
    call = RefusedCall(NOW, Mode.LIVE, PATH, "bad_signature", "203.0.113.0/24")
    assert recorded.calls == [("m1", call)]


@pytest.mark.parametrize(
    "key", [None, 7, "", "mk_live_m1", "mk_live_m1_another", "mk_live_m2_xxxxxxxxxxxxxxxxxxxxxxxx"]
)
def test_a_call_of_an_unknown_key_is_nobodys(key: object) -> None:
    log, recorded = log_of(a_merchant("m1"))
    log.note(key, PATH, BadSignature(), "203.0.113.77", NOW)
    assert recorded.calls == []


def test_a_flood_is_recorded_in_part() -> None:
    merchant, other = a_merchant("m1"), a_merchant("m2")
    log, recorded = log_of(merchant, other)
    for second in range(10 * SECONDS_EACH):
        for _ in range(20):
            log.note(merchant.api_key, PATH, BadSignature(), "::1", NOW + second)
    assert len(recorded.calls) == KEPT_MOST + 10 - 1
    log.note(other.api_key, PATH, BadSignature(), "::1", NOW)
    assert recorded.calls[-1][0] == "m2"


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.77", "203.0.113.0/24"),
        ("2001:db8:1:2::3", "2001:db8:1::/48"),
        ("", ""),
        ("unknown", ""),
    ],
)
def test_an_address_is_kept_as_its_network(address: str, network: str) -> None:
    assert network_of(address) == network
