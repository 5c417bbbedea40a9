"""The seed of the deployed stack: writes to its tables, calls through its gateway."""

import json
import time
from collections.abc import Mapping
from typing import Any

import pytest
from botocore.session import Session

from local.stack import Stack
from orderdesk.adapters.dynamodb.keys import Key, TableNames
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.orders.reads import WaitingSellIndex
from orderdesk.domain.pricing import Mode
from tests.support.merchant_client import Reply, Send
from tests.support.seed import Seed
from tests.support.visitors import HttpTransport, threaded_http
from tests.support.waiting import wait_for_each_answer


class StackSeed(Seed):
    """Writes to the deployed tables as the account's root; calls go through the gateway."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        outputs = stack.outputs
        tables = TableNames(
            merchants=outputs["MerchantsTableName"],
            traders=outputs["TradersTableName"],
            orders=outputs["OrdersTableName"],
            ledger=outputs["LedgerTableName"],
            guards=outputs["GuardsTableName"],
            callbacks=outputs["CallbacksTableName"],
            audit=outputs["AuditTableName"],
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("AWS_ENDPOINT_URL", stack.endpoint_url)
            patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
            patch.setenv("AWS_ACCESS_KEY_ID", "test")
            patch.setenv("AWS_SECRET_ACCESS_KEY", "test")
            wait_for_each_answer(patch)
            super().__init__(Session(), tables, outputs["SecretsKeyArn"])
            self.kms.seal_callback("m", ())  # makes the client while the environment says where
        self.http = threaded_http(base_url=stack.base_url)
        self.set_rates(buy_e4=72360, sell_e4=71640)

    def close(self) -> None:
        self.http.close()
        self.client.close()
        self.kms.close()

    def transport(self) -> HttpTransport:
        return HttpTransport(self.stack.base_url)

    def assign_sells(self) -> None:
        name = self.stack.outputs["AssignSellsFunctionName"]
        self.stack.client("lambda").invoke(FunctionName=name)

    def send(self, source_ip: str) -> Send:
        """Post over HTTP; the emulator reads the caller's address from X-Forwarded-For."""

        def send(path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
            sent = {**headers, "x-forwarded-for": source_ip}
            response = self.http.post(path, content=body, headers=sent)
            return Reply(response.status_code, json.loads(response.text), dict(response.headers))

        return send


def assign(seed: StackSeed, order_no: str) -> None:
    """Assign a sell: make it due, and run the assigner."""
    let_wait(seed, order_no)
    seed.assign_sells()
    after: Any = seed.get(seed.tables.orders, {"pk": order_no})
    assert after["status"] == "assigned"


def let_wait(seed: StackSeed, order_no: str) -> None:
    """Make a sell due for the assigner, and no other test's sell."""
    hide_sells(seed)
    item: Any = seed.get(seed.tables.orders, {"pk": order_no})
    timeline = [*item["timeline"][:-1], {**item["timeline"][-1], "time": 1}]
    waiting: Item = {
        "timeline": timeline,
        "due_time": 1,
        "due_key": Key.matching(Mode(item["mode"]), 0),
    }
    item.pop("next_offer_time", None)  # an earlier run may have delayed it
    seed.put(seed.tables.orders, {**item, **waiting})


def hide_sells(seed: StackSeed) -> None:
    """Hide the sells that wait now or will be due, those of other tests, from the assigner."""
    index = WaitingSellIndex(seed.client, seed.tables.orders)
    until = int(time.time()) + 86_400
    for sell in (sell for mode in Mode for sell in index.waiting(mode, until)):
        seed.client.update_item(
            TableName=seed.tables.orders,
            Key=to_item({"pk": sell.order_no}),
            UpdateExpression="REMOVE due_key",
        )
