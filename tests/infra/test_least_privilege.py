"""Every right of a role is used by a test on the deployed stack.

The emulator's log says which statement allowed a request (`local/emulator_process.py`). The other
tests on the stack show that no right is missing, and use most of them; here are the requests that
use the rest. These tests run after all others, and the last one reads the log.
"""

import json
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from html import unescape
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from events.samples import sample
from local.emulator_process import USED
from local.operators import POLICIES_OF
from local.stack import Stack
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import to_item
from orderdesk.adapters.seals import SealFiles, SealVault, object_key
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.accounts import WINDOW_SECONDS, Account, AccountKind
from orderdesk.domain.callbacks.endpoints import FAILURES_TO_PAUSE, Endpoint, EndpointId
from orderdesk.domain.errors import ChangedMeanwhile
from orderdesk.domain.ledger.sealing import Sealed
from orderdesk.domain.ledger.seals import Seal, day_end
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import LIFE_SECONDS, Proposal, ProposalStatus
from orderdesk.domain.times import SECONDS_PER_DAY
from orderdesk.services.ledger.seal import seal_next
from orderdesk.services.merchants.withdrawals import draw_request_no
from orderdesk.services.operator.actions import Operator
from tests.infra.roles import FUNCTIONS, rights
from tests.support.commands import moving
from tests.support.deliveries import EVENT, keep_delivery, recorded
from tests.support.identities import submit_identity
from tests.support.merchant_client import MerchantClient, buy, sell
from tests.support.merchant_receiver import Answer, add_callback_merchant, open_receiver
from tests.support.money_world import TESTER, MoneyWorld, operator_ports
from tests.support.operator_calls import ROOT, Keys, call, session_of
from tests.support.payer import Payer
from tests.support.portal import Authenticator, PortalVisit, invite
from tests.support.receipt_samples import png
from tests.support.requesting import TRON, Person
from tests.support.sealing import Sealer
from tests.support.stack_seed import StackSeed
from tests.support.template import table_definition
from tests.support.trader import ORDER, TraderVisit, push_event, push_off, push_on
from tests.support.visitors import OWN_PAGE, UploadForm, hidden_fields, query_of_return
from tests.support.waiting import wait_until
from tests.tiers import is_whole_stack

PLENTY_MICRO = 10**15
ROUNDS_MAX = 5
ADVANCE = "/test/advanceOrder"


def rich_merchant(seed: StackSeed, **terms: Any) -> tuple[Merchant, MerchantClient]:
    merchant, client = seed.add_merchant(**terms)
    seed.fund(merchant, PLENTY_MICRO)
    return merchant, client


def invoke(seed: StackSeed, function: str, event: Any = None) -> Any:
    """Invoke a function, which must not fail; return its answer."""
    answer = seed.stack.client("lambda").invoke(
        FunctionName=seed.stack.outputs[f"{function}FunctionName"], Payload=json.dumps(event or {})
    )
    assert "FunctionError" not in answer
    return json.load(answer["Payload"])


def opens(url: str) -> bool:
    return httpx.get(url, timeout=None).status_code == httpx.codes.OK


# Merchants' calls


def test_a_taken_amount_and_its_end(stack_seed: StackSeed) -> None:
    stack_seed.only_trader(unique_amounts=True)
    _, client = stack_seed.add_merchant()
    _, verifying = stack_seed.add_merchant(identity_required=True)
    held = verifying.create(buy()).data
    made = client.create(buy())
    assert client.create(buy()).code == 2101
    assert submit_identity(held["identity_url"]).status_code < 500
    assert client.cancel(made).code == 1


def test_a_sell_beyond_all_shards(stack_seed: StackSeed) -> None:
    merchant, client = stack_seed.add_merchant(balance_shards=4)
    stack_seed.fund(merchant, 5)
    assert client.create(sell()).code == 2102


def test_a_played_cancellation(stack_seed: StackSeed) -> None:
    stack_seed.clear_rotation()
    stack_seed.add_trader(mode=Mode.TEST, unique_amounts=True)
    _, client = stack_seed.add_merchant()
    number = client.create(buy(), route="test").data["order_no"]
    for to in ("cancelled", "disputed"):
        assert client.post(ADVANCE, {"order_no": number, "to": to}).code == 1


# Pages


