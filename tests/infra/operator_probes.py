"""For each right of the operators' function's role: calls of commands that need it.

A statement of several resources is probed for each: `Read1` is the second resource of `Read`.
"""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from local.operators import POLICIES_OF
from orderdesk.domain.callbacks.endpoints import Endpoint, EndpointId
from orderdesk.domain.modes import Mode
from tests.support.deliveries import keep_delivery
from tests.support.merchant_client import buy, sell
from tests.support.operator_calls import ROOT, Keys, call, session_of
from tests.support.payer import Payer
from tests.support.receipt_samples import png
from tests.support.requesting import Person
from tests.support.stack_seed import StackSeed
from tests.support.template import table_definition

type Probe = Callable[[StackSeed], object]

PLENTY_MICRO = 10**15
NOT_FOUND = 2002


def is_done(seed: StackSeed, command: str, keys: Keys = ROOT, /, **parameters: Any) -> bool:
    """Call a command; return whether it succeeded."""
    return bool(call(seed.stack, keys, command, **parameters).json()["code"] == 1)


def reads(command: str, **parameters: Any) -> Probe:
    """Return a probe of a command that reads."""
    return lambda seed: is_done(seed, command, **parameters)


def of_merchant(command: str, /, shards: int = 1, **parameters: Any) -> Probe:
    """Return a probe of a command about a new merchant that has USDT."""

    def probe(seed: StackSeed) -> bool:
        merchant, _ = seed.add_merchant(balance_shards=shards)
        seed.fund(merchant, PLENTY_MICRO)
        return is_done(seed, command, merchant_id=merchant.merchant_id, **parameters)

    return probe


def of_trader(command: str) -> Probe:
    """Return a probe of a command about a new trader."""
    return lambda seed: is_done(seed, command, trader_id=seed.add_trader().trader_id)


def name_left(seed: StackSeed) -> bool:
    """Show a merchant by another name, and no more."""
    merchant_id = seed.add_merchant()[0].merchant_id
    return all(
        is_done(seed, "merchant.set", merchant_id=merchant_id, display_name=name)
        for name in (merchant_id, "")
    )


def seal_checked(seed: StackSeed) -> bool:
    """Seal the books, read the newest seal, and list it with the public key.

    An unknown finding is not found in a seal that can be read and verified (2002).
    """
    name = seed.stack.outputs["SealBooksFunctionName"]
    seed.stack.client("lambda").invoke(FunctionName=name)
    listed = call(seed.stack, ROOT, "ledger.seals", limit=1).json()
    if listed["code"] != 1 or not listed["data"]["items"]:
        return False
    asked = {"finding_id": f"F{'0' * 16}", "reason": "r"}
    accepted = call(seed.stack, ROOT, "ledger.acknowledge", **asked).json()
    return bool(accepted["code"] == NOT_FOUND)


def waiting_sell(seed: StackSeed) -> str:
    merchant, client = seed.add_merchant()
    seed.fund(merchant, PLENTY_MICRO)
    return str(client.create(sell()).data["order_no"])


def of_order(command: str, **parameters: Any) -> Probe:
    """Return a probe of a command about a sell that waits for a trader."""
    return lambda seed: is_done(seed, command, order_no=waiting_sell(seed), **parameters)


def buys_listed(seed: StackSeed) -> bool:
    """List orders, one of which names a merchant and a trader."""
    seed.only_trader()
    _, client = seed.add_merchant()
    return client.create(buy()).code == 1 and is_done(seed, "order.list", limit=1)


def paused_listed(seed: StackSeed) -> bool:
    """List the paused endpoints, of which there is one."""
    place = EndpointId("m1", Mode.LIVE, "https://paused.example")
    paused = Endpoint(place, version=1, since_ms=1, probe_ms=10**14)
    seed.endpoints.save(paused)
    try:
        return is_done(seed, "callback.dead")
    finally:
        seed.endpoints.remove(paused)


def of_callback(command: str) -> Probe:
    """Return a probe of a command about a callback that is dead."""

    def probe(seed: StackSeed) -> bool:
        merchant, _ = seed.add_merchant()
        kept = keep_delivery(seed, merchant)
        return is_done(seed, command, webhook_id=kept.event.webhook_id)

    return probe


def funded_with_a_key(seed: StackSeed) -> object:
    """Fund a merchant with an idempotency key."""
    return of_merchant(
        "solo/fund.merchant", amount="1", memo="m", idempotency_key=secrets.token_hex(8)
    )(seed)


def evidence_opened(kind: str) -> Probe:
    """Return a probe that opens the links of one kind to an order's evidence."""

    def probe(seed: StackSeed) -> bool:
        seed.only_trader()
        _, client = seed.add_merchant()
        created = client.create(buy()).data
        Payer.of_link(seed, created["pay_url"]).upload(png())
        answer = call(seed.stack, ROOT, "order.evidence", order_no=created["order_no"]).json()
        links = [link for each in answer["data"]["evidence"] for link in _links(each[kind])]
        assert links
        return all(httpx.get(link, timeout=None).status_code == httpx.codes.OK for link in links)

    return probe


def _links(found: Any) -> list[str]:
    return found if isinstance(found, list) else [found]


