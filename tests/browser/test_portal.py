"""A merchant's team at the portal of the deployed stack, with passkeys of an authenticator."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from playwright.sync_api import Page, expect

from orderdesk.adapters.system import now_us
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import MemberRole
from tests.browser.chromium import AXE, add_authenticator
from tests.browser.tabs import OpenTab
from tests.support.deliveries import keep_delivery
from tests.support.merchant_client import sell
from tests.support.operator_calls import People, Refused
from tests.support.payouts import pay_out
from tests.support.portal import invite, let_addresses_rest
from tests.support.requesting import TRON
from tests.support.stack_seed import StackSeed

FUNDS_MICRO = 10**9
PAGES = ["", "orders", "callbacks", "developers", "balance", "team", "settings"]
ROTATE = "form[action*='/test/rotate']"
FIRST_BUTTON = "main button[type=submit]"
# What each role may do and others may not, as the path of a form.


@dataclass(frozen=True)
class Phone:
    """A member's phone; its authenticator keeps the passkeys."""

    page: Page
    home: str

    def check(self) -> None:
        """Check the page with axe."""
        self.page.evaluate(AXE.read_text("utf-8"))
        rules = "axe.run().then(({violations}) => violations.map((each) => each.id))"
        assert self.page.evaluate(rules) == [], self.page.url

    def open(self, path: str) -> None:
        """Open a page below the portal, and check it."""
        self.page.goto(f"{self.home}/{path}".rstrip("/"))
        self.check()

    def press(self, button: str) -> None:
        """Press a button, which may use the passkey, or a link; check the next page."""
        with self.page.expect_navigation():
            self.page.click(button)
        self.check()

    def join(self, token: str) -> None:
        """Open an invitation, and register a passkey."""
        self.page.goto(f"{self.home}/invite/{token}")
        with self.page.expect_navigation():
            self.page.click(FIRST_BUTTON)
        assert self.page.url == self.home

    def forms(self) -> list[str]:
        """Return the paths of the page's forms that can be sent and change something."""
        found: list[str] = self.page.eval_on_selector_all(
            "main form[method=post]:has(button)", "(forms) => forms.map((each) => each.action)"
        )
        return [action.removeprefix(f"{self.home}/") for action in found]

    def send(self, path: str) -> str:
        """Send an empty form from this page; return the answer's status and page."""
        answer: str = self.page.evaluate(
            """async (url) => {
                const answer = await fetch(url, {method: "POST", body: new URLSearchParams()});
                return `${answer.status} ${await answer.text()}`;
            }""",
            f"{self.home}/{path}",
        )
        return answer


type NewPhone = Callable[..., Phone]


