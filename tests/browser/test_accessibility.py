"""axe reports no violation in any state of any page (WCAG A, AA and best practices)."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import rare_states
from tests.browser.chromium import AXE, PHONE
from tests.browser.desk_states import desk_states
from tests.browser.identity_states import identity_states
from tests.browser.portal_states import portal_states
from tests.browser.screenshots import SCREENS, Scheme, every_pay_state
from tests.browser.site import Site
from tests.support import depth

# `make test` checks every third state on a phone in the light scheme, the slow tier all states on
# all screens and schemes.
pytestmark = pytest.mark.deep

# The dark scheme changes only colours, the same ones on each screen (`:root` of base.css and
# desk/base.css), so it is checked on one screen with the rules about colours.
WHOLE, COLOURS = "", "runOnly: ['cat.color'],"
LOOKS: tuple[tuple[str, Scheme, str], ...] = (
    ("phone", "light", WHOLE),
    ("phone", "dark", COLOURS),
    ("desktop", "light", WHOLE),
)
VIOLATIONS = "axe.run({%s resultTypes: ['violations']}).then((report) => report.violations)"


def violations(tab: Page, states: Iterable[str]) -> dict[str, list[tuple[str, list[str]]]]:
    """Show each state on screens and in colour schemes; return axe's violations."""
    found = {}
    for state in states if depth.is_full() else islice(states, 0, None, 3):
        tab.evaluate(AXE.read_text("utf-8"))
        for screen, scheme, rules_of in LOOKS if depth.is_full() else LOOKS[:1]:
            tab.set_viewport_size(SCREENS[screen])
            tab.emulate_media(color_scheme=scheme)
            rules: list[dict[str, Any]] = tab.evaluate(VIOLATIONS % rules_of)
            wrong = [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in rules]
            found[f"{state}, {screen}, {scheme}"] = wrong
    return {look: wrong for look, wrong in found.items() if wrong}


SURFACES: dict[str, tuple[Callable[[Page, Site, str], Iterable[str]], str]] = {
    "identity": (identity_states, "zh"),
    "desk": (desk_states, "en"),
    "portal": (portal_states, "en"),
    "pay": (every_pay_state, "en"),
}


@pytest.mark.parametrize("surface", SURFACES)
def test_every_state_of(site: Site, axe_tab: Page, surface: str) -> None:
    states, language = SURFACES[surface]
    assert violations(axe_tab, states(axe_tab, site, language)) == {}


RARE = (
    rare_states.other_sum,
    rare_states.stopped_account,
    rare_states.late_proof,
    rare_states.refund,
)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("states", RARE)
def test_a_rare_move(
    site: Site,
    axe_tab: Page,
    language: str,
    states: Callable[[Page, Site, str], rare_states.States],
) -> None:
    """Its words too; test_every_page.py shows that it fits."""

    def shown() -> Iterator[str]:
        axe_tab.set_viewport_size(PHONE)
        for name, words in states(axe_tab, site, language):
            expect(axe_tab.locator("body")).to_contain_text(words[language])
            yield name
            axe_tab.set_viewport_size(PHONE)

    assert violations(axe_tab, shown()) == {}
