"""What all settings have in common."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Self

from pydantic import BaseModel, ConfigDict

from orderdesk.adapters.dynamodb.keys import TableNames


class Settings(BaseModel):
    """Variables by their upper-case names; others are ignored."""

    # Built on first use: what a model inherits from is never read itself.
    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        alias_generator=str.upper,
        hide_input_in_errors=True,
        defer_build=True,
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
