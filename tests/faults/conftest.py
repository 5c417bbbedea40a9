"""The proxy between whoever calls AWS and the emulator of the deployed stack."""

from collections.abc import Iterator

import pytest

from local.stack import Stack
from tests.faults.proxy import FaultProxy, open_fault_proxy


@pytest.fixture
def proxy(stack: Stack) -> Iterator[FaultProxy]:
    """Give a proxy that spoils nothing yet; what it spoiled is printed in the end."""
    with open_fault_proxy(stack.port) as proxy:
        yield proxy
        print(proxy.report())