@pytest.fixture
def new_phone(stack_seed: StackSeed, open_tab: OpenTab) -> NewPhone:
    """Return the function that opens a browser with an authenticator of its own."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: needs npm, then `make setup`")

    def new_phone(complaints: str = "") -> Phone:
        page = open_tab(complaints=complaints, locale="en-US", reduced_motion="reduce")
        add_authenticator(page)
        return Phone(page, f"{stack_seed.stack.base_url}/portal")

    return new_phone


@pytest.fixture
def merchant(stack_seed: StackSeed) -> Merchant:
    """Return a merchant with both keys, money and a callback."""
    merchant, _ = stack_seed.add_test_key(stack_seed.add_merchant()[0])
    stack_seed.fund(merchant, FUNDS_MICRO)
    keep_delivery(stack_seed, merchant)
    return merchant


@pytest.fixture
def admin(stack_seed: StackSeed, merchant: Merchant, new_phone: NewPhone) -> Phone:
    """Return the phone of an admin, who has just joined."""
    phone = new_phone()
    phone.join(invite(stack_seed, merchant, MemberRole.ADMIN))
    return phone


def test_a_member_signs_in_again_and_reads_every_page(
    stack_seed: StackSeed, merchant: Merchant, admin: Phone
) -> None:
    client = stack_seed.client_of(merchant, f"sk_{merchant.merchant_id}")
    number = client.create(sell()).data["order_no"]
    page = admin.page
    (cookie,) = page.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Lax")
    admin.press(".who button")
    assert page.url == f"{admin.home}/login"
    asked = f"{admin.home}/orders?status=paid&lang="
    page.goto(f"{asked}zh")
    admin.press(".switch")
    assert "/login?" in page.url
    admin.press(FIRST_BUTTON)
    assert page.url == f"{asked}en"
    admin.open("")
    links = page.eval_on_selector_all(".sections a", "(links) => links.map((each) => each.href)")
    assert links == [f"{admin.home}/{path}".rstrip("/") for path in PAGES]
    for path in [*PAGES, "developers/explorer"]:
        admin.open(path)
        assert page.locator("[aria-current=page]").count() == 1
    admin.open("orders")
    admin.press(f"main a[href*='{number}']")
    expect(page.locator("main")).to_contain_text(number)


def test_the_rotated_test_key_signs_and_a_stolen_cookie_changes_no_key(
    stack_seed: StackSeed, merchant: Merchant, admin: Phone, new_phone: NewPhone
) -> None:
    admin.open("developers")
    admin.press(f"{ROTATE} button")
    client = stack_seed.client_of(merchant, admin.page.inner_text("#api-secret"))
    rotated = replace(client, api_key=merchant.test_api_key)
    assert rotated.post("/merchant/balance", {}).code == 1
    admin.open("developers/explorer?call=balance")
    admin.press("button[value=send]")
    expect(admin.page.locator("#answer")).to_contain_text("HTTP 200")
    thief = new_phone("403")
    (cookie,) = admin.page.context.cookies()
    stolen = {name: cookie[name] for name in ("name", "value", "domain", "path")}
    thief.page.context.add_cookies([stolen])  # type: ignore[list-item]
    thief.open("developers")
    thief.page.click(f"{ROTATE} button")
    problem = thief.page.locator(f"{ROTATE} [role=alert]")
    expect(problem).not_to_be_empty()
    for path in (f"developers/keys/{mode}/rotate" for mode in ("live", "test")):
        answer = thief.send(path)
        assert answer.startswith("403 ")
        assert "passkey was not accepted" in answer
    assert rotated.post("/merchant/balance", {}).code == 1


def test_a_withdrawal_from_its_address_to_its_transaction(
    stack_seed: StackSeed, merchant: Merchant, admin: Phone, operators: list[dict[str, str]]
) -> None:
    page, chip = admin.page, admin.page.locator("[aria-labelledby=withdrawals] .chip")
    admin.open("balance")
    page.fill("#address", TRON)
    page.fill("#label", "cold")
    admin.press("form[action$='balance/addresses'] button")
    expect(page.locator("main")).to_contain_text("Usable from")
    assert "balance/requests" not in admin.forms()
    let_addresses_rest(stack_seed, merchant)
    admin.open("balance")
    number = page.input_value("[name=request_no]")
    page.fill("#amount", "12.5")
    page.fill("#memo", "rent")
    admin.press("form[action$='balance/requests'] button")
    expect(chip).to_have_text("Requested")
    assert stack_seed.balance(merchant) == (FUNDS_MICRO - 12_500_000, 12_500_000)
    people = People(stack_seed.stack, operators)
    taken = people.call("finance-1", "withdraw.merchant", request_no=number)["withdrawal_no"]
    with pytest.raises(Refused, match="2301"):
        people.call("finance-1", "proposal.approve", proposal_no=taken)
    people.call("finance-2", "proposal.approve", proposal_no=taken)
    admin.open("balance")
    expect(chip).to_have_text("Approved")
    pay_out(stack_seed, now_us)
    people.call("finance-1", "withdraw.sent", withdrawal_no=number, txid="ab12cd34")
    admin.open("balance")
    expect(chip).to_have_text("Sent")
    expect(page.locator("[aria-labelledby=withdrawals]")).to_contain_text("ab12cd34")
    assert stack_seed.balance(merchant) == (FUNDS_MICRO - 12_500_000, 0)
    with page.expect_download() as file:
        page.click("a[href*='balance.csv']")
    assert "-12.5" in file.value.path().read_text("utf-8")
