"""One target for each file; its data is restored before every request."""

from collections.abc import Iterator

import pytest

from tests.fuzz.target import Target, open_target


@pytest.fixture(scope="module")
def fuzzed() -> Iterator[Target]:
    """Yield the functions with stored data."""
    with open_target() as opened:
        yield opened
