"""Every action of a role is needed: without it, a request fails.

The other tests on the deployed stack show that no action is missing. Each statement of the roles
allows one action, so that removing a statement removes an action.
"""

import json
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from events.samples import sample
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.seals import SealFiles, SealVault, object_key
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.accounts import WINDOW_SECONDS, Account, AccountKind
from orderdesk.domain.callbacks.endpoints import FAILURES_TO_PAUSE, Endpoint, EndpointId
from orderdesk.domain.callbacks.events import CallbackEvent
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.ledger.sealing import Sealed
from orderdesk.domain.ledger.seals import Seal, day_end
from orderdesk.domain.modes import Mode
from orderdesk.domain.proposals import LIFE_SECONDS, Proposal, ProposalStatus
from orderdesk.domain.times import SECONDS_PER_DAY
from orderdesk.services.ledger.seal import seal_next
from orderdesk.services.operator.actions import Operator
from tests.infra import operator_probes, portal_probes
from tests.infra.roles import FUNCTIONS, NOT_PROBED, statements, without
from tests.support.commands import moving
from tests.support.deliveries import EVENT, keep_delivery, recorded
from tests.support.identities import identity, submit_identity
from tests.support.merchant_client import MerchantClient, Reply, buy, sell
from tests.support.merchant_receiver import Answer, add_callback_merchant, open_receiver
from tests.support.money_world import TESTER, MoneyWorld, operator_ports
from tests.support.payer import Payer
from tests.support.receipt_samples import drawn, png
from tests.support.requesting import Person
from tests.support.sealing import Sealer
from tests.support.seed import WECHAT_METHOD, Seed
from tests.support.stack_seed import StackSeed, assign, let_wait
from tests.support.trader import ORDER, TraderVisit, endpoints_of, push_event, push_off, push_on
from tests.support.visitors import hidden_fields
from tests.support.waiting import wait_until

type Call = Callable[[MerchantClient], Reply]
type Probe = Callable[[StackSeed], object]
"""Sends requests that need actions of the role; returns False or raises if one is refused."""

PLENTY_MICRO = 10**15
SEAL_ENDS = count()
ROUNDS_MAX = 5
PROPOSER = replace(TESTER, alone=False)
QUERY = "/merchant/queryOrder"


def answered(code: int, call: Call) -> Probe:
    """Return a probe of a call by a new merchant, which succeeds with this code."""

    def probe(seed: StackSeed) -> bool:
        merchant, client = seed.add_merchant()
        seed.fund(merchant, PLENTY_MICRO)
        seed.only_trader()
        return call(client).code == code

    return probe


def each_call_counted(call: Call, code: int = 1) -> Probe:
    """Return a probe of a call by a merchant whose low rate makes each call count."""

    def probe(seed: StackSeed) -> bool:
        merchant, client = seed.add_merchant(max_rps=1)
        seed.fund(merchant, PLENTY_MICRO)
        return call(client).code == code

    return probe


def refused_after_all_shards(seed: StackSeed) -> bool:
    """Create a sell that exceeds the sum of all shards."""
    merchant, client = seed.add_merchant(balance_shards=4)
    seed.fund(merchant, 5)
    return client.create(sell()).code == 2102


def split_balance_read(seed: StackSeed) -> bool:
    """Request a sharded balance."""
    merchant, client = seed.add_merchant(balance_shards=4)
    seed.fund(merchant, 5)
    return client.post("/merchant/balance", {}).code == 1


def buy_played(seed: StackSeed) -> bool:
    """Complete a test buy."""
    return _played(seed, buy(), "paid", "completed")


def sell_played(seed: StackSeed) -> bool:
    """Complete a test sell."""
    return _played(seed, sell(), "assigned", "completed")


def buy_disputed(seed: StackSeed) -> bool:
    """Dispute a test buy as its trader."""
    return _played(seed, buy(), "paid", "disputed")


def buy_cancelled(seed: StackSeed) -> bool:
    """Cancel a test buy, which reserves its amount, and dispute it, which reads its trader."""
    return _played(seed, buy(), "cancelled", "disputed", unique_amounts=True)


def _played(seed: StackSeed, params: dict[str, Any], *way: str, **trader: bool) -> bool:
    seed.clear_rotation()
    seed.add_trader(mode=Mode.TEST, **trader)
    merchant, client = seed.add_merchant()
    seed.fund(merchant, PLENTY_MICRO, Mode.TEST)
    number = client.create(params, route="test").data["order_no"]
    asked = [{"order_no": number, "to": to} for to in way]
    return all(client.post("/test/advanceOrder", each).code == 1 for each in asked)


