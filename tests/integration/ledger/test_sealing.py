"""Seals of the books, and each attack that they must find (contract section 13)."""

from typing import Any

import pytest

from orderdesk.adapters.dynamodb.ledger_statement import LedgerStatement
from orderdesk.adapters.dynamodb.marshal import Item, Value, to_item
from orderdesk.adapters.seals import SealPlaces
from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.ledger.sealing import DRIFTS_MIN
from orderdesk.domain.ledger.seals import FindingKind, day_end
from orderdesk.domain.orders.day_figures import MerchantDay
from orderdesk.domain.orders.open_orders import UnpaidBuys, counter_key
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.times import date_in_china
from orderdesk.services.ledger.seal import JUDGED_BUYS_MIN, most_unpaid
from tests.support.commands import ask
from tests.support.money_world import OPERATORS, MoneyWorld, Step
from tests.support.sealing import Sealer, sealable

DECIDED = [(Actor.PAYER, Move.AGREE), (Actor.OPERATOR, Move.RESOLVE_COMPLETED)]


class SealedWorld:
    """A money world whose trade is sealed every quarter of an hour."""

    def __init__(self, money: MoneyWorld) -> None:
        self.money = money
        self.sealer = Sealer(money.seed, lambda: money.now)

    def trade(self) -> tuple[str, str, str]:
        """Complete a buy and a sell, and leave a buy open; return their numbers."""
        money = self.money
        done = money.completed(OrderType.BUY)
        sold = money.create(OrderType.SELL, 333_33)
        return done, sold, money.create(OrderType.BUY, 101)

    def next_window(self) -> None:
        self.money.now = sealable(self.money.now)

    def change(self, table: str, key: dict[str, str], **values: Value) -> None:
        names = {f"#{name}": name for name in values}
        self.money.seed.client.update_item(
            TableName=table,
            Key=to_item(dict(key)),
            UpdateExpression=f"SET {', '.join(f'#{name} = :{name}' for name in values)}",
            ExpressionAttributeNames=names,
            ExpressionAttributeValues=to_item({f":{name}": v for name, v in values.items()}),
        )

    @property
    def key(self) -> str:
        return f"merchant:{self.money.merchants[0].merchant_id}:live"

    def balance(self) -> Any:
        return self.money.seed.get("Ledger", {"pk": self.key, "sk": "balance"})

    def postings(self, account: str) -> list[Any]:
        rows: list[Any] = self.money.seed.items("Ledger")
        return [r for r in rows if r["pk"] == account and r["sk"].startswith("posting#")]


@pytest.fixture
def world(money: MoneyWorld) -> SealedWorld:
    return SealedWorld(money)


def kinds(found: list[Any]) -> list[tuple[FindingKind, str]]:
    return [(each.kind, each.account or each.key) for each in found]


def test_honest_books_have_no_finding_in_any_window(world: SealedWorld) -> None:
    for _ in range(4):
        _, sold, _ = world.trade()
        world.next_window()
        assert world.sealer.found() == []
        world.money.do(Step(sold, Actor.MERCHANT, Move.CANCEL))
    seal = world.sealer.newest()
    assert seal.accounts[world.key].closing == sum(
        row["amount_micro"] for row in world.postings(world.key)
    )
    assert seal.postings == len(
        [row for row in world.money.seed.items("Ledger") if str(row["sk"]).startswith("posting#")]
    )


@pytest.mark.parametrize("end", ["approve", "reject", "alone"])
def test_an_ended_request_has_no_finding_in_later_seals(world: SealedWorld, end: str) -> None:
    """A request is read for a day after it ended; a finding would block its merchant's payouts."""
    money = world.money
    world.next_window()
    world.sealer.found()
    number = money.request_withdrawal(10**6).request_no
    if end == "alone":
        money.run(ask("withdraw.merchant", request_no=number), money.operator)
    else:
        money.decide(money.take_up(number, OPERATORS[0]).proposal_no, end, OPERATORS[1])
    for _ in range(DRIFTS_MIN + 1):
        world.next_window()
        assert world.sealer.found() == []


def test_a_forged_link_of_an_ended_request_is_named(world: SealedWorld) -> None:
    money = world.money
    number = money.request_withdrawal(10**6).request_no
    taken = money.take_up(number, OPERATORS[0]).proposal_no
    money.decide(taken, "reject", OPERATORS[1])
    world.next_window()
    world.sealer.found()
    world.change("Ledger", {"pk": "proposals", "sk": taken}, status="expired")
    found = []
    for _ in range(DRIFTS_MIN):
        world.next_window()
        found += world.sealer.found()
    assert kinds(found) == [(FindingKind.REQUEST_WITHOUT_DECISION, world.key)]


