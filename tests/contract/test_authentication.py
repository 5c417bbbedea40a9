"""Contract section 2: authentication, and the order of checks."""

import time
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.domain.merchants.merchant import MerchantSecrets, MerchantStatus
from tests.support.merchant_client import MerchantClient, body_of, buy
from tests.support.seed import Seed

LIVE = "/merchant/createOrder"
PATHS = (LIVE, "/test/createOrder", "/merchant/queryOrder")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", ["api_key", "timestamp", "nonce", "signature"])
@pytest.mark.parametrize("absent", [None, ""])
def test_each_common_parameter_is_required(
    client: MerchantClient, path: str, name: str, absent: str | None
) -> None:
    params = {**client.signed(path, buy(merchant_order_no="A-1")), name: absent}
    reply = client.post_as_is(path, params)
    assert (reply.status, reply.code, reply.data["reason"]) == (400, 1002, "invalid_parameter")
    assert reply.data["fields"] == [{"field": name, "problem": "missing"}]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("api_key", 1),
        ("api_key", ["a"]),
        ("nonce", 12345678),
        ("nonce", "short"),
        ("nonce", "n" * 65),
        ("nonce", "not allowed!"),
        ("timestamp", "soon"),
        ("timestamp", 1.5),
        ("timestamp", True),
        ("timestamp", {"t": "1"}),
        ("timestamp", "9" * 400),
        ("signature", 5),
        ("signature", {"v": "1"}),
    ],
)
def test_malformed_common_parameters_are_named(
    client: MerchantClient, name: str, value: Any
) -> None:
    reply = (
        client.post(LIVE, buy(**{name: value}))
        if name != "signature"
        else client.post_as_is(LIVE, {**client.signed(LIVE, buy()), name: value})
    )
    assert (reply.status, reply.code) == (400, 1002)
    assert name in {entry["field"] for entry in reply.data["fields"]}


@pytest.mark.parametrize(
    "api_key",
    [
        "mk_nobody_0123456789abcdef",
        "mk_",
        "x",
        "mk_a_b_c",
        "键",
        "mk_é_x",
        "a" * 5000,
        f"mk_{'a' * 3000}_x",
        f"mk_a_{'b' * 3000}",
    ],
)
def test_an_unknown_key(client: MerchantClient, api_key: str) -> None:
    reply = client.post(LIVE, buy(api_key=api_key))
    assert (reply.status, reply.code, reply.data["reason"]) == (401, 1101, "unknown_api_key")


def test_a_key_of_a_known_merchant_with_another_end_is_unknown(client: MerchantClient) -> None:
    assert client.post(LIVE, buy(api_key=client.api_key[:-1] + "x")).code == 1101


@pytest.mark.parametrize("signature", ["0" * 64, "no hex at all", "签" * 10])
def test_a_bad_signature(client: MerchantClient, signature: str) -> None:
    reply = client.post_as_is(LIVE, {**client.signed(LIVE, buy()), "signature": signature})
    assert (reply.status, reply.code, reply.data["reason"]) == (401, 1102, "bad_signature")


def test_a_changed_parameter_breaks_the_signature(client: MerchantClient) -> None:
    params = client.signed(LIVE, buy())
    assert client.post_as_is(LIVE, {**params, "cny_amount": "1000.0"}).code == 1102
    assert client.post_as_is(LIVE, {**params, "unknown": "1"}).code == 1102
    assert client.post_as_is("/test/createOrder", params).code == 1102


def test_upper_case_hex_and_unknown_parameters_are_accepted(client: MerchantClient) -> None:
    params = client.signed(LIVE, buy(unknown="ignored, but signed", also=True))
    reply = client.post_as_is(LIVE, {**params, "signature": params["signature"].upper()})
    assert reply.code == 1


def test_empty_and_null_parameters_are_not_signed(client: MerchantClient) -> None:
    params = {**client.signed(LIVE, buy()), "remark": "", "mobile": None}
    assert client.post_as_is(LIVE, params).code == 1


@pytest.mark.parametrize("offset", [-301, 3600, -(10**9), 10**9])
def test_a_timestamp_outside_the_window_tells_the_servers_time(
    client: MerchantClient, offset: int
) -> None:
    before = int(time.time())
    reply = client.post(LIVE, buy(timestamp=before + offset))
    assert (reply.status, reply.code) == (401, 1103)
    assert reply.data["reason"] == "timestamp_out_of_window"
    assert before <= reply.data["server_time"] <= time.time()


@pytest.mark.parametrize("offset", [-200, 290])
def test_a_timestamp_inside_the_window_may_come_as_digits(
    client: MerchantClient, offset: int
) -> None:
    assert client.post(LIVE, buy(timestamp=str(int(time.time()) + offset))).code == 1


