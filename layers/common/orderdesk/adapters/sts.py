"""Who calls AWS: the name that the audit trail keeps."""

from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.session import Session

_CONFIG = Config(connect_timeout=2, read_timeout=3, retries={"total_max_attempts": 2})


def caller_arn(session: Session) -> str | None:
    """Give the ARN that STS knows the credentials by; None where STS does not say."""
    client: Any = session.create_client("sts", config=_CONFIG)
    try:
        return str(client.get_caller_identity()["Arn"])
    except (BotoCoreError, ClientError):
        return None
