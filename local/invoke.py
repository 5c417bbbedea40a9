"""`make invoke EVENT=…`: run a signed sample with `sam local invoke` on the running stack."""

import argparse
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from events.sign import Unfillable, event_of
from local import docker, sam
from local.places import REPOSITORY, SAM_BIN, WORK
from local.progress import LocalError, say, step
from local.relay import is_own_address, relay
from local.running import described_in, port_of
from local.stack import Stack

# Docker Desktop's name for its host; it reaches the host's loopback.
DESKTOP_HOST = "host.docker.internal"


def invoke(arguments: argparse.Namespace) -> None:
    """Sign the sample, build changes, run the function in a container. Raises: LocalError."""
    try:
        event = event_of(arguments)
    except Unfillable as error:
        raise LocalError(str(error)) from None
    function = function_of(arguments.file)
    stack = _stack(arguments.stack)
    docker.check()
    WORK.mkdir(exist_ok=True)
    with step("sam build"):
        sam.build(WORK / "sam-build.log")
    with _reachable(stack.port) as endpoint_url:
        variables = WORK / f"invoke-{os.getpid()}.json"
        try:
            variables.write_text(json.dumps(stack.function_variables(endpoint_url)))
            command = _command(function, variables, endpoint_url, arguments.image)
            say(f"signed event | sam {' '.join(command[1:])}")
            _run(command, stack.endpoint_url, json.dumps(event))
        finally:
            variables.unlink(missing_ok=True)


def function_of(sample: Path) -> str:
    """Return the logical id of the function that a sample's folder names."""
    return sam.logical_id(f"functions/{sample.resolve().parent.name}")


def _stack(file: Path) -> Stack:
    described = described_in(file)
    return Stack(port_of(described), file.parent, described["outputs"])


@contextmanager
def _reachable(port: int) -> Iterator[str]:
    """Yield the URL at which a container reaches a port of this machine's loopback."""
    gateway = docker.gateway()
    if not is_own_address(gateway):  # the engine runs in Docker Desktop's virtual machine
        yield f"http://{DESKTOP_HOST}:{port}"
        return
    with relay(gateway, port) as relay_port:
        yield f"http://{gateway}:{relay_port}"


def _command(function: str, variables: Path, endpoint_url: str, image: str | None) -> list[str]:
    parameters = [f"Architecture={sam.host_architecture()}", f"EndpointUrl={endpoint_url}"]
    command = [str(SAM_BIN / "sam"), "local", "invoke", function, "--event", "-"]
    command += ["--env-vars", str(variables.relative_to(REPOSITORY))]
    command += ["--parameter-overrides", *parameters]
    if image:
        command += ["--invoke-image", image, "--skip-pull-image"]
    return command


def _run(command: list[str], endpoint_url: str, event: str) -> None:
    env = sam.environment(endpoint_url)
    done = subprocess.run(command, input=event, text=True, env=env, cwd=REPOSITORY, check=False)
    if done.returncode != 0:
        raise LocalError("sam local invoke failed")
    print()  # sam prints no newline after the response