@pytest.fixture
def desk(stack_seed: StackSeed) -> TraderVisit:
    """Return the only trader of the rotation, logged in."""
    stack_seed.clear_rotation()
    return TraderVisit.of_new_trader(stack_seed)


def member_of(seed: StackSeed, merchant: Merchant) -> PortalVisit:
    """Return an admin's browser, who has just accepted an invitation of a merchant."""
    own = urlsplit(seed.stack.base_url)
    visit = PortalVisit(seed, merchant, Authenticator(origin=f"{own.scheme}://{own.netloc}"))
    assert visit.join(invite(seed, merchant, MemberRole.ADMIN))["statusCode"] == 303
    return visit


def test_the_evidence_of_a_dispute(stack_seed: StackSeed, desk: TraderVisit) -> None:
    """Payer, trader and merchant each send a picture, and open one; an operator opens all."""
    merchant, client = stack_seed.add_merchant()
    payer = Payer.of_link(stack_seed, client.create(buy()).data["pay_url"])
    number = payer.order_no
    assert payer.upload(png())["statusCode"] == 303
    assert desk.move(number, "report") == 303
    assert desk.upload(number, png())["statusCode"] == 303
    member = member_of(stack_seed, merchant)
    assert member.upload(number, png())["statusCode"] == 303
    receipt = desk.send("GET", f"{ORDER}/receipts/{{number}}", order_no=number)
    note = member.get(f"orders/{number}/notes/2")
    for shown in (payer.receipt("1"), payer.note("2"), receipt, note):
        assert opens(shown["headers"]["location"])
    for each in act(stack_seed, "order.evidence", order_no=number)["evidence"]:
        assert all(map(opens, [each["original"], *each["pictures"]]))


def test_another_sum_that_the_payer_agrees_to(stack_seed: StackSeed, desk: TraderVisit) -> None:
    _, client = stack_seed.add_merchant(other_sums="agreed:10")
    payer = Payer.of_link(stack_seed, client.create(buy()).data["pay_url"])
    reported = desk.post(f"{ORDER}/sum", payer.order_no, form={"amount": "950"})
    assert (reported["statusCode"], payer.post("/agree")["statusCode"]) == (303, 303)
    assert payer.order()["status"] == "completed"


def test_a_traders_settings_and_logout(desk: TraderVisit) -> None:
    version = hidden_fields(desk.get("/trader/settings")["body"])["version"]
    form = {"version": version, "max_open": "3"}
    assert desk.post("/trader/settings/limits", form=form)["statusCode"] == 303
    assert desk.get("/trader/balance")["statusCode"] == 200
    assert desk.post("/trader/logout")["statusCode"] == 303
    assert not desk.is_in()


def test_a_members_changes(stack_seed: StackSeed) -> None:
    """Rotate the key's secret; change the shown name, twice; redeliver a callback."""
    merchant, _ = stack_seed.add_merchant()
    member = member_of(stack_seed, merchant)
    assert member.confirmed("developers/keys/live/rotate")["statusCode"] == 200
    form = {"support": "", "require_receipt": "no"}
    for name in (merchant.merchant_id, ""):
        answer = member.post("settings/payers", OWN_PAGE, display_name=name, **form)
        assert answer["statusCode"] == 303
    number = keep_delivery(stack_seed, merchant).event.webhook_id
    assert member.post(f"callbacks/{number}/redeliver", OWN_PAGE)["statusCode"] == 303


def test_a_member_requests_and_cancels_a_withdrawal(stack_seed: StackSeed) -> None:
    merchant, _ = rich_merchant(stack_seed)
    person = Person(stack_seed, merchant.merchant_id).with_rested_address()
    member, number = member_of(stack_seed, merchant), draw_request_no(person.ports)
    form = {"request_no": number, "to": f"TRC20:{TRON}", "amount": "1", "memo": "rent"}
    assert member.confirmed("balance/requests", **form)["statusCode"] == 303
    assert member.post(f"balance/requests/{number}/cancel", OWN_PAGE)["statusCode"] == 303


def test_a_member_cancels_a_sell_and_a_buy(stack_seed: StackSeed) -> None:
    stack_seed.only_trader(unique_amounts=True)
    merchant, client = rich_merchant(stack_seed)
    member = member_of(stack_seed, merchant)
    for order in (sell(), buy()):
        number = client.create(order).data["order_no"]
        assert member.post(f"orders/{number}/cancel", OWN_PAGE)["statusCode"] == 303


