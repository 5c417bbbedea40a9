"""The problems at the fields of the identity page, by the script and by the server."""

import re

from playwright.sync_api import ViewportSize, expect

from orderdesk.domain.identity import identity_problems
from tests.browser.identity_visit import SCREENS_AND_SCRIPTS, expect_state, fill_in, send, waiting
from tests.browser.site import Site
from tests.browser.tabs import OpenTab
from tests.support.identities import id_card, identity

PROBLEMS = {
    ("customer_name", "malformed"): "Enter the name as on your ID card: 2 to 50 letters or "
    "characters, no digits.",
    ("id_card", "malformed"): "An ID card number has 17 digits and then a digit or an X.",
    ("id_card", "bad_birth_date"): "Digits 7 to 14 are not a date of birth. Please check them.",
    ("id_card", "bad_check_digit"): "A digit is wrong or two are swapped. Please compare the "
    "number with your card.",
    ("mobile", "malformed"): "Enter a mainland China mobile number: 11 digits that begin with "
    "13 to 19.",
}


@SCREENS_AND_SCRIPTS
def test_malformed_input_is_shown_at_the_field(
    site: Site, open_tab: OpenTab, viewport: ViewportSize, *, javascript: bool
) -> None:
    site.world.add_trader()
    tab = open_tab(viewport, java_script_enabled=javascript, complaints="422")
    tab.goto(site.hold(waiting(site)))
    wrong = id_card()[:-1] + "9"
    send(tab, id_card=wrong)
    card = tab.get_by_label("ID card number")
    problem = PROBLEMS["id_card", "bad_check_digit"]
    expect(tab.locator("#id_card-problem")).to_have_text(problem)
    expect(card).to_have_attribute("aria-invalid", "true")
    expect(card).to_have_accessible_description(
        f"18 characters; the last one may be an X {problem}"
    )
    expect(card).to_have_value(wrong)
    expect(tab.locator("[aria-invalid]")).to_have_count(1)
    if javascript:
        expect(card).to_be_focused()
    else:
        tab.get_by_role("alert").get_by_role("link").click()
        expect(card).to_be_focused()
    send(tab)
    tab.wait_for_url(re.compile("/pay/"))


def test_the_server_checks_again(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab(complaints="422")
    tab.goto(site.hold(waiting(site)))
    send(tab, mobile="123")
    expect(tab.locator("#mobile-problem")).not_to_be_empty()
    expect(tab.get_by_role("alert")).to_have_count(0)
    tab.get_by_role("button").click()
    expect(tab.get_by_role("alert")).to_contain_text("Please check your entries.")
    expect(tab.get_by_label("Mobile number")).to_be_focused()


VALUES = {
    "customer_name": ["测", "测试", "测" * 50, "测" * 51, "买买提·测", "买买提•测", "A1", "-a",
                      "Ann-", "O’Ann x"],
    "id_card": [id_card(), id_card("11010120000101001"), "110101200001010001", "110101200002300001",
                "110101170001010001", "010101200001010001", id_card("11010120000229000"), "1" * 17,
                id_card("11010119000229000"), id_card()[:-1] + "x"],
    "mobile": ["13800000000", "12800000000", "138000000000", "19900000000", "1380000000"],
}  # fmt: skip


def test_the_script_finds_the_servers_problems(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    tab.goto(site.hold(waiting(site)))
    for name, values in VALUES.items():
        for value in values:
            tab.locator(f"#{name}").fill(value)
            tab.locator(f"#{name}").dispatch_event("change")
            slug = identity_problems(**{**identity(), name: value}).get(name)
            expected = PROBLEMS[name, slug] if slug else ""
            assert (value, tab.locator(f"#{name}-problem").text_content()) == (value, expected)


def test_typed_spaces_are_removed(site: Site, open_tab: OpenTab) -> None:
    site.world.add_trader()
    tab = open_tab()
    tab.goto(site.hold(waiting(site)))
    send(tab, mobile="138 0000 0001", id_card=" ".join(id_card()))
    tab.wait_for_url(re.compile("/pay/"))


def test_one_click_is_one_request(site: Site, open_tab: OpenTab) -> None:
    tab = open_tab()
    posts: list[str] = []
    tab.on("request", lambda sent: posts.append(sent.url) if sent.method == "POST" else None)
    tab.goto(site.hold(waiting(site)))
    fill_in(tab, mobile="13800000000")
    button = tab.get_by_role("button")
    tab.evaluate(
        """() => { const send = document.getElementById("send");
                   send.click(); send.click(); window.shown = send.textContent; }"""
    )
    expect_state(tab, "locked")
    assert len(posts) == 1
    assert not any(text in url for url in posts for text in identity().values())
    expect(button).to_have_count(0)