def callbacks_listed_and_redelivered(seed: StackSeed) -> bool:
    """List a merchant's callbacks and those of an order; find its only one, and redeliver it."""
    merchant, client = seed.add_merchant()
    seed.fund(merchant, PLENTY_MICRO)
    webhook_id = keep_delivery(seed, merchant).event.webhook_id
    found = client.post("/merchant/listCallbacks", {}).data["callbacks"]
    made = client.create(sell()).data["order_no"]
    assert client.post("/merchant/listCallbacks", {"order_no": made}).code == 1
    again = client.post("/merchant/redeliverCallback", {"webhook_id": webhook_id})
    return (found[0]["webhook_id"], again.code) == (webhook_id, 1)


def sell_verified(seed: StackSeed) -> bool:
    """Create a sell under an agreement."""
    merchant, client = seed.add_merchant(identity_required=True)
    seed.fund(merchant, PLENTY_MICRO)
    return client.create(sell(**identity())).code == 1


def number_used_while_nobody_is_free(seed: StackSeed) -> bool:
    """Reuse a number while no trader is free: only a read of Orders detects it."""
    _, client = seed.add_merchant()
    seed.only_trader(max_open=1)
    _reserve(seed, client)
    seed.clear_rotation()
    return client.create(buy(merchant_order_no="P")).code == 2001


def _reserve(seed: Seed, client: MerchantClient) -> None:
    merchant_id = client.api_key.split("_")[-2]
    key = f"number#{merchant_id}#P"
    seed.put(seed.tables.orders, {"pk": key, "kind": "reservation", "order_no": "B1"})


def unknown(path: str) -> Probe:
    """Return a probe that opens the page of an unknown number: only a read returns 404."""

    def probe(seed: StackSeed) -> bool:
        page = httpx.get(f"{seed.stack.base_url}/{path}/{'t' * 43}", timeout=None)
        return page.status_code == httpx.codes.NOT_FOUND

    return probe


def pay_page_opened(seed: StackSeed) -> bool:
    """Open the page of an order, which shows the merchant's name."""
    seed.only_trader()
    _, client = seed.add_merchant(display_name="A shop")
    page = Payer.of_link(seed, client.create(buy()).data["pay_url"]).get()
    return bool(page["statusCode"] == httpx.codes.OK and "A shop" in page["body"])


def amount_taken(seed: StackSeed) -> bool:
    """Create a buy of an amount that the only trader has open: near amounts are looked up."""
    seed.only_trader(unique_amounts=True)
    _, client = seed.add_merchant()
    client.create(buy())
    return client.create(buy()).code == 2101


def amount_reserved(seed: StackSeed) -> bool:
    """Cancel a buy, which reserves its amount."""
    seed.only_trader(unique_amounts=True)
    _, client = seed.add_merchant()
    return client.cancel(client.create(buy())).code == 1


def amount_taken_meanwhile(seed: StackSeed) -> bool:
    """Verify a draft whose amount another buy took: it stays held."""
    seed.only_trader(unique_amounts=True)
    _, client = seed.add_merchant(identity_required=True)
    _, other = seed.add_merchant()
    held = client.create(buy()).data
    other.create(buy())
    return submit_identity(held["identity_url"]).status_code < 500


def move_made(move: str, **trader: bool) -> Probe:
    """Return a probe of a payer's action on a new order of such a trader."""

    def probe(seed: StackSeed) -> bool:
        seed.only_trader(**trader)
        _, client = seed.add_merchant()
        payer = Payer.of_link(seed, client.create(buy()).data["pay_url"])
        return bool(payer.post(f"/{move}")["statusCode"] == httpx.codes.SEE_OTHER)

    return probe


def receipt_kept_and_seen(seed: StackSeed) -> bool:
    """Upload a receipt, which reports the payment, and open its picture."""
    seed.only_trader()
    _, client = seed.add_merchant()
    payer = Payer.of_link(seed, client.create(buy()).data["pay_url"])
    answer = payer.upload(png())
    assert (answer["statusCode"], payer.order()["status"]) == (httpx.codes.SEE_OTHER, "paid")
    shown = payer.receipt("1")
    return httpx.get(shown["headers"]["location"], timeout=None).status_code == httpx.codes.OK


