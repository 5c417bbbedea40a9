"""Settings: the environment, read once and validated; one model for each Lambda function.

Creating a model takes 0.6 ms of a cold start. So the models are in several modules, and one that
needs two of them, or that only its function names, is in the function's module. So are those of
operators and seals in the wiring that reads them.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Self

from pydantic import BaseModel, ConfigDict

from orderdesk.adapters.dynamodb.keys import TableNames


class Settings(BaseModel):
    """Base of the settings; a field is read from the variable with its upper-case name."""

    # Validators are built on first use, because base classes are never validated themselves.
    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        alias_generator=str.upper,
        hide_input_in_errors=True,
        defer_build=True,
    )

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Self:
        """Read and validate. Raises: pydantic.ValidationError, which names missing variables."""
        return cls.model_validate(dict(environment))

    @property
    def tables(self) -> TableNames:
        """The tables that this function may use; the names of others are empty."""
        return TableNames(
            **{f.name: getattr(self, f"{f.name}_table", "") for f in fields(TableNames)}
        )


class S3Settings(Settings):
    """The endpoint of S3."""

    aws_endpoint_url: str = ""
    aws_endpoint_url_s3: str = ""

    @property
    def emulated(self) -> bool:
        """Whether S3 is an emulator with its own endpoint."""
        return bool(self.aws_endpoint_url or self.aws_endpoint_url_s3)
