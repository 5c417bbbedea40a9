"""The operators' commands on moto (contract section 9)."""

import base64
import json
import re

import pytest

from tests.support.merchant_client import BANK as BANK_DETAILS
from tests.support.merchant_client import buy, sell
from tests.support.offices import Terminal, add_trader
from tests.support.world import World

BANK = ("--real-name", "交易员甲", "--bank", "测试银行", "--sub-bank", "测试支行")
CARD = "6200000000000001234"


def test_merchant_add_gives_credentials_that_sign_and_open_pages(
    world: World, terminal: Terminal
) -> None:
    added = terminal.json("merchant", "add", "商户", "--service-bps", "60", "--deposit-bps", "100")
    merchant = terminal.office.merchants.merchant(added["merchant_id"])
    assert merchant is not None
    secrets = world.kms.unseal(merchant.merchant_id, merchant.sealed_secrets)
    assert re.fullmatch(r"m[a-z0-9]{12}", added["merchant_id"])
    assert re.fullmatch(f"mk_{added['merchant_id']}_[A-Za-z0-9]{{16,}}", added["api_key"])
    assert re.fullmatch(r"sk_[A-Za-z0-9_-]{43}", added["api_secret"])
    assert secrets.api_secrets == (added["api_secret"],)
    assert len(secrets.link_secret) == 32
    scheme, _, key = added["callback_secret"].partition("_")
    assert scheme == "whsec"
    assert len(base64.b64decode(key, validate=True)) == 32
    sealed = world.kms.unseal_callback(merchant.merchant_id, merchant.sealed_callback_secrets)
    assert sealed == (added["callback_secret"],)
    assert (added["min_cny"], added["max_cny"]) == ("0.01", "1000000.00")
    assert (added["service_bps"], added["deposit_bps"], added["identity"]) == (60, 100, False)


def test_everything_set_up_by_commands_takes_an_order(world: World, terminal: Terminal) -> None:
    added = terminal.json("merchant", "add", "商户", "--service-bps", "60", "--deposit-bps", "100")
    terminal.json("rate", "set", "buy", "7.2360")
    trader_id = add_trader(terminal)
    terminal.json("trader", "add-method", trader_id, "bank", *BANK, "--card-number", CARD)
    terminal.json("fund", "trader", trader_id, "5000", "--memo", "float")
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
    assert shown["pay_url"] == created["pay_url"]
    assert [entry["status"] for entry in shown["timeline"]] == ["pending"]
    assert terminal.json("order", "show", str(shown["order_id"])) == shown
    assert [o["order_no"] for o in terminal.json("order", "list")] == [order_no]
    of_merchant = terminal.json("order", "list", "--merchant", added["merchant_id"])
    assert [o["order_no"] for o in of_merchant] == [order_no]
    assert terminal.json("order", "list", "--status", "completed") == []
    assert terminal.json("order", "list", "--merchant", "mnobody") == []
    trader = terminal.json("trader", "show", trader_id)
    assert (trader["available"], trader["held"]) == ("4861.802101", "138.197899")
    for words in (("order", "show", order_no), ("order", "list"), ("trader", "show", trader_id)):
        for text in (terminal.run(*words).stdout, terminal.run(*words, "--json").stdout):
            assert CARD not in text
            assert "交易员甲" not in text


def test_a_sell_shows_the_customer_masked(world: World, terminal: Terminal) -> None:
    merchant, client = world.add_merchant()
    terminal.json("fund", "merchant", merchant.merchant_id, "1000", "--memo", "m")
    order_no = client.create(sell()).data["order_no"]
    shown = terminal.json("order", "show", order_no)
    assert "pay_url" not in shown
    assert shown["customer_payment_method"]["card_number"] == "*" * 15 + "0017"
    assert shown["customer_payment_method"]["real_name"] == "测**"
    assert BANK_DETAILS["card_number"] not in terminal.run("order", "show", order_no).stdout


def test_a_draft_is_shown(world: World, terminal: Terminal) -> None:
    _merchant, client = world.add_merchant(identity_required=True)
    world.add_trader()
    draft = client.create(buy()).data
    shown = terminal.json("order", "show", draft["pending_no"])
    assert (shown["status"], shown["identity_url"]) == ("held", draft["identity_url"])
    assert shown["cny_amount"] == "1000.00"
    assert draft["pending_no"] in terminal.run("order", "show", draft["pending_no"]).stdout


def test_secrets_are_shown_once_only(world: World, terminal: Terminal) -> None:
    added = terminal.json("merchant", "add", "商户")
    merchant_id = added["merchant_id"]
    rotated = terminal.json("merchant", "rotate-secret", merchant_id)["api_secret"]
    callback = terminal.json("merchant", "rotate-callback-secret", merchant_id)["callback_secret"]
    trader = terminal.json("trader", "add", "甲", "--min", "1", "--max", "2")
    code = trader["access_code"]
    secrets = [added["api_secret"], added["callback_secret"], rotated, callback, code]
    later = [
        ("merchant", "show", merchant_id),
        ("merchant", "list"),
        ("merchant", "suspend", merchant_id),
        ("merchant", "set", merchant_id, "--identity"),
        ("trader", "show", trader["trader_id"]),
        ("trader", "list"),
        ("trader", "online", trader["trader_id"]),
        ("audit",),
    ]
    shown = [terminal.run(*words, *flag).output for words in later for flag in ((), ("--json",))]
    stored = [
        repr(row)
        for table in ("Merchants", "Traders", "Ledger", "Audit")
        for row in world.items(table)
    ]
    for secret in secrets:
        assert not [text for text in shown if secret in text]
        assert not [text for text in stored if secret in text]


def test_a_name_in_brackets_is_shown_as_it_is(terminal: Terminal) -> None:
    shown = terminal.run("merchant", "add", "[bold]甲[/b]").stdout
    assert "[bold]甲[/b]" in shown
    assert "api_secret" in shown
    trader = terminal.run("trader", "add", "乙[/b]", "--min", "1", "--max", "2").stdout
    assert "乙[/b]" in trader
    assert "access_code" in trader


def test_a_new_stack_has_nothing_to_show(world: World, terminal: Terminal) -> None:
    world.client.delete_item(TableName="Merchants", Key={"pk": {"S": "rates"}})
    assert terminal.json("rate", "show") == {}
    for words in (("merchant", "list"), ("trader", "list"), ("order", "list"), ("audit",)):
        assert terminal.json(*words) == []
        assert terminal.run(*words).stdout.startswith("No ")


def test_json_and_stack_are_understood_before_and_after_the_command(terminal: Terminal) -> None:
    terminal.json("merchant", "add", "商户")
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
        ("merchant", "rotate-secret", "mnobody"),
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
