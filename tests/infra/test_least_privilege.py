"""Nothing in a role is idle: without any one action, a request that needs it fails.

That nothing is missing, every other test on the deployed stack shows. Each statement of the roles
allows one action, so that taking out a statement takes out an action.
"""

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from typing import Any

import httpx
import pytest

from events.samples import sample
from orderdesk.domain.callbacks.events import CallbackEvent
from orderdesk.domain.modes import Mode
from orderdesk.domain.receipts.places import refusal_key
from tests.infra.roles import FUNCTIONS, NOT_PROBED, statements, without
from tests.support.deliveries import EVENT, keep_delivery
from tests.support.identities import identity, submit_identity
from tests.support.merchant_client import MerchantClient, Reply, buy, sell
from tests.support.merchant_receiver import Answer, add_callback_merchant, open_receiver
from tests.support.payer import Payer
from tests.support.receipt_samples import drawn, png
from tests.support.seed import Seed
from tests.support.stack_seed import StackSeed, assign, let_wait
from tests.support.trader import ORDER, TraderVisit, endpoints_of, push_event, push_on
from tests.support.visitors import hidden_fields
from tests.support.waiting import wait_until

type Call = Callable[[MerchantClient], Reply]
type Probe = Callable[[StackSeed], bool]
"""Sends a request that needs one action of the role; tells whether it was served."""

PLENTY_MICRO = 10**15
QUERY = "/merchant/queryOrder"


def answered(code: int, call: Call) -> Probe:
    """Make a probe of a call by a fresh merchant, served where it gets this code."""

    def probe(seed: StackSeed) -> bool:
        merchant, client = seed.add_merchant()
        seed.fund(merchant, PLENTY_MICRO)
        seed.only_trader()
        return call(client).code == code

    return probe


def each_call_counted(call: Call, code: int = 1) -> Probe:
    """Make a probe of a call by a merchant with so low a rate that each of its calls counts."""

    def probe(seed: StackSeed) -> bool:
        merchant, client = seed.add_merchant(max_rps=1)
        seed.fund(merchant, PLENTY_MICRO)
        return call(client).code == code

    return probe


def refused_after_all_shards(seed: StackSeed) -> bool:
    """Create a sell that all shards together do not cover."""
    merchant, client = seed.add_merchant(balance_shards=4)
    seed.fund(merchant, 5)
    return client.create(sell()).code == 2102


def split_balance_read(seed: StackSeed) -> bool:
    """Ask for a balance that is split."""
    merchant, client = seed.add_merchant(balance_shards=4)
    seed.fund(merchant, 5)
    return client.post("/merchant/balance", {}).code == 1


BUY_PLAYED = (
    "ReadMerchant",
    "ReadOrder",
    "MoveOrder",
    "SettleTrader",
    "SettleAccounts",
    "PostSettlement",
    "ConsumeNonce",
    "DecryptMerchantSecret",
)
SELL_PLAYED = ("QueryRotation", "UploadProof", "RenderReceipt")


def buy_played(seed: StackSeed) -> bool:
    """Lead a test buy to its end."""
    return _played(seed, buy(), "paid", "completed")


def sell_played(seed: StackSeed) -> bool:
    """Lead a test sell to its end."""
    return _played(seed, sell(), "assigned", "completed")


def buy_disputed(seed: StackSeed) -> bool:
    """Dispute a test buy as its trader."""
    return _played(seed, buy(), "paid", "disputed")


def _played(seed: StackSeed, params: dict[str, Any], *way: str) -> bool:
    seed.clear_rotation()
    seed.add_trader(mode=Mode.TEST)
    merchant, client = seed.add_merchant()
    seed.fund(merchant, PLENTY_MICRO, Mode.TEST)
    number = client.create(params, route="test").data["order_no"]
    asked = [{"order_no": number, "to": to} for to in way]
    return all(client.post("/test/advanceOrder", each).code == 1 for each in asked)


def callbacks_listed(seed: StackSeed) -> bool:
    """List a merchant's callbacks: its one is there."""
    merchant, client = seed.add_merchant()
    kept = keep_delivery(seed, merchant)
    found = client.post("/merchant/listCallbacks", {})
    return found.code == 1 and found.data["callbacks"][0]["webhook_id"] == kept.event.webhook_id


