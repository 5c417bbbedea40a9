"""Use cases whose writes have, together, each condition that a store sends."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from orderdesk.adapters.dynamodb.ledger import balance_key
from orderdesk.adapters.dynamodb.operator.funds import PayoutStore
from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.identity import VerificationOutcome
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import Order
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.proposals import LIFE_SECONDS, Sum
from orderdesk.domain.receipts.places import late_proof_key
from orderdesk.domain.times import DAY_OFFSET_SECONDS, SECONDS_PER_DAY
from orderdesk.domain.traders.terms import TraderTermsChange
from orderdesk.domain.traders.trader import AccountTerms
from orderdesk.services.operator.actions import RequestKey
from orderdesk.services.operator.desk_rules import set_rate
from orderdesk.services.operator.funds import move
from orderdesk.services.operator.traders import set_trader_terms
from orderdesk.services.orders.late_receipts import take_late_proof
from orderdesk.services.orders.receipts import ReceiptPorts
from orderdesk.services.ports import Nonce
from tests.integration.conditions.store_scenes import STORE_SCENES, only
from tests.support.draft_world import DraftWorld
from tests.support.listed import approve_list, propose_list, unspoken
from tests.support.money_world import (
    FUNDS_MICRO,
    PAY_WINDOW,
    EveryFile,
    MoneyWorld,
    OrderWorld,
    Step,
)
from tests.support.payouts import pay_out
from tests.support.seed import Seed

BUY, SELL = OrderType.BUY, OrderType.SELL
FEN, MICRO = 1000_00, 5_000_000
DAILY_FEN = 9_000_00
MERCHANT, TRADER = AccountKind.MERCHANT, AccountKind.TRADER
type Scene = Callable[[Seed], tuple[OrderWorld, Callable[[], object]]]


def confirmed(money: MoneyWorld, number: str) -> Order:
    return money.do(Step(number, Actor.TRADER, Move.CONFIRM, money.order(number).trader_id))


def ended(money: MoneyWorld, number: str, move: Move, actor: Actor = Actor.OPERATOR) -> Order:
    return money.do(Step(number, actor, move))


def buys(money: MoneyWorld) -> None:
    """Two buys of a day, the second one within all caps of its trader."""
    trader = money.trader(0)
    accounts = {each.account_key: AccountTerms(daily_cap_fen=DAILY_FEN) for each in trader.methods}
    only(money, 0, daily_cap_fen=DAILY_FEN, account_terms=accounts)
    first = money.create(BUY, FEN, number="A")
    second, third = money.create(BUY, FEN, merchant=1), money.create(BUY, FEN + 1, merchant=1)
    confirmed(money, first)
    ended(money, second, Move.CANCEL, Actor.MERCHANT)
    money.now += PAY_WINDOW
    money.sweep()
    money.do(Step(third, Actor.PAYER, Move.PAY_LATE))
    confirmed(money, third)


def unique_buys(money: MoneyWorld) -> None:
    """Buys of one account with reserved amounts, which several ends release."""
    only(money, 1)
    for _ in range(2):
        number = money.create(BUY, FEN)
        ended(money, number, Move.CANCEL, Actor.MERCHANT)
    number = money.create(BUY, FEN + 1, merchant=1)
    money.now += PAY_WINDOW
    money.sweep()
    money.do(Step(number, Actor.PAYER, Move.PAY_LATE))
    ended(money, number, Move.RESOLVE_CANCELLED)
    money.create(BUY, FEN)


def sells(money: MoneyWorld) -> None:
    trader_id = only(money, 0).trader_id
    numbers = [money.create(SELL, FEN + place, merchant=place % 2) for place in range(3)]
    for number in numbers[:2]:
        money.do(Step(number, Actor.OPERATOR, Move.ASSIGN, trader_id))
    money.prove(numbers[0], trader_id)
    confirmed(money, numbers[0])
    money.do(Step(numbers[1], Actor.TRADER, Move.DECLINE, trader_id))
    money.do(Step(numbers[1], Actor.CLOCK, Move.ASSIGN))
    money.do(Step(numbers[2], Actor.OPERATOR, Move.ASSIGN, trader_id))
    ended(money, numbers[2], Move.UNASSIGN)
    ended(money, numbers[2], Move.CANCEL, Actor.MERCHANT)


def next_day(money: MoneyWorld) -> None:
    """A slot that is 0 is removed, and a late payment is counted in a new day."""
    only(money, 0)
    of_day = (money.now + DAY_OFFSET_SECONDS) % SECONDS_PER_DAY
    money.now += SECONDS_PER_DAY - of_day - PAY_WINDOW - 1
    ended(money, money.create(BUY, FEN), Move.CANCEL, Actor.MERCHANT)
    number = money.create(BUY, FEN, merchant=1)
    money.now += PAY_WINDOW
    money.sweep()
    money.now += 2
    money.do(Step(number, Actor.PAYER, Move.PAY_LATE))
    ended(money, number, Move.RESOLVE_COMPLETED)


def split_accounts(money: MoneyWorld) -> None:
    """Amounts that a merchant's first shard does not have alone."""
    money.split(0, 3, is_known=True)
    account = Account(MERCHANT, money.merchants[0].merchant_id, Mode.LIVE)
    for place in range(6):
        money.create(SELL, 300_00 + place)
    money.withdraw(account, FUNDS_MICRO // 2)
    money.propose(account, MICRO, "ann")


def reversals(money: MoneyWorld) -> None:
    """What a merchant returns is gathered from its shards; a trader pays, and gets."""
    money.split(0, 3, is_known=True)
    trader_id, account = only(money, 0).trader_id, money.withdrawn_account(MERCHANT, Mode.LIVE)
    bought, sold = money.create(BUY, FEN), money.create(SELL, FEN)
    confirmed(money, bought)
    money.do(Step(sold, Actor.OPERATOR, Move.ASSIGN, trader_id))
    money.prove(sold, trader_id)
    confirmed(money, sold)
    ledger, shard = money.seed.tables.ledger, money.order(bought).shard
    for place, available in ((shard, 0), (shard + 1, FUNDS_MICRO)):
        key = balance_key(account, place % 3)
        held = {"available_micro": available, "held_micro": 0}
        money.seed.put(ledger, {**(money.seed.get(ledger, key) or key), **held})
    for number in (bought, sold):
        money.reverse(number, MICRO)


def late_proofs(money: MoneyWorld) -> None:
    """A trader proves a sell that it has no more: it waits, or another trader has it."""
    by = By(Actor.TRADER, money.traders[0].trader_id)
    for taken in (False, True):
        number = money.create(SELL, FEN)
        money.do(Step(number, Actor.OPERATOR, Move.ASSIGN, by.trader_id))
        money.do(Step(number, Actor.OPERATOR, Move.UNASSIGN))
        if taken:
            money.do(Step(number, Actor.OPERATOR, Move.ASSIGN, money.traders[1].trader_id))
        order = money.order(number)
        upload = late_proof_key(order, order.late.returns[0])
        take_late_proof(order, upload, by, ReceiptPorts(EveryFile(), money.moves), money.now)


def claims(money: MoneyWorld) -> None:
    """A cancelled refund whose former trader has paid takes from its buy again."""
    trader_id = money.traders[0].trader_id
    bought = confirmed(money, money.create(BUY, FEN))
    money.claim(money.claimed_sell(money.refund(bought, FEN // 2), completed=False), trader_id)


def refunds(money: MoneyWorld) -> None:
    number = money.create(BUY, FEN)
    bought = confirmed(money, number)
    ended(money, money.refund(bought, FEN // 2), Move.CANCEL, Actor.MERCHANT)


def proposals(money: MoneyWorld) -> None:
    for kind in (MERCHANT, TRADER):
        account = money.withdrawn_account(kind, Mode.LIVE)
        decided = (
            (money.propose, "approve"),
            (money.propose, "reject"),
            (money.propose_funding, "approve"),
            (money.propose_funding, "reject"),
        )
        for propose, what in decided:
            proposal = propose(account, MICRO, "ann")
            money.decide(proposal.proposal_no, what, "bob")
            if propose == money.propose and what == "approve":
                money.send(proposal.proposal_no, "ab" * 32)
        money.propose(account, MICRO, "ann")
    money.now += LIFE_SECONDS
    money.sweep()


def lists(money: MoneyWorld) -> None:
    """Two late payments that nobody but the operator speaks of are ended by one decision."""
    numbers = unspoken(money, 2)
    approve_list(money, propose_list(money, numbers, "ann"), numbers, "bob")


def payouts(money: MoneyWorld) -> None:
    """A finding blocks a payout; the next seal has none."""
    number = money.propose(money.withdrawn_account(MERCHANT, Mode.LIVE), MICRO, "ann").proposal_no
    money.decided(number, "approve", "bob")
    PayoutStore(money.seed.client, money.seed.tables).block(number, "token")
    pay_out(money.seed, lambda: money.now * 10**6)


def requests(money: MoneyWorld) -> None:
    numbers = [money.request_withdrawal(MICRO).request_no for _ in range(4)]
    money.cancel_request(numbers[0])
    taken = [money.take_up(number, "ann").proposal_no for number in numbers[1:]]
    money.decide(taken[0], "approve", "bob")
    money.send(numbers[1], "ab" * 32)
    money.decide(taken[1], "reject", "bob")
    money.person.add_address("TJRabPrwbZy45sbavfcjinPJC18kjpRTv8")
    money.now += LIFE_SECONDS
    money.sweep()


def terms(money: MoneyWorld) -> None:
    """Changes of traders, merchants and rates, and a request that has an idempotency key."""
    by = replace(money.operator, key=RequestKey("key", "digest"))
    account = money.withdrawn_account(MERCHANT, Mode.LIVE)
    move(money.command_ports.acting(by), "fund.merchant", Sum(account, MICRO), "memo")
    for side in (BUY, SELL):
        set_rate(money.command_ports, side, 72000)
    change: TraderTermsChange = {"max_cny_fen": 9_999_00}
    set_trader_terms(money.command_ports, money.traders[0].trader_id, change)
    money.set_unique_amounts(0, unique=True)
    money.suspend(2)


def draft(world: DraftWorld) -> None:
    world.seed.add_trader()
    world.submit(world.hold("N-1").draft.pending_no)
    world.submit(world.hold().draft.pending_no)
    for outcome in (VerificationOutcome.FAILED, VerificationOutcome.UNAVAILABLE):
        world.verifier.outcome = outcome
        world.submit(world.hold(f"N-{outcome.value}").draft.pending_no)
    world.now += 7200
    world.hold(f"N-{outcome.value}")
    world.sweep()


def nonces(money: MoneyWorld) -> None:
    money.book.consume(Nonce("key", "nonce", money.now, "holder"))


def _in_money(scene: Callable[[MoneyWorld], object]) -> Scene:
    def begin(seed: Seed) -> tuple[OrderWorld, Callable[[], object]]:
        money = MoneyWorld(seed)
        return money, partial(scene, money)

    return begin


def _drafts(seed: Seed) -> tuple[OrderWorld, Callable[[], object]]:
    world = DraftWorld(seed)
    return world, partial(draft, world)


SCENES: dict[str, Scene] = {
    each.__name__.replace("_", " "): _in_money(each)
    for each in (
        *(buys, unique_buys, sells, next_day, split_accounts, reversals, late_proofs),
        *(claims, refunds, proposals, lists, payouts, requests, terms, nonces, *STORE_SCENES),
    )
} | {"drafts": _drafts}