def test_a_forged_balance_of_a_busy_account_is_named_in_each_seal_until_it_is_gone(
    world: SealedWorld,
) -> None:
    world.trade()
    world.next_window()
    world.sealer.seal()
    world.trade()
    key = {"pk": world.key, "sk": "balance"}
    world.change("Ledger", key, available_micro=world.balance()["available_micro"] + 5)
    world.next_window()
    sealed = world.sealer.seal()
    assert kinds([e.finding for e in sealed.new]) == [(FindingKind.BALANCE, world.key)]
    assert sealed.new[0].finding.delta == 5
    world.trade()
    world.next_window()
    again = world.sealer.seal()
    assert (again.new, again.seal.findings) == ([], sealed.new)
    world.change("Ledger", key, available_micro=world.balance()["available_micro"] - 5)
    world.next_window()
    assert world.sealer.seal().seal.findings == []


@pytest.mark.parametrize("windows", [1, 2])
def test_a_forged_sum_is_named_in_the_window_in_which_it_is_still(
    world: SealedWorld, windows: int
) -> None:
    world.trade()
    world.next_window()
    world.sealer.seal()
    parity = world.money.now // 900 % 2
    row, name = world.balance(), f"a{parity if windows == 1 else 1 - parity}"
    changed = {name: row.get(name, 0) + 5, "available_micro": row["available_micro"] + 5}
    world.change("Ledger", {"pk": world.key, "sk": "balance"}, **changed)
    found = []
    for _ in range(windows):
        world.trade()
        world.next_window()
        found += world.sealer.found()
    assert kinds(found) == [(FindingKind.BALANCE, world.key)]
    assert found[0].delta == 5


@pytest.mark.parametrize("is_adjusted", [False, True])
def test_a_deleted_posting_is_named(world: SealedWorld, is_adjusted: bool) -> None:  # noqa: FBT001 parametrized
    done, *_ = world.trade()
    [row] = [row for row in world.postings(world.key) if row["transfer_id"] == done]
    world.money.seed.client.delete_item(
        TableName="Ledger", Key=to_item({"pk": row["pk"], "sk": row["sk"]})
    )
    if is_adjusted:
        stored, name = world.balance(), f"a{world.money.now // 900 % 2}"
        micro = row["amount_micro"]
        values = {each: stored[each] - micro for each in ("available_micro", name)}
        world.change("Ledger", {"pk": world.key, "sk": "balance"}, **values)
    world.next_window()
    found = world.sealer.found()
    named = [(FindingKind.ORDER_WITHOUT_POSTING, world.key)]
    assert kinds(found) == named + ([(FindingKind.BALANCE, world.key)] if is_adjusted else [])


def backdated(world: SealedWorld, at: int, micro: int) -> None:
    """Add a posting of an earlier time, as if somebody had funded the merchant."""
    item: Item = {
        "pk": world.key,
        "sk": f"posting#{at * 10**6:016d}#x",
        "transfer_id": "x",
        "kind": "funding",
        "amount_micro": micro,
        "memo": "",
        "at_us": at * 10**6,
    }
    world.money.seed.put("Ledger", item)


@pytest.mark.parametrize("name", ["fees", "base_rate_e4", "service_micro"])
def test_a_price_or_policy_that_is_changed_later_is_named(world: SealedWorld, name: str) -> None:
    *_, number = world.trade()
    world.next_window()
    world.sealer.seal()
    row: Any = world.money.seed.get("Orders", {"pk": number})
    before = row[name]
    changed = [*before[:-1], before[-1] + 1] if isinstance(before, list) else before + 1
    world.change("Orders", {"pk": number}, **{name: changed})
    world.next_window()
    assert kinds(world.sealer.found()) == [(FindingKind.CHANGED_PRICE, world.key)]


@pytest.mark.parametrize("seals", [0, 1])
@pytest.mark.parametrize("percent", [50, 200])
@pytest.mark.parametrize(("actor", "what"), DECIDED)
def test_another_sum_has_no_finding(
    world: SealedWorld, seals: int, percent: int, actor: Actor, what: Move
) -> None:
    """Its hold, its postings and its price follow from the sum, within a window or over two."""
    money, number = world.money, reported(world, percent)
    for _ in range(seals):
        world.next_window()
        assert world.sealer.found() == []
    done = money.do(Step(number, actor, what, None, percent))
    assert done.quote.cny_fen == 100_00 * percent // 100
    for _ in range(2):
        world.next_window()
        assert world.sealer.found() == []


