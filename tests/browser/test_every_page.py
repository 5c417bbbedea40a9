"""Every page of every surface: in large text, by keyboard alone, and checked by axe.

axe reports violations of WCAG A and AA, and of best practices.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser import rare_states
from tests.browser.chromium import AXE, DESKTOP
from tests.browser.console_states import busy_stack, console_states, root_of
from tests.browser.desk_states import desk_states
from tests.browser.identity_states import identity_states
from tests.browser.portal_states import portal_states
from tests.browser.screenshots import SCREENS, Scheme, every_pay_state
from tests.browser.site import Site
from tests.browser.tabs import OpenTab
from tests.support import depth
from tests.support.console_guest import serving_console
from tests.support.world import open_world

# `make test` checks every third state, and with axe on a phone in the light scheme; the slow tier
# checks all of them.
pytestmark = pytest.mark.deep

NARROW, SMALL = ViewportSize(width=320, height=640), ViewportSize(width=360, height=640)
# The browser's size of standard text: a person's setting, which the pages' breakpoints follow.
NORMAL_PX, LARGE_PX = 16, 32
LOOKS = ((NARROW, NORMAL_PX), (SMALL, LARGE_PX), (DESKTOP, LARGE_PX))
EXPECTED = r"status of (4(00|01|04|09|22)|50[03])"
type States = Callable[[Page, Site, str], Iterator[str]]


def _with_words(states: Callable[[Page, Site, str], rare_states.States]) -> States:
    """Check the decisive words of each state too."""

    def shown(tab: Page, site: Site, language: str) -> Iterator[str]:
        for name, words in states(tab, site, language):
            expect(tab.locator("body")).to_contain_text(words[language])
            yield name

    return shown


SURFACES: dict[str, States | None] = {
    "console": None,
    "pay": every_pay_state,
    "identity": identity_states,
    "desk": desk_states,
    "portal": portal_states,
    "other sum": _with_words(rare_states.other_sum),
    "stopped account": _with_words(rare_states.stopped_account),
    "late proof": _with_words(rare_states.late_proof),
    "refund": _with_words(rare_states.refund),
}
# With this scope the console's tests are first: its world ends before the site's begins.
on_every_surface = pytest.mark.parametrize("surface", SURFACES, scope="module")

# What is too wide, cut off without an ellipsis, or breaks in a number of less than a billion.
UNFIT = r"""async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const root = document.documentElement, found = [];
    const NUMBER = /(?<!\w)\d{4}-\d\d-\d\d(?!\w)|(?<![\w-])\d[\d,.:]*\d(?![\w-]*[a-z])/g;
    const words = (part) => `${part.className}: ${part.textContent.trim().slice(0, 60)}`;
    if (root.scrollWidth > innerWidth) {
        for (const part of document.querySelectorAll("body *"))
            if (part.getBoundingClientRect().right > innerWidth) found.push(`wide ${words(part)}`);
        found.push(`page of ${root.scrollWidth} px`);
    }
    const shown = [...document.querySelectorAll("body *")].filter((part) =>
        part.checkVisibility({visibilityProperty: true, opacityProperty: true})
        && part.offsetWidth > 1 && !part.closest(".unseen, .skip, option, input, img, svg, thead"));
    const here = document.querySelector(".sections [aria-current]")?.getBoundingClientRect();
    if (innerWidth === 320 && (here?.left < 0 || here?.right > innerWidth))
        found.push("the page's own section is out of view");
    for (const part of shown) {
        const style = getComputedStyle(part);
        const cut = (x, whole, seen) => /hidden|clip/.test(x) && whole > seen + 1;
        if (style.textOverflow !== "ellipsis"
                && (cut(style.overflowX, part.scrollWidth, part.clientWidth)
                    || cut(style.overflowY, part.scrollHeight, part.clientHeight)))
            found.push(`cut ${words(part)}`);
        if (part.matches(".number, .money:not(.long), .digits, .usdt")
                && style.display === "inline" && part.getClientRects().length > 1)
            found.push(`broken ${words(part)}`);
        if (part.closest(".long, pre")) continue;
        for (const node of part.childNodes) {
            if (node.nodeType !== Node.TEXT_NODE) continue;
            for (const number of node.data.matchAll(NUMBER)) {
                if (/^\d+(,\d{3}){3}/.test(number[0])) continue;
                const range = document.createRange();
                range.setStart(node, number.index);
                range.setEnd(node, number.index + number[0].length);
                if (range.getClientRects().length > 1) found.push(`broken ${number[0]}`);
            }
        }
    }
    return found;
}"""


@contextmanager
def walk(
    surface: str, request: pytest.FixtureRequest, tab: Page, language: str
) -> Iterator[Iterator[str]]:
    """Open a surface; the states show each of its pages in the tab."""
    step = 1 if depth.is_full() else 3
    if states := SURFACES[surface]:
        site: Site = request.getfixturevalue("site")
        yield islice(states(tab, site, language), 0, None, step)
        return
    with open_world() as world:
        busy = busy_stack(world)
        with serving_console(world) as console:
            tab.goto(console.url)
            yield islice(console_states(tab, busy, root_of(tab)), 0, None, step)


@pytest.mark.parametrize("language", ["en", "zh"])
@on_every_surface
def test_large_text_is_whole_and_fits(
    open_tab: OpenTab, request: pytest.FixtureRequest, surface: str, language: str
) -> None:
    tab, unfit = open_tab(NARROW, complaints=EXPECTED, locale=language), {}
    browser = tab.context.new_cdp_session(tab)
    with walk(surface, request, tab, language) as states:
        for name in states:
            for screen, size in LOOKS:
                tab.set_viewport_size(screen)
                browser.send("Page.setFontSizes", {"fontSizes": {"standard": size}})
                unfit[name, screen["width"], size] = tab.evaluate(UNFIT)
            tab.set_viewport_size(NARROW)
            browser.send("Page.setFontSizes", {"fontSizes": {"standard": NORMAL_PX}})
    assert {look: found for look, found in unfit.items() if found} == {}


FIELD_PARTS_MAX = 4
# What Tab should reach; of radio buttons, one of each group.
STOPS = r"""() => {
    const dialog = document.querySelector("dialog:modal");
    const all = (dialog ?? document).querySelectorAll(
        "a[href], button, input, select, textarea, summary, [tabindex], iframe, [contenteditable]");
    window.stops = [...all].filter((part) => part.tabIndex >= 0 && !part.disabled
        && part.checkVisibility({visibilityProperty: true}) && !part.closest("[inert]")
        && !(part.type === "radio" && !part.checked
            && (document.querySelector(`[type=radio][name="${part.name}"]:checked`)
                ?? document.querySelector(`[type=radio][name="${part.name}"]`)) !== part));
    const start = dialog ?? document.body;
    Object.assign(start, {tabIndex: -1}).focus();
    start.removeAttribute("tabindex");
    window.before = null;
    return stops.map((part) => part.outerHTML.slice(0, 120));
}"""
# The focused element's place among the stops, and what is wrong with how it is shown.
FOCUSED = r"""() => {
    const part = document.activeElement, box = part.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    const looks = [part, part.nextElementSibling, part].map((each, place) => each
        && getComputedStyle(each, place === 2 ? "::after" : null));
    const faults = [];
    if (!looks.some((look) => look && look.outlineStyle !== "none" && look.outlineWidth !== "0px"))
        faults.push("no outline");
    if (box.bottom < 1 || box.top > innerHeight - 1 || box.right < 1 || box.left > innerWidth - 1)
        faults.push("not on the screen");
    else if (top && !part.contains(top) && !top.contains(part)
            && !part.parentElement.contains(top) && !(part.labels?.[0]?.contains(top)))
        faults.push("covered by " + top.outerHTML.slice(0, 80));
    const moves = (each) => each && (/sticky|fixed/.test(getComputedStyle(each).position)
        || moves(each.parentElement));
    const here = moves(part) ? null : {left: box.left, right: box.right,
        top: box.top + scrollY, bottom: box.bottom + scrollY};
    if (here && before && before.top > here.bottom
            && before.right > here.left && before.left < here.right)
        faults.push("above the one before");
    window.before = here ?? before;
    return [stops.indexOf(part), faults, part.className];
}"""


@pytest.mark.parametrize("viewport", [SMALL, DESKTOP], ids=["phone", "desktop"])
@on_every_surface
def test_the_keyboard_alone_reaches_everything(
    open_tab: OpenTab, request: pytest.FixtureRequest, surface: str, viewport: ViewportSize
) -> None:
    # On a busy machine the first key is pressed before the browser looks at `autofocus`.
    told = rf"{EXPECTED}|^Autofocus processing was blocked"
    tab, wrong = open_tab(viewport, complaints=told, locale="en-GB"), {}
    with walk(surface, request, tab, "en") as states:
        for name in states:
            wrong[name] = list(_faults_by_keyboard(tab))
    assert {name: faults for name, faults in wrong.items() if faults} == {}


def _faults_by_keyboard(tab: Page) -> Iterator[str]:
    stops: list[str] = tab.evaluate(STOPS)
    has_skip = tab.locator("nav").count() > 0 and tab.locator("dialog:modal").count() == 0
    reached: list[int] = []
    # A field may have several stops, as a date has.
    for _ in range(len(stops) * FIELD_PARTS_MAX + 1):
        tab.keyboard.press("Tab")
        place, faults, kind = tab.evaluate(FOCUSED)
        if reached and place == reached[-1]:
            continue
        if place in {-1, *reached}:
            break
        if has_skip and not reached and kind != "skip":
            yield f"{stops[place]} is first, not the skip link"
        yield from (f"{stops[place]}: {fault}" for fault in faults)
        reached.append(place)
    if reached and len(stops) > 1 and place not in (-1, reached[0]):
        yield f"a trap at {stops[place]}"
    yield from (f"not reached: {stops[place]}" for place in {*range(len(stops))} - {*reached})


# The dark scheme changes only colours, the same ones on each screen (`:root` of base.css and
# desk/base.css), so it is checked on one screen with the rules about colours.
WHOLE, COLOURS = "", "runOnly: ['cat.color'],"
AXE_LOOKS: tuple[tuple[str, Scheme, str], ...] = (
    ("phone", "light", WHOLE),
    ("phone", "dark", COLOURS),
    ("desktop", "light", WHOLE),
)
VIOLATIONS = "axe.run({%s resultTypes: ['violations']}).then((report) => report.violations)"


def violations(tab: Page, states: Iterable[str]) -> dict[str, list[tuple[str, list[str]]]]:
    """Show each state on screens and in colour schemes; return axe's violations."""
    found = {}
    for state in states:
        tab.evaluate(AXE.read_text("utf-8"))
        for screen, scheme, rules_of in AXE_LOOKS if depth.is_full() else AXE_LOOKS[:1]:
            tab.set_viewport_size(SCREENS[screen])
            tab.emulate_media(color_scheme=scheme)
            rules: list[dict[str, Any]] = tab.evaluate(VIOLATIONS % rules_of)
            wrong = [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in rules]
            found[f"{state}, {screen}, {scheme}"] = wrong
    return {look: wrong for look, wrong in found.items() if wrong}


@on_every_surface
def test_axe_finds_nothing(axe_tab: Page, request: pytest.FixtureRequest, surface: str) -> None:
    language = "zh" if surface == "identity" else "en"
    with walk(surface, request, axe_tab, language) as states:
        assert violations(axe_tab, states) == {}
