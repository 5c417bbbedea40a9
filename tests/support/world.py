"""A world in this process: the template's tables, keys, queues, buckets, and functions' handlers.

DynamoDB is the emulator's engine, one request at a time; moto imitates the rest. Use cases that
meet are in tests/integration/races.
"""

import importlib.util
import io
import json
import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from types import ModuleType
from typing import Any

import pytest
from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders
from botocore.session import Session
from moto import mock_aws

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.keys import TableNames
from tests.support import aws_parts, engine
from tests.support.events import Handler, as_deployed, proxy_event, sender
from tests.support.faults import requests_of
from tests.support.merchant_client import Reply, Send
from tests.support.seed import Seed
from tests.support.template import ROOT, table_definition
from tests.support.visitors import Answer, PageRequest, redirect_of_bucket

NAMES = ("Merchants", "Traders", "Orders", "Ledger", "Guards", "Callbacks", "Audit")
TABLES = TableNames(*NAMES)
ADVANCE = "advance_test_order"
RECEIPT_PAGES = ("pay_page", "trader_desk", "merchant_portal", ADVANCE)
ADVANCE_PATH = "/test/advanceOrder"
_QUEUES = "https://sqs.us-east-1.amazonaws.com/123456789012"

ENVIRONMENT = {
    **{f"{name.upper()}_TABLE": name for name in NAMES},
    "UPLOADS_BUCKET": "uploads-test",
    "RECEIPTS_BUCKET": "receipts-test",
    "SEALS_BUCKET": "seals-test",
    "SEAL_KEY_ARN": "set by World",
    "SEAL_SECONDS": "900",
    "SEAL_LOCK_DAYS": "0",
    "RENDER_RECEIPT_FUNCTION": "render-receipt-test",
    "DRAWING_CONCURRENCY": "10",
    "CALLBACKS_QUEUE_URL": f"{_QUEUES}/callbacks",
    "CALLBACKS_DEAD_LETTER_QUEUE_URL": f"{_QUEUES}/callbacks-dead",
    "RELAY_FAILURES_QUEUE_URL": f"{_QUEUES}/relay-failures",
    "PUSHES_QUEUE_URL": f"{_QUEUES}/pushes",
    "PUSH_KEY_ARN": "set by World",
    "SECRETS_KEY_ARN": "set by World",
    "PUSH_SUBJECT": "https://pay.example.com",
    "CALLBACK_RETENTION_DAYS": "90",
    "CALLBACK_LANES": "2",
    "PUBLIC_BASE_URL": "https://pay.example.com",
    "PAGES_URL": "https://pay.example.com",
    "PAY_WINDOW_SECONDS": "900",
    "DRAFT_LIFE_SECONDS": "7200",
    "RATE_MAX_AGE_SECONDS": "86400",
    "CACHE_SECONDS": "30",
    "ROTATION_SHARDS": "1",
    "ASSIGNMENT_SECONDS": "1800",
    "ASSIGN_AFTER_SECONDS": "0",
    "SELL_HOLD_SECONDS": "14400",
    "SOLO_RESOLVE_USDT": "2000",
    "ALLOW_LOCAL_TARGETS": "false",
    "OPERATOR_ROLE_PATTERNS": "AWSReservedSSO_*",
    "IDENTITY_PROVIDER": "sandbox",
    "IDENTITY_KEY_ARN": "set by World",
    "VERIFICATION_FAILURES_PER_HOUR": "10",
    "TENCENT_SECRET_ARN": "",
    "POWERTOOLS_SERVICE_NAME": "test",
    # Otherwise each cold start adds a filter to pytest's handlers, and each record passes all.
    "POWERTOOLS_LOG_DEDUPLICATION_DISABLED": "true",
    "POWERTOOLS_METRICS_NAMESPACE": "test",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_REGION": "us-east-1",
    "AWS_ACCESS_KEY_ID": "testing",
    "AWS_SECRET_ACCESS_KEY": "testing",
    "AWS_EC2_METADATA_DISABLED": "true",
}


@contextmanager
def open_world(**variables: str) -> Iterator["World"]:
    """Start an empty world with the functions' environment variables."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**ENVIRONMENT, **variables}.items():
            patch.setenv(name, value)
        patch.delenv("AWS_ENDPOINT_URL", raising=False)
        with mock_aws(), engine.running():
            yield World(aws_parts.created_once(create_stack))


@cache
def desk_routes() -> list[tuple[str, str]]:
    """Return the method and path of each route that the desk's function knows."""
    with open_world():
        return sorted(load_function("trader_desk").ROUTES)


