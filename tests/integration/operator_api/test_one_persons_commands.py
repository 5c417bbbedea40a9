"""Random commands of one person change no live destination, secret, price or sum (section 11).

Commands and parameters are drawn from the schema that `rights.list` returns, with the ids of a
small world. What one person may decide alone stays within its rules: disputes that the trader
opened, up to SoloResolveUsdt, and prices within 5 % of the approved ones.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from orderdesk.adapters.dynamodb.merchants import merchant_of
from orderdesk.adapters.dynamodb.traders.items import trader_of
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.merchants.terms import money_terms
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.traders.terms import priced_terms
from orderdesk.web.operator.declare import Role
from orderdesk.web.operator.endpoint import COMMANDS
from tests.support import engine
from tests.support.commands import POWERS
from tests.support.depth import examples
from tests.support.effects_guard import guarding
from tests.support.money_world import MoneyWorld, Step
from tests.support.operator_api import ACCOUNT, OperatorApi, arn_of_user
from tests.support.portal import PortalVisit
from tests.support.world import World, open_world

PERSON, LOOKS = "mei", "viewer-1"
ARNS = (arn_of_user(PERSON), f"arn:aws:sts::{ACCOUNT}:assumed-role/AWSReservedSSO_other/{PERSON}")
SOLO_USDT = 200
APPROVE = "proposal.approve"
IDS = {
    "merchant_id": "merchants",
    "trader_id": "traders",
    "order_no": "orders",
    "proposal_no": "proposals",
    "withdrawal_no": "proposals",
    "request_no": "requests",
    "block_no": "blocks",
    "webhook_id": "deliveries",
}
TEXTS = {
    "account": ("bank", "alipay"),
    "name": ("丙", "a new name"),
    "admin": ("mei",),
    "value": ("110101199003070011", "6222021234567890123"),
    "events": ("all", "none"),
    "callback_url": ("https://evil.example/x", ""),
    "other_sums": ("off", "agreed:100", "any:200"),
    "card_number": ("6222020000000000001",),
    "qr_code": ("https://qr.alipay.com/fkx123",),
    "real_name": ("丙",),
}
AMOUNTS = ("0", "1", "5", "7.1", "7.3", "7.16", "100", "1000", "99999")
NUMBERS = (0, 1, 13, 14, 60, 100, 137, 1000, 4_000_000_000)


@dataclass(frozen=True)
class Known:
    """An id of the world by its place, because ids differ from run to run."""

    kind: str
    place: int


@dataclass
class SmallWorld:
    """Merchants, traders, and an order in each state, with the ids of everything."""

    world: World = field(repr=False)
    money: MoneyWorld = field(repr=False)
    api: OperatorApi = field(repr=False)
    orders: list[str] = field(default_factory=list, repr=False)
    open_disputes: list[str] = field(default_factory=list, repr=False)
    requests: list[str] = field(default_factory=list, repr=False)

    def __repr__(self) -> str:
        return "SmallWorld()"

    @property
    def merchants(self) -> list[str]:
        return [each.merchant_id for each in self.money.merchants]

    @property
    def traders(self) -> list[str]:
        return [each.trader_id for each in self.money.traders]

    @property
    def proposals(self) -> list[str]:
        return self.keys("Ledger", "proposals")

    @property
    def blocks(self) -> list[str]:
        rates: Any = self.world.get("Merchants", {"pk": "rates"})
        return [row[0] for row in rates.get("blocks", ())]

    @property
    def deliveries(self) -> list[str]:
        return sorted(str(row["webhook_id"]) for row in self.world.items("Callbacks"))

    def secrets(self, merchant: Merchant) -> set[str]:
        """Return the secrets that sign live calls of a merchant."""
        sealed = self.world.kms.unseal(merchant.merchant_id, merchant.sealed_secrets)
        return set(sealed.api_secrets)

    def keys(self, table: str, pk: str) -> list[str]:
        return sorted(str(row["sk"]) for row in self.world.items(table) if row["pk"] == pk)

    def id_of(self, known: Known) -> str:
        found: list[str] = getattr(self, known.kind)
        return found[known.place % len(found)] if found else "none"

    def sent(self, value: object) -> Any:
        match value:
            case Known():
                return self.id_of(value)
            case list():
                return [self.sent(each) for each in value]
            case _:
                return value

    def send(self, arn: str, command: str, parameters: Mapping[str, object]) -> tuple[int, str]:
        """Send a command as it was drawn; an approval is of what the person has seen."""
        asked = {name: self.sent(value) for name, value in parameters.items()}
        if command == APPROVE:
            _, seen = self.api.call(LOOKS, "proposal.show", proposal_no=asked["proposal_no"])
            asked["digest"] = (seen["data"] or {}).get("digest", "none")
        status, _, envelope = self.api.send(arn, f"/{command}", json.dumps(asked).encode())
        return status, json.dumps(envelope)


def small_world(world: World, patch: pytest.MonkeyPatch) -> SmallWorld:
    money = MoneyWorld(world)
    patch.setattr("orderdesk.wiring.operators.pause_ms", lambda _: None)
    patch.setattr("orderdesk.wiring.operators.now_us", lambda: money.now * 10**6)
    small = SmallWorld(world, money, OperatorApi(world))
    PortalVisit.of_new_member(world, MemberRole.ADMIN, money.merchants[0])
    small.requests.append(money.request_withdrawal(5 * 10**6).request_no)
    trader, other = small.traders[:2]

    def buy(fen: int, *moves: tuple[Actor, Move]) -> str:
        number = money.create(OrderType.BUY, fen)
        for actor, what in moves:
            money.do(Step(number, actor, what, money.order(number).trader_id))
        small.orders.append(number)
        return number

    def sell(fen: int) -> str:
        number = money.create(OrderType.SELL, fen)
        small.orders.append(number)
        return number

    paid, disputed = (Actor.PAYER, Move.PAY), (Actor.TRADER, Move.DISPUTE)
    buy(100_00)
    buy(101_00, paid)
    small.open_disputes += [buy(900_00, paid, disputed), buy(901_00, paid, disputed)]
    buy(102_00, (Actor.PAYER, Move.CANCEL))
    buy(103_00, paid, (Actor.TRADER, Move.CONFIRM))
    sell(104_00)
    assigned, proven = sell(105_00), sell(106_00)
    for number in (assigned, proven):
        money.do(Step(number, Actor.OPERATOR, Move.ASSIGN, trader))
    money.prove(proven, trader)
    done = sell(107_00)
    money.do(Step(done, Actor.OPERATOR, Move.ASSIGN, other))
    money.prove(done, other)
    money.do(Step(done, Actor.TRADER, Move.CONFIRM, other))
    money.claimed_sell(sell(108_00), completed=False)
    small.api.data("support-9", "block.add", kind="payee", value="6222020000000000002", reason="r")
    return small


@pytest.fixture(scope="module")
def small() -> Iterator[SmallWorld]:
    environment = open_world(SOLO_RESOLVE_USDT=str(SOLO_USDT))
    with environment as world, pytest.MonkeyPatch.context() as patch:
        yield small_world(world, patch)


@pytest.fixture(scope="module")
def before(small: SmallWorld) -> "Seen":
    return Seen(small)


class State:
    """The engine's tables; a failure shows the commands, not them."""

    def __init__(self) -> None:
        self.tables = engine.snapshot()

    def __repr__(self) -> str:
        return "State()"


