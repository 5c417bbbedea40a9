"""`merchant.*` on moto."""

import base64
import re
from typing import Any

import pytest
from botocore.exceptions import ClientError

from orderdesk.adapters.dynamodb.merchants import MerchantStore
from orderdesk.domain.merchants.merchant import MAX_ACTIVE_SECRETS, Merchant
from tests.support.market import FUNDS, Market
from tests.support.merchant_client import MerchantClient, buy
from tests.support.operator_api import OperatorApi
from tests.support.world import World, open_world

VIEWER, FINANCE = "viewer-1", "finance-1"


def add(api: OperatorApi, **terms: Any) -> dict[str, Any]:
    added: dict[str, Any] = api.data(FINANCE, "merchant.add", name="商户", **terms)
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


def test_a_list_has_pages_the_newest_last(world: World, api: OperatorApi) -> None:
    added = [world.add_merchant(created_at=at)[0].merchant_id for at in (30, 10, 20, 10)]
    wanted = [added[1], added[3], added[2], added[0]]
    wanted[:2] = sorted(wanted[:2])
    found: list[str] = []
    after = None
    while True:
        page = api.data(VIEWER, "merchant.list", limit=1, after=after)
        found += [each["merchant_id"] for each in page["items"]]
        after = page["next"]
        if after is None:
            break
    assert found == wanted
    assert [e["merchant_id"] for e in api.data(VIEWER, "merchant.list")["items"]] == wanted


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


def test_terms_that_price_money_need_two_people(world: World, api: OperatorApi) -> None:
    merchant, _ = world.add_merchant()
    asked = {"merchant_id": merchant.merchant_id, "service_bps": 90, "events": "none"}
    proposal = api.data(FINANCE, "merchant.set", **asked)["proposal"]
    assert (proposal["command"], proposal["status"]) == ("merchant.set", "open")
    assert (proposal["before"]["service_bps"], proposal["after"]["service_bps"]) == ("60", "90")
    shown = api.data(VIEWER, "merchant.show", merchant_id=merchant.merchant_id)
    assert (shown["service_bps"], shown["events"]) == (60, None)
    number = proposal["proposal_no"]
    assert api.call(FINANCE, "proposal.approve", proposal_no=number)[0] == 403
    api.data("finance-2", "proposal.approve", proposal_no=number)
    shown = api.data(VIEWER, "merchant.show", merchant_id=merchant.merchant_id)
    assert (shown["service_bps"], shown["events"]) == (90, [])


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


def test_new_limits_of_sells_and_slots_need_two_people(world: World, api: OperatorApi) -> None:
    merchant, _ = world.add_merchant()
    for name, value in (
        ("max_open_sells", 7),
        ("max_open_sell_cny", "9000000.00"),
        ("slot_share", 90),
    ):
        asked = {"merchant_id": merchant.merchant_id, name: value}
        proposal = api.data(FINANCE, "merchant.set", **asked)["proposal"]
        assert proposal["after"] == {name: str(value)}


def test_a_rotation_is_proposed_and_revealed_to_its_proposer(
    world: World, api: OperatorApi
) -> None:
    merchant_id = add(api)["merchant_id"]
    answer = api.data(FINANCE, "merchant.rotate-secret", merchant_id=merchant_id)
    assert answer.keys() == {"proposal"}
    number = answer["proposal"]["proposal_no"]
    approved = api.data("finance-2", "proposal.approve", proposal_no=number)
    revealed = api.data(FINANCE, "proposal.reveal", proposal_no=number)
    secrets = world.kms.unseal(merchant_id, stored(world, merchant_id).sealed_secrets)
    newest = secrets.api_secrets[0]
    assert newest in str(revealed)
    assert newest not in str(approved)


def test_rotation_keeps_the_previous_secret_and_drops_the_one_before(
    world: World, api: OperatorApi
) -> None:
    merchant_id = add(api)["merchant_id"]

    def rotated(command: str) -> list[Any]:
        return [api.data(FINANCE, command, alone=True, merchant_id=merchant_id) for _ in range(2)]

    api_secrets = rotated("merchant.rotate-secret")
    callback_secrets = rotated("merchant.rotate-callback-secret")
    merchant = stored(world, merchant_id)
    secrets = world.kms.unseal(merchant_id, merchant.sealed_secrets)
    assert len(secrets.api_secrets) == MAX_ACTIVE_SECRETS
    assert secrets.api_secrets == tuple(each["api_secret"] for each in reversed(api_secrets))
    kept = world.kms.unseal_callback(merchant_id, merchant.sealed_callback_secrets)
    assert kept == tuple(each["callback_secret"] for each in reversed(callback_secrets))


