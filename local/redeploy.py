"""`make deploy`: puts the code as it is now on the running local stack."""

from pathlib import Path

from local import sam, stack
from local.progress import LocalError, say, step
from local.running import port_of, running_stack

API_FAILED = "update: [Api]"


def redeploy(work: Path) -> None:
    """Build what changed and deploy it."""
    port = port_of(running_stack(work))
    with step("sam build"):
        changed = sam.build(work / "sam-build.log")
    if not changed:
        say("nothing has changed since the last build")
    try:
        stack.deploy(port, work)
    except LocalError as error:
        if API_FAILED in str(error):
            raise LocalError(
                "the API's routes have changed, and the emulator cannot change those of an API "
                "that runs: end `make run` and start it again"
            ) from None
        raise
    say("deployed")
