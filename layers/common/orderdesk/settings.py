"""The environment, read once and validated: one model a function, naming what it needs."""

from collections.abc import Mapping
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


class MerchantApiSettings(Settings):
    """What a function needs to authenticate a merchant and read its orders."""

    merchants_table: str = Field(min_length=1)
    orders_table: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)
    secrets_key_arn: str = Field(min_length=1)
    public_base_url: str = ""
    cache_seconds: int = Field(ge=0)

    @property
    def tables(self) -> TableNames:
        """The tables this function may use."""
        return TableNames(
            merchants=self.merchants_table, orders=self.orders_table, guards=self.guards_table
        )


class CreateOrderSettings(MerchantApiSettings):
    """What createOrder needs beside that."""

    traders_table: str = Field(min_length=1)
    ledger_table: str = Field(min_length=1)
    pay_window_seconds: int = Field(gt=0)
    draft_life_seconds: int = Field(gt=0)
    rate_max_age_seconds: int = Field(gt=0)
    rotation_shards: int = Field(ge=1)
    allow_local_targets: bool
    identity_provider: Literal["none", "sandbox", "tencent"]
    tencent_secret_arn: str = ""

    @property
    def tables(self) -> TableNames:
        """The tables this function may use."""
        return TableNames(
            merchants=self.merchants_table,
            traders=self.traders_table,
            orders=self.orders_table,
            ledger=self.ledger_table,
            guards=self.guards_table,
        )


class PageSettings(Settings):
    """What a page needs."""

    orders_table: str = Field(min_length=1)
    public_base_url: str = ""