def note_seen(seed: StackSeed) -> bool:
    """Open the trader's picture in a dispute on the pay page."""
    desk = desk_of(seed)
    _, client = seed.add_merchant()
    payer = Payer.of_link(seed, client.create(buy()).data["pay_url"])
    payer.post("/paid")
    desk.move(payer.order_no, "report")
    desk.upload(payer.order_no, png())
    shown = payer.note("2")
    return httpx.get(shown["headers"]["location"], timeout=None).status_code == httpx.codes.OK


def sum_agreed(seed: StackSeed) -> bool:
    """Report another sum at the desk, and agree to it on the pay page."""
    desk = desk_of(seed)
    _, client = seed.add_merchant(other_sums="agreed:10")
    payer = Payer.of_link(seed, client.create(buy()).data["pay_url"])
    reported = desk.post(f"{ORDER}/sum", payer.order_no, form={"amount": "950"})
    agreed = payer.post("/agree")
    statuses = {reported["statusCode"], agreed["statusCode"]}
    return statuses == {httpx.codes.SEE_OTHER} and payer.order()["status"] == "completed"


def code_seen(seed: StackSeed) -> bool:
    """Get the picture of a buy's payment code, at the address that createOrder returns."""
    seed.only_trader(methods=(WECHAT_METHOD,))
    _, client = seed.add_merchant()
    made = client.create(buy(method_type="wechat")).data
    address = made["payment_method"]["qr_code"]
    answer = httpx.get(address, timeout=None, follow_redirects=True)
    return answer.status_code == httpx.codes.OK


def completes(seed: StackSeed) -> bool:
    """Submit an identity form, which completes its draft."""
    seed.only_trader()
    _, client = seed.add_merchant(identity_required=True)
    held = client.create(buy(merchant_order_no="P")).data
    submit_identity(held["identity_url"])
    return bool(client.query(pending_no=held["pending_no"]).data["status"] == "completed")


def swept_order(seed: StackSeed) -> bool:
    """Expire an order by a sweep, which releases its trader and reserves its amount."""
    trader = seed.only_trader(unique_amounts=True)
    _, client = seed.add_merchant()
    key = {"pk": client.create(buy()).data["order_no"]}
    order = seed.get(seed.tables.orders, key) or {}
    seed.put(seed.tables.orders, {**order, "due_time": 1, "expire_time": 1})
    _sweep(seed)
    return seed.trader(trader.trader_id).counts.open_orders == 0


def swept_draft(seed: StackSeed) -> bool:
    """Expire a draft by a sweep, which frees its number."""
    seed.only_trader()
    merchant, client = seed.add_merchant(identity_required=True)
    held = client.create(buy(merchant_order_no="P")).data
    draft = seed.get(seed.tables.orders, {"pk": held["pending_no"]}) or {}
    seed.put(seed.tables.orders, {**draft, "due_time": 1, "expire_time": 1})
    _sweep(seed)
    number = seed.get(seed.tables.orders, {"pk": Key.number(merchant.merchant_id, "P")}) or {}
    return bool(number["expire_time"] == 0)


def swept_proposal(seed: StackSeed) -> bool:
    """Expire a withdrawal's proposal by a sweep, which releases its hold."""
    merchant, _ = seed.add_merchant()
    seed.fund(merchant, PLENTY_MICRO)
    long_ago_us = (int(time.time()) - LIFE_SECONDS - 60) * 10**6
    operator = Operator(PROPOSER, SystemChance(), lambda: long_ago_us, lambda _: None)
    ports = operator_ports(seed, operator)
    account = Account(AccountKind.MERCHANT, merchant.merchant_id, Mode.LIVE)
    proposal = moving("withdraw", account, 1).run(ports, operator)
    assert isinstance(proposal, Proposal)
    _sweep(seed)
    stored = ports.proposals.proposal(proposal.proposal_no)
    return stored is not None and stored.status is ProposalStatus.EXPIRED


def _sweep(seed: StackSeed) -> None:
    name = seed.stack.outputs["ExpireDraftsFunctionName"]
    seed.stack.client("lambda").invoke(FunctionName=name)


def settled_order_listed(seed: StackSeed) -> bool:
    """List a posting that has an order."""
    merchant, client = seed.add_merchant()
    row: Item = {"kind": "settlement", "amount_micro": 1, "memo": "", "order_no": ORDER}
    place: Item = {"pk": f"merchant:{merchant.merchant_id}:live", "sk": Key.posting(1, "x")}
    seed.put(seed.tables.ledger, place | row | {"at_us": 1, "transfer_id": "x"})
    is_listed = client.post("/merchant/statement", {}).code == 1
    # It has no other side, which the books of other tests on this stack would find.
    key = to_item({"pk": place["pk"], "sk": place["sk"]})
    seed.client.delete_item(TableName=seed.tables.ledger, Key=key)
    return is_listed


