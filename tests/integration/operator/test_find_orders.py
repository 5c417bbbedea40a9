"""`order find` by everything that people know of an order."""

from orderdesk.services.operator.find_orders import find_orders
from orderdesk.services.operator.orders import number_of
from tests.support.market import Market
from tests.support.merchant_client import buy


def found_in(market: Market, text: str) -> list[str]:
    ports, now = market.office, market.office.now()
    return [number_of(one) for one in find_orders(ports, text, now, size=50).items]


def test_everything_that_people_know_of_an_order_finds_it(market: Market) -> None:
    wanted = market.buy(
        merchant_order_no="Ab-Straße-7", remark="Gift for 小明", cny_amount="1234.50"
    )
    other = market.buy(cny_amount="100.00")
    for text in (
        *(wanted, wanted.lower(), wanted[-4:], wanted[-6:], wanted[-16:], f" {wanted[-8:]} "),
        *("Ab-Straße-7", "AB-STRASSE-7", "ab-straße-7"),
        *("1234.5", "1,234.50", "gift", "for 小明"),
    ):
        assert wanted in found_in(market, text), text
        assert other not in found_in(market, text), text
    for text in (market.merchant.name, market.merchant.merchant_id, market.trader_id):
        assert found_in(market, text) == [other, wanted]
    assert found_in(market, "Ab-Straße-8") == []


def test_an_order_without_a_merchants_number_is_found_by_its_ending(market: Market) -> None:
    wanted = market.client.create(buy(merchant_order_no=None)).data["order_no"]
    assert wanted in found_in(market, wanted[-6:])
