"""`orderdesk rights`: what the caller may call."""

from orderdesk_cli.commands import Commands
from orderdesk_cli.sheets.rights import RIGHTS

commands = Commands()


@commands.reads("rights.list", RIGHTS, name="rights")
def rights() -> None:
    """Show who you are to the operators' API, and which commands you may call."""