def books_sealed(seed: StackSeed) -> bool:
    """Seal yesterday here, then today's seals with the function: the first of them ends a day.

    The schedule's runs seal too. If one came between, everything is done again, with a seal of
    another end, because AWS takes a repeated transaction for the first one.
    """
    assert buy_disputed(seed)  # an order and a trader for each seal to read
    functions, name = seed.stack.client("lambda"), seed.stack.outputs["SealBooksFunctionName"]
    settings = functions.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    kms: Any = SimpleNamespace(client=lambda: seed.stack.client("kms"))
    vault = SealVault(seed.stack.outputs["SealsBucketName"], settings["SEAL_KEY_ARN"])
    files = SealFiles(seed.client, seed.tables, seed.stack.client("s3"), kms, vault)
    today = day_end(int(time.time())) - SECONDS_PER_DAY
    for number in range(1, ROUNDS_MAX + 1):
        forget_seals(seed)
        sealer = Sealer(seed, lambda end=today - number * WINDOW_SECONDS: end)  # type: ignore[misc]
        with suppress(ChangedMeanwhile):
            seal_next(replace(sealer.ports, seals=files), sealer.days.save)
        if "FunctionError" in functions.invoke(FunctionName=name):
            return False
        if today in [each.name.end for each in files.newest_first(limit=100)]:
            return True
    return False


def proved_again(seed: StackSeed) -> bool:
    """Prove what is sealed again; without a whole day it scans only."""
    name = seed.stack.outputs["SealBooksFunctionName"]
    invoked = seed.stack.client("lambda").invoke(FunctionName=name, Payload=b'{"again": true}')
    return "FunctionError" not in invoked


def forget_seals(seed: StackSeed) -> None:
    """Delete every seal, its file and its place."""
    s3, bucket = seed.stack.client("s3"), seed.stack.outputs["SealsBucketName"]
    for row in seed.items(seed.tables.ledger):
        if row["pk"] == "seals":
            seed.client.delete_item(
                TableName=seed.tables.ledger, Key=to_item({"pk": "seals", "sk": row["sk"]})
            )
    for file in s3.list_objects_v2(Bucket=bucket).get("Contents", []):
        s3.delete_object(Bucket=bucket, Key=file["Key"])  # one without its place too


def payouts_paid(seed: StackSeed) -> bool:
    """Approve a request and a trader's withdrawal, and pay them after a seal of a minute later."""
    functions, name = seed.stack.client("lambda"), seed.stack.outputs["PayOutFunctionName"]
    settings = functions.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    money = MoneyWorld(seed)
    seed.set_rates(buy_e4=72360, sell_e4=71640)  # its own are of a later time
    money.now = int(time.time())
    trader = money.withdrawn_account(AccountKind.TRADER, Mode.LIVE)
    numbers = [money.propose(trader, 1, "ann").proposal_no]
    merchant, _ = seed.add_merchant()
    seed.fund(merchant, 10**9)
    request = Person(seed, merchant.merchant_id).with_rested_address().request(1)
    numbers.append(money.take_up(request.request_no, "ann").proposal_no)
    for each in numbers:
        money.decided(each, "approve", "bob")
    s3, bucket = seed.stack.client("s3"), seed.stack.outputs["SealsBucketName"]
    kms: Any = SimpleNamespace(client=lambda: seed.stack.client("kms"))
    vault = SealVault(bucket, settings["SEAL_KEY_ARN"])
    files = SealFiles(seed.client, seed.tables, s3, kms, vault)
    # A seal of an end is stored once, and two probes can run within a second.
    end = money.now + 60 + next(SEAL_ENDS)
    seal = Seal(0, end, None, orders={}, requests={}, drifts={}, figures={})
    sealed = files.put(Sealed(seal, [], [], {}))
    try:
        answer = functions.invoke(FunctionName=name)
    finally:
        place = to_item({"pk": "seals", "sk": f"{sealed.end:010d}"})
        seed.client.delete_item(TableName=seed.tables.ledger, Key=place)
        s3.delete_object(Bucket=bucket, Key=object_key(sealed.end))
    statuses = {money.proposal(each).status for each in numbers}
    return "FunctionError" not in answer and statuses == {ProposalStatus.EXECUTED}


def desk_of(seed: StackSeed) -> TraderVisit:
    """Log in the only trader of the rotation."""
    seed.clear_rotation()
    return TraderVisit.of_new_trader(seed)