def load_function(name: str) -> ModuleType:
    """Import a function's module again, as a cold start does."""
    path = ROOT / "functions" / name / "app.py"
    spec = importlib.util.spec_from_file_location(f"functions_{name}_app", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def create_stack() -> dict[str, str]:
    """Create tables, keys, buckets and queues; return the variables with the keys' ARNs."""
    client, kms, sqs = dynamodb_client(Session()), aws_parts.kms(), aws_parts.sqs()
    for name in NAMES:
        client.create_table(TableName=name, **table_definition(f"{name}Table"))
    for bucket in ("UPLOADS_BUCKET", "RECEIPTS_BUCKET", "SEALS_BUCKET"):
        aws_parts.s3().create_bucket(Bucket=ENVIRONMENT[bucket])
    for name in ("callbacks", "callbacks-dead", "relay-failures", "pushes"):
        sqs.create_queue(QueueName=name)
    made = {
        "SECRETS_KEY_ARN": kms.create_key(),
        "IDENTITY_KEY_ARN": kms.create_key(KeySpec="HMAC_256", KeyUsage="GENERATE_VERIFY_MAC"),
        "PUSH_KEY_ARN": kms.create_key(KeySpec="ECC_NIST_P256", KeyUsage="SIGN_VERIFY"),
        "SEAL_KEY_ARN": kms.create_key(KeySpec="ECC_NIST_P256", KeyUsage="SIGN_VERIFY"),
    }
    return {name: key["KeyMetadata"]["Arn"] for name, key in made.items()}


class World(Seed):
    """An empty stack in this process; create it inside `mock_aws` with ENVIRONMENT set."""

    def __init__(self, arns: Mapping[str, str] | None = None) -> None:
        os.environ.update(arns or create_stack())
        super().__init__(Session(), TABLES, os.environ["SECRETS_KEY_ARN"])
        self.s3, self.sqs = aws_parts.s3(), aws_parts.sqs()
        self.renderings: list[str] = []
        self.modules: dict[str, ModuleType] = {}
        self.set_rates(buy_e4=72360, sell_e4=71640)

    def transport(self) -> "InProcessTransport":
        return InProcessTransport(self)

    def assign_sells(self) -> None:
        assert self.cold_start("assign_sells").handler({}, TimeLeft())["failed"] == 0

    def upload(self, key: str, content: bytes) -> None:
        """Store a file where a page's form would."""
        self.s3.put_object(Bucket=ENVIRONMENT["UPLOADS_BUCKET"], Key=key, Body=content)

    def files(self, bucket: str = ENVIRONMENT["RECEIPTS_BUCKET"]) -> dict[str, bytes]:
        listed = self.s3.list_objects_v2(Bucket=bucket).get("Contents", [])
        return {
            entry["Key"]: self.s3.get_object(Bucket=bucket, Key=entry["Key"])["Body"].read()
            for entry in listed
        }

    def send(self, source_ip: str) -> Send:

        def send(path: str, body: bytes, headers: Mapping[str, str]) -> Reply:
            if path == ADVANCE_PATH and ADVANCE not in self.modules:
                self.cold_start(ADVANCE)
            return sender(self.handlers(), source_ip)(path, body, headers)

        return send

    def cold_start(self, name: str) -> ModuleType:
        """Load a function again, and use its handler from now on.

        Each cold start has a logger of its own: Powertools configures a service's logger once, with
        the stdout of the first test that used it.
        """
        os.environ["POWERTOOLS_SERVICE_NAME"] = name
        logging.root.manager.loggerDict.pop(name, None)
        self.modules[name] = load_function(name)
        self.modules[name].__dict__["handler"] = engine.acting(name, self.modules[name].handler)
        if name in RECEIPT_PAGES:
            self.modules[name].session.register("before-call.lambda.Invoke", self._render)
        return self.modules[name]

    def _render(self, params: Mapping[str, Any], **_: Any) -> tuple[Any, dict[str, Any]]:
        """Answer a page's call of render-receipt with its handler."""
        if "render_receipt" not in self.modules:
            self.cold_start("render_receipt")
        event = json.loads(params["body"])
        if "upload" in event:
            self.renderings.append(event["upload"])
        answer = self.modules["render_receipt"].handler(event, None)
        parsed = {"StatusCode": 200, "Payload": io.BytesIO(json.dumps(answer).encode())}
        return AWSResponse("", 200, HTTPHeaders(), None), parsed

    def handlers(self) -> dict[str, Handler]:
        for name in ("create_order", "merchant_api"):
            if name not in self.modules:
                self.cold_start(name)
        create, rest = (self.modules[name] for name in ("create_order", "merchant_api"))
        handlers = {
            **dict.fromkeys(create.ROUTES, create.handler),
            **dict.fromkeys(rest.ROUTES, rest.handler),
        }
        if ADVANCE in self.modules:
            handlers[ADVANCE_PATH] = self.modules[ADVANCE].handler
        return handlers

    def let_time_pass(self, *, seconds: int) -> None:
        """Make the entries of the functions' caches older."""
        for module in self.modules.values():
            directory = getattr(module, "directory", None)
            if directory is None:
                continue
            for kept in (directory._merchants, directory._desk):
                kept._entries = {
                    key: (read_at - seconds, value)
                    for key, (read_at, value) in kept._entries.items()
                }

    def requests(self, function: str) -> AbstractContextManager[list[str]]:
        """Yield the list of a loaded function's DynamoDB operations until the block ends."""
        return requests_of(self.modules[function].dynamodb)


class InProcessTransport:
    """The pages' functions in this process, and moto's bucket."""

    def __init__(self, world: World) -> None:
        self._world = world

    def send(self, request: PageRequest) -> Answer:
        if request.function not in self._world.modules:
            self._world.cold_start(request.function)
        route, names = as_deployed(request.route, request.names)
        event = proxy_event(
            request.method,
            route,
            body=request.body,
            headers=request.headers,
            path_parameters=names,
            source_ip=request.source_ip,
        )
        event["queryStringParameters"] = dict(request.query) or None
        answer: Answer = self._world.modules[request.function].handler(event, None)
        return answer

    def upload(self, action: str, fields: Mapping[str, str], content: bytes) -> Answer:
        """Store the file; moto does not check the form's policy."""
        bucket = ENVIRONMENT["UPLOADS_BUCKET"]
        assert action.startswith(f"https://{bucket}."), action
        stored = self._world.s3.put_object(Bucket=bucket, Key=fields["key"], Body=content)
        return redirect_of_bucket(bucket, fields, stored["ETag"])


class TimeLeft:
    def get_remaining_time_in_millis(self) -> int:
        return 55_000
