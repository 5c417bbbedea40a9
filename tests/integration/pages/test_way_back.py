"""The pages show the merchant, the number to quote, and a return link (contract section 8)."""

import html

from tests.integration.pages.identity.customer import customer_of
from tests.support.identities import identity
from tests.support.payer import Payer
from tests.support.world import World

BACK = "https://shop.example/back?order=1&x=<y>"
NAMED = {"display_name": "A & B", "support": "help@shop.example, 9:00-18:00"}
LINK = f'rel="noopener" href="{html.escape(BACK)}"'


def test_a_draft_and_its_order_lead_back(world: World) -> None:
    """What each state shows of a merchant is in tests/unit/pages."""
    customer = customer_of(world, return_url=BACK)
    world.change_merchant(customer.merchant, **NAMED)
    held = customer.opens().html
    payer = Payer.of_link(world, customer.sends(identity()).headers["Location"])
    for page, number in ((held, customer.pending_no), (payer.get()["body"], payer.order_no)):
        assert page.count(LINK) == 1
        assert "A &amp; B" in page
        assert '<a href="mailto:help@shop.example">help@shop.example</a>, 9:00-18:00' in page
        assert number in page