def logged_in_and_out(seed: StackSeed) -> bool:
    """Log in, go offline, log out, and find the session ended."""
    desk = desk_of(seed)
    duty = desk.post("/trader/offline")["statusCode"]
    out = desk.post("/trader/logout")["statusCode"]
    again = desk.get("/trader/orders")["statusCode"]
    return (duty, out, again) == (httpx.codes.SEE_OTHER,) * 3


def limits_set(seed: StackSeed) -> bool:
    """Set the trader's own limit, which is written with an audit entry."""
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
    """Report a paid buy, which checks the trader's suspension without changing the trader."""
    desk = desk_of(seed)
    _, client = seed.add_merchant()
    made = client.create(buy()).data
    Payer.of_link(seed, made["pay_url"]).post("/paid")
    return desk.move(made["order_no"], "report") == httpx.codes.SEE_OTHER


def sell_proven(seed: StackSeed) -> bool:
    """Upload the proof of a sell's payment, and open its picture."""
    desk = desk_of(seed)
    number = operator_probes.waiting_sell(seed)
    assign(seed, number)
    assert desk.upload(number, png())["statusCode"] == httpx.codes.SEE_OTHER
    shown = desk.send("GET", f"{ORDER}/receipts/{{number}}", order_no=number)
    return httpx.get(shown["headers"]["location"], timeout=None).status_code == httpx.codes.OK


def desk_read(seed: StackSeed) -> bool:
    """Open the pages of the desk, and the key with which a browser subscribes."""
    desk = desk_of(seed)
    pages = ("/trader/orders", "/trader/balance", "/trader/push")
    return all(desk.get(page)["statusCode"] == httpx.codes.OK for page in pages)


def file_drawn(seed: StackSeed) -> bool:
    """Render an uploaded file."""
    picture = drawn("PNG", width=40 + secrets.randbelow(999))
    return "key" in _rendered(seed, _uploaded(seed, picture))


def _uploaded(seed: StackSeed, content: bytes) -> str:
    key = f"uploads/B{secrets.randbelow(10**9)}/payer/1"
    bucket = seed.stack.outputs["UploadsBucketName"]
    seed.stack.client("s3").put_object(Bucket=bucket, Key=key, Body=content)
    return key


def _rendered(seed: StackSeed, key: str) -> dict[str, Any]:
    answer = seed.stack.client("lambda").invoke(
        FunctionName=seed.stack.outputs["RenderReceiptFunctionName"],
        Payload=json.dumps({"upload": key, "merchant_id": "m1"}),
    )
    return dict(json.load(answer["Payload"]))


def sell_assigned(seed: StackSeed) -> bool:
    """Assign a sell to the only trader."""
    seed.only_trader()
    number = operator_probes.waiting_sell(seed)
    let_wait(seed, number)
    seed.assign_sells()
    return (seed.get(seed.tables.orders, {"pk": number}) or {})["status"] == "assigned"


def relayed(name: str) -> Probe:
    """Return a probe of a stream record in the form of the event source."""

    def probe(seed: StackSeed) -> bool:
        answer = seed.stack.client("lambda").invoke(
            FunctionName=seed.stack.outputs["RelayEventsFunctionName"],
            Payload=json.dumps(sample(f"relay_events/{name}")),
        )
        return "FunctionError" not in answer

    return probe


def delivered(seed: StackSeed) -> bool:
    """Deliver a callback to a merchant and verify its signature."""
    with open_receiver() as shop:
        merchant, _, secret = add_callback_merchant(seed, shop.url("/"))
        if _sent(seed, merchant_id=merchant.merchant_id):
            return bool(shop.wait_for("/")[0].verified(secret))
    return False


def put_off(seed: StackSeed) -> bool:
    """Fail a callback's first attempt, which sends the message of the next one."""
    with open_receiver() as shop:
        merchant, _, _ = add_callback_merchant(seed, shop.url("/", Answer(500)))
        return _sent(seed, merchant_id=merchant.merchant_id)


def due_queued(seed: StackSeed) -> bool:
    """Run the sweep; return whether it read the index of each shard."""
    name = seed.stack.outputs["SendCallbackFunctionName"]
    answer = seed.stack.client("lambda").invoke(FunctionName=name, Payload=b"{}")
    return "errorMessage" not in json.load(answer["Payload"])


