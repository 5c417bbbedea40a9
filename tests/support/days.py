"""Days of mixed orders, fundings and withdrawals, and the report that they must have."""

from random import Random

from orderdesk.domain.accounts import AccountKind
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from tests.support.money_world import OPERATORS, MoneyWorld, Step
from tests.support.seed import WIDE_SELL_CNY_FEN, WIDE_SELLS

HOUR = 3600
FUNDED_MICRO = 5_000_000_000


def live_mixed_hours(
    money: MoneyWorld, hours: int, chance: Random, hour_seconds: int = HOUR
) -> None:
    """Advance the clock; each step has a funding, a buy, a sell and a withdrawal."""
    room = {"max_open_sells": WIDE_SELLS, "max_open_sell_cny_fen": WIDE_SELL_CNY_FEN}
    money.merchants[1] = money.seed.change_merchant(money.merchants[1], **room)
    for _ in range(hours):
        mode, which = chance.choice(list(Mode)), chance.randrange(2)
        _fund(money, mode, chance)
        for side in OrderType:
            # The second merchant's limit of open buys is low.
            _order(money, side, mode, which if side is OrderType.SELL else 0, chance)
        kind = chance.choice([AccountKind.MERCHANT, AccountKind.TRADER])
        account = money.withdrawn_account(kind, mode)
        micro, what = chance.randrange(1, 10_000_000), chance.choice(["approve", "reject", ""])
        if mode is Mode.TEST:
            money.withdraw(account, micro)
        else:
            proposed = money.propose(account, micro, OPERATORS[0])
            if what:
                money.decide(proposed.proposal_no, what, OPERATORS[1])
        money.now += hour_seconds


def _fund(money: MoneyWorld, mode: Mode, chance: Random) -> None:
    micro = FUNDED_MICRO + chance.randrange(1_000)
    merchant_id = chance.choice(money.merchants).merchant_id
    trader_id = chance.choice([t for t in money.traders if t.mode is mode]).trader_id
    money.fund(AccountKind.MERCHANT, merchant_id, mode, micro)
    money.fund(AccountKind.TRADER, trader_id, mode, micro)


def _order(money: MoneyWorld, side: OrderType, mode: Mode, which: int, chance: Random) -> None:
    number = money.create(side, chance.randrange(100_00, 2_000_00), mode, which)
    ending = chance.choice(["completed", "cancelled", "open"])
    if ending == "cancelled":
        money.do(Step(number, Actor.MERCHANT, Move.CANCEL))
    if ending != "completed":
        return
    trader_id = next(t.trader_id for t in money.traders if t.mode is mode)
    if side is OrderType.SELL:
        money.do(Step(number, Actor.OPERATOR, Move.ASSIGN, trader_id))
        money.prove(number, trader_id)
    money.do(Step(number, Actor.TRADER, Move.CONFIRM, money.order(number).trader_id))
