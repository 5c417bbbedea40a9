"""The desk's refusals: another trader's order, a POST from another origin, a busy table."""

from tests.support.trader import ORDER, TraderVisit
from tests.support.world import World

PARTS = ["confirm", "report", "decline"]


def test_another_traders_order_is_the_same_404_as_none(world: World) -> None:
    owner = TraderVisit.of_new_trader(world)
    buy, sell = owner.buy(), owner.sell()
    other = TraderVisit.of_new_trader(world)
    wrong = (buy.order_no, sell.order_no, "B" + "0" * 24, "D" + buy.order_no[1:], "-", "%00")
    routes = ["", *(f"/{part}" for part in PARTS), "/receipts/{number}"]
    for route in routes:
        answers = [other.get(ORDER + route, number) for number in wrong]
        assert {answer["statusCode"] for answer in answers} == {404}, route
    for part in (*PARTS, "proof"):
        answers = [other.post(f"{ORDER}/{part}", number) for number in wrong]
        assert {answer["statusCode"] for answer in answers} == {404}, part
        # The last one is of no route: API Gateway's own response, as of any unknown address.
        assert all("no such order at your desk" in answer["body"] for answer in answers[:-1])
    for order in (buy, sell):
        assert owner.order(order.order_no) == order
