"""A merchant is notified of changes of its access; a recovery rests and can be stopped."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.callbacks import delivery_of
from orderdesk.adapters.dynamodb.teams import TeamStore, team_write
from orderdesk.adapters.dynamodb.transactions import transact
from orderdesk.domain.authority import Power
from orderdesk.domain.callbacks.delivery import DeliveryState
from orderdesk.domain.callbacks.events import CallbackEvent
from orderdesk.domain.merchants.merchant import Merchant, MerchantTerms
from orderdesk.domain.merchants.notices import FIELDS, TERM_POWERS
from orderdesk.domain.merchants.team import RECOVERY_REST_SECONDS, MemberRole, Team
from tests.support.merchant_client import MerchantClient
from tests.support.operator_api import OperatorApi
from tests.support.portal import PortalVisit
from tests.support.visitors import OWN_PAGE
from tests.support.world import ENVIRONMENT, World

FIRST, SECOND = "finance-1", "finance-2"
HOOK = "https://old.example/hooks"
PAYERS = {"display_name": "x", "support": "", "require_receipt": "yes"}


@pytest.fixture
def shop(world: World) -> tuple[Merchant, MerchantClient]:
    return world.add_merchant(callback_url=HOOK)


@pytest.fixture
def admin(world: World, shop: tuple[Merchant, MerchantClient]) -> PortalVisit:
    return PortalVisit.of_new_member(world, merchant=shop[0])


class Notices:
    """The notices of a merchant since the last look."""

    def __init__(self, world: World, merchant: Merchant) -> None:
        self.world, self.merchant_id = world, merchant.merchant_id
        self._seen: set[str] = set()

    def new(self) -> list[tuple[CallbackEvent, DeliveryState, dict[str, Any]]]:
        rows = [row for row in self.world.items("Callbacks") if row.get("type") == "account.notice"]
        found = [delivery_of(row) for row in rows]
        new = [each for each in found if each.event.webhook_id not in self._seen]
        self._seen |= {each.event.webhook_id for each in new}
        assert all(each.event.merchant_id == self.merchant_id for each in new)
        return [(each.event, each.state, json.loads(each.event.body)["data"]) for each in new]


@pytest.fixture
def notices(world: World, shop: tuple[Merchant, MerchantClient], admin: PortalVisit) -> Notices:
    made = Notices(world, admin.merchant)
    [(event, _, data)] = [each for each in made.new() if each[2]["by"] != "operator"]
    assert (event.callback_url, data["kind"], data["by"]) == (HOOK, "person", "张三")
    return made


def kinds(notices: Notices) -> list[tuple[str, str]]:
    found = notices.new()
    assert all(event.callback_url == HOOK for event, _, _ in found)
    assert all(state is DeliveryState.PENDING for _, state, _ in found)
    return [(data["kind"], data["by"]) for _, _, data in found]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"callback_url": "https://new.example/hooks"}, [("endpoint", "operator")]),
        ({"allow_cidr": ["203.0.113.0/24"]}, [("endpoint", "operator")]),
        ({"identity": True}, [("endpoint", "operator")]),
        ({"display_name": "Another"}, [("endpoint", "operator")]),
        ({"support": "0755"}, [("endpoint", "operator")]),
        ({"events": "none"}, [("endpoint", "operator")]),
        ({"callback_url": HOOK}, []),
        ({"max_rps": 40}, []),
    ],
)
def test_an_operators_change_of_an_endpoint_is_one_persons_and_is_notified(
    api: OperatorApi, notices: Notices, asked: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    changed = api.data(FIRST, "merchant.set", merchant_id=notices.merchant_id, **asked)
    assert "proposal" not in changed
    assert kinds(notices) == expected


def test_a_revoked_key_and_a_members_changes_are_notified(
    api: OperatorApi, notices: Notices, admin: PortalVisit
) -> None:
    api.data(FIRST, "merchant.revoke-secret", merchant_id=notices.merchant_id)
    assert kinds(notices) == [("key", "operator")]
    endpoint = {"url": "https://second.example/hooks", "events": "order.paid"}
    steps: list[tuple[Callable[[], Any], str]] = [
        (lambda: admin.confirmed("endpoints", **endpoint), "endpoint"),
        (lambda: admin.confirmed("developers/keys/live/rotate"), "key"),
        (lambda: admin.confirmed("developers/keys", mode="live", scope="read"), "key"),
        (lambda: admin.confirmed("team/invite", name="李四", role="viewer"), "person"),
        (lambda: admin.confirmed("settings/networks", allow_cidr="203.0.113.0/24"), "endpoint"),
        (lambda: admin.post("settings/payers", OWN_PAGE, **PAYERS), "endpoint"),
        (
            lambda: admin.confirmed("settings/callback", callback_url="https://x.example"),
            "endpoint",
        ),
    ]
    for step, kind in steps:
        assert step()["statusCode"] in {200, 303}
        assert kinds(notices) == [(kind, "张三")]


def test_the_message_is_sent_at_once_and_listed(
    world: World, api: OperatorApi, shop: tuple[Merchant, MerchantClient], notices: Notices
) -> None:
    api.data(FIRST, "merchant.set", merchant_id=notices.merchant_id, support="0755")
    [(event, _, _)] = notices.new()
    queue = ENVIRONMENT["CALLBACKS_QUEUE_URL"]
    sent = world.sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=10)["Messages"]
    assert event.webhook_id in repr(sent)
    listed = shop[1].post("/merchant/listCallbacks", {}).data
    assert event.webhook_id in repr(listed)


def test_without_an_address_the_notice_is_recorded_and_not_sent_to_the_new_one(
    world: World, api: OperatorApi
) -> None:
    merchant, _ = world.add_merchant()
    api.data(FIRST, "merchant.set", merchant_id=merchant.merchant_id, callback_url=HOOK)
    [(event, state, _)] = Notices(world, merchant).new()
    assert (event.callback_url, state) == (None, DeliveryState.UNDELIVERABLE)


def recovered(api: OperatorApi, merchant_id: str) -> tuple[str, str, dict[str, Any]]:
    """Invite as two people; return the link's token, its code, and the proposal."""
    asked = {"merchant_id": merchant_id, "name": "王五", "role": "admin", "reason": "lost keys"}
    made = api.data(FIRST, "merchant.invite", **asked)["proposal"]
    number = made["proposal_no"]
    api.data(SECOND, "proposal.approve", proposal_no=number)
    link, code = (
        api.data(who, "proposal.reveal", proposal_no=number)["secret"] for who in (FIRST, SECOND)
    )
    return link.rpartition("/")[2], code, made


