"""The base of all settings."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Self

from pydantic import BaseModel, ConfigDict

from orderdesk.adapters.dynamodb.keys import TableNames


class Settings(BaseModel):
    """Settings are read from variables with upper-case names; other variables are ignored."""

    # Built on first use, because a base class of settings is never read itself.
    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        alias_generator=str.upper,
        hide_input_in_errors=True,
        defer_build=True,
    )

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Self:
        """Read and validate. Raises: pydantic.ValidationError, with the names that are missing."""
        return cls.model_validate(dict(environment))

    @property
    def tables(self) -> TableNames:
        """The tables that this function may use; the names of the others are empty."""
        return TableNames(
            **{f.name: getattr(self, f"{f.name}_table", "") for f in fields(TableNames)}
        )
