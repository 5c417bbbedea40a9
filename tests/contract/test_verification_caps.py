"""Failed verifications are capped, so that nobody can find a person's mobile by trying."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from orderdesk.adapters.dynamodb.failure_caps import PERSON_FAILURES_MOST
from tests.support.identities import somebody, submit_identity
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.seed import Seed
from tests.support.stack_seed import StackSeed


def tried(card: str, number: int, ending: str = "0000") -> dict[str, Any]:
    """Return one of many sets of a person's factors; the sandbox fails mobiles that end in 0000."""
    mobile = f"138{number:04d}{ending}"
    return {"customer_name": "测试丙", "id_card": card, "mobile": mobile}


def this_hour() -> int:
    """Return the hour in which failures are counted now."""
    return int(time.time()) // 3600


def use_up(client: MerchantClient, card: str) -> None:
    """Fail as many verifications of a person as the cap allows."""
    for number in range(PERSON_FAILURES_MOST):
        assert client.create(sell(**tried(card, number))).code == 2201


def test_fifteen_tries_do_not_tell_which_is_right(agreed: MerchantClient) -> None:
    card = somebody()
    codes = [agreed.create(sell(**tried(card, number))).code for number in range(14)]
    codes.append(agreed.create(sell(**tried(card, 14, ending="0001"))).code)
    assert codes == [2201] * PERSON_FAILURES_MOST + [2202] * (15 - PERSON_FAILURES_MOST)


def test_another_merchant_cannot_go_on(seed: Seed, agreed: MerchantClient) -> None:
    card = somebody()
    use_up(agreed, card)
    merchant, other = seed.add_merchant(identity_required=True)
    seed.fund(merchant, 10**12)
    reply = other.create(sell(**tried(card, 9, ending="0001")))
    assert (reply.status, reply.code, reply.headers["retry-after"]) == (503, 2202, "30")
    assert reply.data == {"reason": "identity_provider_unavailable"}


def test_one_customers_failures_refuse_nobody_else(seed: Seed, agreed: MerchantClient) -> None:
    """Its 110 failing checks are above the merchant's cap of an hour."""
    at_once = 11 if isinstance(seed, StackSeed) else 1
    hour = None
    while hour != (hour := this_hour()):  # once more if an hour ended meanwhile
        with ThreadPoolExecutor(at_once) as pool:
            calls = pool.map(lambda n: agreed.create(sell(**tried(somebody(), n))), range(110))
            assert {reply.code for reply in calls} == {2201}
        assert agreed.create(sell(**tried(somebody(), 0, ending="0001"))).code == 1
        failed = somebody()
        codes = [agreed.create(sell(**tried(failed, number))).code for number in range(2)]
    assert codes == [2201, 2202], "a repeated failure is what the cap stops"


def test_a_capped_buy_is_held(agreed: MerchantClient) -> None:
    card = somebody()
    use_up(agreed, card)
    reply = agreed.create(buy(**tried(card, 9, ending="0001")))
    assert (reply.code, reply.data["result_status"]) == (1, "pending_identity")


def test_the_same_factors_again_do_not_count(agreed: MerchantClient) -> None:
    card = somebody()
    for _ in range(PERSON_FAILURES_MOST + 3):
        assert agreed.create(sell(**tried(card, 1))).code == 2201
    assert agreed.create(sell(**tried(card, 2, ending="0001"))).code == 1


def test_only_failures_count(agreed: MerchantClient) -> None:
    card = somebody()
    for number in range(PERSON_FAILURES_MOST + 2):
        assert agreed.create(sell(**tried(card, number, ending="9999"))).code == 2202
        assert agreed.create(sell(**tried(card, number, ending="0001"))).code == 1


def test_the_customer_of_a_held_draft_keeps_the_attempt(seed: Seed, agreed: MerchantClient) -> None:
    if not isinstance(seed, StackSeed):
        pytest.skip("the page is visited over HTTP")
    card = somebody()
    use_up(agreed, card)
    held = agreed.create(buy(merchant_order_no="C-1")).data
    page = submit_identity(held["identity_url"], "13800000001", id_card=card)
    assert page.status_code == httpx.codes.SERVICE_UNAVAILABLE
    assert agreed.query(pending_no=held["pending_no"]).data["status"] == "held"
    again = submit_identity(held["identity_url"], "13800000001")
    assert again.status_code == httpx.codes.SEE_OTHER


def test_tries_at_the_same_time_do_not_exceed_the_cap(seed: Seed, agreed: MerchantClient) -> None:
    if not isinstance(seed, StackSeed):
        pytest.skip("in this process calls are answered one at a time")
    card = somebody()
    with ThreadPoolExecutor(12) as pool:
        replies = pool.map(lambda n: agreed.create(sell(**tried(card, n))).code, range(24))
        assert sorted(replies) == [2201] * PERSON_FAILURES_MOST + [2202] * 19


def test_the_table_holds_nothing_of_the_person(seed: Seed, agreed: MerchantClient) -> None:
    card = somebody()
    agreed.create(sell(**tried(card, 1)))
    table = seed.client.scan(TableName=seed.tables.guards, ConsistentRead=True)
    kept = str([item for item in table["Items"] if item["pk"]["S"].startswith("failures#person")])
    assert kept != "[]"
    for part in (card, card[:17], "13800010000", "测试丙", "\\u6d4b"):
        assert part not in kept