def endpoint_paused(seed: StackSeed) -> bool:
    """Fail the last attempt that pauses an endpoint."""
    with open_receiver() as shop:
        shop.url("/", Answer(500))
        merchant, _, _ = add_callback_merchant(seed, shop.origin)
        known = Endpoint(
            EndpointId(merchant.merchant_id, Mode.LIVE, shop.origin),
            version=1,
            failures=FAILURES_TO_PAUSE,
            webhook_ids=("1", "2", "3", "4"),
            first_ms=1,
        )
        seed.endpoints.save(known)
        _sent(seed, merchant_id=merchant.merchant_id)
        found = seed.endpoints.endpoint(known.id)
        return found is not None and found.is_paused


def endpoint_forgotten(seed: StackSeed) -> bool:
    """Deliver a callback to an endpoint that failed before."""
    with open_receiver() as shop:
        merchant, _, _ = add_callback_merchant(seed, shop.url("/"))
        place = EndpointId(merchant.merchant_id, Mode.LIVE, shop.origin)
        seed.endpoints.save(Endpoint(place, version=1, failures=1, first_ms=1))
        return _sent(seed, merchant_id=merchant.merchant_id) and (
            seed.endpoints.endpoint(place) is None
        )


def endpoint_swept(seed: StackSeed) -> bool:
    """Run the sweep; return whether it closed an endpoint that nothing has waited for."""
    merchant, _ = seed.add_merchant()
    place = EndpointId(merchant.merchant_id, Mode.LIVE, "https://paused.example")
    seed.endpoints.save(Endpoint(place, version=1, since_ms=1, probe_ms=1))
    due_queued(seed)
    after = seed.endpoints.endpoint(place)
    assert after is not None
    seed.endpoints.remove(after)
    return not after.is_paused


def moved_to_dead_letters(seed: StackSeed) -> bool:
    """Handle an unreadable message, which moves to the dead-letter queue."""
    is_handled = _visited(seed, "no event")
    queue = seed.stack.outputs["CallbacksDeadLetterQueueUrl"]
    seed.stack.client("sqs").purge_queue(QueueUrl=queue)  # other tests read what is there
    return is_handled


def _sent(seed: StackSeed, **changes: str) -> bool:
    return _visited(seed, recorded(seed, _fresh(**changes)))


def _fresh(**changes: str) -> CallbackEvent:
    return replace(EVENT, webhook_id=f"msg_{secrets.token_hex(8)}", **changes)  # type: ignore[arg-type]


def _visited(seed: StackSeed, text: str) -> bool:
    """Invoke the function with a message; return whether it was handled."""
    event = sample("send_callback/unreadable")
    event["Records"][0]["body"] = text
    answer = seed.stack.client("lambda").invoke(
        FunctionName=seed.stack.outputs["SendCallbackFunctionName"], Payload=json.dumps(event)
    )
    return bool(json.load(answer["Payload"]) == {"batchItemFailures": []})


def push_relayed(seed: StackSeed) -> bool:
    """Create a buy, which queues a push to its trader's device."""
    with open_receiver() as service:
        desk = desk_of(seed)
        push_on(desk, service.url("/device", Answer(201)))
        begin = len(_log(seed, "RelayEvents"))
        desk.buy()
        return _is_counted(seed, "RelayEvents", begin, "pushes_relayed", "pushes_lost")


def push_put_off(seed: StackSeed) -> bool:
    """Push to a device whose push service fails, so that the push is hidden until its retry."""
    with open_receiver() as service:
        desk = desk_of(seed)
        endpoint = service.url("/device", Answer(503))
        push_on(desk, endpoint)
        (record,) = push_event(desk, endpoint, _in_an_hour())["Records"]
        begin = len(_log(seed, "SendPush"))
        seed.stack.client("sqs").send_message(
            QueueUrl=seed.stack.outputs["PushesQueueUrl"], MessageBody=record["body"]
        )
        was_retried = _is_counted(seed, "SendPush", begin, "pushes_retried", "pushes_left")
        push_off(desk, endpoint)  # so that the message is deleted when it comes again
        return was_retried


def _log(seed: StackSeed, function: str) -> list[str]:
    return seed.stack.function_logs(seed.stack.outputs[f"{function}FunctionName"])


def _is_counted(seed: StackSeed, function: str, begin: int, metric: str, other: str) -> bool:
    """Wait for one of two metrics after line `begin` of a log; return whether it is the first."""

    def counted() -> list[str]:
        log = "".join(_log(seed, function)[begin:])
        return [each for each in (metric, other) if f'"{each}":[1.0]' in log]

    return wait_until(counted)[0] == metric


