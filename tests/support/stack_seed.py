"""Seeding and calling the deployed stack over HTTP."""

import json
from collections.abc import Mapping

import httpx
import pytest
from botocore.session import Session

from local.stack import Stack
from orderdesk.adapters.dynamodb.keys import TableNames
from tests.support.merchant_client import Reply, Send
from tests.support.seed import Seed
from tests.support.visitors import HttpTransport


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
            super().__init__(Session(), tables, outputs["SecretsKeyArn"])
            self.kms.seal_callback("m", ())  # makes the client while the environment says where
        self.http = httpx.Client(
            base_url=stack.base_url, timeout=None, limits=httpx.Limits(max_connections=None)
        )
        self.set_rates(buy_e4=72360, sell_e4=71640)

    def close(self) -> None:
        """Close every connection."""
        self.http.close()
        self.client.close()
        self.kms.close()

    def transport(self) -> HttpTransport:
        """Send a browser's requests over HTTP."""
        return HttpTransport(self.stack.base_url)

    def assign_sells(self) -> None:
        """Invoke the assigner."""
        name = self.stack.outputs["AssignSellsFunctionName"]
        self.stack.client("lambda").invoke(FunctionName=name)

    def send(self, source_ip: str) -> Send:
        """Post over HTTP; the emulator takes the caller's address from X-Forwarded-For."""

        def send(path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
            sent = {**headers, "x-forwarded-for": source_ip}
            response = self.http.post(path, content=body, headers=sent)
            return Reply(response.status_code, json.loads(response.text), dict(response.headers))

        return send
