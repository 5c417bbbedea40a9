"""Settings of the functions that run by a schedule."""

from pydantic import Field

from orderdesk.settings import S3Settings, Settings


class SweepSettings(Settings):
    """Settings of the sweep."""

    orders_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    ledger_table: str = Field(min_length=1)


class AssignSettings(Settings):
    """Settings of the assigner."""

    orders_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    rotation_shards: int = Field(ge=1)
    assignment_seconds: int = Field(gt=0)
    assign_after_seconds: int = Field(ge=0)


class SealsSettings(S3Settings):
    """Settings of the functions that work with seals."""

    ledger_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    seals_bucket: str = Field(min_length=1)
    seal_key_arn: str = Field(min_length=1)
    seal_seconds: int = Field(ge=10, le=900)


class PayOutSettings(SealsSettings):
    """Settings of paying out what was approved."""

    secrets_key_arn: str = Field(min_length=1)


class SealSettings(SealsSettings):
    """Settings of sealing the books."""

    orders_table: str = Field(min_length=1)
    merchants_table: str = Field(min_length=1)
    audit_table: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)
    seal_lock_days: int = Field(ge=0)
