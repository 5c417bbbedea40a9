"""A merchant with split balances: its sells, their ends, withdrawals, and changes of the number."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.ledger import LedgerStore, shard_hold_writes
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.orders.creation import NewOrderStore
from orderdesk.adapters.dynamodb.transactions import Shift, never, transact
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.accounts import Account, AccountKind, Balance, Gather, shard_key
from orderdesk.domain.errors import TryAgain
from orderdesk.domain.money import format_usdt
from orderdesk.domain.operators import BalanceTooLow
from orderdesk.domain.orders.open_orders import NeedsRoom
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.order_errors import HoldLost
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import Proposal
from orderdesk.services.operator.merchants import set_terms
from orderdesk.services.operator.moves import assign
from orderdesk.services.operator.proposals import reject
from orderdesk.services.ports import NewSell
from tests.support.commands import moving
from tests.support.market import (
    BUY_DEPOSIT,
    BUY_FEE,
    BUY_MERCHANT,
    FUNDS,
    SELL_FEE,
    SELL_MERCHANT,
    Market,
)
from tests.support.merchant_client import sell
from tests.support.offices import Terminal
from tests.support.seed import with_changes
from tests.support.world import World

SHARDS = 4


@pytest.fixture
def market(world: World) -> Market:
    return split(Market.on(world), SHARDS)


def split(market: Market, shards: int, *, is_known: bool = True) -> Market:
    """Split the merchant's balances; createOrder sees it when its cache expires."""
    set_terms(market.office, market.merchant.merchant_id, {"balance_shards": shards})
    market.world.let_time_pass(seconds=60 if is_known else 0)
    return market


def account(market: Market, mode: Mode = Mode.LIVE) -> Account:
    return Account(AccountKind.MERCHANT, market.merchant.merchant_id, mode)


def spread(market: Market, *available: int) -> None:
    """Set the available amount of each shard, as gathers could have left it."""
    assert sum(available) == market.merchant_money()[0]
    for number, micro in enumerate(available):
        market.world.client.update_item(
            TableName=market.world.tables.ledger,
            Key=to_item({"pk": shard_key(account(market), number), "sk": "balance"}),
            UpdateExpression=(
                "SET available_micro = :micro, a0 = :micro REMOVE a1 ADD held_micro :zero"
            ),
            ExpressionAttributeValues=to_item({":micro": micro, ":zero": 0}),
        )


def available(market: Market) -> list[int]:
    return [micro for micro, _ in market.world.shards(account(market))]


def keep(market: Market, micro: int) -> None:
    """Leave the merchant with this amount; hold the rest for a withdrawal."""
    office = market.office
    rest = market.merchant_money()[0] - micro
    moving("withdraw", account(market), rest).run(office, office.proposer)


def test_sells_go_on_until_the_sum_is_used_up_and_not_further(market: Market) -> None:
    sells = FUNDS // SELL_MERCHANT
    codes = [market.client.create(sell()).code for _ in range(sells + 2)]
    assert codes == [1] * sells + [2102, 2102]
    assert market.merchant_money() == (FUNDS - sells * SELL_MERCHANT, sells * SELL_MERCHANT)
    assert min(available(market)) >= 0
    market.check_books()


def test_a_micro_too_little_is_refused_and_changes_nothing(market: Market) -> None:
    keep(market, SELL_MERCHANT - 1)
    part = SELL_MERCHANT // SHARDS
    spread(market, SELL_MERCHANT - 1 - 3 * part, part, part, part)
    assert market.client.create(sell()).code == 2102, "the room of the changed limits is shared out"
    before = market.everything()
    params = market.client.signed("/merchant/createOrder", sell(merchant_order_no="S-1"))
    assert market.client.post_as_is("/merchant/createOrder", params).code == 2102
    assert market.everything() == before
    assert market.client.post_as_is("/merchant/createOrder", params).code == 1104


def requests_of(market: Market, call: Callable[[], Any]) -> list[str]:
    """Return the operations that a warm createOrder sends to DynamoDB."""
    call()
    with market.world.requests("create_order") as requests:
        call()
    return requests