def reported(world: SealedWorld, percent: int = 50) -> str:
    number = world.money.create(OrderType.BUY, 100_00)
    trader = world.money.order(number).trader_id
    world.money.do(Step(number, Actor.TRADER, Move.REPORT_SUM, trader, percent))
    return number


@pytest.mark.parametrize("seals", [0, 1])
@pytest.mark.parametrize(
    "forged",
    [
        {"reported_fen": 49_99},
        {"requested_fen": 24_99},
        {"held_fen": 100_01},
        {"timeline": "clock"},
        {"service_micro": 1},
    ],
    ids=lambda forged: next(iter(forged)),
)
def test_a_forged_sum_of_an_order_is_named(
    world: SealedWorld, seals: int, forged: dict[str, Any]
) -> None:
    number = reported(world)
    for _ in range(seals):
        world.next_window()
        world.sealer.seal()
    world.money.do(Step(number, Actor.PAYER, Move.AGREE))
    row: Any = world.money.seed.get("Orders", {"pk": number})
    if "timeline" in forged:
        last = {**row["timeline"][-1], "by": forged["timeline"]}
        forged = {"timeline": [*row["timeline"][:-1], last]}
    world.change("Orders", {"pk": number}, **forged)
    world.next_window()
    found = {each.kind for each in world.sealer.found() if each.order_no == number}
    assert found & {FindingKind.PRICE, FindingKind.CHANGED_PRICE}


def test_a_deleted_order_is_named(world: SealedWorld) -> None:
    done, sold, _ = world.trade()
    world.money.seed.client.delete_item(TableName="Orders", Key=to_item({"pk": done}))
    world.next_window()
    found = world.sealer.found()
    assert {kind for kind, _ in kinds(found)} == {
        *(FindingKind.POSTING_WITHOUT_ORDER, FindingKind.BALANCE)
    }
    world.money.seed.client.delete_item(TableName="Orders", Key=to_item({"pk": sold}))
    world.next_window()
    assert kinds(world.sealer.found()) == [(FindingKind.MISSING_ORDER, sold)]


MALFORMED = [
    ("Ledger", "balance", "available_micro", "5"),
    ("Ledger", "posting", "amount_micro", "5"),
    ("Orders", "order", "cny_fen", "5"),
    ("Traders", "trader", "held_micro", "5"),
]


@pytest.mark.parametrize(("table", "what", "name", "value"), MALFORMED)
def test_a_malformed_item_is_named_and_ends_nothing(
    world: SealedWorld, table: str, what: str, name: str, value: str
) -> None:
    *_, number = world.trade()
    keys: dict[str, dict[str, str]] = {
        "balance": {"pk": world.key, "sk": "balance"},
        "posting": {"pk": world.key, "sk": world.postings(world.key)[0]["sk"]},
        "order": {"pk": number},
        "trader": {"trader_id": world.money.traders[0].trader_id},
    }
    world.change(table, keys[what], **{name: value})
    world.next_window()
    found = world.sealer.found()
    assert FindingKind.MALFORMED in {each.kind for each in found}
    named = [each for each in found if each.kind is FindingKind.MALFORMED]
    key = f"{table.lower()}: {' '.join(keys[what].values())}"
    assert [(each.key, each.problem) for each in named] == [(key, f"wrong type of {name}")]


STATES = [
    ("Ledger", "balance", "available_micro"),
    ("Traders", "trader", "held_micro"),
    ("Merchants", "merchant", "status"),
    ("Orders", "counter", "open_buys"),
]


@pytest.mark.parametrize(("table", "what", "name"), STATES)
def test_a_repaired_item_is_a_finding_no_more(
    world: SealedWorld, table: str, what: str, name: str
) -> None:
    world.trade()
    merchant_id = world.money.merchants[0].merchant_id
    keys: dict[str, dict[str, str]] = {
        "balance": {"pk": world.key, "sk": "balance"},
        "trader": {"trader_id": world.money.traders[0].trader_id},
        "merchant": {"pk": f"merchant#{merchant_id}"},
        "counter": {"pk": counter_key(merchant_id, Mode.LIVE, 0)},
    }
    before = world.money.seed.get(table, {**keys[what]})
    assert before is not None
    world.change(table, keys[what], **{name: "no"})
    world.next_window()
    assert [kind for kind, _ in kinds(world.sealer.found())] == [FindingKind.MALFORMED]
    world.change(table, keys[what], **{name: before[name]})
    world.next_window()
    assert world.sealer.seal().seal.findings == []


