"""The form that most of what the pages say has."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """A headline, and what the reader should know or do next."""

    headline: str
    advice: str
