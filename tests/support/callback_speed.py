"""The deployed schedule of callbacks, made faster for a test."""

from collections.abc import Iterator
from contextlib import contextmanager

from local.stack import Stack
from tests.support.function_variables import changed


@contextmanager
def sped_up(stack: Stack, times: int) -> Iterator[None]:
    """Divide the schedule's gaps, and put them back in the end."""
    name = stack.outputs["SendCallbackFunctionName"]
    with changed(stack, [name], {"CALLBACK_SPEEDUP": str(times)}):
        yield