def callbacks_of_order_listed(seed: StackSeed) -> bool:
    """List the callbacks of an order."""
    merchant, client = seed.add_merchant()
    seed.fund(merchant, PLENTY_MICRO)
    made = client.create(sell()).data["order_no"]
    return client.post("/merchant/listCallbacks", {"order_no": made}).code == 1


def callback_redelivered(seed: StackSeed) -> bool:
    """Send a merchant's callback again."""
    merchant, client = seed.add_merchant()
    kept = keep_delivery(seed, merchant)
    asked = {"webhook_id": kept.event.webhook_id}
    return client.post("/merchant/redeliverCallback", asked).code == 1


def sell_verified(seed: StackSeed) -> bool:
    """Create a sell under an agreement."""
    merchant, client = seed.add_merchant(identity_required=True)
    seed.fund(merchant, PLENTY_MICRO)
    return client.create(sell(**identity())).code == 1


def number_used_while_nobody_is_free(seed: StackSeed) -> bool:
    """Create with a number that is taken, with nobody free: only reading Orders tells it."""
    _, client = seed.add_merchant()
    seed.only_trader(max_open=1)
    _reserve(seed, client)
    seed.clear_rotation()
    return client.create(buy(merchant_order_no="P")).code == 2001


def _reserve(seed: Seed, client: MerchantClient) -> None:
    merchant_id = client.api_key.split("_")[1]
    key = f"number#{merchant_id}#P"
    seed.put(seed.tables.orders, {"pk": key, "kind": "reservation", "order_no": "B1"})


def open_a_page(seed: StackSeed) -> bool:
    """Open the page of an order that is not there: only reading the table tells."""
    url = f"{seed.stack.base_url}/pay/B202601010000000000000001/{'t' * 43}"
    page = httpx.get(url, timeout=None)
    return page.status_code == httpx.codes.NOT_FOUND


def pay_page_opened(seed: StackSeed) -> bool:
    """Open the page of an order: it names the merchant."""
    seed.only_trader()
    _, client = seed.add_merchant(display_name="A shop")
    page = Payer.of_link(seed, client.create(buy()).data["pay_url"]).get()
    return bool(page["statusCode"] == httpx.codes.OK and "A shop" in page["body"])


def move_made(move: str) -> Probe:
    """Make a probe of a payer's move on a fresh order."""

    def probe(seed: StackSeed) -> bool:
        seed.only_trader()
        _, client = seed.add_merchant()
        payer = Payer.of_link(seed, client.create(buy()).data["pay_url"])
        return bool(payer.post(f"/{move}")["statusCode"] == httpx.codes.SEE_OTHER)

    return probe


def receipt_kept(seed: StackSeed) -> bool:
    """Send a receipt and come back with it: offered, drawn, kept."""
    seed.only_trader()
    _, client = seed.add_merchant()
    created = client.create(buy()).data
    answer = Payer.of_link(seed, created["pay_url"]).upload(png())
    order = client.query(order_no=created["order_no"]).data
    return bool(answer["statusCode"] == httpx.codes.SEE_OTHER and order["status"] == "paid")


def receipt_seen(seed: StackSeed) -> bool:
    """Look at a receipt that was sent."""
    seed.only_trader()
    _, client = seed.add_merchant()
    payer = Payer.of_link(seed, client.create(buy()).data["pay_url"])
    payer.upload(png())
    shown = payer.receipt("1")
    return httpx.get(shown["headers"]["location"], timeout=None).status_code == httpx.codes.OK


def identity_submitted(mobile: str, status: str) -> Probe:
    """Make a probe of an identity submit that leads its draft to a status."""

    def probe(seed: StackSeed) -> bool:
        seed.only_trader()
        _, client = seed.add_merchant(identity_required=True)
        held = client.create(buy(merchant_order_no="P")).data
        submit_identity(held["identity_url"], mobile)
        return bool(client.query(pending_no=held["pending_no"]).data["status"] == status)

    return probe