def let_rest(world: World, merchant_id: str, seconds: int) -> None:
    """Store the team as if its recovery had been made earlier."""
    store = TeamStore(world.client, world.tables)
    team: Team = store.team(merchant_id)
    older = [
        replace(each, opens_at=each.opens_at - seconds, expires_at=each.expires_at - seconds)
        for each in team.invitations
    ]
    after = replace(team, invitations=tuple(older), version=team.version + 1)
    transact(world.client, [team_write(world.tables.merchants, team, after)], f"rest{seconds}")


def test_a_recovery_is_notified_at_once_opens_after_48_hours_and_ends_24_later(
    world: World, api: OperatorApi, notices: Notices, admin: PortalVisit
) -> None:
    token, code, proposal = recovered(api, notices.merchant_id)
    assert proposal["summary"].startswith("Recovery: ")
    assert "48 h" in proposal["after"]["opens"]
    [(event, state, data)] = notices.new()
    assert (event.callback_url, state) == (HOOK, DeliveryState.PENDING)
    assert (data["kind"], data["by"], data["is_test"]) == ("person", "operator", False)
    [waiting] = admin.team.invitations
    assert data["opens_at"] == waiting.opens_at
    assert 0 <= waiting.opens_at - event.timestamp - RECOVERY_REST_SECONDS <= 1
    assert waiting.expires_at - waiting.opens_at == 24 * 3600
    for page in ("", "orders", "settings"):
        assert "王五" in admin.get(page)["body"], "a banner on each page"

    guest = PortalVisit(world, admin.merchant)
    for answer in (guest.get(f"invite/{token}"), guest.join(token, code)):
        assert answer["statusCode"] == 409
    let_rest(world, notices.merchant_id, RECOVERY_REST_SECONDS)
    assert guest.get(f"invite/{token}")["statusCode"] == 200
    assert guest.join(token, code)["statusCode"] == 303
    assert guest.member.role is MemberRole.ADMIN
    assert kinds(notices) == [("person", "王五")]
    assert 'role="alert"' not in admin.get("orders")["body"]


def test_a_recovery_that_is_over_does_not_work(
    world: World, api: OperatorApi, admin: PortalVisit
) -> None:
    token, code, _ = recovered(api, admin.merchant.merchant_id)
    let_rest(world, admin.merchant.merchant_id, RECOVERY_REST_SECONDS + 24 * 3600)
    assert PortalVisit(world, admin.merchant).join(token, code)["statusCode"] == 404


def test_any_admin_stops_a_recovery_unless_the_merchant_is_suspended(
    world: World, api: OperatorApi, notices: Notices, admin: PortalVisit
) -> None:
    token, code, _ = recovered(api, notices.merchant_id)
    notices.new()
    [waiting] = admin.team.invitations
    stop = f"team/invitations/{waiting.member_id}/withdraw"
    finance = PortalVisit.of_new_member(world, MemberRole.FINANCE, admin.merchant)
    assert finance.confirmed(stop)["statusCode"] == 403
    api.data(FIRST, "merchant.suspend", merchant_id=notices.merchant_id, reason="r")
    assert admin.confirmed(stop)["statusCode"] == 403
    api.data(FIRST, "merchant.resume", merchant_id=notices.merchant_id)
    notices.new()
    assert admin.confirmed(stop)["statusCode"] == 303
    assert kinds(notices) == [("person", "张三")]
    let_rest(world, notices.merchant_id, RECOVERY_REST_SECONDS)
    assert PortalVisit(world, admin.merchant).join(token, code)["statusCode"] == 404


def test_the_first_admin_is_no_recovery_and_who_gets_one_meanwhile_makes_it_one(
    world: World, api: OperatorApi
) -> None:
    merchant, _ = world.add_merchant()
    asked = {"merchant_id": merchant.merchant_id, "name": "王五", "role": "admin"}
    waiting = api.data(FIRST, "merchant.invite", **asked)["proposal"]
    token, code, made = recovered(api, merchant.merchant_id)
    assert made["summary"].startswith("Invite ")
    assert PortalVisit(world, merchant).join(token, code)["statusCode"] == 303
    status, envelope = api.call(SECOND, "proposal.approve", proposal_no=waiting["proposal_no"])
    assert (status, envelope["code"]) == (409, 2003), "it would have been no recovery"


def test_each_field_of_a_merchant_says_whether_it_is_notified() -> None:
    assert FIELDS.keys() | {"terms"} == set(Merchant.__dataclass_fields__)


def test_each_term_has_its_power() -> None:
    assert TERM_POWERS.keys() == set(MerchantTerms.__dataclass_fields__)
    assert set(TERM_POWERS.values()) == {Power.PRICE, Power.ENDPOINT, Power.STOP}