@pytest.mark.parametrize("page", ["identity_url", "pay_url"])
def test_a_logo_on_a_page_of_payers(stack_seed: StackSeed, page: str) -> None:
    stack_seed.only_trader()
    terms = {"display_name": "A shop", "identity_required": page == "identity_url"}
    merchant, client = stack_seed.add_merchant(**terms)
    member = member_of(stack_seed, merchant)
    form = UploadForm.on(member.get("settings")["body"])
    here = query_of_return(form.upload(stack_seed.transport(), png()))
    sent = hidden_fields(member.get("settings/logo", **here)["body"])
    assert member.post("settings/logo", OWN_PAGE, **sent)["statusCode"] == 303
    text = httpx.get(client.create(buy()).data[page], timeout=None).text
    logo = re.search(r'<img class="logo" src="([^"]+)"', text)
    assert logo is not None
    assert opens(unescape(logo[1]))


# Jobs


def test_what_expires(stack_seed: StackSeed) -> None:
    """Expire an order, a draft with a number, and the proposal of a withdrawal."""
    orders = stack_seed.tables.orders
    trader = stack_seed.only_trader(unique_amounts=True)
    merchant, client = rich_merchant(stack_seed)
    verified, verifying = stack_seed.add_merchant(identity_required=True)
    draft_no = verifying.create(buy(merchant_order_no="P")).data["pending_no"]
    order_no = client.create(buy()).data["order_no"]
    for number in (order_no, draft_no):
        due = {"due_time": 1, "expire_time": 1}
        stack_seed.put(orders, {**(stack_seed.get(orders, {"pk": number}) or {}), **due})
    long_ago_us = (int(time.time()) - LIFE_SECONDS - 60) * 10**6
    proposer = replace(TESTER, alone=False)
    operator = Operator(proposer, SystemChance(), lambda: long_ago_us, lambda _: None)
    ports = operator_ports(stack_seed, operator)
    account = Account(AccountKind.MERCHANT, merchant.merchant_id, Mode.LIVE)
    proposal = moving("withdraw", account, 1).run(ports, operator)
    assert isinstance(proposal, Proposal)
    invoke(stack_seed, "ExpireDrafts")
    assert stack_seed.trader(trader.trader_id).counts.open_orders == 0
    name: Any = stack_seed.get(orders, {"pk": Key.number(verified.merchant_id, "P")})
    assert name["expire_time"] == 0
    stored = ports.proposals.proposal(proposal.proposal_no)
    assert stored is not None
    assert stored.status is ProposalStatus.EXPIRED


def seal_files(seed: StackSeed) -> SealFiles:
    name = seed.stack.outputs["SealBooksFunctionName"]
    functions, s3 = seed.stack.client("lambda"), seed.stack.client("s3")
    settings = functions.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    kms: Any = SimpleNamespace(client=lambda: seed.stack.client("kms"))
    vault = SealVault(seed.stack.outputs["SealsBucketName"], settings["SEAL_KEY_ARN"])
    return SealFiles(seed.client, seed.tables, s3, kms, vault)


def forget_seal(seed: StackSeed, end: int) -> None:
    """Delete a seal's file and its place."""
    place = to_item({"pk": "seals", "sk": f"{end:010d}"})
    seed.client.delete_item(TableName=seed.tables.ledger, Key=place)
    bucket = seed.stack.outputs["SealsBucketName"]
    seed.stack.client("s3").delete_object(Bucket=bucket, Key=object_key(end))


def test_a_seal_that_ends_a_day(stack_seed: StackSeed) -> None:
    """Seal yesterday here, then today's seals with the function: the first of them ends a day.

    The schedule's runs seal too. If one came between, everything is done again, with a seal of
    another end, because AWS takes a repeated transaction for the first one.
    """
    files = seal_files(stack_seed)
    today = day_end(int(time.time())) - SECONDS_PER_DAY
    for number in range(1, ROUNDS_MAX + 1):
        for each in files.newest_first(limit=100):
            forget_seal(stack_seed, each.name.end)
        sealer = Sealer(stack_seed, lambda end=today - number * WINDOW_SECONDS: end)  # type: ignore[misc]
        with suppress(ChangedMeanwhile):
            seal_next(replace(sealer.ports, seals=files), sealer.days.save)
        invoke(stack_seed, "SealBooks")
        if today in [each.name.end for each in files.newest_first(limit=100)]:
            break
    else:
        pytest.fail("no seal ended a day")
    invoke(stack_seed, "SealBooks", {"again": True})
    listed = act(stack_seed, "ledger.seals", limit=1)
    assert listed["items"]
    asked = {"finding_id": f"F{'0' * 16}", "reason": "r"}
    assert call(stack_seed.stack, ROOT, "ledger.acknowledge", **asked).json()["code"] == 2002


