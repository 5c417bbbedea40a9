"""Starts Chromium for the tests and the screenshots."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

PHONE = ViewportSize(width=390, height=844)
DESKTOP = ViewportSize(width=1280, height=800)
FONTS = Path(__file__).with_name("fonts.conf")
AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"

_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


# Debian's headless shell takes half the time of the whole browser, and not every machine has it. It
# has no pushes, no clipboard and no layout-shift API.
_LIGHT = Path("/usr/bin/chromium-headless-shell")
WHOLE = Path(os.environ.get("CHROMIUM", "/usr/bin/chromium"))
LIGHT = _LIGHT if "CHROMIUM" not in os.environ and _LIGHT.exists() else WHOLE

type Launch = Callable[[Path], Browser]
"""Starts the browser at a path; only the first call does."""


@contextmanager
def launching() -> Iterator[Launch]:
    """Start the system's Chromium, whole or light, or the one that CHROMIUM names.

    It has one font, unless FONTCONFIG_FILE names another configuration.
    """
    environment: dict[str, str | float | bool] = {"FONTCONFIG_FILE": str(FONTS), **os.environ}
    with sync_playwright() as playwright, ExitStack() as browsers:

        @cache
        def launch(path: Path) -> Browser:
            if not path.exists():
                raise FileNotFoundError(f"no browser at {path}: make browser, or set CHROMIUM")
            browser = playwright.chromium.launch(
                executable_path=path, args=list(_ARGUMENTS), env=environment
            )
            browsers.callback(browser.close)
            return browser

        yield launch


def add_authenticator(page: Page) -> None:
    """Add an authenticator to a page; it makes and uses passkeys without a person."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    able = (
        "hasResidentKey",
        "hasUserVerification",
        "isUserVerified",
        "automaticPresenceSimulation",
    )
    options = {"protocol": "ctap2", "transport": "internal", **dict.fromkeys(able, True)}
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
