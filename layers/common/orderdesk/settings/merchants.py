"""Settings of what knows merchants: their API, and what places orders."""

from typing import Literal

from pydantic import Field

from orderdesk.settings.base import Settings


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