def test_payouts_after_a_seal(stack_seed: StackSeed) -> None:
    """Approve a request and a trader's withdrawal, and pay them after a seal of a minute later."""
    money = MoneyWorld(stack_seed)
    stack_seed.set_rates(buy_e4=72360, sell_e4=71640)  # its own are of a later time
    money.now = int(time.time())
    trader = money.withdrawn_account(AccountKind.TRADER, Mode.LIVE)
    merchant, _ = rich_merchant(stack_seed)
    request = Person(stack_seed, merchant.merchant_id).with_rested_address().request(1)
    proposed = [money.propose(trader, 1, "ann"), money.take_up(request.request_no, "ann")]
    for each in proposed:
        money.decided(each.proposal_no, "approve", "bob")
    seal = Seal(0, money.now + 60, None, orders={}, requests={}, drifts={}, figures={})
    sealed = seal_files(stack_seed).put(Sealed(seal, [], [], {}))
    try:
        invoke(stack_seed, "PayOut")
    finally:
        forget_seal(stack_seed, sealed.end)
    statuses = {money.proposal(each.proposal_no).status for each in proposed}
    assert statuses == {ProposalStatus.EXECUTED}


# Callbacks and pushes


def handled(seed: StackSeed, text: str) -> bool:
    """Send a message to the callbacks' function; return whether it was handled."""
    event = sample("send_callback/unreadable")
    event["Records"][0]["body"] = text
    return bool(invoke(seed, "SendCallback", event) == {"batchItemFailures": []})


def test_what_cannot_be_read_is_set_aside(stack_seed: StackSeed) -> None:
    invoke(stack_seed, "RelayEvents", sample("relay_events/unreadable"))
    assert handled(stack_seed, "no event")
    # Other tests read what is in the dead-letter queue.
    queue = stack_seed.stack.outputs["CallbacksDeadLetterQueueUrl"]
    stack_seed.stack.client("sqs").purge_queue(QueueUrl=queue)


@pytest.mark.parametrize(("status", "failures"), [(500, FAILURES_TO_PAUSE), (200, 1)])
def test_an_endpoint_is_paused_and_forgotten(
    stack_seed: StackSeed, status: int, failures: int
) -> None:
    with open_receiver() as shop:
        merchant, _, _ = add_callback_merchant(stack_seed, shop.url("/", Answer(status)))
        place = EndpointId(merchant.merchant_id, Mode.LIVE, shop.origin)
        known = Endpoint(place, version=1, failures=failures, webhook_ids=tuple("1234"), first_ms=1)
        stack_seed.endpoints.save(known)
        own = {"webhook_id": f"msg_{secrets.token_hex(8)}", "merchant_id": merchant.merchant_id}
        event = replace(EVENT, **own)  # type: ignore[arg-type]
        assert handled(stack_seed, recorded(stack_seed, event))
        found = stack_seed.endpoints.endpoint(place)
        assert (found is not None and found.is_paused) == (status == 500)


def test_paused_endpoints_are_listed_and_swept(stack_seed: StackSeed) -> None:
    place = EndpointId("m1", Mode.LIVE, "https://paused.example")
    stack_seed.endpoints.save(Endpoint(place, version=1, since_ms=1, probe_ms=1))
    act(stack_seed, "callback.dead")
    invoke(stack_seed, "SendCallback")
    after = stack_seed.endpoints.endpoint(place)
    assert after is not None
    stack_seed.endpoints.remove(after)
    assert not after.is_paused


def test_a_push_waits_for_its_retry(stack_seed: StackSeed, desk: TraderVisit) -> None:
    function = stack_seed.stack.outputs["SendPushFunctionName"]
    with open_receiver() as service:
        endpoint = service.url("/device", Answer(503))
        push_on(desk, endpoint)
        (record,) = push_event(desk, endpoint, int(time.time()) + 3600)["Records"]
        begin = len(stack_seed.stack.function_logs(function))
        stack_seed.stack.client("sqs").send_message(
            QueueUrl=stack_seed.stack.outputs["PushesQueueUrl"], MessageBody=record["body"]
        )
        wait_until(
            lambda: (
                '"pushes_retried":[1.0]'
                in "".join(stack_seed.stack.function_logs(function)[begin:])
            )
        )
        push_off(desk, endpoint)  # so that the message is deleted when it comes again