def test_an_outage_under_load_is_covered_by_one_seal(world: SealedWorld) -> None:
    world.trade()
    world.next_window()
    world.sealer.seal()
    for _ in range(8):
        _, sold, _ = world.trade()
        world.money.now += 900
        world.money.do(Step(sold, Actor.MERCHANT, Move.CANCEL))
    world.next_window()
    sealed = world.sealer.seal()
    assert sealed.new == []
    assert sealed.seal.end - sealed.seal.start >= 8 * 900
    world.next_window()
    assert world.sealer.found() == []


def test_an_outage_of_two_days_has_a_seal_for_each_day(world: SealedWorld) -> None:
    world.trade()
    world.next_window()
    world.sealer.seal()
    began = world.sealer.end
    for _ in range(8):
        _, sold, _ = world.trade()
        world.money.now += 6 * 3600
        world.money.do(Step(sold, Actor.MERCHANT, Move.CANCEL))
    world.next_window()
    ends = list[int]()
    while not ends or ends[-1] < world.money.now - 900 - 180:
        sealed = world.sealer.seal()
        assert sealed.new == []
        ends.append(sealed.seal.end)
    assert [end for end in ends[:-1] if end != day_end(end - 1)] == []
    assert ends[-1] - began >= 2 * 86_400
    world.trade()
    world.next_window()
    assert world.sealer.found() == []


def test_an_idle_month_has_one_seal_a_day(world: SealedWorld) -> None:
    world.trade()
    world.next_window()
    world.sealer.seal()
    world.money.now += 30 * 86_400
    seals = [world.sealer.seal() for _ in range(31)]
    assert [each for sealed in seals for each in sealed.new] == []
    assert world.sealer.newest().end >= world.money.now - 900 - 180
    assert world.sealer.newest().accounts[world.key].closing


def test_an_order_that_ends_after_its_day_is_counted_on_its_day(world: SealedWorld) -> None:
    money = world.money
    number = money.create(OrderType.SELL, 333_33)
    created, merchant_id = date_in_china(money.now), money.merchants[0].merchant_id
    counted = list[MerchantDay]()
    for _ in range(2):
        money.now = day_end(money.now) + 180
        while world.sealer.seal().seal.end != day_end(money.now - 86_400):
            pass
        if not counted:
            money.do(Step(number, Actor.MERCHANT, Move.CANCEL))
        [(day, _)] = world.sealer.days.days(merchant_id, [created])
        counted.append(day)
    assert [(day.orders, day.ended, day.completed) for day in counted] == [(1, 0, 0), (1, 1, 0)]


def test_a_merchant_whose_buys_end_unpaid_is_named(world: SealedWorld) -> None:
    money = world.money
    money.now = day_end(money.now)
    assert world.sealer.seal().seal.figures == {}
    for _ in range(JUDGED_BUYS_MIN):
        number = money.create(OrderType.BUY, 101)
        money.do(Step(number, Actor.MERCHANT, Move.CANCEL))
    money.now += 2 * 3600
    assert most_unpaid(world.sealer.seal().seal) is None, "too early in the day"
    money.now += 2 * 3600
    found = most_unpaid(world.sealer.seal().seal)
    assert found == (money.merchants[0].merchant_id, UnpaidBuys(JUDGED_BUYS_MIN, JUDGED_BUYS_MIN))


def test_a_statement_reads_on_from_a_checkpoint(
    world: SealedWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("orderdesk.domain.ledger.sealing.CHECKPOINT_EVERY", 2)
    for _ in range(3):
        world.trade()
        world.next_window()
        world.sealer.seal()
    client, table = world.money.seed.client, world.money.seed.tables
    places = SealPlaces(client, table)
    for checkpoint in world.sealer.seals.checkpoints:
        places.put_checkpoint(checkpoint)
    account = Account(AccountKind.MERCHANT, world.money.merchants[0].merchant_id, Mode.LIVE)
    rows = world.postings(account.key)
    assert len(rows) == 4
    statement = LedgerStatement(client, table.ledger)
    for row in rows:
        at = row["at_us"] // 10**6
        before = sum(each["amount_micro"] for each in rows if each["at_us"] < row["at_us"])
        assert statement.total_before(account, at) == before
    client.delete_item(
        TableName=table.ledger, Key=to_item({"pk": account.key, "sk": rows[0]["sk"]})
    )
    whole = sum(each["amount_micro"] for each in rows)
    assert statement.total_before(account, world.money.now) == whole, "read from the beginning"
