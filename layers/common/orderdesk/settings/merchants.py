"""Settings of the functions that authenticate merchants or place orders."""

from typing import Literal

from pydantic import Field

from orderdesk.settings import S3Settings, Settings


class MerchantSettings(Settings):
    """Settings to look up a merchant and read its orders."""

    merchants_table: str = Field(min_length=1)
    orders_table: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)
    secrets_key_arn: str = Field(min_length=1)
    public_base_url: str = ""
    cache_seconds: int = Field(ge=0)


class MerchantApiSettings(MerchantSettings):
    """Further settings to move an order, read accounts, and list and redeliver callbacks."""

    traders_table: str = Field(min_length=1)
    ledger_table: str = Field(min_length=1)
    callbacks_table: str = Field(min_length=1)
    callbacks_queue_url: str = Field(min_length=1)
    callback_retention_days: int = Field(ge=1)
    allow_local_targets: bool


class PlacementSettings(MerchantSettings):
    """Further settings to verify a customer and place a buy order."""

    traders_table: str = Field(min_length=1)
    pay_window_seconds: int = Field(gt=0)
    draft_life_seconds: int = Field(gt=0)
    rate_max_age_seconds: int = Field(gt=0)
    rotation_shards: int = Field(ge=1)
    identity_provider: Literal["none", "sandbox", "tencent"]
    tencent_secret_arn: str = ""
    identity_key_arn: str = Field(min_length=1)
    verification_failures_per_hour: int = Field(ge=1)


class IdentityPageSettings(PlacementSettings, S3Settings):
    """Further settings of the identity page: the bucket of the merchants' logos."""

    receipts_bucket: str = Field(min_length=1)


class CreateOrderSettings(PlacementSettings):
    """Further settings of createOrder."""

    ledger_table: str = Field(min_length=1)
    allow_local_targets: bool
    sell_hold_seconds: int = Field(ge=0)
