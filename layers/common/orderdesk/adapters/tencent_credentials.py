"""Tencent Cloud's credentials, kept in Secrets Manager; read only where it is the provider."""

import json
from typing import TYPE_CHECKING, cast

from botocore.config import Config
from botocore.session import Session

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient


def read_tencent_credentials(session: Session, secret_arn: str) -> tuple[str, str]:
    """Read `{"secret_id": …, "secret_key": …}`. Raises: botocore's errors, KeyError."""
    config = Config(connect_timeout=1, read_timeout=3)
    client = cast("SecretsManagerClient", session.create_client("secretsmanager", config=config))
    secret = json.loads(client.get_secret_value(SecretId=secret_arn)["SecretString"])
    return secret["secret_id"], secret["secret_key"]
