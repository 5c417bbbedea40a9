"""Tabs whose console errors fail a test."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Locator, Page, ViewportSize

from tests.browser.chromium import PHONE

PATIENCE_MS = 60_000
"""The timeout of a wait, far above the time on a loaded machine."""

type OpenTab = Callable[..., Page]
"""Opens a tab: viewport, pattern of the expected console errors, options of the context."""


@contextmanager
def watched_tabs(chromium: Browser) -> Iterator[OpenTab]:
    """Open pages in separate contexts; an unexpected console error is an error at the end."""
    contexts: list[BrowserContext] = []
    heard: list[str] = []

    def open_tab(viewport: ViewportSize = PHONE, complaints: str = "", **options: Any) -> Page:
        def hear(text: str) -> None:
            if not (complaints and re.search(complaints, text)):
                heard.append(text)

        context = chromium.new_context(viewport=viewport, **options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: hear(message.text))
        tab.on("pageerror", lambda error: hear(str(error)))
        return tab

    yield open_tab
    for context in contexts:
        context.close()
    assert not heard, heard


def is_seen(part: Locator) -> bool:
    """Return whether a part is completely on the screen and nothing covers its centre."""
    seen: bool = part.evaluate(
        """(part) => {
            const box = part.getBoundingClientRect();
            const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight
                && box.right <= innerWidth && (part.contains(top) || top?.contains(part));
        }"""
    )
    return seen


# An installed clock runs until it is paused, which is possible only at a later time.
_BEFORE_SECONDS = 86_400


def stop_clock(tab: Page, now: int) -> None:
    """Stop the clock of the tab's pages at a time (Unix seconds)."""
    tab.clock.install(time=now - _BEFORE_SECONDS)
    tab.clock.pause_at(now)


_SLOW = {"offline": False, "latency": 20, "downloadThroughput": 4e4, "uploadThroughput": 1e6}
_WATCH = """
window.shifts = new PerformanceObserver((list) => shifts.seen.push(...list.getEntries()));
shifts.seen = [];
shifts.observe({type: "layout-shift", buffered: true});
"""


def watch_shifts(tab: Page) -> None:
    """Record layout shifts on the tab's pages, even right after a click.

    The network is slow, so that the browser could paint a page before it has all of it.
    """
    tab.add_init_script(_WATCH)
    tab.context.new_cdp_session(tab).send("Network.emulateNetworkConditions", _SLOW)


def shifts_in(tab: Page) -> list[str]:
    """Return the shifted elements since the page was opened, as HTML."""
    tab.wait_for_load_state()
    tab.screenshot()  # it paints, so that every shift until now is recorded
    moved: list[str] = tab.evaluate(
        """[...shifts.seen, ...shifts.takeRecords()]
            .flatMap((shift) => [...shift.sources, {}])
            .map((source) => source.node?.outerHTML ?? source.node?.textContent ?? "a shift")"""
    )
    return moved
