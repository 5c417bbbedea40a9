"""A notification while the desk is closed: the switch and the service worker.

There is no push service: the browser's subscription is a fake, and its debugger delivers the push.
"""

from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from orderdesk.adapters.dynamodb.keys import Key
from tests.browser.desk_visit import DeskVisit
from tests.browser.site import Site
from tests.browser.tabs import OpenTab

pytestmark = pytest.mark.whole_chromium

ENDPOINT = "https://push.example.com/device"
SWITCH = "Also when the desk is closed"

# A fake of the browser's subscription. It outlives a page, as the real one does.
SUBSCRIBED = f"""
window.KEY = "the browser's own";
const subscription = (endpoint) => ({{
  endpoint,
  unsubscribe: async () => sessionStorage.removeItem(KEY),
}});
PushManager.prototype.getSubscription = async () => {{
  const endpoint = sessionStorage.getItem(KEY);
  return endpoint ? subscription(endpoint) : null;
}};
PushManager.prototype.subscribe = async (options) => {{
  if (window.isUnreachable) throw new DOMException("push service error", "AbortError");
  window.options = options;
  sessionStorage.setItem(KEY, "{ENDPOINT}");
  return subscription("{ENDPOINT}");
}};
"""


def trader_in(site: Site, tab: Page, language: str = "en") -> DeskVisit:
    tab.context.grant_permissions(["notifications"])
    tab.add_init_script(SUBSCRIBED)
    return DeskVisit.of_new_trader(site, tab, language)


def endpoints_of(visit: DeskVisit) -> list[str]:
    found = visit.site.world.get("Guards", {"pk": Key.push(visit.trader.trader_id)})
    item: dict[str, Any] = found or {"devices": []}
    return [device["endpoint"] for device in item["devices"]]


def switch(tab: Page, *, on: bool) -> None:
    button = tab.locator("#push")
    button.click()
    expect(button).to_have_attribute("aria-pressed", str(on).lower())


class Worker:
    """The browser's debugger, which delivers a push to the registered worker."""

    def __init__(self, tab: Page, origin: str) -> None:
        self._session: CDPSession = tab.context.new_cdp_session(tab)
        self._origin = origin
        self.ids: list[str] = []
        self._session.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self._session.send("ServiceWorker.enable")

    def _note(self, event: dict[str, Any]) -> None:
        self.ids += [each["registrationId"] for each in event["registrations"]]

    def push(self) -> None:
        to = {"origin": self._origin, "registrationId": self.ids[-1], "data": ""}
        self._session.send("ServiceWorker.deliverPushMessage", to)


SHOWN = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  const notes = await registration.getNotifications();
  return notes.map((note) => [note.title, note.body, note.lang]);
}"""


def test_a_push_shows_that_an_order_waits(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    visit = trader_in(site, tab)
    worker = Worker(tab, site.desk_url.removesuffix("/trader"))
    switch(tab, on=True)
    assert endpoints_of(visit) == [ENDPOINT]
    assert tab.evaluate("options.userVisibleOnly")
    assert len(tab.evaluate("options.applicationServerKey")) == 87
    scope = tab.evaluate("navigator.serviceWorker.ready.then(({scope}) => scope)")
    assert scope == f"{site.desk_url}/"
    for _ in range(2):
        worker.push()
        tab.wait_for_function(f"({SHOWN})().then((notes) => notes.length === 1)")
    assert tab.evaluate(SHOWN) == [["An order is waiting", "Open the desk to see it.", "en"]]


def test_the_switch_stays_on_until_it_is_switched_off(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    visit = trader_in(site, tab)
    switch(tab, on=True)
    tab.reload()
    expect(tab.locator("#push")).to_have_attribute("aria-pressed", "true")
    switch(tab, on=False)
    assert endpoints_of(visit) == []
    tab.reload()
    expect(tab.locator("#push")).to_have_attribute("aria-pressed", "false")


def test_logging_out_ends_it_and_logging_in_brings_it_back(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    visit = trader_in(site, tab)
    switch(tab, on=True)
    tab.get_by_role("button", name="Log out").click()
    expect(tab.locator("#code")).to_be_visible()
    assert endpoints_of(visit) == []
    with tab.expect_response("**/trader/push") as asked:
        visit.log_in("en")
    assert asked.value.ok
    assert endpoints_of(visit) == [ENDPOINT]


def test_another_traders_device_is_given_up(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    trader_in(site, tab)
    switch(tab, on=True)
    tab.get_by_role("button", name="Log out").click()
    expect(tab.locator("#code")).to_be_visible()
    other = DeskVisit.of_new_trader(site, tab)
    tab.wait_for_function("sessionStorage.getItem(KEY) === null")
    expect(tab.locator("#push")).to_have_attribute("aria-pressed", "false")
    assert endpoints_of(other) == []


def test_an_unreachable_push_service_shows_a_hint(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    visit = trader_in(site, tab)
    tab.evaluate("window.isUnreachable = true")
    tab.locator("#push").click()
    expect(tab.get_by_text("may not be able to reach its push service")).to_be_visible()
    expect(tab.locator("#push")).to_have_attribute("aria-pressed", "false")
    assert endpoints_of(visit) == []


def test_without_javascript_there_is_no_switch(site: Site, open_tab: OpenTab) -> None:
    visit = DeskVisit.of_new_trader(site, open_tab(java_script_enabled=False))
    expect(visit.tab.get_by_text(SWITCH)).to_be_hidden()
