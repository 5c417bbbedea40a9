"""`orderdesk order …` and `callback …` as people see them, and what only the command line does."""

import csv
import io
import stat
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest

from orderdesk.adapters.dynamodb.callback_endpoints import EndpointStore
from orderdesk.domain.callbacks.endpoints import Endpoint, EndpointId
from orderdesk.domain.pricing import Mode
from orderdesk_cli.sheets.words import WARNINGS
from tests.support import receipt_samples as samples
from tests.support.market import Market
from tests.support.merchant_client import buy
from tests.support.offices import Terminal
from tests.support.payer import Payer
from tests.support.world import ENVIRONMENT, World

RECEIPTS = ENVIRONMENT["RECEIPTS_BUCKET"]
PDF, PNG = samples.pdf(2), samples.png()
WHY = ("--reason", "the bank says so")


def test_names_and_whole_numbers_are_shown(
    market: Market, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)  # pytest-xdist sets it
    order_no = market.buy()
    name = market.merchant.name
    for words in (("list",), ("list", "--merchant", name), ("find", order_no), ("show", order_no)):
        shown = terminal.run("order", *words).stdout
        assert order_no in shown
        assert name in shown
        assert "+08:00" in shown
    refused = terminal.run("order", "list", "--trader", "nobody")
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr == "orderdesk: no such trader: nobody\n"


