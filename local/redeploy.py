"""`make deploy`: deploys the current code to the running local stack.

`sam deploy` packs every function and the layer before CloudFormation detects the changes. If only
code changed, only that code is packed here. CloudFormation still makes the update, so the stack's
template always names the live code.
"""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml
from botocore.exceptions import ClientError, WaiterError

from local import live, sam, sources, stack
from local.places import BUILD
from local.progress import LocalError, say, step
from local.running import port_of, running_stack
from local.sources import LAYER, Sources
from local.stack import Stack

API_FAILED = "update: [Api]"
ZIP_DATE = (1980, 1, 1, 0, 0, 0)
POLL_SECONDS, POLLS_MAX = 0.2, 300


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
            _update_code(running, folders)
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


def _update_code(running: Stack, folders: Iterable[str]) -> None:
    """Deploy the built code of these folders of functions and layer. Raises: LocalError."""
    formation = running.client("cloudformation")
    try:
        described = formation.describe_stacks(StackName=sam.STACK_NAME)["Stacks"][0]
        kept = formation.get_template(StackName=sam.STACK_NAME, TemplateStage="Original")
        template = _parsed(kept["TemplateBody"])
        for folder in folders:
            name = sam.logical_id(folder)
            key = _put(running, _zip(BUILD / name), ".zip")
            place = "ContentUri" if folder == LAYER else "CodeUri"
            template["Resources"][name]["Properties"][place] = f"s3://{sam.BUCKET}/{key}"
        key = _put(running, json.dumps(template).encode(), ".template")
        formation.update_stack(
            StackName=sam.STACK_NAME,
            TemplateURL=f"{running.endpoint_url}/{sam.BUCKET}/{key}",
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
            Parameters=[
                {"ParameterKey": parameter["ParameterKey"], "UsePreviousValue": True}
                for parameter in described["Parameters"]
            ],
        )
        formation.get_waiter("stack_update_complete").wait(
            StackName=sam.STACK_NAME, WaiterConfig={"Delay": POLL_SECONDS, "MaxAttempts": POLLS_MAX}
        )
    except (ClientError, WaiterError) as error:
        raise LocalError(
            f"the update of the stack failed: {' '.join(str(error).split())}"
        ) from None


def _parsed(body: Any) -> Any:
    """Parse a template; botocore has parsed it already if it is JSON."""
    return yaml.load(body, yaml.CSafeLoader) if isinstance(body, str) else body


def _zip(folder: Path) -> bytes:
    """Zip a folder; the same files result in the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compresslevel=1) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = path.stat().st_mode << 16
            archive.writestr(entry, path.read_bytes())
    return packed.getvalue()


def _put(running: Stack, content: bytes, suffix: str) -> str:
    """Upload under a key that is a hash of the content; return the key."""
    key = hashlib.sha256(content).hexdigest() + suffix
    running.client("s3").put_object(Bucket=sam.BUCKET, Key=key, Body=content)
    return key
