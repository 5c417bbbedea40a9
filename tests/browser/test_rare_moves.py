"""The moves beside the usual ones on a phone, in both languages: words, width and axe."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import rare_states
from tests.browser.chromium import AXE, PHONE
from tests.browser.site import Site

OVERFLOW = "document.documentElement.scrollWidth - innerWidth"
VIOLATIONS = "axe.run().then(({violations}) => violations.map((each) => each.id))"


def check_on_phone(tab: Page, name: str) -> None:
    """Check that the page fits the phone, and that axe has nothing to say."""
    assert tab.evaluate(OVERFLOW) <= 0, name
    tab.evaluate(AXE.read_text("utf-8"))
    assert tab.evaluate(VIOLATIONS) == [], name


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "states",
    [
        rare_states.other_sum,
        rare_states.stopped_account,
        rare_states.late_proof,
        rare_states.refund,
    ],
)
def test_a_rare_move_on_a_phone(
    site: Site, axe_tab: Page, language: str, states: Callable[[Page, Site, str], Any]
) -> None:
    axe_tab.set_viewport_size(PHONE)
    for name, words in states(axe_tab, site, language):
        expect(axe_tab.locator("body")).to_contain_text(words[language])
        check_on_phone(axe_tab, name)
