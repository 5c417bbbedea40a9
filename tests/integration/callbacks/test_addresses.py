"""Further callback addresses: one webhook-id, one delivery each (contract sections 7 and 12)."""

import re
from typing import Any

import pytest
from standardwebhooks import Webhook

from orderdesk.domain.callbacks.events import CallbackType
from orderdesk.domain.merchants.merchant import ADDRESSES_MAX, CallbackAddress
from orderdesk.domain.merchants.team import MemberRole
from tests.support.callback_functions import CallbackWorld
from tests.support.deliveries import REFUSED, TAKEN, URL
from tests.support.faults import answer_lost
from tests.support.merchant_client import MerchantClient
from tests.support.portal import PortalVisit
from tests.support.world import World

LIST, REDELIVER = "/merchant/listCallbacks", "/merchant/redeliverCallback"
SECRETS = {f"ep_{letter * 12}": f"whsec_{letter.upper() * 44}" for letter in "abc"}


@pytest.fixture
def callbacks(world: World) -> CallbackWorld:
    """Return a merchant with a default address and three further ones."""
    callbacks = CallbackWorld.on(world)
    paid, own = (CallbackType.ORDER_PAID.value,), callbacks.merchant.merchant_id
    types: list[tuple[str, ...] | None] = [None, paid, (CallbackType.ORDER_COMPLETED.value,)]
    addresses = tuple(
        CallbackAddress(
            endpoint_id,
            f"https://{endpoint_id[-1]}.example.com/",
            events,
            world.kms.seal_callback(own, (secret,)),
        )
        for (endpoint_id, secret), events in zip(SECRETS.items(), types, strict=True)
    )
    callbacks.merchant = world.change_merchant(callbacks.merchant, addresses=addresses)
    return callbacks


def client_of(callbacks: CallbackWorld) -> MerchantClient:
    return callbacks.world.client_of(callbacks.merchant, f"sk_{callbacks.merchant.merchant_id}")


def delivered(callbacks: CallbackWorld) -> None:
    """Receive messages until the queue is empty."""
    while callbacks.queued()[0]:
        callbacks.deliver()


def test_each_address_of_the_type_gets_it_under_one_id_with_its_own_secret(
    callbacks: CallbackWorld,
) -> None:
    event = callbacks.event()
    callbacks.put(event)
    delivered(callbacks)
    secrets = {URL: callbacks.secret}
    secrets |= {f"https://{each[-1]}.example.com/": SECRETS[each] for each in (*SECRETS,)[:2]}
    sent = {url: (headers, body) for url, headers, body in callbacks.post.sent}
    assert len(callbacks.post.sent) == len(sent) == len(secrets)
    for url, secret in secrets.items():
        headers, body = sent[url]
        assert headers["webhook-id"] == event.webhook_id
        Webhook(secret).verify(body, dict(headers))
    assert callbacks.queued() == (0, 0)


def test_an_orders_own_address_stays_its_only_target(callbacks: CallbackWorld) -> None:
    callbacks.put(callbacks.event(callback_url="https://own.example.com/"))
    delivered(callbacks)
    assert [url for url, _, _ in callbacks.post.sent] == ["https://own.example.com/"]


def test_a_failure_of_one_address_is_retried_there_only(callbacks: CallbackWorld) -> None:
    event = callbacks.event()
    callbacks.put(event)
    callbacks.post.script = [TAKEN, REFUSED, TAKEN]
    delivered(callbacks)
    states = [callbacks.delivery(event.webhook_id).state]
    states += [callbacks.delivery(f"{event.webhook_id}~{each}").state for each in (*SECRETS,)[:2]]
    assert sorted(states) == ["delivered", "delivered", "pending"]


