"""The settings page: who may change what, what is refused, what payers and callers see."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest

from orderdesk.adapters.dynamodb.merchants import merchant_item
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.services.merchants.own_settings import LOGO_BYTES_MAX
from tests.integration.pages.identity.customer import customer_of
from tests.support.merchant_client import buy
from tests.support.payer import Payer
from tests.support.portal import PortalVisit
from tests.support.receipt_samples import drawn, pdf, png
from tests.support.visitors import OWN_PAGE, Answer, UploadForm, hidden_fields, query_of_return
from tests.support.world import World

PAYERS = {
    "display_name": "新店 & Co",
    "support": "care@new.example, 0755-87654321",
    "require_receipt": "yes",
}
CALLBACK = {"callback_url": "https://new.example/hooks"}
NETWORKS = {"allow_cidr": "192.0.2.0/24\r\n2001:db8::/32, 192.0.2.0/24"}
FORMS = {"settings/payers": PAYERS, "settings/callback": CALLBACK, "settings/networks": NETWORKS}


@pytest.fixture
def admin(world: World) -> PortalVisit:
    return PortalVisit.of_new_member(world)


def with_role(visit: PortalVisit, role: MemberRole) -> PortalVisit:
    return PortalVisit.of_new_member(visit.seed, role, visit.merchant)


def stored(visit: PortalVisit) -> Any:
    seed = visit.seed
    return seed.get(seed.tables.merchants, {"pk": merchant_item(visit.merchant)["pk"]})


def saved(answer: Answer) -> bool:
    location = answer["headers"].get("Location", "")
    return (answer["statusCode"], location) == (303, "../settings?said=saved")


def text_of(answer: Answer) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", answer["body"])).split())


def test_payers_see_the_new_name_and_contact_and_need_a_receipt(
    world: World, admin: PortalVisit
) -> None:
    world.add_trader()
    merchant, client = world.add_merchant()
    visit = PortalVisit.of_new_member(world, merchant=merchant)
    assert saved(visit.post("settings/payers", OWN_PAGE, **PAYERS))
    page = visit.get("settings", said="saved")
    assert '<p class="alert good" role="status">The settings were saved.' in page["body"]
    payer = Payer.of_link(world, client.create(buy()).data["pay_url"])
    for shown in (page["body"], payer.get()["body"]):
        assert "新店 &amp; Co" in shown
        assert '<a href="mailto:care@new.example">care@new.example</a>' in shown
        assert '<a href="tel:075587654321">0755-87654321</a>' in shown
    assert payer.post("/paid")["statusCode"] == 422, "a receipt is required"
    assert stored(admin)["display_name"] == ""


def test_a_developer_changes_the_default_callback_address(admin: PortalVisit) -> None:
    developer = with_role(admin, MemberRole.DEVELOPER)
    page = developer.get("settings")["body"]
    assert 'action="settings/callback"' in page
    assert 'action="settings/networks"' in page
    assert 'action="settings/payers"' not in page
    assert saved(developer.confirmed("settings/callback", **CALLBACK))
    assert stored(admin)["callback_url"] == CALLBACK["callback_url"]
    assert saved(developer.confirmed("settings/callback", callback_url=" "))
    assert stored(admin)["callback_url"] == ""


def test_calls_from_other_addresses_are_refused(world: World) -> None:
    merchant, client = world.add_merchant()
    visit = PortalVisit.of_new_member(world, merchant=merchant)
    assert saved(visit.confirmed("settings/networks", **NETWORKS))
    assert stored(visit)["allowed_cidrs"] == ["192.0.2.0/24", "2001:db8::/32"]
    assert "192.0.2.0/24\n2001:db8::/32</textarea>" in visit.get("settings")["body"]
    assert client.post("/merchant/balance", {}).code == 1105
    assert saved(visit.confirmed("settings/networks", allow_cidr=""))
    world.let_time_pass(seconds=60)
    assert client.post("/merchant/balance", {}).code == 1


@pytest.mark.parametrize(
    ("path", "unfit", "value"),
    [
        ("settings/payers", "display_name", "x" * 65),
        ("settings/payers", "support", "a\u202eb"),
        ("settings/callback", "callback_url", "http://10.0.0.1/hooks"),
        ("settings/networks", "allow_cidr", "203.0.113.7/24"),
    ],
)
def test_an_unfit_value_is_shown_back_and_changes_nothing(
    admin: PortalVisit, path: str, unfit: str, value: str
) -> None:
    before, form = stored(admin), {**FORMS[path], unfit: value}
    answer = admin.confirmed(path, **form)
    assert answer["statusCode"] == 422
    assert re.findall(r'name="(\w+)"[^>]*aria-invalid="true"', answer["body"]) == [unfit]
    assert "Nothing was saved." in answer["body"]
    assert all(typed in unescape(answer["body"]) for typed in form.values())
    assert stored(admin) == before


def test_the_name_of_another_merchant_is_refused_until_it_is_free(
    world: World, admin: PortalVisit
) -> None:
    other = PortalVisit.of_new_member(world)
    assert saved(other.post("settings/payers", OWN_PAGE, **PAYERS))
    sent = {**PAYERS, "display_name": "新店  ＆ CO"}
    refused = admin.post("settings/payers", OWN_PAGE, **sent)
    assert refused["statusCode"] == 422
    assert "not the name of another merchant" in text_of(refused)
    assert stored(admin)["display_name"] == ""
    assert saved(other.post("settings/payers", OWN_PAGE, **{**PAYERS, "display_name": ""}))
    assert saved(admin.post("settings/payers", OWN_PAGE, **sent))


def test_each_change_is_on_record_once(admin: PortalVisit) -> None:
    for path, form in FORMS.items():
        assert saved(admin.confirmed(path, **form))
        assert saved(admin.confirmed(path, **form)), "the same again changes nothing"
    team = admin.get("team")
    assert team["body"].count("changed settings") == len(FORMS)
    for part in (
        "Display name: → 新店 & Co · Support contact: → care@new.example, 0755-87654321",
        "Receipt of the payment: no → yes",
        "Default callback address: → https://new.example/hooks",
        "Source addresses: → 192.0.2.0/24, 2001:db8::/32",
    ):
        assert part in text_of(team).replace(":  →", ": →"), part
    assert "更改设置" in admin.get("team", lang="zh")["body"]


LOGO = "settings/logo"
_IMAGE = re.compile(r'<img class="logo" src="([^"]+)"[^>]* alt="([^"]*)"')


def logo_sent(visit: PortalVisit, content: bytes) -> Answer:
    """Upload a logo, come back from the bucket, press the button."""
    form = UploadForm.on(visit.get("settings")["body"])
    here = query_of_return(form.upload(visit.seed.transport(), content))
    sent = hidden_fields(visit.get(LOGO, **here)["body"])
    return visit.post(LOGO, OWN_PAGE, **sent)


def logo_of(page: str, headers: Mapping[str, str]) -> str:
    """Return the alternative text of the page's logo, which the policy allows; "" without one."""
    found = _IMAGE.search(page)
    if found is None:
        return ""
    parts = urlsplit(unescape(found[1]))
    assert f"{parts.scheme}://{parts.netloc}" in headers["Content-Security-Policy"]
    return found[2]


