"""Settings of the operators' API."""

from pydantic import Field

from orderdesk.settings import Settings


class OperatorSettings(Settings):
    """All tables, and whose identity names a person.

    `operator_role_patterns` is a comma-separated list.
    """

    merchants_table: str = Field(min_length=1)
    traders_table: str = Field(min_length=1)
    orders_table: str = Field(min_length=1)
    ledger_table: str = Field(min_length=1)
    guards_table: str = Field(min_length=1)
    callbacks_table: str = Field(min_length=1)
    audit_table: str = Field(min_length=1)
    receipts_bucket: str = Field(min_length=1)
    seals_bucket: str = Field(min_length=1)
    seal_key_arn: str = Field(min_length=1)
    callbacks_queue_url: str = Field(min_length=1)
    secrets_key_arn: str = Field(min_length=1)
    identity_key_arn: str = Field(min_length=1)
    callback_retention_days: int = Field(ge=1)
    rotation_shards: int = Field(ge=1)
    assignment_seconds: int = Field(gt=0)
    solo_resolve_usdt: int = Field(ge=0)
    pages_url: str = Field(min_length=1)
    operator_role_patterns: str
    allow_local_targets: bool
    aws_endpoint_url: str = ""

    @property
    def role_patterns(self) -> tuple[str, ...]:
        """The names of roles whose sessions are persons, with `*` and `?` as in IAM."""
        patterns = (each.strip() for each in self.operator_role_patterns.split(","))
        return tuple(each for each in patterns if each)
