"""Environment variables of deployed functions, changed for a while."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from local.stack import Stack

ALIAS = "live"


@contextmanager
def changed(stack: Stack, names: Iterable[str], changes: Mapping[str, str]) -> Iterator[None]:
    """Add variables to the functions with these names, and put the old ones back in the end.

    A function is called by an alias. So it gets a version of its own for this while.
    """
    functions = stack.client("lambda")
    names = list(names)
    variables = {name: _variables(functions, name) for name in names}
    versions = {name: _version(functions, name) for name in names}
    for name in names:
        _set_variables(functions, name, {**variables[name], **changes})
        new = functions.publish_version(FunctionName=name)["Version"]
        functions.update_alias(FunctionName=name, Name=ALIAS, FunctionVersion=new)
    try:
        yield
    finally:
        for name in names:
            _set_variables(functions, name, variables[name])
            functions.update_alias(FunctionName=name, Name=ALIAS, FunctionVersion=versions[name])


def _version(functions: Any, name: str) -> str:
    return str(functions.get_alias(FunctionName=name, Name=ALIAS)["FunctionVersion"])


def _variables(functions: Any, name: str) -> dict[str, str]:
    configuration = functions.get_function_configuration(FunctionName=name)
    return dict(configuration["Environment"]["Variables"])


def _set_variables(functions: Any, name: str, variables: Mapping[str, str]) -> None:
    functions.update_function_configuration(
        FunctionName=name, Environment={"Variables": dict(variables)}
    )