def woken(seed: StackSeed) -> bool:
    """Push to a device."""
    return _woken(seed, Answer(201)) == (1, 1)


def forgotten(seed: StackSeed) -> bool:
    """Push to an expired subscription, which is deleted."""
    return _woken(seed, Answer(410)) == (1, 0)


def _woken(seed: StackSeed, answer: Answer) -> tuple[int, int]:
    """Invoke the function with a push; return the number of requests and of remaining devices."""
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


PROBES: dict[str, dict[Probe, tuple[str, ...]]] = {
    "CreateOrder": {
        answered(1101, lambda c: c.create(buy(api_key="mk_live_a_b"))): ("ReadMerchant",),
        answered(1, lambda c: c.create(sell())): (
            "DecryptMerchantSecret",
            "StoreOrder",
            "HoldBalance",
        ),
        answered(1, lambda c: c.create(buy())): ("QueryRotation", "ClaimTrader", "CountOpenBuy"),
        refused_after_all_shards: ("ReadShards", "ReadShardsAtOnce"),
        answered(1002, lambda c: c.create({})): ("ConsumeNonce",),
        each_call_counted(lambda c: c.create(sell())): ("CountCalls",),
        sell_verified: ("HashIdentity",),
        number_used_while_nobody_is_free: ("ReadOrder",),
        amount_taken: ("ReadAmounts",),
    },
    "MerchantApi": {
        amount_reserved: ("ReadAmount",),
        answered(1101, lambda c: c.post(QUERY, {"api_key": "mk_live_a_b"})): ("ReadMerchant",),
        answered(2002, lambda c: c.query(order_no="B")): ("DecryptMerchantSecret", "ConsumeNonce"),
        each_call_counted(lambda c: c.post("/merchant/balance", {})): ("CountCalls",),
        answered(2002, lambda c: c.query(merchant_order_no="none")): ("ReadOrder",),
        answered(1, lambda c: c.post("/merchant/listOrders", {})): ("ListOrders",),
        answered(1, lambda c: c.post("/merchant/balance", {})): ("ReadBalance",),
        split_balance_read: ("ReadShards",),
        answered(1, lambda c: c.post("/merchant/statement", {})): ("ReadStatement",),
        settled_order_listed: ("ReadSettledOrders",),
        callbacks_listed_and_redelivered: (
            *("FindCallbacks", "ReadCallbacks", "FindCallbacksOfOrder"),
            *("ReadCallback", "StartCallbackAgain", "SendCallback"),
        ),
        answered(1, lambda c: c.cancel(c.create(sell()))): ("MoveOrder", "ReleaseHold"),
        answered(1, lambda c: c.cancel(c.create(buy()))): ("ReleaseTrader",),
    },
    "AdvanceTestOrder": {
        buy_played: (
            "ReadMerchant",
            "ReadOrder",
            "MoveOrder",
            "SettleTrader",
            "SettleAccounts",
            "PostSettlement",
            "ConsumeNonce",
            "DecryptMerchantSecret",
        ),
        sell_played: ("QueryRotation", "UploadProof", "RenderReceipt"),
        each_call_counted(
            lambda c: c.post("/test/advanceOrder", {"to": "paid", "order_no": "B1"}), code=2002
        ): ("CountCalls",),
        buy_disputed: ("CheckTrader",),
        buy_cancelled: ("ReadTrader",),
    },
    "PayPage": {
        pay_page_opened: ("ReadMerchant",),
        unknown("pay/B202601010000000000000001"): ("ReadOrder",),
        move_made("paid"): ("MoveOrder", "CountAttempts"),
        move_made("cancel"): ("ReleaseTrader",),
        move_made("cancel", unique_amounts=True): ("ReadTrader",),
        receipt_kept_and_seen: ("OfferUpload", "RenderReceipt", "ShowPicture"),
        note_seen: ("ShowNote",),
        sum_agreed: ("SettleAccounts", "PostSettlement"),
        portal_probes.logo_seen("pay_url"): ("ShowLogo",),
        code_seen: ("KeepCode", "ShowCode"),
    },
    "IdentityPage": {
        unknown("identity/D202601010000000000000001"): ("ReadDraft",),
        completes: (
            "ReadMerchant",
            "QueryRotation",
            "ClaimTrader",
            "MoveDraft",
            "StoreOrder",
            "DecryptMerchantSecret",
            "CountAttempts",
            "HashIdentity",
        ),
        amount_taken_meanwhile: ("ReadAmounts",),
        portal_probes.logo_seen("identity_url"): ("ShowLogo",),
    },
    "TraderDesk": {
        logged_in_and_out: (
            "FindAccessCode",
            "OpenSession",
            "EndSession",
            "ReadGuards",
            "CountAttempts",
            "ReadTrader",
        ),
        buy_confirmed: (
            "SettleTrader",
            "SettleAccounts",
            "PostSettlement",
            "ReadOrder",
            "MoveOrder",
        ),
        buy_reported: ("CheckTrader",),
        sum_agreed: ("ReadMerchant",),
        desk_read: ("ListOrders", "ReadStatement", "ShowPushKey"),
        limits_set: ("AppendToAudit",),
        sell_proven: ("OfferUpload", "RenderReceipt", "ShowPicture"),
    },
    "RenderReceipt": {file_drawn: ("ReadUpload", "KeepOriginal", "KeepPictures", "CountDrawings")},
    "AssignSells": {
        sell_assigned: ("FindWaiting", "QueryRotation", "ReadOrders", "MoveOrder", "ClaimTrader")
    },
    "SealBooks": {
        books_sealed: (
            *("ReadWindow", "ReadBalances", "FindOrders0", "FindOrders1", "ReadOrders"),
            *("FindMerchants", "FindTraders", "ReadTraders", "ReadEntries", "StorePlace"),
            *("StoreDay", "StoreDays", "StoreSeal", "ReadSeal", "SignSeal", "VerifySeal"),
        ),
        proved_again: ("ScanItems0", "ScanItems1"),
    },
    "PayOut": {
        payouts_paid: (
            *("FindPayouts", "ReadPayout", "CheckAddress", "Post", "ChangeAccounts"),
            *("ChangeTrader", "EndPayout", "ReadSeal", "VerifySeal", "CheckRequest"),
        )
    },
    "RelayEvents": {
        relayed("order_paid"): ("SendCallback", "RecordEvent"),
        relayed("unreadable"): ("SetAside",),
        push_relayed: ("FindDevices", "SendPush"),
    },
    "SendPush": {
        woken: ("ReadDevices", "ReadTrader", "SignToken", "ShowPushKey"),
        push_put_off: ("PutPushOff",),
        forgotten: ("ForgetDevice",),
    },
    "SendCallback": {
        put_off: ("PutCallbackOff",),
        due_queued: ("FindDue",),
        moved_to_dead_letters: ("BuryCallback",),
        endpoint_paused: ("FindPaused",),
        endpoint_forgotten: ("ForgetEndpoint",),
        endpoint_swept: ("ReadEndpoints",),
        delivered: (
            "ReadDelivery",
            "WriteDelivery",
            "TakeLane",
            "ReadMerchant",
            "DecryptCallbackSecret",
        ),
    },
    "ExpireDrafts": {
        swept_order: ("FindDue", "ReadOrder", "MoveOrder", "ReleaseTrader", "ReadAmount"),
        swept_draft: ("FreeNumber",),
        swept_proposal: ("FindProposals", "ReadProposal", "ExpireProposal"),
    },
    "MerchantPortal": portal_probes.PROBES,
    "OperatorApi": operator_probes.PROBES,
}


