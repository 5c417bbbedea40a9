"""Asks before money moves, at a terminal only: a program is never asked."""

import sys
from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import RenderableType

from orderdesk.domain.operators import OperatorRefusal
from orderdesk_cli.terminal import console

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]


class Declined(OperatorRefusal):
    """The operator was asked and did not agree."""

    def __init__(self) -> None:
        super().__init__("nothing was changed")


def confirm(foreseen: Callable[[], RenderableType], *, is_agreed: bool) -> None:
    """Show what a command is about to do, and ask whether to do it.

    With `is_agreed`, or without a terminal, nobody is asked and the command goes on. `foreseen`
    draws what will be done; it is called only if somebody is asked. Raises: Declined.
    """
    if is_agreed or not is_at_terminal():
        return
    # On stderr: stdout has the command's answer and nothing else.
    console(stderr=True).print(foreseen())
    try:
        agreed = typer.confirm("Do it?", err=True)
    except typer.Abort:
        typer.echo(err=True)  # ends the question's line, as Enter would have
        raise Declined from None
    if not agreed:
        raise Declined


def is_at_terminal() -> bool:
    """Tell whether input and output are a terminal, so that somebody can answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()
