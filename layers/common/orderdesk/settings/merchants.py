"""Settings of the functions that authenticate merchants or place orders."""

from typing import Literal

from pydantic import Field

from orderdesk.settings import Settings


class MerchantSettings(Settings):
    """Settings to look up a merchant and read its orders."""

    merchants_table: str = Field(min_length=1)
    orders_table: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)
    secrets_key_arn: str = Field(min_length=1)
    public_base_url: str = ""
    cache_seconds: int = Field(ge=0)


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
