"""Asking before money moves: at a terminal only, so that programs are never kept waiting."""

import sys
from collections.abc import Callable
from typing import Annotated

import typer
from rich.console import Console, RenderableType

from orderdesk.domain.operators import OperatorRefusal

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]


class Declined(OperatorRefusal):
    """Somebody was asked, and did not say yes."""

    def __init__(self) -> None:
        super().__init__("nothing was changed")


def confirm(foreseen: Callable[[], RenderableType], *, is_agreed: bool) -> None:
    """Show what a command is about to do and ask whether to; nobody there to ask means yes.

    `foreseen` draws it, and is called only where somebody is asked; `is_agreed`: nobody is.
    Raises: Declined.
    """
    if is_agreed or not is_at_terminal():
        return
    # On stderr, so that stdout has the answer and nothing else even here.
    Console(stderr=True, highlight=False).print(foreseen())
    try:
        agreed = typer.confirm("Do it?", err=True)
    except typer.Abort:
        typer.echo(err=True)  # ends the question's line, as Enter would have
        raise Declined from None
    if not agreed:
        raise Declined


def is_at_terminal() -> bool:
    """Tell whether somebody sits there who reads what is asked and can answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()