@contextmanager
def session(seed: StackSeed) -> Iterator[Keys]:
    """Yield the keys of a second person, a session of a listed role."""
    role = f"AWSReservedSSO_Finance_{secrets.token_hex(4)}"
    with session_of(seed.stack, role, "li@example.com", POLICIES_OF["finance"]) as keys:
        yield keys


def secret_revealed(seed: StackSeed) -> bool:
    """Propose a new access code, let another person approve it, and read a half."""
    with session(seed) as other:
        trader_id = seed.add_trader().trader_id
        answer = call(seed.stack, ROOT, "trader.reset-code", trader_id=trader_id).json()
        number = answer["data"]["proposal"]["proposal_no"]
        shown = call(seed.stack, ROOT, "proposal.show", proposal_no=number).json()["data"]
        seen = {"proposal_no": number, "digest": shown["digest"]}
        approved = is_done(seed, "proposal.approve", other, **seen)
    assert approved
    return is_done(seed, "proposal.reveal", proposal_no=number)


def resolved_by_one(seed: StackSeed) -> bool:
    """Assign a sell, let another person dispute it, and resolve it within one's sum of a day."""
    trader, order_no = seed.only_trader(), waiting_sell(seed)
    moved = {"order_no": order_no, "reason": "r"}
    if not is_done(seed, "order.assign", order_no=order_no, trader_id=trader.trader_id):
        return False
    with session(seed) as other:
        is_disputed = is_done(seed, "order.dispute", other, **moved)
    return is_disputed and is_done(seed, "order.resolve", **moved, outcome="cancelled")


def rights_of_a_session_listed(seed: StackSeed) -> bool:
    """List the rights of a role's session."""
    with session(seed) as keys:
        return is_done(seed, "rights.list", keys)


def restored_compared(seed: StackSeed) -> bool:
    """Compare the ledger with an empty restored table."""
    name = f"{seed.tables.ledger}-restored-{secrets.token_hex(4)}"
    seed.client.create_table(TableName=name, **table_definition("LedgerTable"))
    try:
        return is_done(seed, "ledger.compare", restored=name)
    finally:
        seed.client.delete_table(TableName=name)


def request_rejected(seed: StackSeed) -> bool:
    """Propose to pay a merchant's withdrawal request, and reject that."""
    merchant, _ = seed.add_merchant()
    seed.fund(merchant, PLENTY_MICRO)
    number = Person(seed, merchant.merchant_id).with_rested_address().request(1).request_no
    answer = call(seed.stack, ROOT, "withdraw.merchant", request_no=number).json()["data"]
    if "proposal" not in answer:
        return False
    taken = answer["proposal"]["proposal_no"]
    return is_done(seed, "proposal.reject", proposal_no=taken, reason="r")


TRADER = {"name": "甲", "min_cny": "1", "max_cny": "5000"}

PROBES: dict[Probe, tuple[str, ...]] = {
    of_merchant("merchant.show"): ("ReadGetItem0", "ReadGetItem3"),
    buys_listed: ("ReadBatchGetItem0", "ReadBatchGetItem1", "ReadBatchGetItem2", "List0"),
    reads("block.add", kind="payee", value="nobody at all", reason="r"): ("HashBlocked",),
    reads("merchant.list"): ("ReadAll0",),
    of_merchant("solo/fund.merchant", amount="1", memo="m"): ("Check0", "ChangeAccounts", "Post"),
    reads("solo/merchant.add", name="a merchant"): ("AddMerchant", "UseSecretsEncrypt"),
    of_merchant("merchant.suspend", reason="r"): ("ChangeMerchant",),
    name_left: ("End1",),
    of_trader("trader.show"): ("ReadGetItem1",),
    reads("trader.list"): ("ReadAll1",),
    reads("solo/trader.add", **TRADER): ("ChangeTraderPutItem",),
    of_trader("trader.offline"): ("ChangeTraderUpdateItem", "AppendToAudit"),
    of_order("order.show"): ("ReadGetItem2",),
    of_order("order.cancel", reason="r"): ("MoveOrder",),
    of_merchant("merchant.show", shards=4): ("ReadBatchGetItem3",),
    of_merchant("ledger.statement"): ("List1",),
    reads("ledger.balances"): ("ReadAll2",),
    seal_checked: ("ReadSeals", "VerifySealsVerify", "VerifySealsGetPublicKey"),
    secret_revealed: ("Check1",),
    resolved_by_one: ("ReadStateBatchGetItem", "Check2", "CountSolo"),
    request_rejected: ("End0", "CheckRequest"),
    of_order("callback.list"): ("List2",),
    of_callback("callback.show"): ("ReadGetItem4",),
    of_callback("callback.redeliver"): ("Redeliver", "SendCallback"),
    funded_with_a_key: ("ReadStateGetItem", "KeepState"),
    paused_listed: ("ReadBatchGetItem4",),
    reads("audit.list"): ("List3",),
    restored_compared: ("ReadAll3",),
    evidence_opened("original"): ("OpenFiles0",),
    evidence_opened("pictures"): ("OpenFiles1",),
    of_merchant("merchant.revoke-secret", reason="r"): ("UseSecretsDecrypt",),
    rights_of_a_session_listed: ("Simulate", "FindRole"),
}
