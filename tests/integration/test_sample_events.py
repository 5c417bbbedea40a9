"""Each sample event, signed and sent to its function, returns the expected response."""

import json
import re
import secrets
import time
from collections.abc import Iterable
from typing import Any

import pytest

from events.samples import NAMES, sample
from events.sign import filled, fresh, given
from tests.support.callback_functions import DEAD_LETTERS, CallbackWorld, RelayWorld
from tests.support.receipt_samples import png
from tests.support.samples import demo_of
from tests.support.template import resources
from tests.support.world import TimeLeft, World

# The code of each signed call, and the sample that creates the order which it names.
CODES = {
    **{f"create_order/buy_{method}": (1, "") for method in ("bank", "wechat", "alipay")},
    **{f"create_order/sell_{method}": (1, "") for method in ("bank", "alipay")},
    **{f"create_order/agreement_buy_{how}": (1, "") for how in ("created", "held")},
    "create_order/agreement_sell_refused": (2201, ""),
    "create_order/test_buy": (1, ""),
    "create_order/bad_parameters": (1002, ""),
    "create_order/unsupported_content_type": (1001, ""),
    **{f"merchant_api/{name}": (1, "") for name in ("list_orders", "balance", "statement")},
    "merchant_api/query_by_merchant_order_no": (1, "buy_bank"),
    "merchant_api/query_by_order_no": (1, "sell_bank"),
    "merchant_api/query_by_pending_no": (1, "agreement_buy_held"),
    "merchant_api/list_callbacks": (1, "sell_bank"),
    **{f"merchant_api/{name}": (1, "") for name in ("list_events", "list_withdrawals")},
    "merchant_api/agreement": (1, ""),
    "create_order/quote": (1, ""),
    "merchant_api/cancel_order": (1, "sell_bank"),
    "merchant_api/dispute_order": (2003, "buy_bank"),  # it is not paid
    "merchant_api/test_callback": (1, ""),
    "merchant_api/redeliver_callback": (2002, "buy_bank"),  # it has no callback
    "advance_test_order/cancelled": (1, "test_buy"),
}

# The status of each request to the page of a pending buy.
PAY_PAGE = {
    **dict.fromkeys(("page", "status", "confirm_paid", "confirm_cancel", "come_back"), 200),
    **dict.fromkeys(("paid", "cancel", "confirm_dispute"), 303),
    **dict.fromkeys(("picture", "note", "code"), 404),
    **dict.fromkeys(("dispute", "say", "agree", "object"), 409),
    "receipt": 422,  # it was never uploaded
}

IDENTITY_PAGE = {"page": (200, "held"), "submit_passes": (303, "completed")} | {
    "submit_fails": (200, "locked")
}

# The code of each operators' command.
COMMANDED = {"rate_list": 1, "rate_set_alone": 1, "unknown_command": 4000}

# The status of a request without a session; integration/pages/test_gate.py has where each leads.
WITHOUT_SESSION = {
    **{
        name: 303
        for service, name in (each.split("/") for each in NAMES)
        if service == "trader_desk"
    },
    **dict.fromkeys(("login_page", "come_back", "worker", "code_sent"), 200),
    **dict.fromkeys(("log_in_wrong_code", "status", "push_key", "push_on", "push_off"), 401),
}
WITHOUT_PORTAL_SESSION = {"overview": "portal/login", "orders": "login", "new_challenge": "login"}

# The callbacks that the relay sends for each stream record.
RELAYED = {
    "order_paid": ["order.paid"],
    "order_created": ["order.created"],
    "draft_expired": ["draft.expired"],
    "receipt_added": [],
    "unreadable": [],
}

# The state of the callback that each message stores, and the number of dead letters.
DELIVERED = {"order_paid": ("delivered", 0), "unrecorded": (None, 1), "unreadable": (None, 1)}


