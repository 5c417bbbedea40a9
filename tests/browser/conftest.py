"""Browsers for all tests; for each module's tests a site on moto, emptied before each test."""

import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import LIGHT, WHOLE, Launch, launching
from tests.browser.site import Site, Sites, running_sites
from tests.browser.tabs import PATIENCE_MS, OpenTab, watched_tabs
from tests.support.world import ENVIRONMENT

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def launch() -> Iterator[Launch]:
    """Give what starts browsers; without one these tests fail and say what to install."""
    with launching() as launch:
        yield launch


@pytest.fixture
def chromium(launch: Launch, request: pytest.FixtureRequest) -> Browser:
    """Give the light browser, or the whole one to a test with that mark."""
    return launch(WHOLE if request.node.get_closest_marker("whole_chromium") else LIGHT)


@pytest.fixture(scope="module")
def sites() -> Iterator[Sites]:
    """Give what serves the pages."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name, value in ENVIRONMENT.items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
        monkeypatch.setenv("SECRETS_KEY_ARN", "set by the world")
        with running_sites() as sites:
            yield sites


@pytest.fixture
def site(sites: Sites, request: pytest.FixtureRequest) -> Site:
    """Give the pages on local HTTP; a test's parameter may name another host for the bucket."""
    site = sites(getattr(request, "param", "127.0.0.1"))
    site.start_over(int(time.time()))
    return site


@pytest.fixture
def open_tab(chromium: Browser) -> Iterator[OpenTab]:
    """Open pages in contexts of their own; whatever the console complains of fails the test."""
    with watched_tabs(chromium) as open_tab:
        yield open_tab
