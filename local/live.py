"""Which sources a stack was deployed from; kept in the emulator, and so gone when it ends."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from local import sam, sources
from local.sources import Sources

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

KEY = "live-sources.json"
_PARAMETERS = "parameters"


def deployed_from(built: Sources, parameters: Mapping[str, str]) -> Sources:
    """Give what a deploy depends on: the sources, and the template's parameters."""
    return {**built, _PARAMETERS: json.dumps(dict(parameters), sort_keys=True)}


def read(s3: "S3Client") -> Sources:
    """Read what is live; empty where the last deploy failed."""
    try:
        kept = s3.get_object(Bucket=sam.BUCKET, Key=KEY)
    except ClientError:
        return {}
    return sources.from_text(kept["Body"].read().decode())


def write(s3: "S3Client", live: Sources) -> None:
    """Keep what is live, once a deploy is done."""
    s3.put_object(Bucket=sam.BUCKET, Key=KEY, Body=sources.to_text(live).encode())


def forget(s3: "S3Client") -> None:
    """Keep nothing, as a deploy begins: it may fail halfway."""
    s3.delete_object(Bucket=sam.BUCKET, Key=KEY)