class Samples:
    """Sign samples for the demo merchants of a world and call the functions with them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.demo = demo_of(world)

    def event(
        self, name: str, number: str | None = None, pay_url: str | None = None
    ) -> dict[str, Any]:
        values = given(number, pay_url) | fresh(int(time.time()), secrets.token_hex(8))
        return filled(sample(name), self.demo, values)

    def call(self, name: str, **values: str) -> dict[str, Any]:
        function = name.partition("/")[0]
        module = self.world.modules.get(function) or self.world.cold_start(function)
        response: dict[str, Any] = module.handler(self.event(name, **values), TimeLeft())
        return response

    def envelope(self, name: str, **values: str) -> dict[str, Any]:
        envelope: dict[str, Any] = json.loads(self.call(name, **values)["body"])
        return envelope


@pytest.fixture(scope="module")
def samples(shared_world: World) -> Samples:
    return Samples(shared_world)


@pytest.fixture(scope="module")
def relay(shared_world: World) -> RelayWorld:
    made = RelayWorld(shared_world)
    made.messages()  # deletes those of other samples
    return made


@pytest.mark.parametrize("name", CODES)
def test_a_signed_call(samples: Samples, name: str) -> None:
    code, created = CODES[name]
    values = {}
    if created:
        data = samples.envelope(f"create_order/{created}")["data"]
        values["number"] = data[name.partition("query_by_")[2] or "order_no"]
    assert samples.envelope(name, **values)["code"] == code


@pytest.mark.parametrize("name", PAY_PAGE)
def test_the_pay_page(samples: Samples, name: str) -> None:
    url = samples.envelope("create_order/buy_bank")["data"]["pay_url"]
    assert samples.call(f"pay_page/{name}", pay_url=url)["statusCode"] == PAY_PAGE[name]


@pytest.mark.parametrize("name", IDENTITY_PAGE)
def test_the_identity_page(samples: Samples, name: str) -> None:
    held = samples.envelope("create_order/agreement_buy_held")["data"]
    response = samples.call(f"identity_page/{name}", pay_url=held["identity_url"])
    draft = samples.world.get("Orders", {"pk": held["pending_no"]}) or {}
    assert (response["statusCode"], draft["status"]) == IDENTITY_PAGE[name]


@pytest.mark.parametrize("name", WITHOUT_SESSION)
def test_the_trader_desk(samples: Samples, name: str) -> None:
    response = samples.call(f"trader_desk/{name}", number="B202511210009876543210123")
    assert response["statusCode"] == WITHOUT_SESSION[name]


@pytest.mark.parametrize("name", WITHOUT_PORTAL_SESSION)
def test_the_merchant_portal(samples: Samples, name: str) -> None:
    response = samples.call(f"merchant_portal/{name}")
    location = response["headers"]["Location"].partition("?")[0]
    assert (response["statusCode"], location) == (303, WITHOUT_PORTAL_SESSION[name])


def test_an_upload_is_drawn(samples: Samples) -> None:
    created = samples.envelope("create_order/buy_bank")["data"]
    upload = samples.event("render_receipt/upload", pay_url=created["pay_url"])["upload"]
    samples.world.upload(upload, png())
    answer = samples.call("render_receipt/upload", pay_url=created["pay_url"])
    assert answer["key"].startswith(f"rendered/{created['order_no']}/payer/1/")


class Quarter:
    def get_remaining_time_in_millis(self) -> int:
        return 900_000


RUNS: dict[str, dict[str, dict[str, Any]]] = {
    "expire-drafts": {"expire_drafts/every_minute": {"failed": 0}},
    "assign-sells": {"assign_sells/every_minute": {"failed": 0}},
    "send-callback": {"send_callback/every_minute": {"batchItemFailures": []}},
    "seal-books": {
        "seal_books/every_minutes": {"made": 1},
        "seal_books/every_day": {"accounts": 0, "findings": 0},
    },
    "pay-out": {"pay_out/every_minute": {"paid": 0}},
}
"""By service, its schedules' events and what is among the answer."""
ONLY_THEN = {"merchants_unpaid_percent", "payouts_blocked"}
"""Written only by a merchant's many unpaid buys, and if a payout waits."""


@pytest.mark.parametrize("service", RUNS)
def test_a_schedule_writes_what_its_alarms_read(
    samples: Samples, capsys: pytest.CaptureFixture[str], service: str
) -> None:
    samples.envelope("create_order/sell_bank")
    for name, expected in RUNS[service].items():
        module = samples.world.cold_start(name.partition("/")[0])
        answer = module.handler(samples.event(name), Quarter())
        assert answer | expected == answer
    dimensions = [{"Name": "service", "Value": service}]
    alarms = resources("AWS::CloudWatch::Alarm")
    read = {each["MetricName"] for each in alarms if each.get("Dimensions") == dimensions}
    assert read
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    assert read - ONLY_THEN <= {name for line in lines if "_aws" in line for name in line}


@pytest.mark.parametrize("name", RELAYED)
def test_the_relay(relay: RelayWorld, name: str) -> None:
    relay.handle(sample(f"relay_events/{name}")["Records"])
    assert [event.type.value for event in relay.sent()] == RELAYED[name]
    assert len(relay.aside()) == (name == "unreadable")


@pytest.mark.parametrize("name", DELIVERED)
def test_send_callback(samples: Samples, name: str) -> None:
    world = samples.world
    callbacks = CallbackWorld.on(world)
    demo = {"merchant": {"merchant_id": callbacks.merchant.merchant_id}}
    event = filled(sample(f"send_callback/{name}"), demo, fresh(int(time.time()), ""))
    found = re.search(r"msg_[0-9a-f-]+", event["Records"][0]["body"])
    if name == "order_paid":
        assert found is not None
        callbacks.store.record(callbacks.event(webhook_id=found[0]))
    answer = world.modules["send_callback"].handler(event, None)
    assert answer == {"batchItemFailures": []}
    stored = world.get("Callbacks", {"webhook_id": found[0]}) if found else None
    dead = world.sqs.receive_message(QueueUrl=DEAD_LETTERS).get("Messages", [])
    assert (stored and stored["state"], len(dead)) == DELIVERED[name]


@pytest.mark.parametrize("name", ["send_push/late", "send_push/unreadable"])
def test_send_push(samples: Samples, name: str) -> None:
    assert samples.call(name) == {"batchItemFailures": []}


@pytest.mark.parametrize(("name", "code"), COMMANDED.items())
def test_operator_api(samples: Samples, name: str, code: int) -> None:
    assert samples.envelope(f"operator_api/{name}")["code"] == code


def test_every_sample_is_tested() -> None:
    tables: dict[str, Iterable[str]] = {"pay_page": PAY_PAGE, "identity_page": IDENTITY_PAGE}
    tables |= {"trader_desk": WITHOUT_SESSION, "relay_events": RELAYED, "send_callback": DELIVERED}
    tables |= {"operator_api": COMMANDED, "merchant_portal": WITHOUT_PORTAL_SESSION}
    names = {f"{function}/{name}" for function, table in tables.items() for name in table}
    names |= {*CODES, "render_receipt/upload", "send_push/late", "send_push/unreadable"}
    swept = ("expire_drafts", "assign_sells", "send_callback", "pay_out")
    names |= {f"{name}/every_minute" for name in swept}
    names |= {"seal_books/every_minutes", "seal_books/every_day"}
    assert names == set(NAMES)
