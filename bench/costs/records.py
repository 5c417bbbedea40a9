"""What was seen of a handler at work: its requests, and the items they read and wrote."""

from collections.abc import Sequence
from dataclasses import dataclass

from bench.costs.units import WireItem


@dataclass(frozen=True, slots=True)
class Read:
    """What one request read of a table, or of one of its indexes."""

    table: str
    index: str | None
    items: Sequence[WireItem]
    consistent: bool


@dataclass(frozen=True, slots=True)
class Write:
    """An item before and after a write; None where it was or is not there."""

    table: str
    key: WireItem
    before: WireItem | None
    after: WireItem | None
    transactional: bool


@dataclass(frozen=True, slots=True)
class Request:
    """One request to an AWS service."""

    service: str
    operation: str
    read: Read | None = None
    writes: tuple[Write, ...] = ()


@dataclass(frozen=True, slots=True)
class Invocation:
    """One run of a function; `metrics` are the custom ones that it put into its log."""

    label: str
    function: str
    requests: tuple[Request, ...]
    cpu_ms: float
    header_bytes: int
    body_bytes: int
    body_bytes_gzipped: int
    log_bytes: int
    log_lines: int
    metrics: frozenset[str]
