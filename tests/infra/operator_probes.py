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
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.modes import Mode
from tests.support.deliveries import keep_delivery
from tests.support.merchant_client import buy, sell
from tests.support.operator_calls import ROOT, Keys, call, session_of
from tests.support.payer import Payer
from tests.support.receipt_samples import png
from tests.support.requesting import Person
from tests.support.stack_seed import StackSeed
from tests.support.template import table_definition

type Probe = Callable[[StackSeed], bool]

PLENTY_MICRO = 10**15


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


def waiting_sell(seed: StackSeed) -> str:
    merchant, client = seed.add_merchant()
    seed.fund(merchant, PLENTY_MICRO)
    return str(client.create(sell()).data["order_no"])


def of_order(command: str, **parameters: Any) -> Probe:
    """Return a probe of a command about a sell that waits for a trader."""
    return lambda seed: is_done(seed, command, order_no=waiting_sell(seed), **parameters)


def found_by_its_ending(seed: StackSeed) -> bool:
    """Find an order by the last digits of its number."""
    return is_done(seed, "order.find", text=waiting_sell(seed)[-6:])


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


def funded_with_a_key(seed: StackSeed) -> bool:
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
    """Propose a new secret, let another person approve it, and read it."""
    merchant, _ = seed.add_merchant()
    with session(seed) as other:
        number = _proposed_secret(seed, merchant)
        approved = is_done(seed, "proposal.approve", other, proposal_no=number)
    assert approved
    return is_done(seed, "proposal.reveal", proposal_no=number)


def _proposed_secret(seed: StackSeed, merchant: Merchant) -> str:
    asked = {"merchant_id": merchant.merchant_id, "reason": "r"}
    answer = call(seed.stack, ROOT, "merchant.rotate-secret", **asked).json()
    return str(answer["data"]["proposal"]["proposal_no"])


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
    answer = call(seed.stack, ROOT, "withdraw.merchant", request_no=number).json()
    taken = answer["data"]["proposal"]["proposal_no"]
    return is_done(seed, "proposal.reject", proposal_no=taken, reason="r")


FUNDED = of_merchant("solo/fund.merchant", amount="1", memo="m")
CHECKED = reads("ledger.check")
ADDED = reads("solo/merchant.add", name="a merchant")
TRADER = {"name": "甲", "min_cny": "1", "max_cny": "5000"}

PROBES: dict[str, Probe] = {
    "ReadGetItem0": of_merchant("merchant.show"),
    "ReadBatchGetItem0": buys_listed,
    "ReadAll0": reads("merchant.list"),
    "Check0": FUNDED,
    "AddMerchant": ADDED,
    "ChangeMerchant": of_merchant("merchant.suspend", reason="r"),
    "ReadGetItem1": of_trader("trader.show"),
    "ReadBatchGetItem1": buys_listed,
    "ReadAll1": reads("trader.list"),
    "AddTrader": reads("solo/trader.add", **TRADER),
    "ChangeTrader": of_trader("trader.offline"),
    "ReadGetItem2": of_order("order.show"),
    "ReadBatchGetItem2": buys_listed,
    "ReadAll2": CHECKED,
    "List0": buys_listed,
    "List1": of_merchant("order.list"),
    "List2": found_by_its_ending,
    "List3": reads("order.list", status="disputed"),
    "MoveOrder": of_order("order.cancel", reason="r"),
    "ReadGetItem3": of_merchant("merchant.show"),
    "ReadBatchGetItem3": of_merchant("merchant.show", shards=4),
    "List4": of_merchant("ledger.statement"),
    "ReadAll3": reads("ledger.balances"),
    "Check1": secret_revealed,
    "ChangeAccounts": FUNDED,
    "Post": FUNDED,
    "EndRequest": request_rejected,
    "List5": of_order("callback.list"),
    "List6": reads("callback.dead"),
    "ReadGetItem4": of_callback("callback.show"),
    "Redeliver": of_callback("callback.redeliver"),
    "SendCallback": of_callback("callback.redeliver"),
    "ReadState": funded_with_a_key,
    "KeepState": funded_with_a_key,
    "List7": reads("callback.dead"),
    "ReadBatchGetItem4": paused_listed,
    "List8": reads("audit.list"),
    "ReadAll4": CHECKED,
    "ReadAll5": restored_compared,
    "AppendToAudit": of_trader("trader.offline"),
    "OpenFiles0": evidence_opened("original"),
    "OpenFiles1": evidence_opened("pictures"),
    "UseSecretsDecrypt": of_merchant("solo/merchant.rotate-callback-secret", reason="r"),
    "UseSecretsEncrypt": ADDED,
    "Simulate": rights_of_a_session_listed,
    "FindRole": rights_of_a_session_listed,
}
