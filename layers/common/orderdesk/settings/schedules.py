"""Settings of the functions that run every minute."""

from pydantic import Field

from orderdesk.settings import Settings


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
