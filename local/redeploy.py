"""`make deploy`: deploys the current code to the running local stack."""

from pathlib import Path

from local import live, sam, sources, stack
from local.code_update import update_code
from local.progress import LocalError, say, step
from local.running import port_of, running_stack
from local.sources import Sources
from local.stack import Stack

API_FAILED = "update: [Api]"


def redeploy(work: Path) -> None:
    """Build and deploy what changed since the last deploy. Raises: LocalError."""
    described = running_stack(work)
    running = Stack(port_of(described), work, described["outputs"])
    with step("build"):
        built = sam.build(work / "sam-build.log")
    wanted = live.deployed_from(built, stack.local_parameters(running.port))
    s3 = running.client("s3")
    before = live.read(s3)
    if wanted == before:
        say("nothing has changed since the last deploy")
        return
    folders = sources.changed_code(before, wanted)
    if folders is None:
        _deploy_everything(running, built)
    else:
        with step(f"update {', '.join(sorted(folders))}"):
            live.forget(s3)
            update_code(running, folders)
            live.write(s3, wanted)
    say("deployed")


def _deploy_everything(running: Stack, built: Sources) -> None:
    try:
        stack.deploy(running.port, running.work, built)
    except LocalError as error:
        if API_FAILED in str(error):
            raise LocalError(
                "the API's routes have changed, and the emulator cannot change those of a running "
                "API: end `make run` and start it again"
            ) from None
        raise
