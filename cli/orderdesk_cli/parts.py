"""Groups of commands that are imported when one of their commands is looked up.

Importing all commands takes longer than most of them run.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_group


def later(text: str, modules: Mapping[str, Sequence[str]]) -> typer.Typer:
    """Give a group of commands that is made of the `group` of each module; `text` is its help.

    `modules` has the names of the commands in each, so that one command needs one module only.
    """
    module_of = {name: module for module, names in modules.items() for name in names}

    class Later(TyperGroup):
        def __init__(self, *, commands: Any = None, **attributes: Any) -> None:  # noqa: ARG002 Typer gives it
            """Leave the commands, of which there are none yet, to `commands`."""
            super().__init__(**attributes)
            del self.__dict__["commands"]

        @cached_property
        def commands(self) -> Any:  # type: ignore[override]
            return {name: self.get_command(None, name) for name in module_of}

        def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 as Typer calls it
            if cmd_name not in module_of:
                return None
            return get_group(import_module(module_of[cmd_name]).group).commands[cmd_name]

    return typer.Typer(cls=Later, help=text, no_args_is_help=True)
