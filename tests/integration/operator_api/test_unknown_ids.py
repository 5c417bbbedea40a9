"""Every command refuses an id of nothing with its kind and the id, and writes nothing."""

from typing import Any

import pytest

from orderdesk.web.operator.endpoint import COMMANDS
from tests.support.market import Market
from tests.support.operator_api import OperatorApi

KINDS = {
    "merchant_id": "merchant",
    "trader_id": "trader",
    "order_no": "order",
    "pending_no": "order",
    "proposal_no": "proposal",
    "request_no": "withdrawal request",
    "withdrawal_no": "proposal",
    "webhook_id": "callback",
    "block_no": "block",
    "finding_id": "open finding in the newest seal",
}
VALID: dict[str, Any] = {
    "amount": "1",
    "memo": "m",
    "reason": "r",
    "name": "n",
    "role": "viewer",
    "digest": "d",
    "method_type": "bank",
    "real_name": "甲",
    "bank": "b",
    "sub_bank": "s",
    "card_number": "6200000000000001234",
    "account": "bank",
    "text": "t",
    "verdict": "paid",
    "outcome": "completed",
    "usdt": "all",
    "txid": "t",
    "identity": True,
    "max_open": 7,
}
OF_NOTHING = "none1"
# What a command needs beside its required fields, or may have only without the id.
OTHERS = {
    "merchant.set": {"identity"},
    "trader.set": {"max_open"},
    "trader.add-method": {"real_name", "bank", "sub_bank", "card_number"},
}
NAMED = [
    (command, field)
    for command, declared in COMMANDS.items()
    for field in KINDS.keys() & declared.parameters.model_fields.keys()
]


@pytest.mark.parametrize(("command", "field"), sorted(NAMED))
def test_an_id_of_nothing_is_refused(
    market: Market, api: OperatorApi, command: str, field: str
) -> None:
    known = {
        "merchant_id": market.merchant.merchant_id,
        "trader_id": market.trader_id,
        "order_no": market.sell(),
    }
    schema: Any = COMMANDS[command].schema()
    needed = {*schema.get("required", ()), *OTHERS.get(command, ())}
    if command in {"order.dispute", "order.resolve", "order.cancel", "order.unassign"}:
        needed |= {"reason", "order_no"}
    if command == "withdraw.merchant" and field == "merchant_id":
        needed |= {"amount", "memo"}
    asked = {name: (VALID | known)[name] for name in needed if name != field}
    before = market.everything()
    status, envelope = api.call("finance-1", command, **asked | {field: OF_NOTHING})
    assert (status, envelope["code"]) == (404, 2002), envelope
    assert envelope["data"]["detail"] == f"no such {KINDS[field]}: {OF_NOTHING}"
    assert market.everything() == before
