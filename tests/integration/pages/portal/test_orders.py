"""The portal's orders: found, saved, shown and moved."""

import csv
import io
import re
import time
from collections.abc import Mapping
from dataclasses import replace
from html import unescape
from typing import Any
from urllib.parse import parse_qsl, unquote

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.adapters.dynamodb.orders.reads import OrderStore
from orderdesk.domain.ids import numbered
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.orders.order import DecidedClaim, OrderStatus
from orderdesk.services.orders import listing
from orderdesk.web.pages.portal import gate
from orderdesk.web.pages.portal import orders as orders_page
from tests.support import receipt_samples as samples
from tests.support.deliveries import keep_delivery
from tests.support.faults import registered
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.operator_api import OperatorApi
from tests.support.payer import Payer
from tests.support.portal import PortalVisit
from tests.support.seed import with_changes
from tests.support.trader import ORDER, TraderVisit
from tests.support.world import World


@pytest.fixture
def shop(world: World) -> tuple[PortalVisit, MerchantClient]:
    """Return an admin of a funded merchant, and the merchant's client."""
    merchant, client = world.add_merchant()
    world.fund(merchant, 10**12)
    world.only_trader()
    return PortalVisit.of_new_member(world, merchant=merchant), client


type Shop = tuple[PortalVisit, MerchantClient]


def numbers_on(page: str, made: dict[str, str]) -> set[str]:
    """Return the names of the orders that a page shows."""
    return {name for name, order_no in made.items() if order_no in page}


def test_orders_are_found_by_filters_numbers_and_endings(shop: Shop) -> None:
    visit, client = shop
    made = {
        "small": client.create(buy(cny_amount="100.37", merchant_order_no="A-1001")).data,
        "large": client.create(buy(cny_amount="2000.00", merchant_order_no="A-2002")).data,
        "sell": client.create(sell(merchant_order_no="S-3")).data,
    }
    numbers = {name: data["order_no"] for name, data in made.items()}
    day = time.strftime("%Y-%m-%d", time.gmtime(time.time() + 8 * 3600))
    for query, wanted in (
        ({}, {*numbers}),
        ({"type": "sell"}, {"sell"}),
        ({"status": "pending"}, {"small", "large"}),
        ({"min": "100.38"}, {"large", "sell"}),
        ({"min": "100.37", "max": "¥ 100.37"}, {"small"}),
        ({"q": numbers["large"]}, {"large"}),
        ({"q": "a-1001"}, {"small"}),
        ({"q": numbers["sell"][-6:]}, {"sell"}),
        ({"q": "-2002"}, {"large"}),
        ({"q": "100.37"}, {"small"}),
        ({"q": "¥2,000.00"}, {"large"}),
        ({"q": "0.37"}, set()),
        ({"mode": "test"}, set()),
        ({"since": day, "until": day}, {*numbers}),
        ({"until": "2020-01-01"}, set()),
    ):
        answer = visit.get("orders", **query)
        assert answer["statusCode"] == 200
        assert numbers_on(answer["body"], numbers) == wanted, query
        is_open = '<details class="wide-field" open>' in answer["body"]
        assert is_open is bool(query.keys() - {"q"}), "the other filters are folded"
        saved = visit.get("orders.csv", **query)
        assert numbers_on(saved["body"], numbers) == wanted, query


@pytest.mark.parametrize(
    "query", [{"min": "1.234"}, {"min": "10,5"}, {"status": "x"}, {"since": "y"}, {"type": "3"}]
)
def test_an_unfit_filter_finds_nothing_and_says_so(shop: Shop, query: dict[str, str]) -> None:
    answer = shop[0].get("orders", **query)
    assert answer["statusCode"] == 200
    assert "A field is not readable" in answer["body"]
    assert ('aria-invalid="true" aria-describedby="unfit"' in answer["body"]) is ("min" in query)


