"""A new world on moto for each test."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from moto import mock_aws

from tests.support.market import Market
from tests.support.world import ENVIRONMENT, World


@pytest.fixture
def world() -> Iterator[World]:
    with _opened() as world:
        yield world


@pytest.fixture
def market(world: World) -> Market:
    return Market.on(world)


@pytest.fixture(scope="module")
def shared_world() -> Iterator[World]:
    """Return one world for all tests of a file; each test undoes its changes."""
    with _opened() as world:
        yield world


@contextmanager
def _opened() -> Iterator[World]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        for name, value in ENVIRONMENT.items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
        monkeypatch.setenv("SECRETS_KEY_ARN", "set by World")
        with mock_aws():
            yield World()