def open_identity_page(seed: StackSeed) -> bool:
    """Open the page of a draft that is not there: only reading the table tells."""
    url = f"{seed.stack.base_url}/identity/D202601010000000000000001/{'t' * 43}"
    page = httpx.get(url, timeout=None)
    return page.status_code == httpx.codes.NOT_FOUND


def swept_order(seed: StackSeed) -> bool:
    """Let an order run out and sweep: its trader is released."""
    trader = seed.only_trader()
    _, client = seed.add_merchant()
    key = {"pk": client.create(buy()).data["order_no"]}
    order = seed.get(seed.tables.orders, key) or {}
    seed.put(seed.tables.orders, {**order, "due_time": 1, "expire_time": 1})
    _sweep(seed)
    return seed.trader(trader.trader_id).open_orders == 0


def swept_draft(seed: StackSeed) -> bool:
    """Let a draft run out and sweep: its number is free again."""
    seed.only_trader()
    _, client = seed.add_merchant(identity_required=True)
    held = client.create(buy(merchant_order_no="P")).data
    draft = seed.get(seed.tables.orders, {"pk": held["pending_no"]}) or {}
    seed.put(seed.tables.orders, {**draft, "due_time": 1, "expire_time": 1})
    _sweep(seed)
    return client.query(merchant_order_no="P").code == 2002


def _sweep(seed: StackSeed) -> None:
    name = seed.stack.outputs["ExpireDraftsFunctionName"]
    seed.stack.client("lambda").invoke(FunctionName=name)


def desk_of(seed: StackSeed) -> TraderVisit:
    """Log a trader in who is alone in the rotation."""
    seed.clear_rotation()
    return TraderVisit.of_new_trader(seed)


def logged_in_and_out(seed: StackSeed) -> bool:
    """Log in, put oneself on duty, log out: the session is over."""
    try:
        desk = desk_of(seed)
    except AssertionError:
        return False
    duty = desk.post("/trader/offline")["statusCode"]
    out = desk.post("/trader/logout")["statusCode"]
    again = desk.get("/trader/orders")["statusCode"]
    return (duty, out, again) == (httpx.codes.SEE_OTHER,) * 3


def desk_page(path: str) -> Probe:
    """Make a probe of a page of the desk."""

    def probe(seed: StackSeed) -> bool:
        return bool(desk_of(seed).get(path)["statusCode"] == httpx.codes.OK)

    return probe


def limits_set(seed: StackSeed) -> bool:
    """Set a limit of one's own, which is written with its audit entry."""
    desk = desk_of(seed)
    version = hidden_fields(desk.get("/trader/settings")["body"])["version"]
    form = {"version": version, "max_open": "3"}
    return bool(
        desk.post("/trader/settings/limits", form=form)["statusCode"] == httpx.codes.SEE_OTHER
    )


def buy_confirmed(seed: StackSeed) -> bool:
    """Confirm a buy: order, balances, postings."""
    desk = desk_of(seed)
    _, client = seed.add_merchant()
    number = client.create(buy()).data["order_no"]
    return desk.move(number, "confirm") == httpx.codes.SEE_OTHER


def buy_reported(seed: StackSeed) -> bool:
    """Report a paid buy: nothing of the trader changes, its suspension is checked."""
    desk = desk_of(seed)
    _, client = seed.add_merchant()
    made = client.create(buy()).data
    Payer.of_link(seed, made["pay_url"]).post("/paid")
    return desk.move(made["order_no"], "report") == httpx.codes.SEE_OTHER


def sell_proven(seed: StackSeed) -> bool:
    """Upload the proof of a sell's payment: offered, drawn, kept."""
    desk = desk_of(seed)
    number = waiting_sell(seed)
    assign(seed, number)
    return bool(desk.upload(number, png())["statusCode"] == httpx.codes.SEE_OTHER)


def picture_seen(seed: StackSeed) -> bool:
    """Look at a proof's page."""
    desk = desk_of(seed)
    number = waiting_sell(seed)
    assign(seed, number)
    desk.upload(number, png())
    shown = desk.send("GET", f"{ORDER}/receipts/{{number}}", order_no=number)
    return httpx.get(shown["headers"]["location"], timeout=None).status_code == httpx.codes.OK


