"""Changes by operators' commands: terms, secrets, duty, funds and rates, on moto."""

import json
import re

import pytest

from orderdesk.adapters.dynamodb.guards import AttemptCounter
from orderdesk.adapters.dynamodb.traders.desk import DeskTraders
from orderdesk.adapters.dynamodb.traders.items import RotationIndex
from orderdesk.adapters.dynamodb.traders.sessions import SessionStore
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.merchants.merchant import MAX_ACTIVE_SECRETS
from orderdesk.domain.modes import Mode
from orderdesk.services.traders.sessions import (
    NotLoggedIn,
    SessionPorts,
    WrongAccessCode,
    log_in,
    logged_in,
)
from tests.support.offices import Terminal, add_trader, as_person, office_on
from tests.support.world import World

BANK = ("--real-name", "交易员甲", "--bank", "测试银行", "--sub-bank", "测试支行")
CARD = "6200000000000001234"


def test_rotation_keeps_the_previous_secret_and_drops_the_one_before(
    world: World, terminal: Terminal
) -> None:
    added = terminal.json("merchant", "add", "商户")
    merchant_id = added["merchant_id"]
    rotated = [terminal.json("merchant", "rotate-secret", merchant_id) for _ in range(2)]
    signing = [terminal.json("merchant", "rotate-callback-secret", merchant_id) for _ in range(2)]
    merchant = terminal.office.merchants.merchant(merchant_id)
    assert merchant is not None
    secrets = world.kms.unseal(merchant_id, merchant.sealed_secrets)
    assert len(secrets.api_secrets) == MAX_ACTIVE_SECRETS
    assert secrets.api_secrets == (rotated[1]["api_secret"], rotated[0]["api_secret"])
    callback = world.kms.unseal_callback(merchant_id, merchant.sealed_callback_secrets)
    assert callback == (signing[1]["callback_secret"], signing[0]["callback_secret"])


def test_a_trader_is_in_the_rotation_only_while_online(world: World, terminal: Terminal) -> None:
    rotation = RotationIndex(world.client, world.tables.traders, 1)
    trader_id = add_trader(terminal)
    assert list(next(rotation.pages(Mode.LIVE))) == []
    for word, expected in (
        ("online", [trader_id]),
        ("offline", []),
        ("online", [trader_id]),
        ("suspend", []),
        ("offline", []),
        ("online", [trader_id]),
    ):
        terminal.json("trader", word, trader_id)
        assert [t.trader_id for t in next(rotation.pages(Mode.LIVE))] == expected, word
    assert list(next(rotation.pages(Mode.TEST))) == []


