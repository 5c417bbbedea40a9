"""`python -m local run|deploy|demo|logs|invoke|invoke-image`, which the Makefile calls."""

import argparse
import sys
from pathlib import Path

from events import sign
from local.demo.walks import demo
from local.invoke import invoke
from local.invoke_image.build import IMAGE, build_image
from local.logs import follow
from local.places import WORK
from local.progress import LocalError, say
from local.redeploy import redeploy
from local.run import run

PORT = 4566


def main() -> int:
    """Run one command; if it fails, print one line and return 1."""
    parser = argparse.ArgumentParser(prog="python -m local", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    runner = commands.add_parser("run", help="start the stack in the foreground")
    runner.add_argument("--port", type=int, default=PORT)
    deployer = commands.add_parser("deploy", help="deploy the code to the running stack")
    shower = commands.add_parser(
        "demo", help="run a buy, an identity check and a sell on the running stack"
    )
    follower = commands.add_parser("logs", help="follow the functions' logs of the running stack")
    follower.add_argument("--function", help="only this function (the name of its folder)")
    for command in (runner, deployer, shower, follower):
        command.add_argument(
            "--work", type=Path, default=WORK, help="the folder for state and logs"
        )
    invoker = commands.add_parser("invoke", help="run a sample event through sam local invoke")
    sign.add_arguments(invoker)
    invoker.add_argument(
        "--image", help=f"the container image instead of AWS's; {IMAGE} after invoke-image"
    )
    commands.add_parser("invoke-image", help="create a container image from this machine's files")
    arguments = parser.parse_args()
    try:
        _do(arguments)
    except LocalError as error:
        say(f"error: {error}")
        return 1
    return 0


def _do(arguments: argparse.Namespace) -> None:
    match arguments.command:
        case "run":
            run(arguments.port, arguments.work)
        case "deploy":
            redeploy(arguments.work)
        case "demo":
            demo(arguments.work)
        case "logs":
            follow(arguments.work, arguments.function)
        case "invoke":
            invoke(arguments)
        case _:
            build_image()


if __name__ == "__main__":
    sys.exit(main())
