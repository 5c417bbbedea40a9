"""`merchant.*`: answers, refusals and audit entries."""

import base64
import re
from typing import Any

import pytest
from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.merchants import MerchantStore
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.pricing import Mode
from tests.support.market import FUNDS, Market
from tests.support.merchant_client import MerchantClient, buy
from tests.support.operator_api import OperatorApi
from tests.support.world import World, open_world

VIEWER, FINANCE = "viewer-1", "finance-1"


def add(api: OperatorApi, **terms: Any) -> dict[str, Any]:
    added: dict[str, Any] = api.data(FINANCE, "merchant.add", alone=True, name="商户", **terms)
    return added


def stored(world: World, merchant_id: str) -> Merchant:
    merchant = MerchantStore(world.client, world.tables.merchants).merchant(merchant_id)
    assert merchant is not None
    return merchant


def test_add_answers_credentials_that_sign_and_open_pages(world: World, api: OperatorApi) -> None:
    added = add(api, service_bps=60, deposit_bps=100)
    merchant_id = added["merchant_id"]
    merchant = stored(world, merchant_id)
    secrets = world.kms.unseal(merchant_id, merchant.sealed_secrets)
    assert re.fullmatch(r"m[a-z0-9]{12}", merchant_id)
    assert re.fullmatch(r"sk_[A-Za-z0-9_-]{43}", added["api_secret"])
    assert secrets.api_secrets == (added["api_secret"],)
    assert len(secrets.link_secret) == 32
    scheme, _, key = added["callback_secret"].partition("_")
    assert scheme == "whsec"
    assert len(base64.b64decode(key, validate=True)) == 32
    sealed = world.kms.unseal_callback(merchant_id, merchant.sealed_callback_secrets)
    assert sealed == (added["callback_secret"],)
    assert (added["min_cny"], added["max_cny"]) == ("0.01", "1000000.00")
    assert (added["service_bps"], added["deposit_bps"], added["identity"]) == (60, 100, False)


def test_a_list_has_pages_the_newest_first(world: World, api: OperatorApi) -> None:
    added = [world.add_merchant(created_at=at)[0].merchant_id for at in (30, 10, 20, 10)]
    wanted = [added[0], added[2], *sorted([added[1], added[3]], reverse=True)]
    for limit in (1, 100):
        found = api.items(VIEWER, "merchant.list", limit=limit)
        assert [each["merchant_id"] for each in found] == wanted


def test_set_changes_what_is_named_and_clears_by_an_empty_value(api: OperatorApi) -> None:
    merchant_id = add(
        api,
        identity=True,
        callback_url="https://hooks.example.com/a",
        allow_cidr=["192.0.2.0/24", "2001:db8::/32"],
        service_bps=60,
    )["merchant_id"]

    def change(**terms: Any) -> Any:
        return api.data(FINANCE, "merchant.set", alone=True, merchant_id=merchant_id, **terms)

    changed = change(max_cny="500", spread_bps=30)
    assert (changed["max_cny"], changed["spread_bps"]) == ("500.00", 30)
    assert (changed["identity"], changed["service_bps"]) == (True, 60)
    assert changed["allowed_cidrs"] == ["192.0.2.0/24", "2001:db8::/32"]
    cleared = change(identity=False, callback_url="", allow_cidr=[""])
    assert (cleared["identity"], cleared["callback_url"]) == (False, "")
    assert cleared["allowed_cidrs"] == []
    assert change(events="order.paid, order.paid")["events"] == ["order.paid"]
    assert change(events="none")["events"] == []
    assert change(events="all")["events"] is None
    named = change(display_name="演示商店", support="help@shop.example")
    assert (named["display_name"], named["support"]) == ("演示商店", "help@shop.example")
    assert change(support="")["support"] == ""
    shown = api.data(VIEWER, "merchant.show", merchant_id="商户")
    assert (shown["max_cny"], shown["display_name"]) == ("500.00", "演示商店")


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({}, "terms"),
        ({"min_cny": "0"}, "min_cny"),
        ({"min_cny": "5", "max_cny": "4.99"}, "max_cny"),
        ({"max_cny": "1.001"}, "max_cny"),
        ({"service_bps": 10_001}, "service_bps"),
        ({"spread_bps": 10_000}, "spread_bps"),
        ({"allow_cidr": ["10.0.0.0/33"]}, "allow_cidr"),
        ({"callback_url": "ftp://example.com"}, "callback_url"),
        ({"callback_url": "http://127.0.0.1:9000/sink"}, "callback_url"),
        ({"events": "order.paid,order.lost"}, "events"),
        ({"max_open_buys": 0}, "max_open_buys"),
        ({"max_open_cny": "0"}, "max_open_cny"),
        ({"max_rps": 0}, "max_rps"),
        ({"display_name": "x" * 65}, "display_name"),
        ({"support": "a\u202eb"}, "support"),
        ({"identity": "yes"}, "identity"),
    ],
)
def test_unfit_terms_are_named(
    world: World, api: OperatorApi, terms: dict[str, Any], field: str
) -> None:
    merchant, _ = world.add_merchant()
    status, envelope = api.call(FINANCE, "merchant.set", merchant_id=merchant.merchant_id, **terms)
    assert (status, envelope["code"]) == (400, 1002)
    assert {each["field"] for each in envelope["data"]["fields"]} == {field}


