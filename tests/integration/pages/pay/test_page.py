"""The pay page's function: from a created order's pay_url to its page (contract section 8)."""

from urllib.parse import parse_qs, urlsplit

import pytest

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.payment_methods import MethodType
from orderdesk.web.pages.values import code_picture
from tests.support.payer import UPLOADS, Payer
from tests.support.seed import WECHAT_METHOD
from tests.support.seen_page import Seen
from tests.support.world import World


@pytest.mark.parametrize("method", MethodType)
def test_a_created_orders_link_opens_its_page(world: World, method: MethodType) -> None:
    payer = Payer.of_new_order(world, method_type=method.value)
    answer = payer.get()
    assert answer["statusCode"] == 200
    html = answer["body"]
    assert "Waiting for your transfer" in html
    assert '1,000<span class="fen">.37</span>' in html
    assert payer.order_no in html
    receiving = "6200 0000 0000 0001 234" if method is MethodType.BANK else "trader-one"
    assert receiving in html
    assert payer.token not in Seen(html, "").text
    csp = answer["headers"]["Content-Security-Policy"]
    origin = "" if method is MethodType.BANK else "data: "
    assert f"img-src {origin}blob:;" in csp


def test_the_codes_picture_is_a_private_object_while_it_is_to_be_paid(world: World) -> None:
    payer = Payer.of_new_order(world, method_type=MethodType.WECHAT.value)
    for _ in range(2):
        answer = payer.get("/code.png")
        assert answer["statusCode"] == 303
        assert answer["headers"]["Cache-Control"] == "no-store"
        link = urlsplit(answer["headers"]["Location"])
        assert link.path.endswith(f"/codes/{payer.order_no}.png")
        assert parse_qs(link.query)["X-Amz-Expires"] == ["300"]
    stored = world.s3.get_object(Bucket=UPLOADS, Key=f"codes/{payer.order_no}.png")
    assert stored["ContentType"] == "image/png"
    assert stored["Body"].read() == code_picture(WECHAT_METHOD.qr_code)
    world.put("Orders", {**payer.order(), "status": OrderStatus.PAID.value})
    assert payer.get("/code.png")["statusCode"] == 404
