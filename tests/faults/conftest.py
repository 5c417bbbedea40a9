"""The proxy between AWS clients and the emulator of the deployed stack."""

from collections.abc import Iterator

import pytest

from local.stack import Stack
from tests.faults.proxy import FaultProxy, open_fault_proxy


@pytest.fixture
def proxy(stack: Stack) -> Iterator[FaultProxy]:
    """Serve a proxy without faults; print its counts at the end."""
    with open_fault_proxy(stack.port) as proxy:
        yield proxy
        print(proxy.report())
