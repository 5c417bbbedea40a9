"""Settings of the functions that relay and deliver callbacks and pushes."""

from pydantic import Field

from orderdesk.settings import Settings


class RelaySettings(Settings):
    """Settings of the relay: its queues, the records of callbacks, the table of push devices."""

    callbacks_table: str = Field(min_length=1)
    callback_retention_days: int = Field(ge=1)
    callbacks_queue_url: str = Field(min_length=1)
    relay_failures_queue_url: str = Field(min_length=1)
    pushes_queue_url: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)


class DeliverySettings(Settings):
    """Settings of the delivery of callbacks."""

    merchants_table: str = Field(min_length=1)
    callbacks_table: str = Field(min_length=1)
    secrets_key_arn: str = Field(min_length=1)
    cache_seconds: int = Field(ge=0)
    callbacks_queue_url: str = Field(min_length=1)
    callbacks_dead_letter_queue_url: str = Field(min_length=1)
    callback_retention_days: int = Field(ge=1)
    callback_lanes: int = Field(ge=1)
    allow_local_targets: bool
    # Only tests set this, on a deployed function; it is not in the template.
    callback_speedup: int = Field(default=1, ge=1)


class PushSettings(Settings):
    """Settings of sending pushes; `push_subject` is our contact for push services."""

    guards_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    pushes_queue_url: str = Field(min_length=1)
    push_key_arn: str = Field(min_length=1)
    push_subject: str = Field(min_length=1)
    allow_local_targets: bool
