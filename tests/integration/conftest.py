"""A fresh world on moto for each test."""

from collections.abc import Iterator

import pytest
from moto import mock_aws

from tests.support.world import ENVIRONMENT, World


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """Give tables, a key and rates on moto, and the functions' environment."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setenv("SECRETS_KEY_ARN", "set by the world")
    with mock_aws():
        yield World()
