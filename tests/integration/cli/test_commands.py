"""The operators' commands (contract section 9)."""

import json

import pytest

from orderdesk_cli import answering
from tests.support.market import FUNDS, Market
from tests.support.offices import PERSON, Terminal


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


WHY = ("--reason", "the bank says so")
QUESTION = "Do it? [y/N]:"


@pytest.fixture
def asking(market: Market, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Make stdin a terminal."""
    monkeypatch.setattr(answering, "is_at_terminal", lambda: True)
    return Terminal(market.world)


def money_moves(market: Market) -> list[tuple[tuple[str, ...], list[str]]]:
    """Return each command that moves an order's money, and what it shows before it asks."""
    sell, overdue, disputed = market.sell(), market.overdue_buy(), market.disputed_buy()
    return [
        (("order", "cancel", sell, *WHY), [sell, "matching", "released", "140.424345"]),
        (("order", "dispute", overdue, *WHY), ["expired", "held_again", "138.197899"]),
        (("order", "resolve", disputed, "completed", *WHY), ["disputed", "captured", "135.995023"]),
        (("order", "resolve", disputed, "cancelled", *WHY), ["disputed", "released", "138.197899"]),
    ]


@pytest.mark.parametrize("typed", ["n\n", "\n", ""])
def test_whoever_does_not_say_yes_changes_nothing(
    market: Market, asking: Terminal, typed: str
) -> None:
    commands = money_moves(market)
    before = market.everything()
    for words, shown in commands:
        result = asking.run(*words, typed=typed)
        assert (result.exit_code, result.stdout.strip()) == (1, "")
        assert [part for part in shown if part not in result.stderr] == []
        assert QUESTION in result.stderr
        assert result.stderr.endswith("orderdesk: nothing was changed\n")
    assert market.everything() == before


@pytest.mark.parametrize("flag", ["--yes", "-y", "--json"])
def test_nobody_is_asked_who_said_so_before(market: Market, asking: Terminal, flag: str) -> None:
    for words, _ in money_moves(market):
        if "cancelled" not in words:
            result = asking.run(*words, flag, typed="n\n")
            assert (result.exit_code, result.stderr) == (0, "")


def test_nobody_is_asked_what_is_refused_done_or_moves_no_money(
    market: Market, asking: Terminal
) -> None:
    order_no, paid = market.sell(), market.buy()
    assert QUESTION not in asking.run("order", "cancel", paid, *WHY, typed="y\n").stderr
    for words in (
        ("order", "assign", order_no, market.trader_id),
        ("order", "dispute", order_no, *WHY),
        ("order", "resolve", order_no, "cancelled", *WHY, "--yes"),
        ("order", "resolve", order_no, "cancelled", *WHY),
    ):
        result = asking.run(*words, person="support-2" if "resolve" in words else PERSON)
        assert (result.exit_code, result.stderr) == (0, ""), words
    assert market.merchant_money() == (FUNDS, 0)
