"""Every request that the adapters send to DynamoDB, sent once, on whichever tables a world has."""

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from botocore.session import Session

from orderdesk.adapters.seals import SealFiles, SealVault
from orderdesk.adapters.sending import LazyKms
from orderdesk.adapters.system import now_us
from orderdesk.domain.callbacks.endpoints import Endpoint, EndpointId
from orderdesk.domain.identity import VerificationOutcome
from orderdesk.domain.merchants.withdrawals import Network
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.order_errors import MerchantOrderNoExists
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.proposals import LIFE_SECONDS
from orderdesk.services.ledger.seal import seal_next
from orderdesk.services.merchants.withdrawals import remove_address
from orderdesk.services.orders.notes import dispute_order
from tests.support import receipt_samples
from tests.support.callback_functions import CallbackWorld, RelayWorld
from tests.support.commands import resolve
from tests.support.deliveries import GONE, TAKEN
from tests.support.draft_world import DraftWorld
from tests.support.listed import approve_list, propose_list, unspoken
from tests.support.merchant_client import buy, sell
from tests.support.money_world import DRAFT_LIFE, OPERATORS, TESTER, MoneyWorld, Step
from tests.support.offices import Terminal, add_trader
from tests.support.order_table import CASES, WAYS, WINDOW, row_of
from tests.support.payouts import pay_out
from tests.support.portal import PortalVisit
from tests.support.requesting import TRON, Person
from tests.support.sealing import Sealer, sealable
from tests.support.trader import ORDER, TraderVisit, push_on
from tests.support.world import World

A_DAY = 86_400
BUY, SELL = OrderType.BUY, OrderType.SELL
A, M, S = Actor, Move, OrderStatus
FIRST, SECOND = "finance-1", "finance-2"


def live(world: World, terminal: Terminal) -> None:
    money = MoneyWorld(world)
    make_every_move(money)
    gather_and_dispute(money)
    decide_a_list(money)
    seal_the_books(world, money)
    let_time_pass(money)
    let_a_proposal_of_a_request_expire(money)
    end_drafts_in_every_way(DraftWorld(world))
    complete_at_the_desk(world)
    operate(terminal)
    request_withdrawals(world, terminal)
    visit_portal(world)


def make_every_move(money: MoneyWorld) -> None:
    """Make every move of contract section 6, each with an order of its own."""
    for kind, status, actor, what, proven, target, _ in CASES:
        number = money.create(kind, 100_00)
        for way in WAYS[kind, status]:
            move(money, number, *way)
        if proven:
            money.prove(number, money.order(number).trader_id)
        assert money.order(number).status is status
        move(money, number, actor, what)
        assert money.order(number).status is target
    money.check()


def gather_and_dispute(money: MoneyWorld) -> None:
    """Sell from an empty shard that gathers from another one; one person resolves a dispute."""
    money.split(0, 3, is_known=True)
    while not money.order(money.create(SELL, 100_00)).shard:
        pass
    number = money.create(BUY, 100_00)
    move(money, number, A.PAYER, M.PAY)
    trader = By(A.TRADER, money.order(number).trader_id)
    dispute_order(number, "nothing came", trader, money.moves, money.now)
    one_person = money.acting(TESTER.person)
    resolve(number, S.COMPLETED, money.command_ports.acting(one_person), reason="it came")
    money.check()


def decide_a_list(money: MoneyWorld) -> None:
    """Complete two disputed buys by one proposal of two people."""
    numbers = unspoken(money, 2)
    proposal_no = propose_list(money, numbers, FIRST)
    approve_list(money, proposal_no, numbers, SECOND)
    assert {money.order(number).status for number in numbers} == {S.COMPLETED}
    money.check()


def seal_the_books(world: World, money: MoneyWorld) -> None:
    """Seal the books twice, in files, as the function does."""
    vault = SealVault(os.environ["SEALS_BUCKET"], os.environ["SEAL_KEY_ARN"])
    files = SealFiles(world.client, world.tables, world.s3, LazyKms(Session()), vault)
    sealer = Sealer(world, lambda: money.now)
    ports = replace(sealer.ports, seals=files)
    for _ in range(2):
        money.create(BUY, 100_00)
        money.now = sealable(money.now)
        assert seal_next(ports, sealer.days.save) is not None
    assert len(files.newest_first(limit=10)) == 2


def move(money: MoneyWorld, number: str, actor: Actor, what: Move) -> None:
    """Make a move, once its waiting time is over."""
    order = money.order(number)
    row = row_of(order.order_type, order.status, proven=bool(order.receipts))
    wait = row[actor, what][1]
    due = (order.expire_time or 0) if wait == WINDOW else order.since + wait
    money.now = max(money.now, due)
    own, any_trader = order.trader_id, money.traders[0].trader_id
    money.do(Step(number, actor, what, any_trader if what is M.ASSIGN else own))


