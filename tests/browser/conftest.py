"""Fixtures: browsers, and for each module a site, emptied before each test."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import AXE, LIGHT, WHOLE, Launch, launching
from tests.browser.site import Site, Sites, running_sites
from tests.browser.tabs import PATIENCE_MS, OpenTab, watched_tabs
from tests.support.world import ENVIRONMENT

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def launch() -> Iterator[Launch]:
    """Yield the function that starts browsers; without Chromium these tests fail with a hint."""
    with launching() as launch:
        yield launch


@pytest.fixture
def chromium(launch: Launch, request: pytest.FixtureRequest) -> Browser:
    """Return the light browser, or the whole one for a test with that mark."""
    return launch(WHOLE if request.node.get_closest_marker("whole_chromium") else LIGHT)


@pytest.fixture(scope="module")
def sites() -> Iterator[Sites]:
    """Yield the function that serves the pages."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name, value in ENVIRONMENT.items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
        monkeypatch.setenv("SECRETS_KEY_ARN", "set by the world")
        with running_sites() as sites:
            yield sites


@pytest.fixture
def site(sites: Sites, request: pytest.FixtureRequest) -> Site:
    """Return the pages on local HTTP; a test's parameter may name another host for the bucket."""
    site = sites(getattr(request, "param", "127.0.0.1"))
    site.start_over(int(time.time()))
    return site


@pytest.fixture
def open_tab(chromium: Browser) -> Iterator[OpenTab]:
    """Open pages in separate contexts; an unexpected console error fails the test."""
    with watched_tabs(chromium) as open_tab:
        yield open_tab


@pytest.fixture
def axe_tab(chromium: Browser) -> Iterator[Page]:
    """Open a tab without the page's content security policy (for axe) and without transitions."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: needs npm, then `make setup`")
    with chromium.new_context(bypass_csp=True, reduced_motion="reduce") as context:
        context.set_default_timeout(PATIENCE_MS)
        yield context.new_page()
