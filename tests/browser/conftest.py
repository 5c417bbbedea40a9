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
def site(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Site]:
    """Give the pages on local HTTP; a test's parameter may name another host for the bucket."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setenv("SECRETS_KEY_ARN", "set by the world")
    bucket_host = getattr(request, "param", "127.0.0.1")
    with mock_aws(), running_site(World(), bucket_host) as running:
        yield running


@pytest.fixture
def open_tab(chromium: Browser) -> Iterator[OpenTab]:
    """Open pages in contexts of their own; whatever the console complains of fails the test."""
    with watched_tabs(chromium) as open_tab:
        yield open_tab