NEEDS = [(function, *each) for function, probes in PROBES.items() for each in probes.items()]


@pytest.mark.parametrize(
    ("function", "probe", "sids"),
    NEEDS,
    ids=[f"{name}-{'-'.join(sids)}" for name, _, sids in NEEDS],
)
def test_without(stack_seed: StackSeed, function: str, probe: Probe, sids: tuple[str, ...]) -> None:
    """The request succeeds with the whole role, and fails without any one of these actions."""
    assert probe(stack_seed) is not False, "fails with the whole role"
    for sid in sids:
        with without(stack_seed.stack, function, sid):
            assert is_refused(probe, stack_seed), f"succeeds without {sid}: not needed or probed"
    assert probe(stack_seed) is not False, "fails with the restored role"


def is_refused(probe: Probe, seed: StackSeed) -> bool:
    with suppress(Exception):  # a refused request has no data to go on with
        return probe(seed) is False
    return True


def test_every_action_has_a_probe(stack_seed: StackSeed) -> None:
    there = [
        (function, statement)
        for function in sorted(FUNCTIONS)
        for statement in statements(stack_seed.stack, function)
        if statement["Sid"] not in NOT_PROBED
    ]
    assert all(isinstance(statement["Action"], str) for _, statement in there)
    probed = [(function, sid) for function, _, sids in NEEDS for sid in sids]
    assert sorted(probed) == sorted((function, statement["Sid"]) for function, statement in there)