def test_going_online_without_a_method_is_done_with_a_warning(terminal: Terminal) -> None:
    trader_id = add_trader(terminal)
    result = terminal.run("trader", "online", trader_id, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["online"] is True
    assert result.stderr.startswith("warning: ")


def test_a_second_method_of_a_type_replaces_the_first(terminal: Terminal) -> None:
    trader_id = add_trader(terminal)
    wallet = ("--real-name", "乙", "--qr-code", "https://img.example.com/1.png", "--account")
    for account in ("account-one", "account-two"):
        terminal.json("trader", "add-method", trader_id, "wechat", *wallet, account)
    terminal.json("trader", "add-method", trader_id, "bank", *BANK, "--card-number", CARD)
    trader = terminal.office.traders.trader(trader_id)
    assert trader is not None
    assert [method.account for method in trader.methods] == ["account-two", ""]
    assert trader.version == 4
    shown = terminal.json("trader", "show", trader_id)["methods"]
    assert [method["method_type"] for method in shown] == ["wechat", "bank"]
    assert shown[1]["card_number"].endswith("1234")


def test_a_traders_limits_change_by_name_and_a_cap_goes_by_an_empty_value(
    terminal: Terminal,
) -> None:
    trader_id = add_trader(terminal, "--max-open", "3", "--daily-cny", "9000")
    words = ("trader", "set", trader_id)
    changed = terminal.json(*words, "--max", "800", "--max-open", "7", "--reason", "new bank")
    limits = ("min_cny", "max_cny", "max_open", "daily_cny")
    assert [changed[name] for name in limits] == ["100.00", "800.00", 7, "9000.00"]
    entry = terminal.json("audit")[-1]
    assert (entry["action"], entry["target"], entry["reason"]) == (
        *("trader.set", trader_id),
        "new bank",
    )
    assert entry["details"] == {"max_cny": "5000.00 → 800.00", "max_open": "3 → 7"}
    uncapped = terminal.json(*words, "--min", "1", "--max-open", "", "--daily-cny", "")
    assert [uncapped[name] for name in limits] == ["1.00", "800.00", None, None]
    refused = terminal.run(*words, "--min", "801")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "max: must be at least min, 801.00" in refused.stderr
    trader = terminal.office.traders.trader(trader_id)
    assert trader is not None
    assert (trader.version, terminal.json("trader", "show", trader_id)) == (3, uncapped)
    assert terminal.json(*words, "--min", "1") == uncapped  # no change: nothing is written
    assert len(terminal.json("audit")) == 3


def test_unique_amounts_begin_and_end_by_name(terminal: Terminal) -> None:
    trader_id = add_trader(terminal, "--unique-amounts")
    words = ("trader", "set", trader_id)
    assert terminal.json("trader", "show", trader_id)["unique_amounts"] is True
    assert terminal.json("audit")[-1]["details"]["unique_amounts"] == "yes"
    assert terminal.json(*words, "--max", "800")["unique_amounts"] is True
    assert terminal.json(*words, "--no-unique-amounts")["unique_amounts"] is False
    assert terminal.json(*words, "--unique-amounts")["unique_amounts"] is True
    assert terminal.json("audit")[-1]["details"] == {"unique_amounts": "no → yes"}
    assert "unique amounts" in terminal.run("trader", "show", trader_id).stdout


def test_set_changes_what_is_named_and_clears_by_an_empty_value(terminal: Terminal) -> None:
    merchant_id = terminal.json(
        *("merchant", "add", "商户", "--identity", "--callback-url", "https://hooks.example.com/a"),
        *("--allow-cidr", "192.0.2.0/24", "--allow-cidr", "2001:db8::/32", "--service-bps", "60"),
    )["merchant_id"]
    changed = terminal.json(
        "merchant", "set", merchant_id, "--max-cny", "500", "--spread-bps", "30"
    )
    assert (changed["max_cny"], changed["spread_bps"]) == ("500.00", 30)
    assert (changed["identity"], changed["service_bps"]) == (True, 60)
    assert changed["allowed_cidrs"] == ["192.0.2.0/24", "2001:db8::/32"]
    cleared = terminal.json(
        *("merchant", "set", merchant_id, "--no-identity", "--callback-url", ""),
        *("--allow-cidr", ""),
    )
    assert (cleared["identity"], cleared["callback_url"]) == (False, "")
    assert cleared["allowed_cidrs"] == []
    assert terminal.json("merchant", "show", merchant_id)["max_cny"] == "500.00"


def test_the_name_and_contact_that_payers_see(terminal: Terminal) -> None:
    named = ("--display-name", "演示商店", "--support", "help@shop.example")
    added = terminal.json("merchant", "add", "商户", *named)
    shown = ("display_name", "support")
    assert [added[name] for name in shown] == ["演示商店", "help@shop.example"]
    other = terminal.json("merchant", "set", added["merchant_id"], "--max-cny", "500")
    assert [other[name] for name in shown] == ["演示商店", "help@shop.example"]
    cleared = terminal.json("merchant", "set", added["merchant_id"], "--support", "")
    assert [cleared[name] for name in shown] == ["演示商店", ""]
    for option, text in (("--display-name", "x" * 65), ("--support", "a\u202eb")):
        refused = terminal.run("merchant", "set", added["merchant_id"], option, text)
        assert refused.exit_code in {1, 2}


def test_a_loopback_callback_is_for_stacks_that_allow_it(world: World) -> None:
    words = ("merchant", "add", "商户", "--callback-url", "http://127.0.0.1:9000/sink")
    assert Terminal(office_on(world), world).run(*words).exit_code == 2
    assert world.items("Merchants") == [world.get("Merchants", {"pk": "rates"})]
    allowing = Terminal(office_on(world, AllowLocalTargets="true"), world)
    assert allowing.json(*words)["callback_url"] == "http://127.0.0.1:9000/sink"


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
    merchant_id = terminal.json("merchant", "add", "商户")["merchant_id"]
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
    assert terminal.run("approve", number).exit_code == 1
    terminal.json("approve", number, person="finance-2")
    assert terminal.json("rate", "show")[side]["rate"] == "70.0000"


def test_the_trail_is_filtered_by_operator_and_subject(world: World) -> None:
    terminals = [Terminal(office_on(world), world) for _ in range(2)]
    for terminal, who in zip(terminals, ("ann", "os-user:bob"), strict=True):
        terminal.office.operator = as_person(terminal.office.operator, who)
    ann, bob = terminals
    first, second = add_trader(ann), add_trader(bob)
    ann.json("trader", "online", second)

    def actions(*words: str) -> list[tuple[str, str]]:
        return [(entry["action"], entry["target"]) for entry in ann.json("audit", *words)]

    assert len(actions()) == 3
    assert actions("--operator", "ann") == [("trader.add", first), ("trader.online", second)]
    assert actions("--operator", "bob") == [("trader.add", second)]
    assert actions("--operator", "an") == []
    assert actions("--subject", second) == [("trader.add", second), ("trader.online", second)]
    assert actions("--subject", second, "--operator", "ann") == [("trader.online", second)]
    assert len(actions("--since", "1h")) == 3


def test_a_new_code_ends_the_old_one_and_its_sessions(world: World, terminal: Terminal) -> None:
    added = terminal.json("trader", "add", "甲", "--min", "1", "--max", "2")
    trader_id, now = added["trader_id"], terminal.office.operator.now()
    traders = DeskTraders(world.client, world.tables)
    attempts = AttemptCounter(world.client, world.tables.guards)
    ports = SessionPorts(
        SessionStore(world.client, world.tables.guards), traders, attempts, SystemChance()
    )
    token = log_in(added["access_code"], "198.51.100.7", ports, now)
    given = terminal.json("trader", "new-code", trader_id, "--reason", "lost phone")
    assert given.keys() == added.keys()
    assert given["access_code"] != added["access_code"]
    with pytest.raises(NotLoggedIn):
        logged_in(token, ports, now)
    with pytest.raises(WrongAccessCode):
        log_in(added["access_code"], "198.51.100.7", ports, now)
    token = log_in(given["access_code"], "198.51.100.7", ports, now)
    assert logged_in(token, ports, now).trader_id == trader_id
    entry = terminal.json("audit")[-1]
    assert (entry["action"], entry["target"]) == ("trader.reset-code", trader_id)
    assert (entry["reason"], entry["details"]) == ("lost phone", {})
    shown = terminal.run("trader", "new-code", trader_id).stdout
    assert re.search(r"access_code +[0-9a-z]{4}(-[0-9a-z]{4}){6}\b", shown)
    assert (trader := terminal.office.traders.trader(trader_id)) is not None
    stored = repr(world.items("Audit"))
    assert not [kept for kept in (given["access_code"], trader.access_code_hash) if kept in stored]
    assert trader.version == 3
