"""Tencent Cloud's credentials, kept in Secrets Manager; read only where it is the provider."""

import json
from typing import TYPE_CHECKING, cast

from botocore.session import Session

from orderdesk.adapters.sending import CLIENT_CONFIG

if TYPE_CHECKING:
    from mypy_boto3_secretsmanager import SecretsManagerClient


def read_tencent_credentials(session: Session, secret_arn: str) -> tuple[str, str]:
    """Read `{"secret_id": …, "secret_key": …}`. Raises: botocore's errors, KeyError."""
    client = cast(
        "SecretsManagerClient", session.create_client("secretsmanager", config=CLIENT_CONFIG)
    )
    secret = json.loads(client.get_secret_value(SecretId=secret_arn)["SecretString"])
    return secret["secret_id"], secret["secret_key"]