@pytest.fixture(scope="module")
def state(small: SmallWorld) -> State:
    assert small.orders
    return State()


def values(name: str, schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:  # noqa: PLR0911
    """Return values of a field, from its JSON schema and the world's ids."""
    if "anyOf" in schema:
        return st.one_of([values(name, each) for each in reversed(schema["anyOf"])])
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if name.removesuffix("s") in IDS and schema["type"] == "string":
        return st.builds(Known, st.just(IDS[name.removesuffix("s")]), st.integers(0, 12))
    match schema["type"]:
        case "boolean":
            return st.booleans()
        case "integer":
            return st.sampled_from(NUMBERS)
        case "array":
            most = schema.get("maxItems", 3)
            return st.lists(values(name, schema["items"]), min_size=1, max_size=min(3, most))
        case _:
            return st.sampled_from(AMOUNTS if "pattern" in schema else TEXTS.get(name, ("a text",)))


@cache
def parameters_of(command: str) -> st.SearchStrategy[dict[str, Any]]:
    schema: Mapping[str, Any] = COMMANDS[command].schema()
    fields = {
        name: values(name, each)
        for name, each in schema["properties"].items()
        if name not in {"idempotency_key", "digest"}
    }
    required = {*schema.get("required", ()), "reason", "memo"} & fields.keys()
    must = {name: fields[name] for name in fields if name in required}
    may = {name: each for name, each in fields.items() if name not in required}
    return st.fixed_dictionaries(must, optional=may)


@st.composite
def commands(draw: st.DrawFn) -> list[tuple[str, str, dict[str, Any]]]:
    """Draw what a person of a role sends; IAM refuses the rest."""
    role = draw(st.sampled_from([Role.FINANCE, Role.SUPPORT]))
    names = [n for n in POWERS if role is Role.FINANCE or COMMANDS[n].role is not Role.FINANCE]
    one = st.sampled_from(names).flatmap(
        lambda name: st.tuples(st.sampled_from(ARNS), st.just(name), parameters_of(name))
    )
    return draw(st.lists(one, min_size=1, max_size=5))


class Seen:
    """What one person must not change, as it is stored."""

    def __repr__(self) -> str:
        return "Seen()"

    def __init__(self, small: SmallWorld) -> None:
        world = small.world
        everything = {table: world.items(table) for table in ("Merchants", "Traders", "Ledger")}
        rows: Any = everything["Merchants"]
        self.rates = next(row for row in rows if row["pk"] == "rates")
        items = {row["pk"]: row for row in rows}
        found = [merchant_of(row) for pk, row in items.items() if pk.startswith("merchant#")]
        self.merchants = {each.merchant_id: each for each in found}
        self.teams = {pk: row for pk, row in items.items() if pk.startswith("team#")}
        parties = [trader_of(row) for row in everything["Traders"] if "methods" in row]
        self.traders = {each.trader_id: each for each in parties if each.mode is Mode.LIVE}
        ledger: Any = everything["Ledger"]
        self.books = {row["pk"]: row for row in ledger if row["sk"] == "addresses"}
        self.postings = {(row["pk"], row["sk"]): row for row in ledger if "posting#" in row["sk"]}
        self.sums = Counter[str]()
        for row in ledger:
            if row["sk"] == "balance" and row["pk"].endswith(":live"):
                self.sums[row["pk"]] += row.get("available_micro", 0) + row.get("held_micro", 0)
        for each in self.traders.values():
            self.sums[f"trader:{each.trader_id}:live"] += (
                each.counts.available_micro + each.counts.held_micro
            )
        self.proposals = {row["sk"]: row["status"] for row in ledger if row["pk"] == "proposals"}


def is_near(before: Mapping[str, int], after: Mapping[str, int]) -> bool:
    return all(abs(after[name] - value) * 20 <= abs(value) for name, value in before.items())


def assert_nothing_was_reached(small: SmallWorld, before: Seen, after: Seen, answers: str) -> None:
    assert "whsec_" not in answers
    for merchant_id, merchant in before.merchants.items():
        now = after.merchants[merchant_id]
        assert now.api_key in {merchant.api_key, ""}
        if now.sealed_secrets != merchant.sealed_secrets:
            assert small.secrets(now) == set(), "it is only stopped"
        assert f"sk_{merchant_id}" not in answers
        assert now.addresses == merchant.addresses
        assert {*now.more_keys} <= {*merchant.more_keys}
        assert is_near(money_terms(merchant.terms), money_terms(now.terms))
        assert now.terms.other_sums == merchant.terms.other_sums
    for new in after.merchants.keys() - before.merchants.keys():
        assert after.merchants[new].api_key == ""
        assert small.secrets(after.merchants[new]) == set()
    assert after.teams == before.teams
    assert after.books == before.books
    assert after.traders.keys() == before.traders.keys()
    for trader_id, trader in before.traders.items():
        now_trader = after.traders[trader_id]
        for name in ("methods", "account_terms", "name"):
            assert getattr(now_trader, name) == getattr(trader, name)
        assert now_trader.access.access_code_hash == trader.access.access_code_hash
        assert trader.stops.keys() <= now_trader.stops.keys()
        assert is_near(priced_terms(trader), priced_terms(now_trader))
    sides = {side: (before.rates[side]["rate_e4"], after.rates[side]["rate_e4"]) for side in SIDES}
    assert all(is_near({"": old}, {"": new}) for old, new in sides.values())
    assert sides["buy"][1] >= sides["sell"][1]
    assert after.rates.get("day_limits") == before.rates.get("day_limits")
    listed = [{row[0] for row in each.rates.get("blocks", ())} for each in (before, after)]
    assert listed[0] <= listed[1]
    assert_money(small, before, after)
    assert set(after.proposals.values()) <= {"open", "rejected"}


SIDES = ("buy", "sell")


def assert_money(small: SmallWorld, before: Seen, after: Seen) -> None:
    """Check that sums moved only by disputes that one person may end, within the day's sum."""
    new = [row for key, row in after.postings.items() if key not in before.postings]
    live = [row for row in new if row["pk"].endswith(":live")]
    moved = Counter[str]()
    for row in live:
        moved[row["pk"]] += row["amount_micro"]
    assert {row.get("order_no") for row in live} <= {*small.open_disputes}
    resolved = [
        order
        for order in map(small.money.order, small.open_disputes)
        if order.status is not OrderStatus.DISPUTED
    ]
    assert sum(order.quote.trader_micro for order in resolved) <= SOLO_USDT * 10**6
    accounts = before.sums.keys() | after.sums.keys() | moved.keys()
    assert {n: after.sums[n] - before.sums[n] for n in accounts if n in after.sums} == {
        n: moved[n] for n in accounts if n in after.sums
    }


@pytest.mark.deep
@settings(
    max_examples=examples(full=1_000, budget=50, search=20_000),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(sent=commands())
def test_one_person_reaches_nothing(
    small: SmallWorld, before: "Seen", state: State, sent: Sequence[tuple[str, str, dict[str, Any]]]
) -> None:
    engine.restore(state.tables)
    answers = ""
    with guarding() as guard:
        for arn, command, parameters in sent:
            status, answer = small.send(arn, command, parameters)
            event(f"{command} {status}{' proposed' if '"proposal": {' in answer else ''}")
            answers += answer
    assert_nothing_was_reached(small, before, Seen(small), answers)
    assert guard.found == []
