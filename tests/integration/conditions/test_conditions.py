"""Each condition of each write refuses what it must, with the right error, and nothing else."""

import ast
from collections.abc import Collection, Iterator, Sequence

import pytest

from orderdesk.domain.pricing import OrderType
from tests.integration.conditions.rows import WRITES
from tests.integration.conditions.scenes import SCENES
from tests.integration.conditions.store_scenes import only
from tests.support.money_world import MoneyWorld
from tests.support.probing import Prober, Row
from tests.support.template import ROOT
from tests.support.world import World, open_world

ADAPTERS = ROOT / "layers/common/orderdesk/adapters"
_SENDERS = {"Write", "transact", "write_alone", "put_whole", "update_item", "delete_item"}
# These write whatever is stored: a count, a note, or what is computed or drawn again.
UNCONDITIONAL = {
    *("portal.MerchantDayStore._put", "guards.AttemptCounter.count"),
    *("orders.reads.note_write", "seals.SealPlaces.put_checkpoint"),
    *("traders.desk.SessionStore.end", "traders.desk.SessionStore.open"),
}


@pytest.fixture(autouse=True)
def guard() -> None:
    """Guard nothing: the scenes' audit entries are made by hand."""


def rows_of(maker: str, term: str) -> Sequence[Row]:
    rows = WRITES.get(maker, {}).get(term)
    assert rows, f"rows.py has no row of {maker}: {term}"
    return rows


_TRIED: dict[str, Prober] = {}  # what this process has tried, by scene


def try_scene(world: World, name: str) -> None:
    """Run a scene, and try each of its conditions."""
    of_scene, run = SCENES[name](world)
    with pytest.MonkeyPatch.context() as patch:
        prober = Prober(world.client, patch, rows_of, lambda: of_scene.now * 10**6)
        run()
        prober.stop()
    _TRIED[name] = prober


@pytest.mark.parametrize("name", SCENES)
def test_each_condition(world: World, name: str) -> None:
    try_scene(world, name)
    assert _TRIED[name].tried


def all_tried() -> Collection[Prober]:
    for name in SCENES.keys() - _TRIED.keys():
        with open_world() as world:
            try_scene(world, name)
    return _TRIED.values()


def writers() -> Iterator[str]:
    """Yield each function of the stores that makes or sends a write."""
    for path in ADAPTERS.rglob("*.py"):
        module = ".".join(path.relative_to(ADAPTERS).with_suffix("").parts)
        module = module.removeprefix("dynamodb.")
        yield from _writers(ast.parse(path.read_text(encoding="utf-8")), module)


def _writers(node: ast.AST, name: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.ClassDef(name=inner) | ast.FunctionDef(name=inner):
                yield from _writers(child, f"{name}.{inner}")
                continue
            case ast.Call(func=ast.Name(called) | ast.Attribute(attr=called)) if _writes(called):
                yield name
            case ast.Attribute(value=ast.Name("Write")):
                yield name
            case ast.Constant("ConditionExpression"):
                yield name
        yield from _writers(child, name)


def _writes(function: str) -> bool:
    return function in _SENDERS or function.endswith(("_write", "_writes"))


def test_each_function_that_writes_is_tried() -> None:
    tried = set[str]().union(*(each.functions for each in all_tried()))
    assert set(writers()) - tried == UNCONDITIONAL


def test_each_row_is_tried() -> None:
    rows = {(maker, term) for maker, terms in WRITES.items() for term in terms}
    assert rows - set().union(*(each.tried for each in all_tried())) == set()


def test_a_claim_is_later_than_the_one_before_it(world: World) -> None:
    """Another clock may be ahead; each claim still changes the time that claims compare."""
    money = MoneyWorld(world)
    last_us = money.now * 10**6 + 5
    trader_id = only(money, 0, last_accepted_us=last_us).trader_id
    money.create(OrderType.BUY, 1000_00)
    assert world.trader(trader_id).counts.last_accepted_us == last_us + 1