def test_a_new_merchant_has_a_live_key_and_a_test_key(world: World, api: OperatorApi) -> None:
    added = add(api)
    merchant_id, merchant = added["merchant_id"], stored(world, added["merchant_id"])
    for mode, name in (("live", "api_key"), ("test", "test_api_key")):
        assert re.fullmatch(rf"mk_{mode}_{merchant_id}_[A-Za-z0-9]{{24}}", added[name])
    of_test = world.kms.unseal_test(merchant_id, merchant.sealed_test_secrets)
    of_live = world.kms.unseal(merchant_id, merchant.sealed_secrets)
    assert of_test.api_secrets == (added["test_api_secret"],)
    assert of_live.api_secrets == (added["api_secret"],)
    with pytest.raises(ClientError):
        world.kms.unseal(merchant_id, merchant.sealed_test_secrets)
    client = MerchantClient(world.send(""), added["test_api_key"], added["test_api_secret"])
    assert list(client.balance()) == ["test"]


def test_one_person_rotates_the_test_secret_and_the_live_one_stays(
    world: World, api: OperatorApi
) -> None:
    merchant_id = add(api)["merchant_id"]
    before = stored(world, merchant_id)
    asked = {"merchant_id": merchant_id, "is_test": True}
    new = [api.data(FINANCE, "merchant.rotate-secret", **asked) for _ in range(2)]
    after = stored(world, merchant_id)
    assert {each["test_api_key"] for each in new} == {before.test_api_key}
    assert (after.api_key, after.sealed_secrets) == (before.api_key, before.sealed_secrets)
    kept = world.kms.unseal_test(merchant_id, after.sealed_test_secrets)
    assert kept.api_secrets == tuple(each["test_api_secret"] for each in reversed(new))
    entries = api.data(VIEWER, "audit.list")["items"]
    (first, second) = [each for each in entries if each["action"] == "merchant.rotate-secret"]
    assert first["details"] == second["details"] == {"key": "test"}


def test_a_merchant_from_before_test_keys_gets_one(world: World, api: OperatorApi) -> None:
    merchant, live = world.add_merchant()
    merchant_id = merchant.merchant_id
    assert api.data(VIEWER, "merchant.show", merchant_id=merchant_id)["test_api_key"] is None
    assert live.balance()["live"], "the merchant is in the container's cache"
    world.let_time_pass(seconds=2)
    new = api.data(FINANCE, "merchant.rotate-secret", merchant_id=merchant_id, is_test=True)
    client = MerchantClient(world.send(""), new["test_api_key"], new["test_api_secret"])
    assert list(client.balance()) == ["test"]
    assert live.create(buy(), route="test").code == 2101


def test_secrets_are_shown_once_only(world: World, api: OperatorApi) -> None:
    added = add(api)
    merchant_id = added["merchant_id"]
    asked = {"merchant_id": merchant_id}
    rotated = api.data(FINANCE, "merchant.rotate-secret", alone=True, **asked)["api_secret"]
    callback = api.data(FINANCE, "merchant.rotate-callback-secret", **asked)["callback_secret"]
    of_test = api.data(FINANCE, "merchant.rotate-secret", **asked, is_test=True)["test_api_secret"]
    secrets = [added["api_secret"], added["callback_secret"], rotated, callback]
    secrets += [added["test_api_secret"], of_test]
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


def test_suspend_and_resume(world: World, api: OperatorApi) -> None:
    merchant, _ = world.add_merchant()
    for command, status in (("suspend", "suspended"), ("resume", "active")):
        answer = api.data(FINANCE, f"merchant.{command}", merchant_id=merchant.merchant_id)
        assert answer["status"] == status


@pytest.mark.parametrize(
    "command",
    [
        *("merchant.show", "merchant.limits", "merchant.suspend", "merchant.resume"),
        *("merchant.rotate-secret", "merchant.rotate-callback-secret", "merchant.set"),
    ],
)
def test_an_unknown_merchant_is_refused(world: World, api: OperatorApi, command: str) -> None:
    terms: dict[str, Any] = {"identity": True} if command == "merchant.set" else {}
    status, envelope = api.call(FINANCE, command, merchant_id="mnobody", **terms)
    assert (status, envelope["data"]["detail"]) == (404, "no such merchant: mnobody")
    assert world.items("Audit") == []
