"""The operators' commands (contract section 9)."""

import json

from tests.support.offices import Terminal


def test_a_name_in_brackets_is_shown_as_it_is(terminal: Terminal) -> None:
    added = terminal.run("merchant", "add", "[bold]甲[/b]")
    assert added.exit_code == 3, "its first admin waits for a second person"
    for part in ("[bold]甲[/b]", "test_api_secret", "merchant.invite"):
        assert part in added.stdout
    trader = terminal.run("trader", "add", "乙[/b]", "--min", "1", "--max", "2", "--test").stdout
    assert "乙[/b]" in trader
    assert "access_code" in trader


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
