"""New code for a deployed stack, by a stack update that changes nothing else.

`sam deploy` packs every function and the layer before CloudFormation detects the changes. Here
only changed code is packed. CloudFormation still makes the update, so the stack's template always
names the live code.
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

from local import sam
from local.places import BUILD
from local.progress import LocalError
from local.sources import LAYER
from local.stack import Stack

ZIP_DATE = (1980, 1, 1, 0, 0, 0)
POLL_SECONDS, POLLS_MAX = 0.2, 300


def update_code(stack: Stack, folders: Iterable[str]) -> None:
    """Deploy the built code of these folders of functions and layer. Raises: LocalError."""
    formation = stack.client("cloudformation")
    try:
        described = formation.describe_stacks(StackName=sam.STACK_NAME)["Stacks"][0]
        kept = formation.get_template(StackName=sam.STACK_NAME, TemplateStage="Original")
        template = _parsed(kept["TemplateBody"])
        for folder in folders:
            name = sam.logical_id(folder)
            key = _put(stack, _zip(BUILD / name), ".zip")
            place = "ContentUri" if folder == LAYER else "CodeUri"
            template["Resources"][name]["Properties"][place] = f"s3://{sam.BUCKET}/{key}"
        key = _put(stack, json.dumps(template).encode(), ".template")
        formation.update_stack(
            StackName=sam.STACK_NAME,
            TemplateURL=f"{stack.endpoint_url}/{sam.BUCKET}/{key}",
            Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
            Parameters=[
                {"ParameterKey": parameter["ParameterKey"], "UsePreviousValue": True}
                for parameter in described["Parameters"]
            ],
        )
        formation.get_waiter("stack_update_complete").wait(
            StackName=sam.STACK_NAME,
            WaiterConfig={"Delay": POLL_SECONDS, "MaxAttempts": POLLS_MAX},
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


def _put(stack: Stack, content: bytes, suffix: str) -> str:
    """Upload under a key that is a hash of the content; return the key."""
    key = hashlib.sha256(content).hexdigest() + suffix
    stack.client("s3").put_object(Bucket=sam.BUCKET, Key=key, Body=content)
    return key
