"""One target for each file; every request finds it as it was made."""

from collections.abc import Iterator

import pytest

from tests.fuzz.target import Target, open_target


@pytest.fixture(scope="module")
def fuzzed() -> Iterator[Target]:
    """Give the functions over a stocked world."""
    with open_target() as opened:
        yield opened
