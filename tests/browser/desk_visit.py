"""A trader at the desk, in a browser."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import FilePayload, Page, expect

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.orders.items import order_item, order_of
from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.orders.order import Order, OrderStatus
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.traders.trader import Trader
from tests.browser.site import Site
from tests.support import receipt_samples as samples
from tests.support.orders import desk_order
from tests.support.seed import with_changes
from tests.support.trader import add_trader_with_code

PLENTY_MICRO = 10**12
POLL_SECONDS = 15
FEED = "/trader/status"
PICTURE = FilePayload(name="proof.png", mimeType="image/png", buffer=samples.png())


@dataclass(slots=True)
class DeskVisit:
    """A trader's tab, logged in."""

    site: Site
    tab: Page
    trader: Trader
    code: str

    @classmethod
    def of_new_trader(
        cls, site: Site, tab: Page, language: str = "en", **changes: Any
    ) -> "DeskVisit":
        """Add a trader, with money held for an open order, and log in."""
        changes = {"held_micro": PLENTY_MICRO, "open_orders": 1, **changes}
        visit = cls(site, tab, *add_trader_with_code(site.world, **changes))
        visit.log_in(language)
        return visit

    def log_in(self, language: str) -> None:
        """Submit the log-in form."""
        self.tab.goto(f"{self.site.desk_url}?lang={language}")
        self.tab.goto(f"{self.site.desk_url}/login?lang={language}")
        self.tab.locator("#code").fill(self.code)
        self.tab.locator("main button[type=submit]").click()
        expect(self.tab.locator(".duty")).to_be_visible()

    def put(self, side: OrderType, status: OrderStatus, **changes: Any) -> Order:
        """Store an order of the trader; for a sell, with the merchant's money held."""
        since = changes.pop("since", self.site.now)
        order = desk_order(side, status, since, trader_id=self.trader.trader_id, **changes)
        self.site.world.put("Orders", order_item(order))
        account = Account(AccountKind.MERCHANT, order.merchant_id, Mode.LIVE)
        row = {"available_micro": 0, "held_micro": PLENTY_MICRO, **self.site.count(order)}
        self.site.world.put("Ledger", {"pk": account.key, "sk": Key.BALANCE, **row})
        return order

    def stored(self, order: Order) -> Order:
        """Return the stored order."""
        return order_of(self.site.world.get("Orders", {"pk": order.order_no}) or {})

    def change(self, order: Order, **changes: Any) -> None:
        """Change an order in place of another person."""
        changed = with_changes(self.stored(order), version=order.version + 1, **changes)
        self.site.world.put("Orders", order_item(changed))

    def poll(self) -> None:
        """Make the page poll once."""
        self.site.let_time_pass(self.tab, seconds=POLL_SECONDS)

    def poll_without_news(self) -> None:
        """Make the page poll once; it announces nothing."""
        with self.tab.expect_request_finished(lambda asked: FEED in asked.url):
            self.poll()
        expect(self.tab.locator("#news")).to_be_hidden()

    def poll_with_news(self) -> None:
        """Make the page poll once; it announces a change."""
        self.poll()
        expect(self.tab.locator("#news")).to_be_visible()

    def confirm(self) -> None:
        """Confirm the receipt of a buy on its page."""
        self.tab.get_by_role("link", name="Confirm receipt").click()
        self.tab.get_by_role("button", name="Yes, it has arrived").click()

    def open_known(self, order: Order) -> None:
        """Open the page of an order that the list has shown, so that no alarm rings for it."""
        self.tab.reload()
        self.open(order)

    def open(self, order: Order, language: str = "en") -> None:
        """Open an order's page."""
        self.tab.goto(f"{self.site.desk_url}/orders/{order.order_no}?lang={language}")

    def upload(self, file: FilePayload = PICTURE, *, javascript: bool = True) -> None:
        """Choose a file for a proof and send it."""
        send_receipt(self.tab, file, javascript=javascript)


def send_receipt(tab: Page, file: FilePayload, *, javascript: bool) -> None:
    """Choose and send a file; without a script, also press the next page's button."""
    tab.get_by_label("Receipt file").set_input_files(file)
    tab.locator("#upload [type=submit]").click()
    if not javascript:
        tab.get_by_role("button", name="Continue").click()


def heading(tab: Page, text: str) -> None:
    """Wait for the page with this headline."""
    expect(tab.get_by_role("heading", level=1)).to_have_text(text)