def file_drawn(seed: StackSeed) -> bool:
    """Draw a file that was uploaded."""
    picture = drawn("PNG", width=40 + secrets.randbelow(999))
    return "key" in _rendered(seed, _uploaded(seed, picture))


def refusal_remembered(seed: StackSeed) -> bool:
    """Refuse a file that cannot be drawn, and remember that."""
    key = _uploaded(seed, png(20, 20)[:-30])
    return _rendered(seed, key) == _rendered(seed, key) == {"problem": "damaged"}


def refusal_recalled(seed: StackSeed) -> bool:
    """Refuse a file that could be drawn, because a refusal of it is remembered."""
    key = _uploaded(seed, png())
    client, bucket = seed.stack.client("s3"), seed.stack.outputs["UploadsBucketName"]
    refusal = refusal_key(key, sha256(png()).hexdigest()[:32])
    client.put_object(Bucket=bucket, Key=refusal, Body=b"too_complex")
    return _rendered(seed, key) == {"problem": "too_complex"}


def _uploaded(seed: StackSeed, content: bytes) -> str:
    key = f"uploads/B{secrets.randbelow(10**9)}/payer/1"
    bucket = seed.stack.outputs["UploadsBucketName"]
    seed.stack.client("s3").put_object(Bucket=bucket, Key=key, Body=content)
    return key


def _rendered(seed: StackSeed, key: str) -> dict[str, Any]:
    answer = seed.stack.client("lambda").invoke(
        FunctionName=seed.stack.outputs["RenderReceiptFunctionName"],
        Payload=json.dumps({"upload": key}),
    )
    return dict(json.load(answer["Payload"]))


def sell_assigned(seed: StackSeed) -> bool:
    """Offer a sell to the only trader."""
    seed.only_trader()
    number = waiting_sell(seed)
    let_wait(seed, number)
    seed.assign_sells()
    return (seed.get(seed.tables.orders, {"pk": number}) or {})["status"] == "assigned"


def waiting_sell(seed: StackSeed) -> str:
    """Have a merchant create a sell."""
    merchant, client = seed.add_merchant()
    seed.fund(merchant, PLENTY_MICRO)
    return str(client.create(sell()).data["order_no"])


def relayed(name: str) -> Probe:
    """Make a probe of a record of the stream, as the event source hands it over."""

    def probe(seed: StackSeed) -> bool:
        answer = seed.stack.client("lambda").invoke(
            FunctionName=seed.stack.outputs["RelayEventsFunctionName"],
            Payload=json.dumps(sample(f"relay_events/{name}")),
        )
        return "FunctionError" not in answer

    return probe


def delivered(seed: StackSeed) -> bool:
    """Deliver a callback to a merchant: its record, its target, its secret."""
    with open_receiver() as shop:
        merchant, _, secret = add_callback_merchant(seed, shop.url("/"))
        if _sent(seed, merchant_id=merchant.merchant_id):
            return bool(shop.wait_for("/")[0].verified(secret))
    return False


def put_off(seed: StackSeed) -> bool:
    """Fail a callback's first attempt: it comes back after seconds, not after three minutes."""
    with open_receiver() as shop:
        shop.url("/", Answer(500), Answer(410))
        merchant, _, _ = add_callback_merchant(seed, shop.origin)
        event = _fresh(merchant_id=merchant.merchant_id)
        seed.stack.client("sqs").send_message(
            QueueUrl=seed.stack.outputs["CallbacksQueueUrl"], MessageBody=event.to_json()
        )
        try:
            shop.wait_for("/", 2, seconds=60)
        except AssertionError:
            return False
    return True


def buried(seed: StackSeed) -> bool:
    """Visit a message that nobody can read: it goes to the dead letters."""
    return _visited(seed, "no event")


def _sent(seed: StackSeed, **changes: str) -> bool:
    return _visited(seed, _fresh(**changes).to_json())


def _fresh(**changes: str) -> CallbackEvent:
    return replace(EVENT, webhook_id=f"msg_{secrets.token_hex(8)}", **changes)  # type: ignore[arg-type]