@pytest.mark.parametrize("number", ["=1+1", "＝1+1", "000012345", "1E5", "3-4", "1" * 12])
def test_a_spreadsheet_keeps_the_numbers_of_a_file(shop: Shop, number: str) -> None:
    visit, client = shop
    client.create(buy(merchant_order_no=number))
    answer = visit.get("orders.csv")
    assert answer["headers"]["Content-Disposition"] == 'attachment; filename="orders.csv"'
    [head, row] = csv.reader(io.StringIO(answer["body"].removeprefix("\ufeff")))
    order = dict(zip(head, row, strict=True))
    assert order["merchant_order_no"] == f"'{number}"
    assert [text for text in row if text.startswith("'")] == [f"'{number}"]


def test_a_search_that_stops_early_does_not_deny_older_orders(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit, client = shop
    order_no = client.create(sell(merchant_order_no="A-77")).data["order_no"]
    client.create(sell())
    monkeypatch.setattr(listing, "MAX_READ", 1)
    page = visit.get("orders", q="-77")["body"]
    assert "Older ones may match" in page
    assert "No order matches" not in page
    assert "No order matches" in visit.get("orders", q="-77", until="2020-01-01")["body"]
    assert f'class="code number">{order_no}' in visit.get("orders", q="A-77")["body"]


def test_the_file_of_a_whole_number_needs_no_search(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit, client = shop
    order_no = client.create(sell(merchant_order_no="A-77")).data["order_no"]
    for _ in range(2):
        client.create(sell())
    monkeypatch.setattr(orders_page, "FILE_ROWS_MAX", 1)
    for number in ("A-77", order_no):
        answer = visit.get("orders.csv", q=number)
        assert 'filename="orders.csv"' in answer["headers"]["Content-Disposition"]
        [_, row] = csv.reader(io.StringIO(answer["body"].removeprefix("\ufeff")))
        assert row[:2] == [order_no, "A-77"]


@pytest.mark.parametrize(
    "bound", [(orders_page, "FILE_ROWS_MAX", 2), (gate, "FILE_SECONDS", 0)], ids=str
)
@pytest.mark.parametrize("query", ["lang=zh", "type=sell"])
def test_a_file_that_ends_early_links_its_rest(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, bound: tuple[object, str, int], query: str
) -> None:
    """Without time left, a part still has one order that was read, so the parts come to an end."""
    visit, client = shop
    made = [client.create(each()).data["order_no"] for each in (sell, buy, sell, sell, buy)]
    monkeypatch.setattr(*bound)
    found, address = list[str](), query
    while address:
        answer = visit.get("orders.csv", **dict(parse_qsl(address)))
        assert 'filename="orders-part.csv"' in answer["headers"]["Content-Disposition"]
        *rows, last = csv.reader(io.StringIO(answer["body"].removeprefix("\ufeff")))
        _, _, address = last[0].partition("/portal/orders.csv?")
        assert address == "" or query in address
        found += [row[0] for row in (rows if address else [*rows, last])[1:]]
        assert len(rows) <= (bound[2] or 1) + 1
    assert found == [each for each in reversed(made) if "sell" not in query or each[0] == "S"]


def test_a_move_is_confirmed_in_a_dialog_or_on_a_page_of_its_own(shop: Shop, world: World) -> None:
    visit, client = shop
    bought, waiting, sold = (client.create(each()).data["order_no"] for each in (buy, buy, sell))
    world.report_paid(bought, seconds_ago=1800)
    viewer = PortalVisit.of_new_member(world, MemberRole.VIEWER, visit.merchant)
    for order_no, move, told in (
        (bought, "dispute", "only if your customer has paid"),
        (waiting, "cancel", "Your customer can then no longer pay"),
        (sold, "cancel", "returned to your balance"),
    ):
        path = f"orders/{order_no}/{move}"
        page = order_page(visit, order_no)
        assert re.findall(r'data-ask="([^"]+)"', page) == [f"ask-{move}"]
        assert page.count(f'<dialog id="ask-{move}"') == 1
        asked = visit.get(path)
        assert asked["statusCode"] == 200
        for shown in (page, unescape(asked["body"])):
            assert told in shown
            assert len(re.findall(rf'<form[^>]*action="[^"]*{path}" method="post">', shown)) == 1
        other = "cancel" if move == "dispute" else "dispute"
        assert visit.get(f"orders/{order_no}/{other}")["statusCode"] == 303
        refused = viewer.get(path)
        assert refused["statusCode"] == 303
        assert refused["headers"]["Location"].endswith(order_no)
        assert path not in order_page(viewer, order_no)
    statuses = [client.query(order_no=each).data["status"] for each in (bought, waiting, sold)]
    assert statuses == ["paid", "pending", "matching"]


def test_an_orders_callbacks_are_paged(
    shop: Shop, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit, client = shop
    order_no = client.create(sell()).data["order_no"]
    kept = [keep_delivery(world, visit.merchant, order_no, sequence=each) for each in (2, 3)]
    monkeypatch.setattr(orders_page, "_CALLBACKS", 1)
    newest = order_page(visit, order_no)
    [older] = re.findall(r'href="[^"]*\?before=([^"&]+)#callbacks"', newest)
    oldest = order_page(visit, order_no, before=unquote(older))
    shown = [{*re.findall(r"msg_\w+", page)} for page in (newest, oldest)]
    assert shown == [{each.event.webhook_id} for each in reversed(kept)]
    assert "?before=" not in oldest


@pytest.fixture
def disputed(world: World, trader: TraderVisit) -> tuple[PortalVisit, Payer]:
    """Return an admin, and the payer of a buy whose trader reports that nothing arrived."""
    merchant, client = world.add_merchant()
    made = client.create(buy(cny_amount="1000.37")).data
    payer = Payer.of_link(world, made["pay_url"])
    assert payer.upload(samples.pdf(2))["statusCode"] == 303
    assert trader.post(f"{ORDER}/report", payer.order_no)["statusCode"] == 303
    return PortalVisit.of_new_member(world, merchant=merchant), payer


type Disputed = tuple[PortalVisit, Payer]


def order_page(visit: PortalVisit, order_no: str, **query: str) -> str:
    answer = visit.get(f"orders/{order_no}", **query)
    assert answer["statusCode"] == 200
    return unescape(answer["body"])


def test_the_list_and_an_order_need_few_requests(disputed: Disputed, world: World) -> None:
    """One for session, merchant and team; the index of a merchant's orders has five shards."""
    visit, payer = disputed
    with world.requests("merchant_portal") as sent:
        order_page(visit, payer.order_no)
    assert sorted(sent) == ["BatchGetItem", "GetItem", "GetItem", "Query"]
    with world.requests("merchant_portal") as sent:
        visit.get("orders")
    assert sorted(sent) == ["BatchGetItem"] + ["Query"] * 5


def test_what_the_overview_and_the_list_read_is_bounded(shop: Shop, world: World) -> None:
    visit, client = shop
    made = OrderStore(world.client, world.tables.orders).order(
        client.create(sell()).data["order_no"]
    )
    assert made is not None
    for number in range(1, 301):
        order_id = made.order_id - number
        order_no = numbered("S", order_id, made.createtime)
        older = replace(made, order_id=order_id, order_no=order_no, merchant_order_no=order_no)
        world.put(world.tables.orders, order_item(older))
    read = list[int]()
    portal = world.modules["merchant_portal"].dynamodb

    def count(parsed: Mapping[str, Any], **_: Any) -> None:
        read.append(parsed["ScannedCount"])

    with registered(portal, "after-call.dynamodb.Query", count):
        for query in ({}, {"status": "matching", "type": "sell"}):
            assert visit.get("orders", **query)["body"].count('class="code number">S') == 20
            assert read == [30] * 5
            read.clear()
        visit.get()
        assert read == [0, 0]
        read.clear()
        saved = visit.get("orders.csv", since="2026-01-01")
        assert saved["body"].count("\nS") == 301
        assert sum(read) == 301
        assert len(read) <= 5 * 2


def test_receipts_are_shown_and_opened_by_their_own_merchant(
    disputed: Disputed, world: World
) -> None:
    visit, payer = disputed
    page = visit.get(f"orders/{payer.order_no}")
    policy = page["headers"]["Content-Security-Policy"]
    [preview] = re.findall(r'<img src="([^"]+)"', unescape(page["body"]))
    assert f"img-src {preview.partition('/rendered')[0]} blob:;" in policy
    assert f"/rendered/{payer.order_no}/payer/1/" in preview
    viewer = PortalVisit.of_new_member(world, MemberRole.VIEWER, visit.merchant)
    for reader in (visit, viewer):
        path = f"orders/{payer.order_no}/receipts/1"
        assert reader.get(path, page="2")["headers"]["Location"].partition("?")[0].endswith("2.jpg")
        assert reader.get(path, page="3")["statusCode"] == 404
    other = PortalVisit.of_new_member(world)
    for path in ("receipts/1", "notes/1"):
        assert other.get(f"orders/{payer.order_no}/{path}")["statusCode"] == 404


def test_only_who_may_move_an_order_sees_its_pay_link(shop: Shop, world: World) -> None:
    visit, client = shop
    made = client.create(buy()).data
    for role in MemberRole:
        member = PortalVisit.of_new_member(world, role, visit.merchant)
        page = order_page(member, made["order_no"])
        shown = f'readonly value="{made["pay_url"]}"' in page
        assert shown is (role in {MemberRole.ADMIN, MemberRole.FINANCE})
        assert (f'data-copy="{made["pay_url"]}"' in page) is shown
    assert "/pay/" not in order_page(visit, client.create(sell()).data["order_no"])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_merchant_answers_a_dispute_with_a_text_and_a_picture(
    disputed: Disputed, trader: TraderVisit, language: str
) -> None:
    visit, payer = disputed
    said = {"text": "Our customer sent <b>this</b>", "seen": "1"}
    say = f"orders/{payer.order_no}/say"
    for _ in range(2):
        assert visit.post(say, text=said["text"], seen=said["seen"])["statusCode"] == 303
    assert visit.upload(payer.order_no, samples.png())["statusCode"] == 303
    own = order_page(visit, payer.order_no, lang=language)
    theirs = [
        unescape(page["body"])
        for page in (payer.get(lang=language), trader.get(ORDER, payer.order_no, lang=language))
    ]
    you, merchant = ("You", "Merchant") if language == "en" else ("您", "商户")
    for page, who in ((own, you), *((page, merchant) for page in theirs)):
        assert page.count(said["text"]) == 1
        assert page.count(f'<p class="who">{who}</p>') >= 2
        assert f"rendered/{payer.order_no}/dispute/merchant/1/" in page
    shown = visit.get(f"orders/{payer.order_no}/notes/3")["headers"]["Location"]
    assert f"/{payer.order_no}/dispute/merchant/1/" in shown
    assert payer.order()["notes"] == 3


def test_a_member_stores_no_receipt(disputed: Disputed, world: World) -> None:
    visit, payer = disputed
    for key in (f"uploads/{payer.order_no}/payer/2", f"uploads/{payer.order_no}/dispute/payer/1"):
        world.upload(key, samples.png())
        assert visit.come_back(payer.order_no, {"key": key})["statusCode"] == 422
    assert (len(payer.order()["receipts"]), payer.order()["notes"]) == (1, 1)


def of_orders(visit: PortalVisit) -> list[tuple[str, str, str]]:
    """Return actor, action and target of the trail's entries about orders, oldest first."""
    found = [each for each in visit.trail if each.action.startswith("order.")]
    assert all(each.details == {"order_no": each.target} for each in found)
    return [(each.who, each.action, each.target) for each in found]


def test_a_members_moves_are_in_the_teams_trail_once(shop: Shop, world: World) -> None:
    visit, client = shop
    sold, bought = (client.create(each()).data["order_no"] for each in (sell, buy))
    world.report_paid(bought, seconds_ago=1800)
    for _ in range(2):
        visit.post(f"orders/{sold}/cancel")
        visit.post(f"orders/{bought}/dispute")
    assert visit.post(f"orders/{sold}/dispute")["statusCode"] == 409
    name = visit.member.name
    assert of_orders(visit) == [(name, "order.cancel", sold), (name, "order.dispute", bought)]
    assert f"cancelled an order · {sold}" in visit.get("team")["body"]
    assert not of_orders(PortalVisit.of_new_member(world))


def test_a_members_answers_are_in_the_teams_trail_without_their_text(disputed: Disputed) -> None:
    visit, payer = disputed
    for _ in range(2):
        visit.post(f"orders/{payer.order_no}/say", text="Zhang paid", seen="1")
    visit.upload(payer.order_no, samples.png())
    name = visit.member.name
    assert of_orders(visit) == [
        (name, "order.say", payer.order_no),
        (name, "order.picture", payer.order_no),
    ]


def saved_rows(visit: PortalVisit) -> dict[str, dict[str, str]]:
    """Return the rows of the orders' file by order_no."""
    file = io.StringIO(visit.get("orders.csv")["body"].removeprefix("\ufeff"))
    return {row["order_no"]: row for row in csv.DictReader(file)}


EFFECTS = {
    "en": ("Has refunds", "Partly reversed", "Refunded by", "Reversed in all", "Refunds"),
    "zh": ("有退款", "部分冲正", "退款卖单", "冲正合计", "退款对应的买单"),
}


@pytest.mark.parametrize("language", EFFECTS)
def test_refunds_link_both_orders_and_reversals_are_shown(
    shop: Shop, world: World, language: str
) -> None:
    visit, client = shop
    world.clear_rotation()
    desk = TraderVisit.of_new_trader(world)
    bought = str(client.create(buy()).data["order_no"])
    plain = str(client.create(buy()).data["order_no"])
    assert desk.move(bought, "confirm") == 303
    sold = str(client.create(sell(cny_amount="400.00", refund_of=bought)).data["order_no"])
    why = {"order_no": bought, "usdt": "10", "reason": "wrong click"}
    assert OperatorApi(world).call("root", "order.reverse", alone=True, **why)[0] == 200
    marked, part, refunded, in_all, refund_of = EFFECTS[language]
    listed = visit.get("orders", lang=language)["body"]
    rows = {number: listed.split(f">{number}<")[1].split("</tr>")[0] for number in (bought, plain)}
    assert marked in rows[bought]
    assert part in rows[bought]
    assert "chip-mark" not in rows[plain]
    page = visit.get(f"orders/{bought}", lang=language)["body"]
    for text in (refunded, in_all, "10.000000 USDT", f"orders/{sold}?", "527.64"):
        assert text in (page.replace('<span class="fen">', "")), text
    page = visit.get(f"orders/{sold}", lang=language)["body"]
    assert refund_of in page
    assert f"orders/{bought}?" in page
    assert 'id="effects"' not in visit.get(f"orders/{plain}", lang=language)["body"]
    saved = saved_rows(visit)
    assert saved[bought]["reversed_usdt"] == "10.000000"
    assert saved[sold]["refund_of"] == bought
    assert (saved[plain]["reversed_usdt"], saved[plain]["refund_of"]) == ("0.000000", "")


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ("Paid after cancelling", "Paid after the order was cancelled")),
        ("zh", ("取消后已付款", "订单取消后已付款")),
    ],
)
def test_a_claim_that_its_merchant_paid_is_shown(
    shop: Shop, world: World, language: str, texts: tuple[str, str]
) -> None:
    visit, client = shop
    number = client.create(sell()).data["order_no"]
    made = OrderStore(world.client, world.tables.orders).order(number)
    assert made is not None
    usdt = client.post("/merchant/queryOrder", {"order_no": number}).data["merchant_actual_amount"]
    for is_paid in (False, True):
        claim = DecidedClaim("P1", made.createtime, "t1", is_paid)
        world.put(
            "Orders", order_item(with_changes(made, status=OrderStatus.CANCELLED, claims=(claim,)))
        )
        mark, line = texts
        assert (mark in visit.get("orders", lang=language)["body"]) is is_paid
        page = visit.get(f"orders/{number}", lang=language)["body"]
        assert (f"{line}</b>" in page) is is_paid
        assert ('id="effects"' in page) is is_paid
        assert page.count(f"{usdt} USDT") == 1 + is_paid
        assert saved_rows(visit)[number]["claimed_usdt"] == (usdt if is_paid else "0.000000")
