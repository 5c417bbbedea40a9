"""`orderdesk console`: the same as pages on 127.0.0.1 (contract section 9)."""

import json

import click

from orderdesk_cli.answering import Answer, Form
from orderdesk_cli.api import Api
from orderdesk_cli.commands import Said, runs


@runs("console", "port")
def console(api: Api, said: Said, port: int | None) -> Answer:
    """Serve the console on 127.0.0.1 until Ctrl-C; it prints the address that opens it once."""
    from orderdesk_cli.console.server import opened  # noqa: PLC0415 Starlette and uvicorn are loaded only to serve

    served = opened(api, port or 0)
    if said.form is Form.JSON:
        print(json.dumps({"url": served.url}), flush=True)
    else:
        print(f"Open this address once, in one browser:\n\n{served.url}\n", flush=True)
        print("Ctrl-C ends the console and what it opened.", flush=True)
    served.serve()
    raise click.exceptions.Exit  # everything was printed before


COMMANDS = {"": [console]}
