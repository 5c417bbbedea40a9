"""A statement's file beside the open buys: evidence, doubts, refusals, and what is kept of it."""

import json
import re
from dataclasses import replace

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.ids import payment_reference
from orderdesk.domain.orders.statement_file import StatementProblem
from orderdesk.domain.orders.statement_match import Doubt
from orderdesk.web.pages.desk.statement import StatementTexts
from orderdesk.web.pages.texts import Language
from tests.support.orders import NAMED
from tests.support.trader import TraderVisit
from tests.support.visitors import OWN_PAGE, Answer
from tests.support.world import World

STATEMENT = "/trader/statement"
KIND = {"Content-Type": "multipart/form-data; boundary=----x"}
HEAD = "交易时间,对方户名,收入金额,附言"


@pytest.fixture
def desk(world: World) -> TraderVisit:
    world.clear_rotation()
    return TraderVisit.of_new_trader(world)


def send(desk: TraderVisit, content: bytes, **headers: str) -> Answer:
    """Send the page's form with a file, as a browser does."""
    frame = b'------x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n'
    body = frame + b"Content-Type: text/csv\r\n\r\n" + content + b"\r\n------x--\r\n"
    whole = {**OWN_PAGE, **KIND, **headers}
    return desk.send("POST", STATEMENT, query={"lang": "zh"}, headers=whole, body=body)


def csv_of(*rows: str) -> bytes:
    return "\r\n".join((HEAD, *rows)).encode("gb18030")


def test_rows_stand_beside_their_orders_and_one_tap_confirms(
    desk: TraderVisit, world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = desk.buy(), desk.buy(cny_amount="500")
    assert 'href="statement"' in desk.get("/trader/orders")["body"]
    form = desk.get(STATEMENT, lang="zh")["body"]
    assert 'enctype="multipart/form-data"' in form
    remark = payment_reference(first.order_no)
    content = csv_of(
        f"2099-11-25 09:02:03,赵钱孙,1000.37,{remark}",
        "2099-11-25 09:02:04,周吴郑,500.00,",
        "2099-11-25 09:02:05,冯陈褚,7.00,888888",
    )
    page = send(desk, content)
    assert page["statusCode"] == 200
    assert "共读取 3 笔入账：1 笔与订单相符，1 笔存疑。" in page["body"]
    assert re.findall(r'action="(orders/\w+/confirm)\?lang=zh"', page["body"]) == [
        f"orders/{first.order_no}/confirm"
    ]
    assert "付款人和备注均无法核对" in page["body"]
    assert f'href="orders/{second.order_no}?lang=zh"' in page["body"]
    assert "冯陈褚" not in page["body"]
    assert desk.order(first.order_no).version == 1, "nothing confirms itself"
    assert desk.move(first.order_no, "confirm") == 303
    said = capsys.readouterr()
    names = (world.tables.orders, world.tables.guards, world.tables.traders, world.tables.audit)
    kept = json.dumps([world.items(name) for name in names], ensure_ascii=False, default=str)
    for text in ("赵钱孙", "周吴郑", "冯陈褚", "888888"):
        assert text not in said.out + said.err
        assert text not in kept


def test_a_match_without_the_orders_remark_is_confirmed_on_its_page_only(
    desk: TraderVisit, world: World
) -> None:
    order = replace(desk.buy(), identity=NAMED)
    world.put("Orders", order_item(order))
    page = send(desk, csv_of(",张三,1000.37,"))
    assert "共读取 1 笔入账：1 笔与订单相符，0 笔存疑。" in page["body"]
    assert "/confirm" not in page["body"], "the payer's earlier, equal payment looks the same"
    assert f'href="orders/{order.order_no}?lang=zh">查看并核对' in page["body"]


def test_another_traders_orders_are_not_compared(desk: TraderVisit, world: World) -> None:
    order = desk.buy()
    other = TraderVisit.of_new_trader(world, online=False)
    remark = payment_reference(order.order_no)
    page = send(other, csv_of(f"2099-11-25 09:02:03,张三,1000.37,{remark}"))
    assert "共读取 1 笔入账：0 笔与订单相符，0 笔存疑。" in page["body"]
    assert order.order_no not in page["body"]


def test_other_files_and_forms_are_refused(desk: TraderVisit) -> None:
    t = StatementTexts(Language.ZH).problems
    for content, problem in (
        (b"", StatementProblem.MISSING),
        (b"%PDF-1.7", StatementProblem.NO_HEAD),
    ):
        refused = send(desk, content)
        assert refused["statusCode"] == 422
        assert t[problem] in refused["body"]
    large = send(desk, HEAD.encode() + b"\n" * (2 * 1024 * 1024))
    assert large["statusCode"] == 422
    assert send(desk, b"x", **{"Content-Type": "text/csv"})["statusCode"] == 400
    other = {"Content-Type": "multipart/form-data; boundary=other"}
    assert send(desk, b"x", **other)["statusCode"] == 400
    foreign = send(desk, b"x", **{"Sec-Fetch-Site": "cross-site"})
    assert foreign["statusCode"] == 403


def test_a_strangers_text_is_shown_as_text(desk: TraderVisit) -> None:
    desk.buy()
    page = send(desk, csv_of('2099-11-25 09:02:03,"<script>alert(1)</script>",1000.37,'))
    assert "&lt;script&gt;alert(1)" in page["body"]
    assert "<script>alert" not in page["body"]


def test_without_a_session_no_file_is_read(world: World) -> None:
    guest = TraderVisit.new(world)
    answer = send(guest, csv_of())
    assert (answer["statusCode"], answer["headers"]["Location"]) == (303, "login?lost=1&lang=zh")


@pytest.mark.parametrize("language", Language)
def test_every_doubt_and_problem_has_a_text(language: Language) -> None:
    t = StatementTexts(language)
    assert set(t.doubts) == set(Doubt)
    assert set(t.problems) == set(StatementProblem)