def test_a_sell_that_its_shard_covers_makes_one_request(market: Market) -> None:
    """Both sells may draw the same shard, so each shard covers two."""
    spread(market, *[FUNDS // SHARDS] * SHARDS)
    small = sell(cny_amount="800.00")
    assert requests_of(market, lambda: market.client.create(small)) == ["TransactWriteItems"]


def test_a_refusal_reads_all_shards_read_together(market: Market) -> None:
    keep(market, 5)
    asked = ["TransactWriteItems", "BatchGetItem", "TransactGetItems", "PutItem", "UpdateItem"]
    assert requests_of(market, lambda: market.client.create(sell())) == asked


def settle(market: Market, order_no: str) -> None:
    """Complete a sell as its trader."""
    assign(order_no, market.trader_id, market.office)
    market.prove(order_no)
    market.move(order_no, Move.CONFIRM, Actor.TRADER)


def on_shards(market: Market, place: Callable[[], str]) -> list[Order]:
    """Place six orders, and more until they are on different shards, which are drawn at random."""
    orders = [market.order(place()) for _ in range(6)]
    while len({order.shard for order in orders}) == 1:
        orders.append(market.order(place()))
    return orders


@pytest.mark.parametrize("is_paid", [True, False])
def test_a_sell_ends_on_the_shard_that_it_holds_on(market: Market, *, is_paid: bool) -> None:
    orders = on_shards(market, market.sell)
    split(market, 1)
    for order in orders:
        if is_paid:
            settle(market, order.order_no)
        else:
            market.move(order.order_no, Move.CANCEL, Actor.MERCHANT)
    paid = is_paid * len(orders)
    assert market.merchant_money() == (FUNDS - paid * SELL_MERCHANT, 0)
    assert market.owned(AccountKind.FEE) == paid * SELL_FEE
    market.check_books()


def test_a_buy_is_credited_to_its_shard_and_read_as_a_sum(market: Market) -> None:
    orders = on_shards(market, market.buy)
    for order in orders:
        market.move(order.order_no, Move.CONFIRM, Actor.TRADER)
    bought = len(orders)
    assert sum(micro > 0 for micro in available(market)[1:]) > 0
    assert market.merchant_money() == (FUNDS + bought * BUY_MERCHANT, 0)
    owned = [market.owned(kind) for kind in (AccountKind.MERCHANT, AccountKind.DEPOSIT)]
    assert owned == [FUNDS + bought * BUY_MERCHANT, bought * BUY_DEPOSIT]
    assert market.owned(AccountKind.FEE) == bought * BUY_FEE
    told = market.client.post("/merchant/balance", {}).data["live"]
    assert told["available"] == format_usdt(FUNDS + bought * BUY_MERCHANT)
    assert told["deposit"] == format_usdt(bought * BUY_DEPOSIT)
    market.check_books()


def test_a_container_that_does_not_know_of_the_shards_yet_refuses_nothing(world: World) -> None:
    """It reads the balance as one item, and finds only a part of the sum there."""
    market = Market.on(world)
    market.sell()  # createOrder has the merchant in its cache now
    split(market, SHARDS, is_known=False)
    now = market.merchant_money()[0]
    spread(market, 1, now - 1, 0, 0)
    assert market.order(market.sell()).counted.balance_shard is None
    market.check_books()


@pytest.mark.parametrize("shards", [1, 2, 7])
def test_no_money_is_lost_when_the_number_changes(market: Market, shards: int) -> None:
    part = FUNDS // SHARDS
    spread(market, *[part] * SHARDS)
    first = [market.sell() for _ in range(2)]
    split(market, shards)
    sells = FUNDS // SELL_MERCHANT - 2
    assert [market.client.create(sell()).code for _ in range(sells + 1)] == [1] * sells + [2102]
    for order_no in first:
        market.move(order_no, Move.CANCEL, Actor.MERCHANT)
    assert [market.client.create(sell()).code for _ in range(3)] == [1, 1, 2102]
    assert market.office.funds.balance(account(market)) == Balance(*market.merchant_money())
    market.check_books()


@pytest.mark.parametrize("people", [1, 2])
def test_a_withdrawal_gathers_from_all_shards(market: Market, people: int) -> None:
    spread(market, 0, FUNDS - 2, 1, 1)
    office = market.office

    def withdraw(micro: int) -> Any:
        by = office.operator if people == 1 else office.proposer
        return moving("withdraw", account(market), micro).run(office, by)

    with pytest.raises(BalanceTooLow, match=r"1000\.000000"):
        withdraw(FUNDS + 1)
    done = withdraw(FUNDS)
    assert isinstance(done, Proposal) is (people == 2)
    assert market.merchant_money() == (0, FUNDS * (people - 1))
    assert market.client.create(sell()).code == 2102
    market.check_books()
    if people == 2:
        reject(office, done.proposal_no, "a mistake")
        assert market.merchant_money() == (FUNDS, 0)
        market.check_books()


class MovingShards(LedgerStore):
    """Moves money between two reads of the shards, some times."""

    def __init__(self, market: Market, times: int) -> None:
        super().__init__(market.world.client, market.world.tables.ledger)
        self._market, self._times = market, times

    def _read(self, account: Account, shards: int, *, together: bool = False) -> Sequence[Item]:
        items = list(super()._read(account, shards, together=together))
        if self._times:
            self._times -= 1
            self._move(account)
            # Return a state that never existed: the moved money is in neither shard.
            late = super()._read(account, shards, together=together)
            return [items[0], *late[1:]]
        return items

    def _move(self, account: Account) -> None:
        """Gather everything from shard 1 to shard 0, with a hold of nothing."""
        shard_0, shard_1, *_ = available(self._market)
        assert shard_0 or shard_1
        moved = Gather(0, {1: shard_1}) if shard_1 else Gather(1, {0: shard_0})
        writes = shard_hold_writes(
            *(self._market.world.tables.ledger, account, moved, Shift(0, 0, 0)),
            never("enough is there"),
        )
        transact(self._market.world.client, writes, SystemChance().token())


@pytest.mark.parametrize("times", [0, 1, 2, 5])
def test_a_balance_is_never_read_in_the_middle_of_a_gather(market: Market, times: int) -> None:
    spread(market, 0, FUNDS, 0, 0)
    assert MovingShards(market, times).balance(account(market)) == Balance(FUNDS, 0)


def test_a_balance_that_moves_all_the_time_is_asked_for_again(market: Market) -> None:
    spread(market, 0, FUNDS, 0, 0)
    with pytest.raises(TryAgain):
        MovingShards(market, 1_000_000).balance(account(market))


def test_the_check_finds_a_falsified_shard(market: Market) -> None:
    order = next(o for o in (market.order(market.sell()) for _ in range(50)) if o.shard)
    terminal = Terminal(market.world)
    assert terminal.run("ledger", "check").exit_code == 0
    key = shard_key(account(market), order.shard)
    market.world.client.update_item(
        TableName=market.world.tables.ledger,
        Key=to_item({"pk": key, "sk": "balance"}),
        UpdateExpression="ADD held_micro :one",
        ExpressionAttributeValues=to_item({":one": 1}),
    )
    told = terminal.run("ledger", "check")
    assert told.exit_code == 1
    assert key in told.stderr


def test_a_giver_that_has_less_by_now_is_no_proof_of_too_little(market: Market) -> None:
    """A sell on shard 0 finds shard 1, which another sell then empties."""
    order = replace(market.order(market.sell()), order_no="S" + "2" * 24)
    spread(market, 0, SELL_MERCHANT, FUNDS - 2 * SELL_MERCHANT, 0)
    book = NewOrderStore(market.world.client, market.world.tables)
    wanted = NeedsRoom(order.merchant_id, order.mode, order.order_type, order.quote.cny_fen)
    shares = {each.shard: each for each in book.share_room_out(wanted, SystemChance().token())}
    for stale in (Gather(0, {1: FUNDS}), Gather(0, {}), Gather(3, {1: 1})):
        put = with_changes(order, balance_shard=stale.shard)
        new = NewSell(put, shares[stale.shard], stale)
        with pytest.raises(HoldLost) as lost:
            book.commit_sell(new, None, SystemChance().token())
        assert not lost.value.is_whole
    market.check_books()
