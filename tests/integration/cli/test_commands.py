"""The operators' commands (contract section 9)."""

import json
import re

import pytest

from tests.support.merchant_client import buy
from tests.support.offices import Terminal, add_trader
from tests.support.world import World

BANK = ("--real-name", "交易员甲", "--bank", "测试银行", "--sub-bank", "测试支行")
CARD = "6200000000000001234"


def test_everything_set_up_by_commands_takes_an_order(world: World, terminal: Terminal) -> None:
    added = terminal.json(
        *("merchant", "add", "商户", "--service-bps", "60", "--deposit-bps", "100", "--alone")
    )
    terminal.json("rate", "set", "buy", "7.2360")
    trader_id = add_trader(terminal)
    terminal.json(
        "trader", "add-method", trader_id, "bank", *BANK, "--card-number", CARD, "--alone"
    )
    terminal.json("fund", "trader", trader_id, "5000", "--memo", "float", "--alone")
    terminal.json("trader", "online", trader_id)
    merchant = terminal.office.merchants.merchant(added["merchant_id"])
    assert merchant is not None
    client = world.client_of(merchant, added["api_secret"])
    created = client.create(buy()).data
    order_no = created["order_no"]

    shown = terminal.json("order", "show", order_no)
    assert shown["usdt_amount"] == "138.197899"
    assert shown["merchant_actual_amount"] == "135.995023"
    assert (shown["merchant_id"], shown["trader_id"]) == (added["merchant_id"], trader_id)
    assert [entry["status"] for entry in shown["timeline"]] == ["pending"]
    assert terminal.json("order", "show", str(shown["order_id"])) == shown
    assert [o["order_no"] for o in terminal.json("order", "list")] == [order_no]
    of_merchant = terminal.json("order", "list", "--merchant", added["merchant_id"])
    assert [o["order_no"] for o in of_merchant] == [order_no]
    assert terminal.json("order", "list", "--status", "completed") == []
    trader = terminal.json("trader", "show", trader_id)
    assert (trader["available"], trader["held"]) == ("4861.802101", "138.197899")
    for words in (("order", "show", order_no), ("order", "list"), ("trader", "show", trader_id)):
        for text in (terminal.run(*words).stdout, terminal.run(*words, "--json").stdout):
            assert CARD not in text
            assert "交易员甲" not in text


def test_a_name_in_brackets_is_shown_as_it_is(terminal: Terminal) -> None:
    added = terminal.run("merchant", "add", "[bold]甲[/b]")
    assert added.exit_code == 3, "its first admin waits for a second person"
    for part in ("[bold]甲[/b]", "test_api_secret", "merchant.invite"):
        assert part in added.stdout
    trader = terminal.run("trader", "add", "乙[/b]", "--min", "1", "--max", "2", "--test").stdout
    assert "乙[/b]" in trader
    assert "access_code" in trader


def test_a_new_stack_has_nothing_to_show(world: World, terminal: Terminal) -> None:
    world.client.delete_item(TableName="Merchants", Key={"pk": {"S": "rates"}})
    assert terminal.json("rate", "show") == {}
    for words in (("merchant", "list"), ("trader", "list"), ("order", "list"), ("audit",)):
        assert terminal.json(*words) == []
        assert terminal.run(*words).stdout.startswith("No ")


def test_json_and_stack_are_understood_before_and_after_the_command(terminal: Terminal) -> None:
    terminal.json("merchant", "add", "商户", "--alone")
    for words in (("--json", "merchant", "list"), ("merchant", "list", "--json")):
        assert len(json.loads(terminal.run(*words).stdout)) == 1
    terminal.opened.clear()
    calls: list[tuple[str, ...]] = [
        ("merchant", "list"),
        ("--stack", "other", "merchant", "list"),
        ("merchant", "list", "--stack", "other"),
    ]
    for call in calls:
        assert terminal.run(*call).exit_code == 0
    assert terminal.opened == ["orderdesk", "other", "other"]


@pytest.mark.parametrize(
    "words",
    [
        ("merchant", "show", "mnobody"),
        ("merchant", "suspend", "mnobody"),
        ("merchant", "set", "mnobody", "--identity"),
        ("merchant", "revoke-secret", "mnobody"),
        ("trader", "show", "tnobody"),
        ("trader", "online", "tnobody"),
        ("trader", "set", "tnobody", "--min", "1"),
        ("trader", "new-code", "tnobody"),
        ("trader", "add-method", "tnobody", "bank", *BANK, "--card-number", CARD),
        ("fund", "merchant", "mnobody", "5", "--memo", "m"),
        ("fund", "trader", "tnobody", "5", "--memo", "m"),
        ("order", "show", "B202601010000000000000001"),
        ("order", "show", "7"),
        ("order", "show", "nonsense"),
    ],
    ids=" ".join,
)
def test_what_does_not_exist_is_refused_in_one_line(
    world: World, terminal: Terminal, words: tuple[str, ...]
) -> None:
    result = terminal.run(*words, "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert re.fullmatch(r"orderdesk: no such (merchant|trader|order): \S+\n", result.stderr)
    assert world.items("Ledger") + world.items("Audit") == []
