"""`orderdesk order assign|unassign|cancel|dispute|resolve` (contract section 9)."""

import re
from dataclasses import replace

from orderdesk.adapters.dynamodb.orders.items import draft_item
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.domain.orders.transitions import Actor, Move
from tests.support.market import BUY_USDT, FUNDS, SELL_USDT, Market
from tests.support.offices import Terminal
from tests.support.orders import held_draft

WHY = ("--reason", "the bank says so")


def refusal(terminal: Terminal, *words: str) -> str:
    """Run a command that must be refused; return its one line."""
    result = terminal.run(*words, "--json")
    assert (result.exit_code, result.stdout) == (1, ""), result.output
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("orderdesk: ")
    return result.stderr.removeprefix("orderdesk: ").rstrip("\n")


def test_a_sell_from_assigned_to_completed(market: Market, terminal: Terminal) -> None:
    order_no = market.sell()
    steps: list[tuple[tuple[str, ...], str]] = [
        (("order", "assign", order_no, market.trader_id), "assigned"),
        (("order", "dispute", order_no, *WHY), "disputed"),
        (("order", "resolve", order_no, "completed", *WHY), "completed"),
    ]
    for words, status in steps:
        answer = terminal.json(*words)
        assert (answer["status"], answer["trader_id"]) == (status, market.trader_id)
        assert answer | {"callbacks": [], "notes": []} == terminal.json("order", "show", order_no)
        assert terminal.json(*words) == answer, "a repeat has the same answer"
        if status == "assigned":
            assert answer["expire_time"] == answer["timeline"][1]["time"] + 1200
    assert [e["by"] for e in answer["timeline"]] == ["merchant", *["operator"] * 3]
    assert market.trader_money() == (FUNDS + SELL_USDT, 0, 0)
    trail = [entry for entry in terminal.json("audit") if entry["target"] == order_no]
    assert [entry["action"] for entry in trail] == [
        "order.assign",
        "order.dispute",
        "order.resolve",
    ]
    assert [entry["reason"] for entry in trail] == ["", WHY[1], WHY[1]]


def test_a_late_payment_by_order_id(market: Market, terminal: Terminal) -> None:
    order_no = market.overdue_buy()
    order_id = str(market.order(order_no).order_id)
    disputed = terminal.json("order", "dispute", order_id, *WHY)
    assert (disputed["order_no"], disputed["status"]) == (order_no, "disputed")
    assert [e["status"] for e in disputed["timeline"]] == ["pending", "expired", "disputed"]
    assert disputed["pay_url"].startswith(f"https://pay.example.com/pay/{order_no}/")
    assert market.trader_money() == (FUNDS - BUY_USDT, BUY_USDT, 1)
    resolved = terminal.json("order", "resolve", order_id, "cancelled", *WHY)
    assert resolved["status"] == "cancelled"
    assert market.trader_money() == (FUNDS, 0, 0)


def test_people_read_from_where_to_where_and_what_moved(market: Market, terminal: Terminal) -> None:
    sell, buy = market.sell(), market.disputed_buy()
    merchant, trader = market.merchant.merchant_id, market.trader_id
    shown = terminal.run("order", "assign", sell, trader).stdout
    assert f"Sell {sell}: matching → assigned\n" in shown
    assert "nothing moves" in shown
    shown = terminal.run("order", "resolve", buy, "completed", *WHY).stdout
    assert f"Buy {buy}: disputed → completed\n" in shown
    for line in (
        f"-138.197899 trader {trader}",
        f"+135.995023 merchant {merchant}",
        f"+1.373688 deposit of {merchant}",
        f"+0.829188 fees of {merchant}",
    ):
        assert line in shown
    shown = terminal.run("order", "cancel", market.sell(), *WHY).stdout
    assert f"140.424345 merchant {merchant}: held → available" in shown
    shown = terminal.run("order", "dispute", market.overdue_buy(), *WHY).stdout
    assert f"138.197899 trader {trader}: available → held" in shown


