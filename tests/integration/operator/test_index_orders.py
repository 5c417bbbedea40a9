"""`tools/deploy/index_orders.py`: orders of an older version are listed and found like new ones."""

from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.services.operator.orders import OperatorSearch, disputed_orders, newest_orders
from tests.support.market import Market
from tests.support.merchant_client import buy
from tests.support.world import World
from tools.deploy.index_orders import index_orders


def as_it_was(world: World) -> None:
    """Remove the attributes that an older version did not write."""
    for row in world.items("Orders"):
        if str(row["pk"]).endswith("#ending"):
            world.client.delete_item(TableName="Orders", Key=to_item({"pk": row["pk"]}))
        elif row["kind"] == "reservation":
            without(world, row, "desk_key", "list_key", "order_id")
        elif row["kind"] == "order":
            is_disputed = row["status"] == "disputed"
            without(world, row, "all_key", *(("due_key", "due_time") if is_disputed else ()))


def without(world: World, row: Item, *names: str) -> None:
    world.put("Orders", {name: value for name, value in row.items() if name not in names})


def stored(world: World) -> list[Item]:
    return sorted(world.items("Orders"), key=lambda row: str(row["pk"]))


def test_old_orders_are_indexed_as_new_ones(market: Market) -> None:
    world, listing = market.world, market.office.order_listing
    numbers = {market.buy(merchant_order_no="A-1"), market.sell(merchant_order_no="a-1")}
    numbers.add(market.client.create(buy(merchant_order_no=None)).data["order_no"])
    disputed = market.disputed_buy()
    _, other = world.add_merchant(identity_required=True)
    other.create(buy(merchant_order_no="A#1"))
    new = stored(world)
    as_it_was(world)
    assert list(newest_orders(listing, OperatorSearch(), market.office.now())) == []
    by_merchant = OperatorSearch(merchant_id=market.merchant.merchant_id)
    found = newest_orders(listing, by_merchant, market.office.now())
    assert {order.order_no for order in found} == {*numbers, disputed}, "lists of one owner work"
    done, left = index_orders(world.client, "Orders")
    assert left == 0
    assert done == sum(row["kind"] in {"order", "reservation"} for row in new)
    assert stored(world) == new
    assert index_orders(world.client, "Orders") == (0, 0)
    assert [order.order_no for order in disputed_orders(listing)] == [disputed]