# Operators' commands


def act(seed: StackSeed, command: str, keys: Keys = ROOT, /, **parameters: Any) -> Any:
    """Call a command, which must succeed; return its data."""
    envelope = call(seed.stack, keys, command, **parameters).json()
    assert envelope["code"] == 1, envelope
    return envelope["data"]


@contextmanager
def second_person(seed: StackSeed) -> Iterator[Keys]:
    """Yield the keys of a second person, a session of a listed role."""
    role = f"AWSReservedSSO_Finance_{secrets.token_hex(4)}"
    with session_of(seed.stack, role, "li@example.com", POLICIES_OF["finance"]) as keys:
        yield keys


def test_commands_about_a_merchant(stack_seed: StackSeed) -> None:
    merchant, _ = rich_merchant(stack_seed, balance_shards=4)
    own = {"merchant_id": merchant.merchant_id}
    for command in ("merchant.show", "ledger.statement"):
        act(stack_seed, command, **own)
    for name in (merchant.merchant_id, ""):
        act(stack_seed, "merchant.set", **own, display_name=name)
    webhook_id = keep_delivery(stack_seed, merchant).event.webhook_id
    act(stack_seed, "callback.show", webhook_id=webhook_id)
    act(stack_seed, "callback.redeliver", webhook_id=webhook_id, reason="r")
    request = Person(stack_seed, merchant.merchant_id).with_rested_address().request(1)
    taken = act(stack_seed, "withdraw.merchant", request_no=request.request_no)["proposal"]
    act(stack_seed, "proposal.reject", proposal_no=taken["proposal_no"], reason="r")
    act(stack_seed, "merchant.revoke-secret", **own, reason="r")


def test_commands_about_everything(stack_seed: StackSeed) -> None:
    act(stack_seed, "merchant.list")
    act(stack_seed, "ledger.balances")
    act(stack_seed, "block.add", kind="payee", value="nobody at all", reason="r")
    restored = f"{stack_seed.tables.ledger}-restored-{secrets.token_hex(4)}"
    stack_seed.client.create_table(TableName=restored, **table_definition("LedgerTable"))
    try:
        act(stack_seed, "ledger.compare", restored=restored)
    finally:
        stack_seed.client.delete_table(TableName=restored)


def test_commands_about_orders(stack_seed: StackSeed) -> None:
    """List a buy; let another person dispute a sell, and resolve it within one's sum of a day."""
    trader = stack_seed.only_trader()
    _, client = rich_merchant(stack_seed)
    assert client.create(buy()).code == 1
    act(stack_seed, "order.list", limit=1)
    moved = {"order_no": client.create(sell()).data["order_no"], "reason": "r"}
    act(stack_seed, "order.assign", order_no=moved["order_no"], trader_id=trader.trader_id)
    with second_person(stack_seed) as other:
        act(stack_seed, "order.dispute", other, **moved)
    act(stack_seed, "order.resolve", **moved, outcome="cancelled")


def test_a_secret_that_two_people_reveal(stack_seed: StackSeed) -> None:
    trader_id = stack_seed.add_trader().trader_id
    asked = act(stack_seed, "trader.reset-code", trader_id=trader_id)
    number = asked["proposal"]["proposal_no"]
    seen = {"digest": act(stack_seed, "proposal.show", proposal_no=number)["digest"]}
    with second_person(stack_seed) as other:
        act(stack_seed, "proposal.approve", other, proposal_no=number, **seen)
    act(stack_seed, "proposal.reveal", proposal_no=number)


def test_every_right_is_used(stack: Stack, request: pytest.FixtureRequest) -> None:
    if not is_whole_stack(request.session.items):
        pytest.skip("the other tests on the stack did not run")
    lines = stack.emulator_log.read_text("utf-8").splitlines()
    used = {tuple(line.removeprefix(USED).split()) for line in lines if line.startswith(USED)}
    unused = [
        (function, *right)
        for function in FUNCTIONS
        for right in rights(stack, function)
        if (stack.outputs[f"{function}RoleName"], *right) not in used
    ]
    assert unused == []
