"""Operators see and undo the settings that traders change themselves."""

import json
from dataclasses import replace

import pytest

from orderdesk_cli import doctor as checks
from tests.support.merchant_client import buy
from tests.support.offices import Terminal
from tests.support.trader import TraderVisit
from tests.support.visitors import hidden_fields
from tests.support.world import World

CARD = "6222020200112345678"
ACCOUNT = {"real_name": "李四", "bank": "新银行", "sub_bank": "新支行", "card_number": CARD}
OPTIONS = ("--real-name", "王五", "--bank", "银行", "--sub-bank", "支行", "--card-number")
OWN_CARD = "6222029999999999999"


@pytest.fixture
def desk(world: World) -> TraderVisit:
    world.clear_rotation()
    return TraderVisit.of_new_trader(world, max_open=9)


def send(desk: TraderVisit, route: str, **form: str) -> int:
    version = hidden_fields(desk.get("/trader/settings")["body"])["version"]
    return int(
        desk.post(f"/trader/settings/{route}", form={"version": version, **form})["statusCode"]
    )


def test_both_limits_are_shown_and_what_does_not_overlap_is_warned_of(
    terminal: Terminal, desk: TraderVisit
) -> None:
    show = ("trader", "show", desk.trader.trader_id)
    nothing = {"min_cny": None, "max_cny": None, "max_open": None, "daily_cny": None}
    assert terminal.json(*show)["own_limits"] == nothing
    assert send(desk, "limits", min_cny="200", max_open="3") == 303
    shown = terminal.json(*show)
    assert (shown["min_cny"], shown["max_open"]) == ("1.00", 9)
    assert shown["own_limits"] == nothing | {"min_cny": "200.00", "max_open": 3}
    assert "min_cny 200.00, max_open 3" in terminal.run(*show).stdout
    lowered = terminal.run(
        "trader", "set", desk.trader.trader_id, "--max", "199", "--json", "--alone"
    )
    assert json.loads(lowered.stdout)["own_limits"] == shown["own_limits"]
    assert "does not overlap" in lowered.stderr
    details = terminal.json("audit", "--operator", desk.trader.trader_id)[0]["details"]
    assert details == {"min_cny": " → 200.00", "max_open": " → 3"}


def test_a_thiefs_account_is_seen_and_undone(
    world: World, terminal: Terminal, desk: TraderVisit
) -> None:
    trader_id = desk.trader.trader_id
    thief = replace(desk)
    thief.log_in()
    assert send(thief, "methods/{method_type}", access_code=desk.code, **ACCOUNT) == 303
    shown = terminal.json("trader", "show", trader_id)
    (finding,) = checks.accounts(shown["methods_changed_at"] + 7200, [shown])
    assert finding["says"] == f"{trader_id} changed a receiving account at its desk 2 h ago"
    (entry,) = terminal.json("audit", "--subject", trader_id)
    assert (entry["who"], entry["action"]) == (f"trader:{trader_id}", "desk.set-method")
    assert CARD not in json.dumps(terminal.json("audit"))
    terminal.json("trader", "suspend", trader_id, "--reason", "its session was stolen")
    assert send(thief, "methods/{method_type}", access_code=desk.code, **ACCOUNT) == 403
    code = terminal.json("trader", "new-code", trader_id, "--alone")["access_code"]
    assert not thief.is_in()
    terminal.json("trader", "add-method", trader_id, "bank", *OPTIONS, OWN_CARD, "--alone")
    terminal.json("trader", "online", trader_id)
    assert desk.log_in(code)["statusCode"] == 303
    _, client = world.add_merchant()
    order = desk.order(client.create(buy()).data["order_no"])
    assert order.payment_method.card_number == OWN_CARD
    actions = [each["action"] for each in terminal.json("audit", "--subject", trader_id)]
    assert actions == [
        *("trader.online", "trader.add-method"),
        *("trader.reset-code", "trader.suspend", "desk.set-method"),
    ]
