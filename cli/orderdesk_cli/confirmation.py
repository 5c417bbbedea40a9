"""Asks before money moves, at a terminal only: a program is never asked."""

import sys
from collections.abc import Callable

import click

_UNATTENDED = "this changes many things at once: without a terminal it needs --yes"


class Declined(Exception):
    """The operator did not agree, or could not be asked about a bulk command; the text says so."""

    def __init__(self, text: str = "nothing was changed") -> None:
        super().__init__(text)


def confirm(foreseen: Callable[[], str | None], *, is_agreed: bool, is_bulk: bool = False) -> None:
    """Show what a command is about to do, and ask whether to do it.

    With `is_agreed` nobody is asked and the command continues, and so it does without a terminal,
    except if it is a bulk command. `foreseen` draws what will be done; it is called only if
    somebody is asked, and returns None if there is nothing to ask. Raises: Declined.
    """
    if is_agreed:
        return
    if not is_at_terminal():
        if is_bulk:
            raise Declined(_UNATTENDED)
        return
    question = foreseen()
    if question is None:
        return
    # On stderr: stdout has the command's answer and nothing else.
    click.echo(question, nl=False, err=True)
    try:
        agreed = click.confirm("Do it?", err=True)
    except click.Abort:
        click.echo(err=True)  # ends the question's line, as Enter would have
        raise Declined from None
    if not agreed:
        raise Declined


def is_at_terminal() -> bool:
    """Return whether input and output are a terminal, so that somebody can answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()
