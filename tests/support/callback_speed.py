"""The deployed schedule of callbacks, made faster for a test."""

from collections.abc import Iterator
from contextlib import contextmanager

from local.stack import Stack


@contextmanager
def sped_up(stack: Stack, times: int) -> Iterator[None]:
    """Divide the schedule's gaps, and put them back in the end."""
    functions = stack.client("lambda")
    name = stack.outputs["SendCallbackFunctionName"]
    before = functions.get_function_configuration(FunctionName=name)["Environment"]
    faster = {"Variables": {**before["Variables"], "CALLBACK_SPEEDUP": str(times)}}
    functions.update_function_configuration(FunctionName=name, Environment=faster)
    try:
        yield
    finally:
        functions.update_function_configuration(FunctionName=name, Environment=before)