def test_a_pipe_has_the_columns_that_are_asked_for(
    market: Market, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    order_no, merchant_id = market.buy(), market.merchant.merchant_id
    monkeypatch.setenv("COLUMNS", "80")
    for words, text in (
        (("order", "list"), order_no),
        (("merchant", "limits", merchant_id), "10000000000.00"),
    ):
        shown = terminal.run(*words).stdout
        assert text in shown
        assert max(map(len, shown.splitlines())) <= 80


def test_a_draft_is_shown(world: World, terminal: Terminal) -> None:
    _, client = world.add_merchant(identity_required=True)
    world.add_trader()
    draft = client.create(buy()).data["pending_no"]
    assert terminal.json("order", "show", draft)["status"] == "held"
    assert f"Draft {draft}" in terminal.run("order", "show", draft).stdout


def test_csv_has_no_formula_and_no_control_character(market: Market, terminal: Terminal) -> None:
    hostile = '=1+1\x9b2J\u202e,"x"'
    number = market.buy()
    market.put(replace(market.order(number), merchant_order_no=hostile))
    printed = terminal.run("order", "list", "--csv").stdout
    assert not {c for c in printed if unicodedata.category(c)[0] == "C"} - {"\n"}
    [row] = csv.DictReader(io.StringIO(printed))
    assert (row["number"], row["side"], row["cny_amount"]) == (number, "buy", "1000.00")
    assert row["merchant_order_no"] == '\'=1+1\ufffd2J\ufffd,"x"'
    assert row["createtime"].endswith("+08:00")
    assert terminal.run("order", "list", "--csv", "--json").exit_code == 2
    assert terminal.run("order", "list", "--csv", "--status", "paid").stdout.count("\n") == 1


def test_people_read_from_where_to_where_and_what_moved(market: Market, terminal: Terminal) -> None:
    sell, disputed = market.sell(), market.disputed_buy()
    away = market.world.add_trader(online=False).trader_id
    shown = terminal.run("order", "assign", sell, away)
    assert shown.stderr == "warning: the trader is offline: notify them of the order\n"
    assert f"{sell} is assigned" in shown.stdout
    assert "No USDT moves." in shown.stdout
    shown = terminal.run("order", "resolve", disputed, "completed", *WHY)
    for part in (f"{disputed} is completed", "-138.197899", "135.995023", "1.373688", "0.829188"):
        assert part in shown.stdout
    refused = terminal.run("order", "unassign", disputed, *WHY)
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
    assert f"buy {disputed} is completed; operators cannot move it now" in refused.stderr


def test_a_question_and_its_history_are_shown(market: Market, terminal: Terminal) -> None:
    disputed = market.disputed_buy()
    asked = ("order", "ask", disputed, "--text", "Which bank?", "--to", "payer")
    assert "Which bank?" in terminal.run(*asked, person="support-1").stdout
    assert "Which bank?" in terminal.run("order", "show", disputed).stdout
    history = terminal.json("order", "history", disputed)
    assert [(e["who"], e["action"], e["reason"]) for e in history["items"]] == [
        ("support-1", "order.ask", "Which bank?")
    ]
    shown = terminal.run("order", "history", disputed).stdout
    assert "support-1" in shown
    assert "disputed" in shown


def test_links_are_printed_whole(world: World, terminal: Terminal) -> None:
    payer = Payer.of_new_order(world)
    assert payer.upload(PDF)["statusCode"] == 303
    shown = terminal.run("order", "evidence", payer.order_no).stdout.splitlines()
    assert len([line for line in shown if line.startswith("https://")]) == 3


def test_files_are_saved_as_they_came_and_none_is_overwritten(
    world: World, terminal: Terminal, tmp_path: Path
) -> None:
    payer = Payer.of_new_order(world)
    for content in (PDF, PNG):
        assert payer.upload(content)["statusCode"] == 303
    words = ("order", "evidence", payer.order_no, "--save", str(tmp_path / "case"))
    told = terminal.json(*words)
    stem = f"{payer.order_no}-receipt"
    saved = {path.name: path for path in (tmp_path / "case").iterdir()}
    assert set(saved) == {
        *(f"{stem}-1.pdf", f"{stem}-1-page-1.webp", f"{stem}-1-page-2.webp"),
        *(f"{stem}-2.png", f"{stem}-2-page-1.webp"),
    }
    assert saved[f"{stem}-1.pdf"].read_bytes() == PDF
    assert {stat.S_IMODE(path.stat().st_mode) for path in saved.values()} == {0o600}
    assert told["evidence"][0]["original"] == str(saved[f"{stem}-1.pdf"])
    saved[f"{stem}-1.pdf"].write_bytes(b"mine")
    refused = terminal.run(*words)
    assert (refused.exit_code, refused.stdout) == (1, "")
    assert refused.stderr.startswith(f"orderdesk: {saved[f'{stem}-1.pdf']}: ")
    assert saved[f"{stem}-1.pdf"].read_bytes() == b"mine"

    [original] = [key for key, content in world.files().items() if content == PNG]
    world.s3.delete_object(Bucket=RECEIPTS, Key=original)
    result = terminal.run("order", "evidence", payer.order_no, "--save", str(tmp_path / "again"))
    assert (result.exit_code, result.stderr) == (1, f"{stem}-2.png: no longer kept\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("callback", "list"), "No callback is in trouble.\n"),
        (("callback", "dead"), "No callback is in trouble.\n"),
        (("order", "list"), "No orders.\n"),
        (("merchant", "list"), "No merchants.\n"),
        (("trader", "list"), "No traders.\n"),
    ],
)
def test_nothing_to_show(terminal: Terminal, words: tuple[str, ...], told: str) -> None:
    assert terminal.run(*words).stdout == told
    assert terminal.json(*words) == []


def test_a_cut_list_of_paused_endpoints_has_a_warning(
    world: World, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = EndpointId("m1", Mode.LIVE, "https://shop.example")
    store = EndpointStore(world.client, "Callbacks", 90)
    store.save(Endpoint(id_, version=1, since_ms=1, probe_ms=1))
    whole = terminal.run("callback", "paused")
    assert (id_.origin in whole.stdout, whole.stderr) == (True, "")
    monkeypatch.setattr("orderdesk.web.operator.callbacks.PAUSED_SHOWN", 0)
    cut = terminal.run("callback", "paused")
    assert (cut.exit_code, cut.stderr) == (0, f"warning: {WARNINGS['more_paused'][0]}\n")
