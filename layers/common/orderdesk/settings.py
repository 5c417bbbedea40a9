"""The environment, read once and validated: one model a function, naming what it needs."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from orderdesk.adapters.dynamodb.keys import TableNames


class Settings(BaseModel):
    """Variables by their upper-case names; others are ignored."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=str.upper, hide_input_in_errors=True
    )

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Self:
        """Read and validate. Raises: pydantic.ValidationError naming what is missing."""
        return cls.model_validate(dict(environment))

    @property
    def tables(self) -> TableNames:
        """The tables this function may use; the names of others stay empty."""
        return TableNames(
            **{f.name: getattr(self, f"{f.name}_table", "") for f in fields(TableNames)}
        )


class MerchantSettings(Settings):
    """What a function needs to know a merchant and read its orders."""

    merchants_table: str = Field(min_length=1)
    orders_table: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)
    secrets_key_arn: str = Field(min_length=1)
    public_base_url: str = ""
    cache_seconds: int = Field(ge=0)


class MerchantApiSettings(MerchantSettings):
    """What it takes beside that to cancel an order and tell a balance."""

    traders_table: str = Field(min_length=1)
    ledger_table: str = Field(min_length=1)


class IdentityPageSettings(MerchantSettings):
    """What it takes beside that to verify a customer and place a buy order."""

    traders_table: str = Field(min_length=1)
    pay_window_seconds: int = Field(gt=0)
    draft_life_seconds: int = Field(gt=0)
    rate_max_age_seconds: int = Field(gt=0)
    rotation_shards: int = Field(ge=1)
    identity_provider: Literal["none", "sandbox", "tencent"]
    tencent_secret_arn: str = ""


class CreateOrderSettings(IdentityPageSettings):
    """What createOrder needs beside that."""

    ledger_table: str = Field(min_length=1)
    allow_local_targets: bool


class ReceiptSettings(Settings):
    """What a page with receipts needs."""

    orders_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)
    receipts_bucket: str = Field(min_length=1)
    public_base_url: str = ""
    aws_endpoint_url: str = ""
    aws_endpoint_url_s3: str = ""

    @property
    def emulated(self) -> bool:
        """Tell whether S3 is an emulator's, at an address of its own."""
        return bool(self.aws_endpoint_url or self.aws_endpoint_url_s3)


class PayPageSettings(ReceiptSettings):
    """What the pay page needs."""


class TraderDeskSettings(ReceiptSettings):
    """What the trader desk needs beside that."""

    ledger_table: str = Field(min_length=1)


class SweepSettings(Settings):
    """What the sweep needs."""

    orders_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)


class AssignSettings(SweepSettings):
    """What the assigner needs."""

    rotation_shards: int = Field(ge=1)
    assignment_seconds: int = Field(gt=0)
    assign_after_seconds: int = Field(ge=0)


class RelaySettings(Settings):
    """What the relay needs: the queue of events, and that of records nobody can read."""

    callbacks_queue_url: str = Field(min_length=1)
    relay_failures_queue_url: str = Field(min_length=1)


class DeliverySettings(Settings):
    """What delivering callbacks needs."""

    merchants_table: str = Field(min_length=1)
    callbacks_table: str = Field(min_length=1)
    secrets_key_arn: str = Field(min_length=1)
    cache_seconds: int = Field(ge=0)
    callbacks_queue_url: str = Field(min_length=1)
    callbacks_dead_letter_queue_url: str = Field(min_length=1)
    callback_retention_days: int = Field(ge=1)
    callback_lanes: int = Field(ge=1)
    allow_local_targets: bool
    # For tests, which set it on a deployed function; the template does not know it.
    callback_speedup: int = Field(default=1, ge=1)