def test_a_visit_that_is_repeated_sends_nothing_twice(callbacks: CallbackWorld) -> None:
    """The answer of the first delivery's write is lost, so SQS delivers its message again."""
    event = callbacks.event()
    callbacks.put(event)
    with answer_lost(callbacks.world.modules["send_callback"], "PutItem", times=1):
        callbacks.deliver()
    callbacks.put_again(event)
    delivered(callbacks)
    for endpoint_id in (*SECRETS,)[:2]:
        assert len(callbacks.delivery(f"{event.webhook_id}~{endpoint_id}").attempts) == 1


def test_the_list_has_each_delivery_and_one_is_sent_again(callbacks: CallbackWorld) -> None:
    client, event = client_of(callbacks), callbacks.event(number="B" + "1" * 24)
    callbacks.put(event)
    delivered(callbacks)

    def listed(**params: Any) -> list[str | None]:
        seen, cursor = list[str | None](), None
        while True:
            data = client.post(LIST, {"limit": 1, "cursor": cursor, **params}).data
            rows = data["callbacks"]
            assert {row["webhook_id"] for row in rows} <= {event.webhook_id}
            seen += [row.get("endpoint_id") for row in rows]
            cursor = data["cursor"]
            if cursor is None:
                return seen

    first, second, _ = SECRETS
    assert {*listed()} == {None, first, second}
    assert len(listed()) == 3
    events = client.post("/merchant/listEvents", {}).data["events"]
    assert [each["event_id"] for each in events] == [event.webhook_id]
    asked = {"webhook_id": event.webhook_id, "endpoint_id": first}
    again = client.post(REDELIVER, asked)
    assert (again.code, again.data["endpoint_id"], again.data["status"]) == (1, first, "pending")
    delivered(callbacks)
    assert callbacks.post.sent[-1][0] == "https://a.example.com/"
    unknown = {**asked, "endpoint_id": "ep_zzzzzzzzzzzz"}
    assert client.post(REDELIVER, unknown).code == 2002


def test_addresses_are_kept_in_the_portal_with_a_fresh_passkey(world: World) -> None:
    visit = PortalVisit.of_new_member(world, MemberRole.DEVELOPER)
    url = "https://shop.example.com/hook"
    assert visit.post("endpoints", url=url)["statusCode"] == 403
    made = visit.confirmed("endpoints", url=url, events="order.paid, order.completed")
    assert made["statusCode"] == 200
    endpoint_id, secret = re.findall(r'<code class="code"[^>]*>([^<]+)</code>', made["body"])
    page = visit.get("endpoints")["body"]
    assert url in page
    assert "order.paid, order.completed" in page
    assert secret not in page
    rotated = visit.confirmed("endpoints/rotate", endpoint_id=endpoint_id)["body"]
    assert endpoint_id in rotated
    assert secret not in rotated
    removed = visit.confirmed("endpoints/remove", endpoint_id=endpoint_id)
    assert removed["statusCode"] == 303
    assert url not in visit.get("endpoints")["body"]
    assert visit.confirmed("endpoints/rotate", endpoint_id=endpoint_id)["statusCode"] == 404


def test_what_is_no_address_is_refused(world: World) -> None:
    visit = PortalVisit.of_new_member(world)
    for form in (
        {"url": "ftp://shop.example.com/"},
        {"url": "http://10.0.0.1/"},
        {"url": "https://shop.example.com/", "events": "order.payed"},
        {"url": "https://shop.example.com/", "events": "endpoint.test"},
    ):
        refused = visit.confirmed("endpoints", **form)
        assert refused["statusCode"] == 422, form
        wrong = "events" if "events" in form else "url"
        assert f'aria-invalid="true" aria-describedby="{wrong}-problem"' in refused["body"]
    states = [
        visit.confirmed("endpoints", url="https://shop.example.com/")["statusCode"]
        for _ in range(ADDRESSES_MAX + 1)
    ]
    assert states == [200] * ADDRESSES_MAX + [422]
    viewer = PortalVisit.of_new_member(world, MemberRole.VIEWER, visit.merchant)
    assert viewer.get("endpoints")["statusCode"] == 200
    assert viewer.confirmed("endpoints", url="https://a.example.com/")["statusCode"] == 403