def test_a_loopback_callback_is_for_stacks_that_allow_it() -> None:
    with open_world(ALLOW_LOCAL_TARGETS="true") as world:
        url = "http://127.0.0.1:9000/sink"
        assert add(OperatorApi(world), callback_url=url)["callback_url"] == url


def test_a_merchant_shows_its_share_of_unpaid_buys(world: World, api: OperatorApi) -> None:
    merchant, client = world.add_merchant()
    world.add_trader()
    created = [client.create(buy()) for _ in range(4)]
    for reply in created[:2]:
        assert client.cancel(reply).code == 1
    completed: Any = world.get(world.tables.orders, {"pk": created[2].data["order_no"]})
    world.put(world.tables.orders, {**completed, "status": "completed"})
    shown = api.data(VIEWER, "merchant.show", merchant_id=merchant.merchant_id)["recent_buys"]
    assert shown == {
        "live": {"ended": 3, "unpaid": 2, "unpaid_percent": 66},
        "test": {"ended": 0, "unpaid": 0, "unpaid_percent": None},
    }


def test_one_person_adds_a_merchant_with_a_test_key_only(world: World, api: OperatorApi) -> None:
    added = api.data(FINANCE, "merchant.add", name="商户", admin="小梅")
    merchant_id = added["merchant_id"]
    assert added["api_key"] is None
    assert not added.keys() & {"api_secret", "callback_secret"}
    client = MerchantClient(world.send(""), added["test_api_key"], added["test_api_secret"])
    assert list(client.balance()) == ["test"]
    proposal = added["proposal"]
    assert (proposal["command"], proposal["target"]) == ("merchant.invite", merchant_id)
    after = proposal["after"]
    assert (after["member"], after["role"], after["opens"]) == ("小梅", "admin", "at once")
    assert after["spread_bps"] == "0", "the second person sees the terms that one person chose"
    api.data("finance-2", "proposal.approve", proposal_no=proposal["proposal_no"])
    halves = [
        api.data(person, "proposal.reveal", proposal_no=proposal["proposal_no"])["secret"]
        for person in (FINANCE, "finance-2")
    ]
    assert "/portal/invite/" in halves[0]
    kept = world.kms.unseal(merchant_id, stored(world, merchant_id).sealed_secrets)
    assert (kept.api_secrets, len(kept.link_secret)) == ((), 32)


def test_two_parties_of_one_shown_name_are_refused(api: OperatorApi) -> None:
    first = api.data(FINANCE, "merchant.add", name="Shop 甲", display_name="甲店")["merchant_id"]
    other = api.data(FINANCE, "merchant.add", name="Shop 乙")["merchant_id"]
    refused = [
        (api.call(FINANCE, "merchant.add", name=" ｓｈｏｐ 甲"), "name"),
        (api.call(FINANCE, "merchant.add", name="甲店"), "name"),
        (api.call(FINANCE, "merchant.add", name="x", display_name="SHOP 甲"), "display_name"),
        (api.call(FINANCE, "merchant.set", merchant_id=other, display_name="甲店"), "display_name"),
    ]
    limits: dict[str, Any] = {"min_cny": "1", "max_cny": "2"}
    api.data(FINANCE, "trader.add", alone=True, name="丙", **limits)
    refused.append((api.call(FINANCE, "trader.add", name="丙", **limits), "name"))
    for (status, envelope), field in refused:
        assert (status, envelope["code"]) == (400, 1002)
        [problem] = envelope["data"]["fields"]
        assert problem["field"] == field
        assert "has this name" in problem["problem"]
    assert api.data(FINANCE, "merchant.set", merchant_id=first, display_name="Shop 甲")
    assert api.data(FINANCE, "merchant.set", merchant_id=other, display_name="甲店"), "it is free"