def let_time_pass(money: MoneyWorld) -> None:
    """Assign a sell, then let orders pass their deadlines."""
    numbers = [money.create(kind, 100_00) for kind in (BUY, BUY, SELL)]
    move(money, numbers[1], A.PAYER, M.PAY)
    money.assign_waiting()
    assert money.order(numbers[2]).status is S.ASSIGNED
    money.now += A_DAY
    money.sweep()
    ends = [money.order(number).status for number in numbers]
    assert ends == [S.EXPIRED, S.DISPUTED, S.MATCHING]
    money.check()


def end_drafts_in_every_way(drafts: DraftWorld) -> None:
    """Complete, lock and expire a draft, each with a merchant_order_no."""
    drafts.world.only_trader()
    names = ("completed", "locked", "expired")
    completed, locked, _ = (drafts.hold(name).draft.pending_no for name in names)
    with pytest.raises(MerchantOrderNoExists):
        drafts.hold("completed")
    drafts.submit(completed)
    drafts.verifier.outcome = VerificationOutcome.FAILED
    drafts.submit(locked)
    drafts.now += DRAFT_LIFE
    assert drafts.sweep()["drafts_expired"] == 1
    owners = [drafts.number_owner(name) for name in names]
    assert [bool(owner.order_no) for owner in owners] == [True, False, False]


class Quarter:
    def get_remaining_time_in_millis(self) -> int:
        return 900_000


def complete_at_the_desk(world: World) -> None:
    """Complete a buy and a sell through the functions, and deliver their callbacks."""
    world.set_rates(buy_e4=72360, sell_e4=71640)
    world.clear_rotation()
    callbacks, relay = CallbackWorld.on(world), RelayWorld(world)
    relay.records()
    merchant = callbacks.merchant
    world.fund(merchant, 10**12)
    client = world.client_of(merchant, f"sk_{merchant.merchant_id}")
    trader = TraderVisit.of_new_trader(world)
    bought = client.create(buy(merchant_order_no="1")).data["order_no"]
    again = client.create(buy(merchant_order_no="1"))
    assert (again.code, again.data["order_no"]) == (2001, bought)
    sold = client.create(sell()).data["order_no"]
    world.assign_sells()
    assert trader.send("GET", ORDER, order_no=bought)["statusCode"] == 200
    assert trader.upload(sold, receipt_samples.png())["statusCode"] == 303
    for number in (bought, sold):
        assert trader.post(f"{ORDER}/confirm", number)["statusCode"] == 303
    assert push_on(trader, "https://push.example.com/device")["statusCode"] == 200
    for page in ("orders", "history", "balance"):
        assert trader.get(f"/trader/{page}")["statusCode"] == 200
    assert trader.post("/trader/logout")["statusCode"] == 303
    listed = client.listed()["orders"]
    assert {order["status"] for order in listed} == {"completed"}
    assert len(listed) == 2
    relay.handle(relay.records())
    callbacks.post.script = [TAKEN, GONE]
    callbacks.deliver()
    assert len(callbacks.post.sent) == 3
    for of in ({}, {"order_no": listed[0]["order_no"]}):
        assert client.post("/merchant/listCallbacks", of).data["callbacks"]
    assert client.post("/merchant/statement", {"start_time": 1}).code == 1


def operate(terminal: Terminal) -> None:
    """Run the commands that read or write in a way of their own."""
    added = terminal.json(
        *("merchant", "add", "甲", "--callback-url", "https://m.example.com/", "--alone")
    )
    by_two(terminal, "merchant", "set", added["merchant_id"], "--min-cny", "5")
    change_names(terminal, added["merchant_id"])
    trader_id = add_trader(terminal)
    payee = ("--real-name", "甲", "--account", "a", "--qr-code", "wxp://f2f0")
    terminal.json("trader", "add-method", trader_id, "alipay", *payee, "--alone")
    terminal.json("trader", "online", trader_id)
    terminal.json("trader", "set", trader_id, "--unique-amounts")
    assert trader_id in [row["trader_id"] for row in terminal.json("trader", "list")]
    terminal.json("rate", "set", "buy", "7.3", "--yes")
    for kind, owner in (("merchant", added["merchant_id"]), ("trader", trader_id)):
        by_two(terminal, "fund", kind, owner, "5", "--memo", "m")
    withdraw(terminal, added["merchant_id"], trader_id)
    ids = [row["merchant_id"] for row in terminal.json("merchant", "list")]
    assert added["merchant_id"] in ids
    orders: list[Any] = terminal.json("order", "list")
    assert orders
    assert terminal.json("order", "list", "--merchant", added["merchant_id"]) == []
    assert terminal.json("order", "list", "--trader", trader_id) == []
    assert terminal.json("order", "list", "--status", "completed")
    assert terminal.json("order", "list", "--status", "matching")
    assert terminal.json("order", "find", orders[0]["order_no"])
    assert terminal.json("order", "find", "1")
    terminal.json("merchant", "revoke-secret", added["merchant_id"], "--reason", "r")
    terminal.json("proposal", "reveal", by_two(terminal, "trader", "reset-code", trader_id))
    gone = next(row for row in terminal.json("callback", "list") if row["state"] == "gone")
    assert terminal.json("callback", "list", gone["number"])
    terminal.json("callback", "redeliver", gone["webhook_id"], "--reason", "r")
    assert terminal.json("ledger", "balances")
    assert terminal.run("ledger", "check", "--json").exit_code == 1  # the funds have no postings
    today = datetime.now(UTC).date().isoformat()
    for date in ("2026-01-31", today):
        assert "closes" in terminal.run("report", date, "--json").stdout
    terminal.json("block", "add", "mobile", "13800000002", "--reason", "r")
    by_two(terminal, "desk", "set", "--id-card-daily-cny", "5000")
    assert terminal.json("audit")


