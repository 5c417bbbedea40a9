"""One browser for all tests, a site on moto for each."""

from collections.abc import Iterator

import pytest
from moto import mock_aws
from playwright.sync_api import Browser

from tests.browser.chromium import running_chromium
from tests.browser.site import Site, running_site
from tests.browser.tabs import OpenTab, watched_tabs
from tests.support.world import ENVIRONMENT, World


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Give the browser; without one these tests fail and say what to install."""
    with running_chromium() as browser:
        yield browser


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Give the pages on local HTTP."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setenv("SECRETS_KEY_ARN", "set by the world")
    with mock_aws(), running_site(World()) as running:
        yield running


@pytest.fixture
def open_tab(chromium: Browser) -> Iterator[OpenTab]:
    """Open pages in contexts of their own; whatever the console complains of fails the test."""
    with watched_tabs(chromium) as open_tab:
        yield open_tab
