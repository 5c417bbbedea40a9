"""Changes by operators' commands: terms, secrets, duty, funds and rates."""

import json

import pytest

from tests.support.offices import Terminal, add_trader


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
