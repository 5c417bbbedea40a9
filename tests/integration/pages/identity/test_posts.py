"""Posts to the identity page: origin, rate, content, and the log."""

import json

import pytest

from orderdesk.adapters.dynamodb.orders.items import order_of
from tests.integration.pages.identity.customer import FORM, FROM_PAGE, Customer
from tests.support.identities import identity
from tests.support.world import World

FAILING = identity(mobile="13800000000")
UNAVAILABLE = identity(mobile="13800009999")


def test_what_keyboards_and_clipboards_add_is_removed(world: World, customer: Customer) -> None:
    """By the server, so also without JavaScript; the plain form is what is verified and kept."""
    card = identity()["id_card"]
    written = {
        "customer_name": "\u200e买买提．艾力\u3000",
        "id_card": f"{card[:6]} {card[6:14]} {card[14:]}",
        "mobile": "\u202d+86 138-0000-0001\u202c",
    }
    assert customer.sends(written).status == 303
    [order] = map(order_of, world.items("Orders", "order"))
    assert order.identity is not None
    assert order.identity.open_name == "买买提·艾力"
    assert order.identity.masked_mobile == "138****0001"


@pytest.mark.parametrize(
    "form", [identity(), FAILING, UNAVAILABLE, {**identity(), "mobile": "138000000"}]
)
def test_nothing_of_the_form_is_logged_or_kept(
    world: World, customer: Customer, capsys: pytest.CaptureFixture[str], form: dict[str, str]
) -> None:
    customer.sends(form)
    customer.posts(b"customer_name=%FF&id_card=" + form["id_card"].encode(), {**FORM, **FROM_PAGE})
    items = world.items("Orders")
    for item in items:
        if isinstance(record := item.get("identity"), dict):
            record.pop("open_name")  # of an open buy, for its trader
    kept = json.dumps(items, ensure_ascii=False)
    captured = capsys.readouterr()
    for text in (*identity().values(), form["mobile"] + '"', customer.token):
        assert text not in kept
        assert text not in captured.out + captured.err
