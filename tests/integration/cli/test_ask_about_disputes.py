"""`orderdesk order ask`, and where its texts are shown (contract section 9)."""

import pytest

from orderdesk.domain.orders.notes import QUESTIONS_MAX
from tests.support.market import Market
from tests.support.offices import Terminal

WHY = ("--reason", "the bank says so")


@pytest.fixture
def disputed(market: Market, terminal: Terminal) -> str:
    order_no = market.overdue_buy()
    terminal.json("order", "dispute", order_no, *WHY)
    return order_no


def test_a_question_is_kept_once_and_audited(
    market: Market, terminal: Terminal, disputed: str
) -> None:
    money, before = market.trader_money(), market.order(disputed)
    for _ in range(2):
        told = terminal.json("order", "ask", disputed, "--text", "Which bank?", "--to", "payer")
        assert [(n["by"], n["to"], n["text"]) for n in told["notes"]] == [
            ("operator", "payer", "Which bank?")
        ]
    [entry] = [e for e in terminal.json("audit") if e["action"] == "order.ask"]
    assert (entry["target"], entry["reason"], entry["details"]) == (
        disputed,
        "Which bank?",
        {"to": "payer"},
    )
    after = market.order(disputed)
    assert (after.version, after.sequence, after.notes) == (before.version + 1, before.sequence, 1)
    assert market.trader_money() == money
    assert terminal.json("order", "show", disputed)["notes"] == told["notes"]
    assert "Which bank?" in terminal.run("order", "show", disputed).stdout


def test_questions_are_bounded_and_resolved_orders_take_none(
    terminal: Terminal, disputed: str
) -> None:
    for number in range(QUESTIONS_MAX):
        terminal.json("order", "ask", disputed, "--text", f"question {number}")
    refused = terminal.run("order", "ask", disputed, "--text", "one more")
    assert (refused.exit_code, "10 questions" in refused.stderr) == (1, True)
    terminal.json("order", "resolve", disputed, "cancelled", *WHY)
    refused = terminal.run("order", "ask", disputed, "--text", "and now?")
    assert refused.exit_code == 1
    assert "is cancelled" in refused.stderr


@pytest.mark.parametrize("text", ["", "a\u202eb", "a\nb", "x" * 256])
def test_an_unfit_question_is_wrong_usage(terminal: Terminal, disputed: str, text: str) -> None:
    assert terminal.run("order", "ask", disputed, "--text", text).exit_code == 2


def test_the_customer_of_a_sell_cannot_be_asked(market: Market, terminal: Terminal) -> None:
    sell = market.sell()
    terminal.json("order", "assign", sell, market.trader_id)
    terminal.json("order", "dispute", sell, *WHY)
    for to in ("both", "payer"):
        refused = terminal.run("order", "ask", sell, "--text", "Paid?", "--to", to)
        assert (refused.exit_code, "ask its trader" in refused.stderr) == (1, True)
    assert len(terminal.json("order", "ask", sell, "--text", "Paid?", "--to", "trader")["notes"])
