"""Changes by operators' commands: terms, secrets, duty, funds and rates."""

import json
import re

import pytest

from orderdesk.adapters.dynamodb.guards import AttemptCounter
from orderdesk.adapters.dynamodb.traders.desk import DeskTraders, SessionStore
from orderdesk.adapters.system import SystemChance, pause_ms
from orderdesk.services.traders.sessions import (
    NotLoggedIn,
    SessionPorts,
    WrongAccessCode,
    log_in,
    logged_in,
)
from tests.support.offices import Terminal, add_trader
from tests.support.world import World

BANK = ("--real-name", "交易员甲", "--bank", "测试银行", "--sub-bank", "测试支行")
CARD = "6200000000000001234"


def test_going_online_without_a_method_is_done_with_a_warning(terminal: Terminal) -> None:
    trader_id = add_trader(terminal)
    result = terminal.run("trader", "online", trader_id, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["online"] is True
    assert result.stderr.startswith("warning: ")


def test_an_empty_value_clears_and_terms_of_money_wait_for_a_second_person(
    terminal: Terminal,
) -> None:
    added = terminal.json(
        *("merchant", "add", "商户", "--identity", "--callback-url", "https://hooks.example.com/a"),
        *("--allow-cidr", "192.0.2.0/24", "--allow-cidr", "2001:db8::/32", "--alone"),
    )
    assert added["allowed_cidrs"] == ["192.0.2.0/24", "2001:db8::/32"]
    words = ("merchant", "set", "商户")
    cleared = terminal.json(*words, "--no-identity", "--callback-url", "", "--allow-cidr", "")
    assert (cleared["identity"], cleared["callback_url"]) == (False, "")
    assert cleared["allowed_cidrs"] == []
    waiting = terminal.run(*words, "--max-cny", "500")
    assert waiting.exit_code == 3
    assert "waits for a second person: P" in waiting.stderr
    assert "1000000.00" in waiting.stdout
    assert terminal.json(*words, "--max-cny", "500", "--alone")["max_cny"] == "500.00"


def test_test_money_is_for_test_traders(terminal: Terminal) -> None:
    live, test = add_trader(terminal), add_trader(terminal, "--test")
    refused = terminal.run("fund", "trader", live, "5", "--test", "--memo", "m")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.count("\n") == 1
    for flag in ((), ("--test",)):
        terminal.json("fund", "trader", test, "5.000001", *flag, "--memo", "m")
    assert terminal.json("trader", "show", test)["available"] == "10.000002"
    assert terminal.json("trader", "show", live)["available"] == "0.000000"


def test_a_merchant_has_two_accounts(terminal: Terminal) -> None:
    merchant_id = terminal.json("merchant", "add", "商户", "--alone")["merchant_id"]
    terminal.json("fund", "merchant", merchant_id, "100", "--memo", "first", "--alone")
    funded = terminal.json("fund", "merchant", merchant_id, "7", "--test", "--memo", "second")
    assert (funded["available"], funded["is_test"]) == ("7.000000", 1)
    balances = terminal.json("merchant", "show", merchant_id)["balances"]
    assert balances["live"] == {
        "available": "100.000000",
        "held": "0.000000",
        "deposit": "0.000000",
    }
    assert balances["test"]["available"] == "7.000000"


def test_rates_are_shown_as_set(terminal: Terminal) -> None:
    terminal.json("rate", "set", "buy", "7.3")
    rates = terminal.json("rate", "show")
    assert rates["buy"]["rate"] == "7.3000"
    assert rates["buy"]["source"] == "operator"
    assert rates["sell"]["rate"] == "7.1640"


@pytest.mark.parametrize("side", ["buy", "sell"])
def test_a_rate_far_from_the_one_before_needs_a_yes_and_a_second_person(
    terminal: Terminal, side: str
) -> None:
    other, wide = {"buy": ("sell", "1.0000"), "sell": ("buy", "100.0000")}[side]
    terminal.json("rate", "set", other, wide, "--yes", "--alone")
    terminal.json("rate", "set", side, "7.0000", "--yes", "--alone")
    for value in ("7.3501", "6.6499", "70"):
        refused = terminal.run("rate", "set", side, value, "--json")
        assert (refused.exit_code, refused.stdout) == (1, "")
        assert "more than 5 % away from 7.0000" in refused.stderr
    assert terminal.json("rate", "show")[side]["rate"] == "7.0000"
    waits = terminal.run("rate", "set", side, "70", "--yes")
    assert waits.exit_code == 3
    number = waits.stderr.split()[-1]
    assert number in waits.stdout
    seen = terminal.json("proposal", "show", number)["digest"]
    assert terminal.run("approve", number, "--digest", seen).exit_code == 1
    terminal.approve(number, "finance-2")
    assert terminal.json("rate", "show")[side]["rate"] == "70.0000"


def test_the_trail_is_filtered_by_operator_and_subject(terminal: Terminal) -> None:
    first, second = (add_trader(terminal, person=person) for person in ("ann", "bob"))
    terminal.json("trader", "online", second, person="ann")

    def actions(*words: str) -> list[tuple[str, str]]:
        return [(entry["action"], entry["target"]) for entry in terminal.json("audit", *words)]

    assert len(actions()) == 3
    assert actions("--operator", "ann") == [("trader.online", second), ("trader.add", first)]
    assert actions("--operator", "bob") == [("trader.add", second)]
    assert actions("--operator", "an") == []
    assert actions("--subject", second) == [("trader.online", second), ("trader.add", second)]
    assert actions("--subject", second, "--operator", "ann") == [("trader.online", second)]
    assert len(actions("--since", "1h")) == 3
    assert actions("--limit", "1") == [("trader.online", second)]


def test_a_new_code_ends_the_old_one_and_its_sessions(world: World, terminal: Terminal) -> None:
    added = terminal.json("trader", "add", "甲", "--min", "1", "--max", "2", "--alone")
    trader_id, now = added["trader_id"], terminal.office.operator.now()
    traders = DeskTraders(world.client, world.tables)
    attempts = AttemptCounter(world.client, world.tables.guards)
    ports = SessionPorts(
        SessionStore(world.client, world.tables.guards),
        *(traders, attempts, SystemChance(), pause_ms),
    )
    token = log_in(added["access_code"], "198.51.100.7", ports, now)
    given = terminal.json("trader", "new-code", trader_id, "--reason", "lost phone", "--alone")
    assert given.keys() == added.keys()
    assert given["access_code"] != added["access_code"]
    with pytest.raises(NotLoggedIn):
        logged_in(token, ports, now)
    with pytest.raises(WrongAccessCode):
        log_in(added["access_code"], "198.51.100.7", ports, now)
    token = log_in(given["access_code"], "198.51.100.7", ports, now)
    assert logged_in(token, ports, now).trader_id == trader_id
    entry = terminal.json("audit")[0]
    assert (entry["action"], entry["target"]) == ("trader.reset-code", trader_id)
    assert (entry["reason"], entry["details"]) == ("lost phone", {})
    shown = terminal.run("trader", "new-code", trader_id, "--alone").stdout
    assert re.search(r"access_code +[0-9a-z]{4}(-[0-9a-z]{4}){6}\b", shown)
    assert (trader := terminal.office.traders.trader(trader_id)) is not None
    stored = repr(world.items("Audit"))
    assert not [
        kept for kept in (given["access_code"], trader.access.access_code_hash) if kept in stored
    ]
    assert trader.version == 5
