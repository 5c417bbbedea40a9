"""The desk's rules: its block list, and its limits of a trading day (sections 3 and 11)."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.orders.blocks import BlockKind
from orderdesk.domain.orders.order_errors import DeskRule
from orderdesk.web.pages.portal.portal_texts import PortalTexts
from orderdesk.web.pages.texts import Language
from tests.support.identities import identity
from tests.support.merchant_client import BANK, WALLET, MerchantClient, buy, sell
from tests.support.operator_api import OperatorApi
from tests.support.portal import PortalVisit
from tests.support.world import World

SUPPORT, FIRST, SECOND = "support-1", "finance-1", "finance-2"
PERSON = identity()
WORDS = "the order is refused by the desk"


@pytest.fixture
def client(world: World) -> MerchantClient:
    merchant, client = world.add_merchant()
    world.fund(merchant, 10**9)
    return client


def block(api: OperatorApi, kind: str, value: str, **more: Any) -> Any:
    return api.data(SUPPORT, "block.add", kind=kind, value=value, reason="fraud", **more)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("card", f" {BANK['card_number'][:4]} {BANK['card_number'][4:]} "),
        ("payee", BANK["real_name"]),
        ("id-card", str(PERSON["id_card"])),
        ("mobile", f"+86 {PERSON['mobile']}"),
    ],
)
def test_a_blocked_sell_is_refused_with_the_same_words(
    world: World, api: OperatorApi, client: MerchantClient, kind: str, value: str
) -> None:
    first = client.create(sell(merchant_order_no="S-1", **PERSON))
    assert first.code == 1
    blocked = block(api, kind, value)
    assert value.strip() not in json.dumps(blocked, ensure_ascii=False)
    world.cold_start("create_order")
    refused = client.create(sell(merchant_order_no="S-2", **PERSON))
    assert (refused.status, refused.code, refused.envelope["msg"]) == (409, 2106, WORDS)
    assert refused.data == {"reason": "refused_by_desk"}
    again = client.create(sell(merchant_order_no="S-1", **PERSON))
    assert (again.code, again.data["order_no"]) == (2001, first.data["order_no"])


@pytest.mark.parametrize(
    "written",
    [
        {"real_name": "\u202e阿卜·买买提"},
        {"real_name": "阿卜•买买提"},
        {"real_name": "阿 卜\u200b买买提"},
        {"account": "Shop-1\u202e"},
    ],
)
def test_another_way_to_write_it_does_not_get_around_a_block(
    world: World, api: OperatorApi, client: MerchantClient, written: dict[str, str]
) -> None:
    block(api, "payee", "阿卜·买买提")
    block(api, "account", "shop-1")
    world.cold_start("create_order")
    assert client.create(sell(payment_method=WALLET | written)).code == 2106


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_portal_says_which_rule_refused_and_not_whose(
    world: World, api: OperatorApi, lang: str
) -> None:
    merchant, client = world.add_merchant()
    world.fund(merchant, 10**9)
    visit = PortalVisit.of_new_member(world, MemberRole.DEVELOPER, merchant)
    block(api, "card", BANK["card_number"])
    limits = api.data(FIRST, "desk.set", payee_daily_count="1")["proposal"]
    api.data(SECOND, "proposal.approve", proposal_no=limits["proposal_no"])
    world.cold_start("create_order")
    assert client.create(sell()).code == 2106
    assert [client.create(sell(payment_method=WALLET)).code for _ in range(2)] == [1, 2106]
    rules, shown = PortalTexts(Language(lang)).developers.rules, visit.get("developers", lang=lang)
    listed = shown["body"].partition('id="refused"')[2]
    assert f"· {rules['card']}<" in listed
    assert f"· {rules['day']}<" in listed
    assert BANK["card_number"][-4:] not in listed


def test_each_rule_of_the_desk_has_its_words() -> None:
    rules = PortalTexts(Language.EN).developers.rules
    assert rules.keys() == {rule.value for rule in DeskRule}
    assert {DeskRule(kind.value) for kind in BlockKind} == {*DeskRule} - {DeskRule.DAY}


def test_two_people_remove_a_block(world: World, api: OperatorApi, client: MerchantClient) -> None:
    number = block(api, "card", BANK["card_number"])["block_no"]
    assert block(api, "card", BANK["card_number"])["block_no"] == number
    [listed] = api.data("viewer-1", "block.list")["items"]
    assert (listed["block_no"], listed["value"]) == (number, f"****{BANK['card_number'][-4:]}")
    proposal = api.data(FIRST, "block.remove", block_no=number)["proposal"]["proposal_no"]
    assert api.call(FIRST, "proposal.approve", proposal_no=proposal)[0] == 403
    assert client.create(sell()).code == 2106
    api.data(SECOND, "proposal.approve", proposal_no=proposal)
    assert api.data("viewer-1", "block.list")["items"] == []
    world.cold_start("create_order")
    assert client.create(sell()).code == 1


def test_a_buy_is_refused_for_its_customer_only(
    world: World, api: OperatorApi, client: MerchantClient
) -> None:
    world.clear_rotation()
    world.add_trader()
    block(api, "id-card", str(PERSON["id_card"]).lower())
    assert client.create(buy(**PERSON)).code == 2106
    assert client.create(buy()).code == 1


@pytest.mark.parametrize(
    ("kind", "value", "more"),
    [
        ("card", "12", {}),
        ("id-card", "123", {}),
        ("mobile", "999", {}),
        ("payee", " ", {}),
        ("card", "6222021234567890", {"until": 1}),
        ("card", "6222021234567890", {"reason": ""}),
    ],
)
def test_what_cannot_be_blocked(
    api: OperatorApi, kind: str, value: str, more: dict[str, Any]
) -> None:
    asked = {"kind": kind, "value": value, "reason": "fraud"} | more
    status, envelope = api.call(SUPPORT, "block.add", **asked)
    assert (status, envelope["code"]) == (400, 1002)


def test_a_warm_sell_makes_one_request_with_a_block_list(
    world: World, api: OperatorApi, client: MerchantClient
) -> None:
    block(api, "payee", "somebody else")
    world.cold_start("create_order")
    client.create(sell())
    with world.requests("create_order") as requests:
        assert client.create(sell()).code == 1
    assert requests == ["TransactWriteItems"]


def test_nothing_stored_has_a_blocked_value(world: World, api: OperatorApi) -> None:
    card = "6222029876543210"
    block(api, "card", card)

    stored = [*world.items(world.tables.merchants), *world.items(world.tables.audit)]
    assert card not in json.dumps(stored, default=str)


def client_of(world: World, **terms: Any) -> MerchantClient:
    merchant, client = world.add_merchant(**terms)
    world.fund(merchant, 10**10)
    return client


def limit(world: World, api: OperatorApi, **limits: str) -> None:
    proposed = api.data(FIRST, "desk.set", **limits)["proposal"]
    api.data(SECOND, "proposal.approve", proposal_no=proposed["proposal_no"])
    world.cold_start("create_order")


def test_a_payees_day_counts_sells_of_all_merchants(world: World, api: OperatorApi) -> None:
    one, two = client_of(world), client_of(world)
    limit(world, api, payee_daily_cny="2500.00")
    first = one.create(sell(merchant_order_no="S-1"))
    assert (first.code, two.create(sell()).code) == (1, 1)
    assert one.create(sell(cny_amount="500.01")).code == 2106
    again = one.create(sell(merchant_order_no="S-1"))
    assert (again.code, again.data["order_no"]) == (2001, first.data["order_no"])
    one.cancel(first)
    assert one.create(sell()).code == 2106  # cancelled, and still counted
    assert one.create(sell(payment_method=WALLET)).code == 1
    assert one.create(sell(cny_amount="500.00")).code == 1


def test_a_limit_of_orders_and_of_one_order(world: World, api: OperatorApi) -> None:
    client = client_of(world)
    limit(world, api, payee_daily_count="2")
    assert [client.create(sell()).code for _ in range(3)] == [1, 1, 2106]
    limit(world, api, payee_daily_count="", payee_daily_cny="999.99")
    assert client.create(sell(payment_method=WALLET)).code == 2106


def test_a_buy_counts_for_its_verified_customer(world: World, api: OperatorApi) -> None:
    world.clear_rotation()
    world.add_trader()
    client = client_of(world, identity_required=True)
    limit(world, api, id_card_daily_count="1")
    assert client.create(buy(**identity())).code == 1
    assert client.create(buy(**identity())).code == 2106


def test_live_and_test_days_are_apart(world: World, api: OperatorApi) -> None:
    from orderdesk.domain.pricing import Mode  # noqa: PLC0415

    merchant, client = world.add_merchant()
    for mode in Mode:
        world.fund(merchant, 10**10, mode)
    limit(world, api, payee_daily_count="1")
    assert [client.create(sell(is_test=mode)).code for mode in (0, 1, 0, 1)] == [1, 1, 2106, 2106]


def test_a_small_change_needs_one_person_and_a_day_is_exact(world: World, api: OperatorApi) -> None:
    client = client_of(world)
    limit(world, api, payee_daily_cny="10000.00")
    assert api.data(FIRST, "desk.set", payee_daily_cny="9600.00")["payee_daily_cny"] == "9600.00"
    assert "proposal" in api.data(FIRST, "desk.set", payee_daily_cny="9300.00")
    world.cold_start("create_order")
    with ThreadPoolExecutor(max_workers=1) as pool:
        codes = list(pool.map(lambda _: client.create(sell()).code, range(11)))
    assert sorted(codes) == [1] * 9 + [2106] * 2


def test_a_sell_makes_one_request_where_a_limit_is_set(world: World, api: OperatorApi) -> None:
    client = client_of(world)
    limit(world, api, payee_daily_count="9")
    client.create(sell())
    with world.requests("create_order") as requests:
        assert client.create(sell()).code == 1
    assert requests == ["TransactWriteItems"]
