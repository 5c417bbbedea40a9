"""Which sources a stack was deployed from; kept in the emulator, and so gone when it ends."""

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
    """Give what a deploy depends on: the sources, and the template's parameters."""
    return {**built, _PARAMETERS: json.dumps(dict(parameters), sort_keys=True)}


def read(s3: "S3Client") -> Sources:
    """Read what is live; empty where the last deploy failed.

    Raises: LocalError where what answers is no local stack.
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
        f"what answers at {s3.meta.endpoint_url} is no local stack: start `make run` again"
    )


def write(s3: "S3Client", live: Sources) -> None:
    """Keep what is live, once a deploy is done."""
    s3.put_object(Bucket=sam.BUCKET, Key=KEY, Body=sources.to_text(live).encode())


def forget(s3: "S3Client") -> None:
    """Keep nothing, as a deploy begins: it may fail halfway."""
    s3.delete_object(Bucket=sam.BUCKET, Key=KEY)
