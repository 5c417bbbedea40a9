"""What is said before a command's name, and how its stack is reached."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from orderdesk_cli.api import Api
    from orderdesk_cli.installation import Installation

DEFAULT_STACK = "orderdesk"
PLAIN = None  # help without frames: drawing them takes longer than all the rest of `--help`

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
StackName = Annotated[
    str | None,
    typer.Option("--stack", help=f"The deployed stack; {DEFAULT_STACK} if absent."),
]


def _open_api(stack_name: str) -> "Api":
    from orderdesk_cli.api import Api  # noqa: PLC0415 botocore is loaded only by a command that needs it
    from orderdesk_cli.signing import SignedTransport  # noqa: PLC0415 as above
    from orderdesk_cli.stacks import session_from_environment  # noqa: PLC0415 as above

    transport = SignedTransport(session_from_environment(), stack_name)
    return Api(transport, fetch=transport.fetch)


def _open_installation(stack_name: str, open_api: "Callable[[], Api]") -> "Installation":
    from orderdesk_cli.installation import open_installation  # noqa: PLC0415 as above

    return open_installation(stack_name, open_api)


@dataclass(slots=True)
class Invocation:
    """What was said before the command's name, and how its stack is reached."""

    open_api: "Callable[[str], Api]" = _open_api
    open_installation: "Callable[[str, Callable[[], Api]], Installation]" = _open_installation
    stack: str | None = None
    as_json: bool = False


def new_group() -> typer.Typer:
    """Make a group of commands; `main` names it and has its help."""
    return typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=PLAIN)
