"""Terms that the command line clears, and terms of money that wait for a second person."""

from tests.support.offices import Terminal


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