def test_one_person_stops_a_secret_and_learns_no_new_one(world: World, api: OperatorApi) -> None:
    added = add(api)
    merchant_id = added["merchant_id"]
    live = MerchantClient(world.send(""), added["api_key"], added["api_secret"])
    of_test = MerchantClient(world.send(""), added["test_api_key"], added["test_api_secret"])
    assert live.post("/merchant/balance", {}).code == of_test.post("/merchant/balance", {}).code
    before = stored(world, merchant_id)
    old = world.kms.unseal_callback(merchant_id, before.sealed_callback_secrets)
    for which in ({"callback": True}, {"is_test": True}, {}):
        asked = {"merchant_id": merchant_id, "reason": "a leak", **which}
        answer = api.data(FINANCE, "merchant.revoke-secret", **asked)
        assert not [name for name in answer if "secret" in name]
    after = stored(world, merchant_id)
    new = world.kms.unseal_callback(merchant_id, after.sealed_callback_secrets)
    assert (len(new), set(new) & set(old)) == (1, set())
    assert new[0] not in repr(answer)
    assert (after.api_key, after.test_api_key) == ("", "")
    links = [world.kms.unseal(merchant_id, m.sealed_secrets).link_secret for m in (before, after)]
    assert links[0] == links[1], "links of pages stay valid"
    world.let_time_pass(seconds=60)
    for client in (live, of_test):
        assert client.post("/merchant/balance", {}).code == 1101


def test_a_new_merchant_has_a_live_key_and_a_test_key(world: World, api: OperatorApi) -> None:
    added = add(api)
    merchant_id, merchant = added["merchant_id"], stored(world, added["merchant_id"])
    for mode, name in (("live", "api_key"), ("test", "test_api_key")):
        assert re.fullmatch(rf"mk_{mode}_{merchant_id}_[A-Za-z0-9]{{24}}", added[name])
    of_test = world.kms.unseal_key(merchant_id, Mode.TEST, merchant.sealed_test_secrets)
    of_live = world.kms.unseal(merchant_id, merchant.sealed_secrets)
    assert of_test.api_secrets == (added["test_api_secret"],)
    assert of_live.api_secrets == (added["api_secret"],)
    with pytest.raises(ClientError):
        world.kms.unseal(merchant_id, merchant.sealed_test_secrets)
    client = MerchantClient(world.send(""), added["test_api_key"], added["test_api_secret"])
    assert list(client.balance()) == ["test"]


def test_secrets_are_shown_once_only(world: World, api: OperatorApi) -> None:
    added = add(api)
    merchant_id = added["merchant_id"]
    asked = {"merchant_id": merchant_id}
    secrets = [added[name] for name in ("api_secret", "callback_secret", "test_api_secret")]
    later = [
        api.data(VIEWER, "merchant.show", **asked),
        api.data(VIEWER, "merchant.list"),
        api.data(FINANCE, "merchant.suspend", **asked),
        api.data(FINANCE, "merchant.set", **asked, identity=True),
        api.data(VIEWER, "audit.list"),
        *(world.items(table) for table in ("Merchants", "Ledger", "Audit")),
    ]
    assert not [secret for secret in secrets for text in map(repr, later) if secret in text]


def test_balances_and_limits_are_of_both_modes(market: Market, api: OperatorApi) -> None:
    market.buy()
    market.sell()
    asked = {"merchant_id": market.merchant.merchant_id}
    balances = api.data(VIEWER, "merchant.show", **asked)["balances"]
    assert balances["live"] == {
        "available": "859.575655",
        "held": "140.424345",
        "deposit": "0.000000",
    }
    assert balances["test"]["available"] == "0.000000"
    limits = api.data(VIEWER, "merchant.limits", **asked)["limits"]
    assert (limits["live"]["open_buys"], limits["live"]["open_cny"]) == (1, "1000.00")
    assert (limits["test"]["open_buys"], limits["test"]["open_cny"]) == (0, "0.00")
    assert market.merchant_money() == (FUNDS - 140_424_345, 140_424_345)