def change_names(terminal: Terminal, merchant_id: str) -> None:
    """Change a name to one that another merchant has, and from it again; then a name of its own."""
    other = terminal.json("merchant", "add", "乙", "--alone")["merchant_id"]
    for own_id, name in ((merchant_id, "丙"), (other, "丙"), (other, "丁"), (other, "戊")):
        terminal.json("merchant", "set", own_id, "--display-name", name, "--alone")


def by_two(terminal: Terminal, *words: str) -> str:
    """Run a command that a second person approves; return the proposal's number."""
    result = terminal.run(*words, "--json")
    assert result.exit_code == 3, result.stderr
    number = str(json.loads(result.stdout)["proposal"]["proposal_no"])
    terminal.approve(number, SECOND)
    return number


def withdraw(terminal: Terminal, merchant_id: str, trader_id: str) -> None:
    """Propose two withdrawals; another operator approves one and rejects the other."""
    proposed = [
        json.loads(terminal.run("withdraw", kind, owner, "1", "--memo", "m", "--json").stdout)
        for kind, owner in (("merchant", merchant_id), ("trader", trader_id))
    ]
    paid, refused = (each["withdrawal_no"] for each in proposed)
    terminal.approve(paid, SECOND)
    assert terminal.world is not None
    pay_out(terminal.world, now_us)
    open_ones = terminal.json("withdraw", "list", "--open")
    assert refused in [each.get("withdrawal_no") for each in open_ones]
    terminal.json("withdraw", "reject", refused, "--reason", "r", person=SECOND)


def request_withdrawals(world: World, terminal: Terminal) -> None:
    """Request three withdrawals: one is cancelled, one sent, one rejected."""
    merchant, client = world.add_merchant()
    world.fund(merchant, 10**7)
    mei = Person(world, merchant.merchant_id).with_rested_address()
    cancelled, sent, rejected = (mei.request(10**6).request_no for _ in range(3))
    mei.cancel(cancelled)
    taken = [
        json.loads(terminal.run("withdraw", "request", number, "--json").stdout)["withdrawal_no"]
        for number in (sent, rejected)
    ]
    terminal.approve(taken[0], SECOND)
    pay_out(world, now_us)
    terminal.json("withdraw", "reject", taken[1], "--reason", "r", person=SECOND)
    terminal.json("withdraw", "sent", sent, "tx1")
    assert client.post("/merchant/listWithdrawals", {}).code == 1
    found = mei.ports.book.newest(merchant.merchant_id, None, 10)
    assert {each.request_no: each.status.value for each in found} == {
        cancelled: "cancelled",
        sent: "sent",
        rejected: "rejected",
    }
    remove_address(mei.ports, mei.by, Network.TRC20, TRON)


def visit_portal(world: World) -> None:
    """Join by passkey, open the overview and the team, and forget a paused endpoint."""
    visit = PortalVisit.of_new_member(world)
    assert visit.is_in()
    assert visit.get("team")["statusCode"] == 200
    place = EndpointId(visit.merchant.merchant_id, Mode.LIVE, "https://paused.example")
    world.endpoints.save(Endpoint(place, version=1, since_ms=1, probe_ms=10**15))
    kept = world.endpoints.endpoint(place)
    assert kept is not None
    world.endpoints.remove(kept)


def let_a_proposal_of_a_request_expire(money: MoneyWorld) -> None:
    """Expire the proposal that took up a request, which then waits again."""
    number = money.request_withdrawal(10**6).request_no
    money.take_up(number, OPERATORS[0])
    money.now += LIFE_SECONDS
    money.sweep()
    assert money.request(number).proposal_no == ""
    money.check()
