"""Chromium as the tests and the screenshots start it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, sync_playwright

PHONE = ViewportSize(width=390, height=844)
DESKTOP = ViewportSize(width=1280, height=800)
FONTS = Path(__file__).with_name("fonts.conf")

_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def running_chromium() -> Iterator[Browser]:
    """Start the system's Chromium, or the one that CHROMIUM names.

    It sees one font, whatever the machine has, unless FONTCONFIG_FILE names another configuration.
    """
    path = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
    if not path.exists():
        raise FileNotFoundError(f"no browser at {path}: apt-get install chromium, or set CHROMIUM")
    environment: dict[str, str | float | bool] = {"FONTCONFIG_FILE": str(FONTS), **os.environ}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=list(_ARGUMENTS), env=environment
        )
        try:
            yield browser
        finally:
            browser.close()
