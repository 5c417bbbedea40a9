"""Settings of the function that sends pushes."""

from pydantic import Field

from orderdesk.settings.base import Settings


class PushSettings(Settings):
    """Settings of sending pushes; `push_subject` is where a push service's people ask."""

    guards_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    pushes_queue_url: str = Field(min_length=1)
    push_key_arn: str = Field(min_length=1)
    push_subject: str = Field(min_length=1)
    allow_local_targets: bool
