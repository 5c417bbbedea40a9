"""`order resolve` and `order dispute` of many orders of one party (contract section 9)."""

import pytest

from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk_cli import answering
from tests.support.market import FUNDS, Market
from tests.support.merchant_client import buy
from tests.support.offices import Terminal

WHY = ("--reason", "the bank says so")


def bulk(market: Market, outcome: str = "cancelled") -> tuple[str, ...]:
    """Return the command for the market's merchant."""
    owner = market.merchant.merchant_id
    return ("order", "resolve", outcome, "--merchant", owner, "--status", "disputed", *WHY)


def test_all_disputes_of_a_merchant_end_and_its_limit_is_free(
    market: Market, terminal: Terminal
) -> None:
    numbers = [market.disputed_buy() for _ in range(3)]
    paid = market.buy()
    market.move(paid, Move.PAY, Actor.PAYER)
    _, other = market.world.add_merchant()
    others = other.create(buy()).data["order_no"]
    answer = terminal.json(*bulk(market), "--yes")
    assert {order["order_no"] for order in answer["orders"]} == set(numbers)
    assert {(o["status"], o["refused"]) for o in answer["orders"]} == {("cancelled", None)}
    assert answer["totals"]["live"] == {"orders": 3, "cny": "3000.00", "usdt": "414.593697"}
    assert market.order(paid).status.value == "paid"
    assert market.order(others).status.value == "pending"
    trail = [entry for entry in terminal.json("audit") if entry["action"] == "order.resolve"]
    assert {(entry["target"], entry["reason"]) for entry in trail} == {
        (number, WHY[1]) for number in numbers
    }
    assert terminal.json(*bulk(market))["orders"] == []  # nothing to ask about


def test_the_list_and_the_sum_are_shown_and_asked(
    market: Market, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answering, "is_at_terminal", lambda: True)
    numbers = [market.disputed_buy() for _ in range(2)]
    result = terminal.run(*bulk(market, "completed"), typed="n\n")
    assert result.exit_code == 1
    for part in (*numbers, "2000.00", "276.395798", "Do it?"):
        assert part in result.stderr
    assert {market.order(number).status.value for number in numbers} == {"disputed"}
    done = terminal.run(*bulk(market, "completed"), "--yes")
    assert (done.exit_code, done.stderr) == (0, "")
    assert market.trader_money()[1:] == (0, 0)


def test_an_order_that_moved_meanwhile_does_not_hold_back_the_others(
    market: Market, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = market.disputed_buy(), market.disputed_buy()

    def meanwhile(*_: object, **__: object) -> None:
        monkeypatch.undo()
        terminal.json("order", "resolve", first, "completed", *WHY)

    monkeypatch.setattr("orderdesk_cli.orders.confirm", meanwhile)
    result = terminal.run(*bulk(market), "--yes")
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{first}: buy {first} is ")
    assert market.order(first).status.value == "completed"
    assert market.order(second).status.value == "cancelled"
    assert market.trader_money()[0] < FUNDS


@pytest.mark.parametrize(
    "words",
    [
        ("cancelled",),
        ("cancelled", "--merchant", "m1"),
        ("cancelled", "--status", "disputed"),
        ("B1", "cancelled", "--merchant", "m1", "--status", "disputed"),
        ("B1", "B2", "cancelled"),
        ("cancelled", "--merchant", "m1", "--status", "paid"),
        ("B1", "ended"),
        (),
        ("--stopped",),
        ("--trader", "t1"),
        ("B1", "--trader", "t1", "--stopped"),
    ],
)
def test_anything_else_is_wrong_usage(terminal: Terminal, words: tuple[str, ...]) -> None:
    is_resolved = {"cancelled", "completed", "ended"} & {*words}
    command = "resolve" if is_resolved else "dispute"
    assert terminal.run("order", command, *words, *WHY).exit_code == 2


def test_a_list_that_needs_two_people_waits_as_a_whole(market: Market, terminal: Terminal) -> None:
    numbers = [market.disputed_buy() for _ in range(2)]
    market.world.put("Guards", {"pk": f"hands#{numbers[0]}#finance-1", "until": 4_000_000_000})
    result = terminal.run(*bulk(market, "completed"), "--yes")
    assert (result.exit_code, result.stdout.count("disputed")) == (3, 2)
    assert {market.order(number).status.value for number in numbers} == {"disputed"}
    [waiting] = terminal.json("proposal", "list", "--open")
    done = terminal.approve(waiting["proposal_no"], "finance-2")
    assert {each["order_no"]: each["status"] for each in done["results"]} == dict.fromkeys(
        numbers, "completed"
    )


def test_the_paid_buys_of_a_stopped_account_are_disputed_by_one_command(
    market: Market, terminal: Terminal
) -> None:
    words = ("order", "dispute", "--trader", market.trader_id, "--stopped", *WHY)
    paid = [market.buy(cny_amount="1000.00") for _ in range(2)]
    for number in paid:
        market.move(number, Move.PAY, Actor.PAYER)
    disputed, pending = market.disputed_buy(), market.buy()
    assert terminal.json(*words, "--yes")["orders"] == [], "no account is stopped"
    terminal.json("trader", "suspend", market.trader_id)
    refused = terminal.run(*words)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert "needs --yes" in refused.stderr
    answer = terminal.json(*words, "--yes")
    moved = {order["order_no"]: (order["status"], order["refused"]) for order in answer["orders"]}
    assert moved == dict.fromkeys(paid, ("disputed", None))
    assert answer["totals"]["live"]["orders"] == 2
    states = [market.order(number).status.value for number in (*paid, disputed, pending)]
    assert states == ["disputed", "disputed", "disputed", "pending"]
    again = terminal.run(*words, "--yes")
    assert "No paid buys or assigned sells." in again.stdout