def test_payers_see_the_logo_until_it_is_removed(world: World) -> None:
    world.add_trader()
    merchant, client = world.add_merchant(display_name="Shop & Sons")
    visit = PortalVisit.of_new_member(world, merchant=merchant)
    payer = Payer.of_link(world, client.create(buy()).data["pay_url"])
    customer = customer_of(world)
    world.change_merchant(customer.merchant, display_name="Shop & Sons")
    assert not logo_of((page := payer.get())["body"], page["headers"])
    assert 'class="initial"' in page["body"]

    assert saved(logo_sent(visit, png(40, 40)))
    key = stored(visit)["logo"]
    assert key.startswith("rendered/logo-")
    assert world.files()[f"{key}/preview.jpg"].startswith(b"RIFF"), "it is drawn again"
    world.change_merchant(customer.merchant, display_name="Shop & Sons", logo=key)
    for function in ("pay_page", "identity_page"):
        world.cold_start(function)
    for shown in (visit.get("settings"), payer.get(), payer.get("/paid")):
        assert logo_of(shown["body"], shown["headers"]) == "Shop &amp; Sons"
    opened = customer.opens()
    assert logo_of(opened.html, opened.headers) == "Shop &amp; Sons"

    assert visit.post(f"{LOGO}/remove", OWN_PAGE)["statusCode"] == 303
    assert stored(visit)["logo"] == ""
    trail = text_of(visit.get("team"))
    digest = key.rpartition("/")[2]
    assert f"Logo: → {digest}" in trail
    assert f"Logo: {digest} →" in trail


@pytest.mark.parametrize(
    "content", [drawn("WEBP"), pdf(), b"<svg/>", png() + bytes(LOGO_BYTES_MAX)]
)
def test_a_file_that_is_no_logo_changes_nothing(admin: PortalVisit, content: bytes) -> None:
    answer = logo_sent(admin, content)
    assert answer["statusCode"] == 422
    assert "The logo was not changed." in answer["body"]
    assert stored(admin)["logo"] == ""


def test_only_the_merchants_own_upload_becomes_its_logo(world: World, admin: PortalVisit) -> None:
    other = PortalVisit.of_new_member(world)
    form = UploadForm.on(other.get("settings")["body"])
    form.upload(world.transport(), png())
    answer = admin.post(LOGO, OWN_PAGE, key=form.fields["key"])
    assert answer["statusCode"] == 422
    assert stored(admin)["logo"] == ""


def test_a_receipt_is_required_or_not(admin: PortalVisit) -> None:
    sent = {**PAYERS, "require_receipt": "perhaps"}
    assert admin.post("settings/payers", OWN_PAGE, **sent)["statusCode"] == 400
