"""The files of seals, for the functions that make them or wait for them."""

from typing import TYPE_CHECKING

from pydantic import Field

from orderdesk.adapters.receipts import s3_client
from orderdesk.adapters.seals import SealFiles, SealVault
from orderdesk.adapters.sending import LazyKms
from orderdesk.settings import S3Settings

if TYPE_CHECKING:
    from botocore.session import Session
    from mypy_boto3_dynamodb import DynamoDBClient


class SealsSettings(S3Settings):
    """Settings of the functions that work with seals."""

    ledger_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    seals_bucket: str = Field(min_length=1)
    seal_key_arn: str = Field(min_length=1)
    seal_seconds: int = Field(ge=10, le=900)


def seal_files(
    session: "Session", client: "DynamoDBClient", settings: SealsSettings, lock_days: int = 0
) -> SealFiles:
    """Return the stored seals; the last one of a day is locked for `lock_days` when it is made."""
    s3 = s3_client(session, emulated=settings.emulated)
    vault = SealVault(settings.seals_bucket, settings.seal_key_arn, lock_days)
    return SealFiles(client, settings.tables, s3, LazyKms(session), vault)
