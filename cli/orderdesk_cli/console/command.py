"""`orderdesk console`: what operators do, as pages on their own machine (contract section 9)."""

from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk_cli.invocation import command

if TYPE_CHECKING:
    from orderdesk_cli.output import Answer
    from orderdesk_cli.wiring import Office

PORT_MIN = 1024
PORT_MAX = 65_535


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    command(app, "console")(console)


def console(
    office: "Office",
    as_json: bool,
    port: Annotated[
        int | None,
        typer.Option(min=PORT_MIN, max=PORT_MAX, metavar="N", help="A free one if absent."),
    ] = None,
) -> "Answer":
    """Serve the console on 127.0.0.1 until Ctrl-C; it prints the address that opens it once."""
    # Starlette, uvicorn and Jinja2 are loaded only to serve.
    from orderdesk_cli.console.server import opened  # noqa: PLC0415
    from orderdesk_cli.output import json_text  # noqa: PLC0415

    served = opened(office, port or 0)
    if as_json:
        print(json_text({"url": served.url}), flush=True)
    else:
        print(f"Open this address once, in one browser:\n\n{served.url}\n", flush=True)
        print("Ctrl-C ends the console and what it opened.", flush=True)
    served.serve()
    raise typer.Exit  # everything was printed before
