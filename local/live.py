"""The sources of the last deploy, stored in the emulator until it ends."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from botocore.exceptions import BotoCoreError, ClientError

from local import sam, sources
from local.progress import LocalError
from local.sources import Sources
from orderdesk.adapters.sending import error_code

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

KEY = "live-sources.json"
MISSING = ("NoSuchKey", "NoSuchBucket")
_PARAMETERS = "parameters"


def deployed_from(built: Sources, parameters: Mapping[str, str]) -> Sources:
    """Return the input of a deploy: the sources and the template's parameters."""
    return {**built, _PARAMETERS: json.dumps(dict(parameters), sort_keys=True)}


def read(s3: "S3Client") -> Sources:
    """Return the sources of the last deploy; empty if it failed.

    Raises: LocalError if the server is not a local stack.
    """
    try:
        kept = s3.get_object(Bucket=sam.BUCKET, Key=KEY)["Body"].read()
    except ClientError as error:
        if error_code(error) in MISSING:
            return {}
        kept = b""
    except BotoCoreError:
        kept = b""
    if live := sources.from_text(kept.decode(errors="replace")):
        return live
    raise LocalError(
        f"the server at {s3.meta.endpoint_url} is not a local stack: start `make run` again"
    )


def write(s3: "S3Client", live: Sources) -> None:
    """Store the sources after a deploy."""
    s3.put_object(Bucket=sam.BUCKET, Key=KEY, Body=sources.to_text(live).encode())


def forget(s3: "S3Client") -> None:
    """Delete the sources before a deploy, which may fail halfway."""
    s3.delete_object(Bucket=sam.BUCKET, Key=KEY)