def test_a_nonce_is_used_once_per_key(seed: Seed, client: MerchantClient) -> None:
    params = client.signed(LIVE, buy(merchant_order_no="A-1"))
    assert client.post_as_is(LIVE, params).code == 1
    reply = client.post_as_is(LIVE, params)
    assert (reply.status, reply.code, reply.data["reason"]) == (401, 1104, "nonce_reused")
    assert client.post(LIVE, buy(nonce=params["nonce"], cny_amount="2.00")).code == 1104
    assert (
        client.post("/merchant/queryOrder", {"order_no": "B1", "nonce": params["nonce"]}).code
        == 1104
    )
    _, other = seed.add_merchant()
    assert other.post(LIVE, buy(nonce=params["nonce"])).code == 1


def test_a_nonce_is_consumed_by_a_refusal_but_not_by_a_bad_signature(
    client: MerchantClient,
) -> None:
    nonce = "nonce-of-this-test"
    wrong = {**client.signed(LIVE, buy(nonce=nonce)), "signature": "0" * 64}
    assert client.post_as_is(LIVE, wrong).code == 1102
    assert client.post(LIVE, buy(nonce=nonce, timestamp=1)).code == 1103
    assert client.post(LIVE, buy(nonce=nonce, cny_amount="-1")).code == 1002
    assert client.post(LIVE, buy(nonce=nonce)).code == 1104


def test_a_caller_cannot_choose_to_be_the_same_call(client: MerchantClient) -> None:
    """API Gateway accepts the request id from a caller's header."""
    headers = {"x-amzn-requestid": "11111111-2222-3333-4444-555555555555"}
    params = client.signed(LIVE, buy())
    assert client.post_text(LIVE, body_of(params), headers).code == 1
    assert client.post_text(LIVE, body_of(params), headers).code == 1104


def test_a_suspended_merchant_is_refused(seed: Seed) -> None:
    _, client = seed.add_merchant(status=MerchantStatus.SUSPENDED)
    for path in PATHS:
        reply = client.post(path, buy(merchant_order_no="A-1"))
        assert (reply.status, reply.code, reply.data["reason"]) == (403, 1106, "merchant_suspended")


def test_a_merchants_addresses(seed: Seed) -> None:
    merchant, allowed = seed.add_merchant(allowed_cidrs=("198.51.100.0/24", "2001:db8::/32"))
    outside = seed.client_of(merchant, allowed.api_secret, source_ip="192.0.2.1")
    seed.only_trader()
    assert allowed.create(buy()).code == 1
    reply = outside.create(buy())
    assert (reply.status, reply.code, reply.data["reason"]) == (403, 1105, "ip_not_allowed")
    inside_v6 = seed.client_of(merchant, allowed.api_secret, source_ip="2001:db8::7")
    assert inside_v6.create(buy()).code == 1


def test_either_of_two_secrets_signs_while_rotating(seed: Seed) -> None:
    merchant, old = seed.add_merchant()
    both = MerchantSecrets(("sk_new", old.api_secret), link_secret=b"k" * 32)
    seed.change_merchant(merchant, sealed_secrets=seed.kms.seal(merchant.merchant_id, both))
    seed.only_trader()
    for client in (old, replace(old, api_secret="sk_new")):
        assert client.create(buy()).code == 1
    assert replace(old, api_secret="sk_older").create(buy()).code == 1102


def test_the_first_failure_is_the_answer(seed: Seed) -> None:
    """Each call also fails every later check."""
    merchant, client = seed.add_merchant(allowed_cidrs=("198.51.100.0/24",))
    outside = seed.client_of(merchant, client.api_secret, source_ip="192.0.2.1")
    nonce = "used-in-this-test"
    seed.only_trader()
    assert client.create(buy(nonce=nonce)).code == 1
    faults: dict[str, Any] = {"nonce": nonce, "timestamp": 1, "cny_amount": "x"}
    unsigned = {**client.common(), **buy(**faults), "signature": "0" * 64}
    assert client.post_text(LIVE, "[]", {"content-type": "text/plain"}).status == 415
    assert client.post_as_is(LIVE, {**unsigned, "signature": None}).code == 1002
    assert outside.post_as_is(LIVE, {**unsigned, "api_key": "mk_x_y"}).code == 1101
    assert outside.post_as_is(LIVE, unsigned).code == 1105
    assert client.post_as_is(LIVE, unsigned).code == 1102
    assert client.create(buy(**faults)).code == 1103
    assert client.create(buy(**{**faults, "timestamp": int(time.time())})).code == 1104
    assert client.create(buy(cny_amount="x")).code == 1002
