"""`orderdesk ledger …` on moto, with money that operators funded."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace

import pytest

from orderdesk.adapters.dynamodb.orders.moves import OrderMoveStore
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.services.operator.ledger import Watch
from orderdesk.services.orders.move import MovePorts, move_order
from tests.support.market import FundedBooks
from tests.support.offices import Terminal, office_on
from tests.support.world import World


def test_books_with_open_orders_balance(books: FundedBooks) -> None:
    shown = books.terminal.run("ledger", "check")
    assert (shown.exit_code, shown.stderr) == (0, "")
    read = "accounts: 6, postings: 8, open orders: 4, open withdrawals: 0"
    assert shown.stdout == f"The ledger balances ({read}).\n"
    for segments in ("1", "7", "64"):
        found = books.terminal.json("ledger", "check", "--segments", segments)
        assert (found["balanced"], found["findings"], found["moving"]) == (True, [], [])
        counted = (found["accounts"], found["postings"], found["orders"], found["passes"])
        assert counted == (6, 8, 4, 1)
    live = found["totals"]["live"]
    assert live["funding"] == {"accounts": 1, "available": "-6000.000000", "held": "0.000000"}
    assert live["trader"] == {"accounts": 1, "available": "4861.802101", "held": "138.197899"}


def test_a_settled_order_is_paid_into_deposit_and_fee(books: FundedBooks) -> None:
    office = books.terminal.office
    trader_id = books.traders[Mode.LIVE].trader_id
    [order_no] = [
        str(row["order_no"])
        for row in books.world.items("Orders", "order")
        if row.get("trader_id") == trader_id
    ]
    moves = OrderMoveStore(books.world.client, books.world.tables)
    ports = MovePorts(moves, office.operator.chance, office.operator.pause_ms)
    move_order(order_no, Move.CONFIRM, By(Actor.TRADER, trader_id), ports, office.operator.now())
    found = books.terminal.json("ledger", "check")
    assert (found["accounts"], found["postings"], found["orders"]) == (8, 12, 3)
    [own] = books.terminal.json("ledger", "balances")["live"]["merchants"]
    assert (own["deposit"], own["fee"]) == ("1.373688", "0.829188")
    assert own["available"] == "995.570678"  # 859.575655 and 135.995023


def test_a_new_stack_balances(world: World) -> None:
    terminal = Terminal(office_on(world), world)
    assert terminal.json("ledger", "check")["balanced"] is True
    assert terminal.run("ledger", "balances").exit_code == 0


def test_balances_name_every_account(books: FundedBooks) -> None:
    found = books.terminal.json("ledger", "balances")
    assert found["live"]["merchants"] == [
        {
            "merchant_id": books.merchant.merchant_id,
            "available": "859.575655",
            "held": "140.424345",
            "deposit": "0.000000",
            "fee": "0.000000",
        }
    ]
    assert found["test"]["traders"] == [
        {
            "trader_id": books.traders[Mode.TEST].trader_id,
            "available": "4861.802101",
            "held": "138.197899",
        }
    ]
    shown = books.terminal.run("ledger", "balances").stdout
    for text in ("Merchants, live", "859.575655", "Traders, test", "-6000.000000", "funding"):
        assert text in shown
    [whole] = {tuple(row.split()) for row in shown.splitlines() if row.startswith("whole")}
    assert whole == ("whole", "3", "-278.622244", "278.622244", "0.000000")


def test_progress_is_drawn_for_people_at_a_terminal_only(
    books: FundedBooks, monkeypatch: pytest.MonkeyPatch
) -> None:
    how: list[str] = []

    def kind(name: str) -> Callable[[], AbstractContextManager[Watch]]:
        def watching() -> AbstractContextManager[Watch]:
            how.append(name)
            return nullcontext(lambda _: None)

        return watching

    for name in ("drawn", "unwatched"):
        monkeypatch.setattr(f"orderdesk_cli.ledger.commands.{name}", kind(name))
    for is_terminal in (True, False):
        stderr = SimpleNamespace(isatty=lambda is_terminal=is_terminal: is_terminal)
        monkeypatch.setattr("orderdesk_cli.ledger.commands.sys", SimpleNamespace(stderr=stderr))
        for words in (("check",), ("check", "--json")):
            assert books.terminal.run("ledger", *words).exit_code == 0
        assert books.terminal.run("--json", "ledger", "check").exit_code == 0
    assert how == ["drawn"] + ["unwatched"] * 5


@pytest.mark.parametrize("segments", ["0", "65", "many"])
def test_segments_out_of_range_are_a_usage_error(world: World, segments: str) -> None:
    terminal = Terminal(office_on(world), world)
    result = terminal.run("ledger", "check", "--segments", segments)
    assert (result.exit_code, result.stdout, terminal.opened) == (2, "", [])
