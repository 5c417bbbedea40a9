"""Tabs that watch their console."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

from tests.browser.chromium import PHONE

type OpenTab = Callable[..., Page]
"""Opens a tab: the viewport, which complaints are expected (a pattern), the context's options."""


@contextmanager
def watched_tabs(chromium: Browser) -> Iterator[OpenTab]:
    """Open pages in contexts of their own; what a console complains of in the end is an error."""
    contexts: list[BrowserContext] = []
    heard: list[str] = []

    def open_tab(viewport: ViewportSize = PHONE, complaints: str = "", **options: Any) -> Page:
        def hear(text: str) -> None:
            if not (complaints and re.search(complaints, text)):
                heard.append(text)

        context = chromium.new_context(viewport=viewport, **options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: hear(message.text))
        tab.on("pageerror", lambda error: hear(str(error)))
        return tab

    yield open_tab
    for context in contexts:
        context.close()
    assert not heard, heard
