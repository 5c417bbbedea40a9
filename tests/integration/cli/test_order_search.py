"""`orderdesk order list` with its filters, and `order find` (contract section 9)."""

import csv
import io
import time
import unicodedata
from dataclasses import replace

from orderdesk.domain.orders.transitions import Actor, Move
from tests.support.market import Market
from tests.support.merchant_client import buy
from tests.support.offices import Terminal
from tests.support.world import World


def listed(terminal: Terminal, *words: str) -> list[str]:
    return [order["order_no"] for order in terminal.json("order", "list", *words)]


def test_each_filter_leaves_out_what_does_not_match(market: Market, terminal: Terminal) -> None:
    small, large, sold = market.buy(cny_amount="100.00"), market.buy(), market.sell()
    _, other = market.world.add_merchant()
    others = other.create(buy()).data["order_no"]
    market.move(large, Move.PAY, Actor.PAYER)
    overdue = market.overdue_buy()
    everything = listed(terminal)
    assert everything == sorted(
        [small, large, sold, others, overdue], key=lambda n: n[9:], reverse=True
    )
    merchant = market.merchant.merchant_id
    for words, wanted in (
        (("--merchant", merchant), {small, large, sold, overdue}),
        (("--trader", market.trader_id), {small, large, others, overdue}),
        (("--trader", "tnobody"), set()),
        (("--status", "paid"), {large}),
        (("--status", "pending"), {small, others}),
        (("--status", "expired"), {overdue}),
        (("--type", "sell"), {sold}),
        (("--mode", "live"), set(everything)),
        (("--mode", "test"), set()),
        (("--min-cny", "100.01"), {large, sold, others, overdue}),
        (("--max-cny", "100"), {small}),
        (("--since", "1h"), set(everything)),
        (("--until", "1h"), set()),
        (("--since", "2030-01-01"), set()),
        (
            ("--type", "buy", "--merchant", merchant, "--trader", market.trader_id),
            {small, large, overdue},
        ),
    ):
        assert set(listed(terminal, *words)) == wanted, words
        assert listed(terminal, *words) == [n for n in everything if n in wanted]
    assert listed(terminal, "--limit", "2") == everything[:2]


def test_times_are_of_creation_and_both_ends_count(market: Market, terminal: Terminal) -> None:
    number = market.buy()
    created = str(market.order(number).createtime)
    assert listed(terminal, "--since", created, "--until", created) == [number]
    before, after = str(int(created) - 1), str(int(created) + 1)
    assert listed(terminal, "--until", before) == listed(terminal, "--since", after) == []


def test_a_listing_goes_on_past_a_page_of_the_index(market: Market, terminal: Terminal) -> None:
    first = market.order(market.buy())
    day = first.order_no[:9]
    for step in range(1, 130):
        number = f"{day}{first.order_id - step:016d}"
        market.put(replace(first, order_id=first.order_id - step, order_no=number))
    for words in ((), ("--merchant", market.merchant.merchant_id), ("--trader", market.trader_id)):
        found = listed(terminal, *words)
        assert len(found) == 130
        assert found == sorted(found, reverse=True)
    assert terminal.run("order", "list").stdout.count("merchant's number") == 3  # pages of 50


def test_csv_has_no_formula_and_no_control_character(market: Market, terminal: Terminal) -> None:
    hostile = '=1+1\x9b2J\u202e,"x"'
    number = market.buy()
    market.put(replace(market.order(number), merchant_order_no=hostile))
    printed = terminal.run("order", "list", "--csv").stdout
    assert not {c for c in printed if unicodedata.category(c)[0] == "C"} - {"\n"}
    [row] = csv.DictReader(io.StringIO(printed))
    assert (row["order_no"], row["order_type"], row["cny_amount"]) == (number, "buy", "1000.00")
    assert row["merchant_order_no"] == '\'=1+1\ufffd2J\ufffd,"x"'
    assert time.strptime(row["createtime"], "%Y-%m-%d %H:%M:%SZ")
    assert terminal.run("order", "list", "--csv", "--json").exit_code == 2
    assert terminal.run("order", "list", "--csv", "--status", "paid").stdout.count("\n") == 1


def test_an_order_is_found_by_each_of_its_numbers(market: Market, terminal: Terminal) -> None:
    order_no = market.buy(merchant_order_no="no-1")
    for text in (order_no, "no-1", str(market.order(order_no).order_id)):
        assert [o["order_no"] for o in terminal.json("order", "find", text)] == [order_no]
        assert order_no in terminal.run("order", "find", text).stdout
    for text in ("no-2", "x" * 256, "", "B" + "0" * 24):
        refused = terminal.run("order", "find", text, "--json")
        assert (refused.exit_code, refused.stdout) == (1, ""), text
        assert "no such order" in refused.stderr


def test_several_merchants_may_have_given_one_number(market: Market, terminal: Terminal) -> None:
    ours = market.sell(merchant_order_no="2026")
    for _ in range(101):  # more than one request reads
        market.world.add_merchant()
    merchant, other = market.world.add_merchant()
    theirs = other.create(buy(merchant_order_no="2026")).data["order_no"]
    found = terminal.json("order", "find", "2026")
    assert {order["order_no"]: order["merchant_id"] for order in found} == {
        ours: market.merchant.merchant_id,
        theirs: merchant.merchant_id,
    }


def test_a_draft_is_found(world: World) -> None:
    terminal = Terminal(Market.on(world).office, world)
    _, client = world.add_merchant(identity_required=True)
    draft = client.create(buy(merchant_order_no="no-3")).data["pending_no"]
    for text in (draft, "no-3"):
        [found] = terminal.json("order", "find", text)
        assert (found["pending_no"], found["status"]) == (draft, "held")
        assert "identity_url" not in found
        assert draft in terminal.run("order", "find", text).stdout