def test_a_late_payment_without_cover_says_so(market: Market, terminal: Terminal) -> None:
    order_no = market.buy()
    assert market.client.post("/merchant/cancelOrder", {"order_no": order_no}).code == 1
    market.buy(cny_amount="7000.00")
    text = refusal(terminal, "order", "dispute", order_no, *WHY)
    assert text == (
        f"trader {market.trader_id} has less than the 138.197899 USDT available that must be held "
        "again: fund the trader first"
    )
    terminal.json("fund", "trader", market.trader_id, "500", "--memo", "float")
    assert terminal.json("order", "dispute", order_no, *WHY)["status"] == "disputed"


def test_what_is_no_order_is_refused(market: Market, terminal: Terminal) -> None:
    draft = held_draft(market.office.operator.now())
    number = "D" + "2" * 24
    done = replace(draft, pending_no=number, status=DraftStatus.COMPLETED, order_no="B1")
    for one in (draft, done):
        market.world.put("Orders", draft_item(one))
    only = "only orders can be moved"
    for typed, told in (
        (draft.pending_no, f"{draft.pending_no} is a draft (held): {only}"),
        (number, f"{number} is a draft (completed): {only}; its order is B1"),
        ("7", "no such order: 7"),
    ):
        assert refusal(terminal, "order", "assign", typed, "tnobody") == told
        for words in (("cancel", typed), ("dispute", typed), ("resolve", typed, "cancelled")):
            assert refusal(terminal, "order", *words, *WHY) == told


def test_show_tells_receipts_who_gave_it_back_and_who_moved_it(
    market: Market, terminal: Terminal
) -> None:
    order_no = market.sell()
    terminal.json("order", "assign", order_no, market.trader_id)
    market.move(order_no, Move.DECLINE, Actor.TRADER)
    terminal.json("order", "assign", order_no, market.trader_id)
    market.prove(order_no)
    shown = terminal.json("order", "show", order_no)
    assert (shown["receipts"], shown["passed_over"]) == (1, [market.trader_id])
    assert [e["by"] for e in shown["timeline"]] == ["merchant", "operator", "trader", "operator"]
    [listed] = terminal.json("order", "list")
    assert listed | {"callbacks": [], "notes": []} == shown
    result = terminal.run("order", "show", order_no)
    assert re.search(rf"passed_over +{market.trader_id} *\n", result.stdout)
    assert re.search(r"matching +\S+ \S+Z +trader *\n", result.stdout)
    for output in (result.output, str(shown)):
        assert "secret-key" not in output
    queried = market.client.query(order_no=order_no).data
    assert queried["timeline"] == shown["timeline"]
    assert not {"receipts", "passed_over", "trader_id"} & set(queried)


def test_unassign_gives_a_sell_back_and_says_why(market: Market, terminal: Terminal) -> None:
    order_no = market.sell()
    terminal.json("order", "assign", order_no, market.trader_id)
    assert terminal.run("order", "unassign", order_no).exit_code == 2
    moved = terminal.json("order", "unassign", order_no, *WHY)
    assert (moved["status"], moved["trader_id"]) == ("matching", None)
    assert moved["passed_over"] == [market.trader_id]
    unassigned = [row for row in market.audit() if row["action"] == "order.unassign"]
    assert [row["reason"] for row in unassigned] == [WHY[1]]
    assert "possible now: order assign" in refusal(terminal, "order", "dispute", order_no, *WHY)
    market.check_books()


def test_suspend_gives_the_sells_back_and_names_what_is_left(
    market: Market, terminal: Terminal
) -> None:
    bought, sold = market.buy(), market.sell()
    terminal.json("order", "assign", sold, market.trader_id)
    answer = terminal.json("trader", "suspend", market.trader_id, *WHY)
    assert (answer["suspended"], answer["given_back"], answer["left"]) == (True, [sold], [bought])
    again = terminal.run("trader", "suspend", market.trader_id)
    assert again.exit_code == 0
    assert "No sell given back." in again.stdout
    assert bought in again.stdout
    assert again.stderr == ""
