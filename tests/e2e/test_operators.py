"""Operators on the deployed stack: their commands.

Some commands run as the installed script in a new process, the others in this process.
"""

import os
import pty

from local.stack import Stack
from tests.e2e.script import orderdesk
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.offices import Terminal
from tests.support.stack_seed import StackSeed

METHOD = ("--real-name", "甲", "--bank", "银行", "--sub-bank", "支行", "--card-number", "62000001")


def test_a_sell_and_a_late_payment_moved_by_commands(
    stack: Stack, stack_seed: StackSeed, terminal: Terminal
) -> None:
    stack_seed.clear_rotation()
    added = terminal.json("merchant", "add", "商户", "--alone")
    terminal.json("fund", "merchant", added["merchant_id"], "200", "--memo", "float", "--alone")
    trader = terminal.json("trader", "add", "甲", "--min", "1", "--max", "5000", "--alone")[
        "trader_id"
    ]
    terminal.json("trader", "add-method", trader, "bank", *METHOD, "--alone")
    terminal.json("fund", "trader", trader, "500", "--memo", "float", "--alone")
    client = MerchantClient(stack_seed.send("198.51.100.7"), added["api_key"], added["api_secret"])
    why = ("--reason", "the bank says so")

    number = client.create(sell()).data["order_no"]
    assigned = orderdesk(stack, "order", "assign", number, trader)
    assert assigned.returncode == 0
    assert f"{number} is assigned" in assigned.stdout
    assert "offline" in assigned.stderr
    refused = orderdesk(stack, "order", "cancel", number, *why)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "order dispute" in refused.stderr
    for move in (("dispute", number, *why), ("resolve", number, "completed", *why, "--alone")):
        moved = terminal.json("order", *move)
        assert moved == terminal.json("order", *move)
    assert [entry["by"] for entry in moved["timeline"]] == ["merchant", *["operator"] * 3]
    assert client.query(order_no=number).data["status"] == "completed"

    terminal.json("trader", "online", trader)
    late = client.create(buy())
    client.cancel(late)
    number = late.data["order_no"]
    assert terminal.json("order", "dispute", number, *why)["status"] == "disputed"
    assert terminal.json("trader", "show", trader)["held"] == "138.197899"
    assert (
        terminal.json("order", "resolve", number, "cancelled", *why, "--alone")["status"]
        == "cancelled"
    )
    shown = terminal.json("trader", "show", trader)
    money = ("639.586824", "0.000000", 0)
    assert (shown["available"], shown["held"], shown["open_orders"]) == money
    terminal.json("trader", "offline", trader)
    code = terminal.json("trader", "new-code", trader, "--alone")["access_code"]
    assert code not in terminal.run("--json", "audit").stdout


def test_a_terminal_asks_for_confirmation(stack: Stack, stack_seed: StackSeed) -> None:
    stack_seed.clear_rotation()
    merchant, client = stack_seed.add_merchant()
    stack_seed.fund(merchant, 10**9)
    number = client.create(sell()).data["order_no"]
    for typed, code, status in ((b"n\n", 1, "matching"), (b"y\n", 0, "cancelled")):
        ours, theirs = pty.openpty()
        os.write(ours, typed)
        words = ("order", "cancel", number, "--reason", "asked to")
        result = orderdesk(stack, *words, stdin=theirs, stdout=theirs)
        os.close(theirs)
        os.close(ours)
        assert (result.returncode, "Do it?" in result.stderr) == (code, True)
        assert client.query(order_no=number).data["status"] == status