def _visited(seed: StackSeed, text: str) -> bool:
    """Hand a message to the function, as the event source does; tell whether it is done."""
    event = sample("send_callback/unreadable")
    event["Records"][0]["body"] = text
    answer = seed.stack.client("lambda").invoke(
        FunctionName=seed.stack.outputs["SendCallbackFunctionName"], Payload=json.dumps(event)
    )
    return bool(json.load(answer["Payload"]) == {"batchItemFailures": []})


def push_relayed(seed: StackSeed) -> bool:
    """Create a buy: its trader's device is put on the queue of pushes."""
    with open_receiver() as service:
        desk = desk_of(seed)
        push_on(desk, service.url("/device", Answer(201)))
        begin = len(_log(seed, "RelayEvents"))
        desk.buy()
        counted = _first_counted(seed, "RelayEvents", begin, "pushes_relayed", "pushes_lost")
        return counted == "pushes_relayed"


def push_put_off(seed: StackSeed) -> bool:
    """Wake a device whose push service is busy at first: soon it is asked again."""
    with open_receiver() as service:
        desk = desk_of(seed)
        endpoint = service.url("/device", Answer(503), Answer(201))
        push_on(desk, endpoint)
        (record,) = push_event(desk, endpoint, _in_an_hour())["Records"]
        begin = len(_log(seed, "SendPush"))
        seed.stack.client("sqs").send_message(
            QueueUrl=seed.stack.outputs["PushesQueueUrl"], MessageBody=record["body"]
        )
        counted = _first_counted(seed, "SendPush", begin, "pushes_retried", "pushes_left")
        if counted == "pushes_left":
            return False
        service.wait_for("/device", 2)
        return True


def _log(seed: StackSeed, function: str) -> list[str]:
    return seed.stack.function_logs(seed.stack.outputs[f"{function}FunctionName"])


def _first_counted(seed: StackSeed, function: str, begin: int, *metrics: str) -> str:
    """Wait until a function has counted one of some metrics, from line `begin` of its log on.

    Under load the emulator gives a run's lines only with those of the next run: so it runs on
    nothing before each look.
    """
    name = seed.stack.outputs[f"{function}FunctionName"]

    def counted() -> list[str]:
        seed.stack.client("lambda").invoke(FunctionName=name, Payload=b'{"Records": []}')
        log = "".join(_log(seed, function)[begin:])
        return [metric for metric in metrics if f'"{metric}":[1.0]' in log]

    return wait_until(counted)[0]


def woken(seed: StackSeed) -> bool:
    """Wake a device."""
    return _woken(seed, Answer(201)) == (1, 1)


def forgotten(seed: StackSeed) -> bool:
    """Wake a device that is gone: it is forgotten."""
    return _woken(seed, Answer(410)) == (1, 0)


def _woken(seed: StackSeed, answer: Answer) -> tuple[int, int]:
    """Hand a push over, as the event source does; count what came, and what devices are left."""
    with open_receiver() as service:
        desk = desk_of(seed)
        endpoint = service.url("/device", answer)
        push_on(desk, endpoint)
        seed.stack.client("lambda").invoke(
            FunctionName=seed.stack.outputs["SendPushFunctionName"],
            Payload=json.dumps(push_event(desk, endpoint, _in_an_hour())),
        )
        return len(service.of("/device")), len(endpoints_of(desk))


def _in_an_hour() -> int:
    return int(time.time()) + 3600


def push_key_seen(seed: StackSeed) -> bool:
    """Ask for the key that a browser subscribes with."""
    return bool(desk_of(seed).get("/trader/push")["statusCode"] == httpx.codes.OK)


PASSES, FAILS = "13800000001", "13800000000"
completes = identity_submitted(PASSES, "completed")
locks = identity_submitted(FAILS, "locked")

