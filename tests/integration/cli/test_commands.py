"""The operators' commands (contract section 9)."""

import json
import re

import pytest

from tests.support.offices import Terminal
from tests.support.world import World

BANK = ("--real-name", "交易员甲", "--bank", "测试银行", "--sub-bank", "测试支行")
CARD = "6200000000000001234"


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