PROBES: dict[tuple[str, str], Probe] = {
    ("CreateOrder", "ReadMerchant"): answered(1101, lambda c: c.create(buy(api_key="mk_a_b"))),
    ("CreateOrder", "DecryptMerchantSecret"): answered(1, lambda c: c.create(sell())),
    ("CreateOrder", "QueryRotation"): answered(1, lambda c: c.create(buy())),
    ("CreateOrder", "ClaimTrader"): answered(1, lambda c: c.create(buy())),
    ("CreateOrder", "StoreOrder"): answered(1, lambda c: c.create(sell())),
    ("CreateOrder", "CountOpenBuy"): answered(1, lambda c: c.create(buy())),
    ("CreateOrder", "HoldBalance"): answered(1, lambda c: c.create(sell())),
    ("CreateOrder", "ReadShards"): refused_after_all_shards,
    ("CreateOrder", "ReadShardsAtOnce"): refused_after_all_shards,
    ("CreateOrder", "ConsumeNonce"): answered(1002, lambda c: c.create({})),
    ("CreateOrder", "CountCalls"): each_call_counted(lambda c: c.create(sell())),
    ("CreateOrder", "HashIdentity"): sell_verified,
    ("CreateOrder", "ReadOrder"): number_used_while_nobody_is_free,
    ("MerchantApi", "ReadMerchant"): answered(1101, lambda c: c.post(QUERY, {"api_key": "mk_a_b"})),
    ("MerchantApi", "DecryptMerchantSecret"): answered(2002, lambda c: c.query(order_no="B")),
    ("MerchantApi", "ConsumeNonce"): answered(2002, lambda c: c.query(order_no="B")),
    ("MerchantApi", "CountCalls"): each_call_counted(lambda c: c.post("/merchant/balance", {})),
    ("MerchantApi", "ReadOrder"): answered(2002, lambda c: c.query(merchant_order_no="none")),
    ("MerchantApi", "ListOrders"): answered(1, lambda c: c.post("/merchant/listOrders", {})),
    ("MerchantApi", "ReadBalance"): answered(1, lambda c: c.post("/merchant/balance", {})),
    ("MerchantApi", "ReadShards"): split_balance_read,
    ("MerchantApi", "ReadStatement"): answered(1, lambda c: c.post("/merchant/statement", {})),
    ("MerchantApi", "FindCallbacks"): callbacks_listed,
    ("MerchantApi", "FindCallbacksOfOrder"): callbacks_of_order_listed,
    ("MerchantApi", "ReadCallbacks"): callbacks_listed,
    ("MerchantApi", "ReadCallback"): callback_redelivered,
    ("MerchantApi", "StartCallbackAgain"): callback_redelivered,
    ("MerchantApi", "SendCallback"): callback_redelivered,
    ("MerchantApi", "MoveOrder"): answered(1, lambda c: c.cancel(c.create(sell()))),
    ("MerchantApi", "ReleaseHold"): answered(1, lambda c: c.cancel(c.create(sell()))),
    ("MerchantApi", "ReleaseTrader"): answered(1, lambda c: c.cancel(c.create(buy()))),
    **{("AdvanceTestOrder", sid): buy_played for sid in BUY_PLAYED},
    **{("AdvanceTestOrder", sid): sell_played for sid in SELL_PLAYED},
    ("AdvanceTestOrder", "CountCalls"): each_call_counted(
        lambda c: c.post("/test/advanceOrder", {"to": "paid", "order_no": "B1"}), code=2002
    ),
    ("AdvanceTestOrder", "CheckTrader"): buy_disputed,
    ("PayPage", "ReadMerchant"): pay_page_opened,
    ("PayPage", "ReadOrder"): open_a_page,
    ("PayPage", "MoveOrder"): move_made("paid"),
    ("PayPage", "ReleaseTrader"): move_made("cancel"),
    ("PayPage", "CountAttempts"): move_made("paid"),
    ("PayPage", "OfferUpload"): receipt_kept,
    ("PayPage", "RenderReceipt"): receipt_kept,
    ("PayPage", "ShowPicture"): receipt_seen,
    ("IdentityPage", "ReadDraft"): open_identity_page,
    ("IdentityPage", "ReadMerchant"): completes,
    ("IdentityPage", "QueryRotation"): completes,
    ("IdentityPage", "ClaimTrader"): completes,
    ("IdentityPage", "MoveDraft"): completes,
    ("IdentityPage", "StoreOrder"): completes,
    ("IdentityPage", "DecryptMerchantSecret"): completes,
    ("IdentityPage", "CountAttempts"): completes,
    ("IdentityPage", "HashIdentity"): completes,
    ("IdentityPage", "FreeNumber"): locks,
    ("TraderDesk", "FindAccessCode"): logged_in_and_out,
    ("TraderDesk", "OpenSession"): logged_in_and_out,
    ("TraderDesk", "EndSession"): logged_in_and_out,
    ("TraderDesk", "ReadGuards"): logged_in_and_out,
    ("TraderDesk", "CountAttempts"): logged_in_and_out,
    ("TraderDesk", "ReadTrader"): logged_in_and_out,
    ("TraderDesk", "SettleTrader"): buy_confirmed,
    ("TraderDesk", "CheckTrader"): buy_reported,
    ("TraderDesk", "SettleAccounts"): buy_confirmed,
    ("TraderDesk", "PostSettlement"): buy_confirmed,
    ("TraderDesk", "ReadOrder"): buy_confirmed,
    ("TraderDesk", "MoveOrder"): buy_confirmed,
    ("TraderDesk", "ListOrders"): desk_page("/trader/orders"),
    ("TraderDesk", "ReadStatement"): desk_page("/trader/balance"),
    ("TraderDesk", "AppendToAudit"): limits_set,
    ("TraderDesk", "OfferUpload"): sell_proven,
    ("TraderDesk", "RenderReceipt"): sell_proven,
    ("TraderDesk", "ShowPicture"): picture_seen,
    ("TraderDesk", "ShowPushKey"): push_key_seen,
    ("RenderReceipt", "ReadUpload"): file_drawn,
    ("RenderReceipt", "KeepOriginal"): file_drawn,
    ("RenderReceipt", "KeepPictures"): file_drawn,
    ("RenderReceipt", "KeepRefusal"): refusal_remembered,
    ("RenderReceipt", "ReadRefusal"): refusal_recalled,
    ("AssignSells", "FindWaiting"): sell_assigned,
    ("AssignSells", "QueryRotation"): sell_assigned,
    ("AssignSells", "ReadOrders"): sell_assigned,
    ("AssignSells", "MoveOrder"): sell_assigned,
    ("AssignSells", "ClaimTrader"): sell_assigned,
    ("RelayEvents", "SendCallback"): relayed("order_paid"),
    ("RelayEvents", "SetAside"): relayed("unreadable"),
    ("RelayEvents", "FindDevices"): push_relayed,
    ("RelayEvents", "SendPush"): push_relayed,
    ("SendPush", "ReadDevices"): woken,
    ("SendPush", "ReadTrader"): woken,
    ("SendPush", "SignToken"): woken,
    ("SendPush", "ShowPushKey"): woken,
    ("SendPush", "PutPushOff"): push_put_off,
    ("SendPush", "ForgetDevice"): forgotten,
    ("SendCallback", "PutCallbackOff"): put_off,
    ("SendCallback", "BuryCallback"): buried,
    ("SendCallback", "ReadDelivery"): delivered,
    ("SendCallback", "WriteDelivery"): delivered,
    ("SendCallback", "TakeLane"): delivered,
    ("SendCallback", "ReadMerchant"): delivered,
    ("SendCallback", "DecryptCallbackSecret"): delivered,
    ("ExpireDrafts", "FindDue"): swept_order,
    ("ExpireDrafts", "ReadOrder"): swept_order,
    ("ExpireDrafts", "MoveOrder"): swept_order,
    ("ExpireDrafts", "ReleaseTrader"): swept_order,
    ("ExpireDrafts", "FreeNumber"): swept_draft,
}


@pytest.mark.parametrize(("function", "sid"), sorted(PROBES))
def test_without(stack_seed: StackSeed, function: str, sid: str) -> None:
    probe, stack = PROBES[function, sid], stack_seed.stack
    assert probe(stack_seed), "fails even with the whole role"
    with without(stack, function, sid):
        assert not probe(stack_seed), "served without the action: it is idle, or the probe is"
    assert probe(stack_seed)


def test_every_action_has_a_probe(stack_seed: StackSeed) -> None:
    there = [
        (function, statement)
        for function in FUNCTIONS
        for statement in statements(stack_seed.stack, function)
        if statement["Sid"] not in NOT_PROBED
    ]
    assert all(isinstance(statement["Action"], str) for _, statement in there)
    assert {(function, statement["Sid"]) for function, statement in there} == PROBES.keys()
