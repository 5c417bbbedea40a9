"""A function's log for the terminal: a line for each record, a block for each error."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

ERROR_LEVELS = ("ERROR", "CRITICAL")
TRACEBACK = "Traceback (most recent call last)"
# Lambda's own lines of each invocation.
_PLATFORM = ("START RequestId:", "END RequestId:", "REPORT RequestId:", "INIT_START")
_METRICS = "_aws"
_FIELDS = (
    "level message timestamp service location request_id route error where traceback cold_start "
    "xray_trace_id function_name function_arn function_memory_size function_request_id"
)
_NOT_SHOWN_AGAIN = frozenset(_FIELDS.split())


@dataclass(frozen=True)
class Entry:
    """The text of a log entry, and whether it is an error."""

    text: str
    is_error: bool = False


def entries_of(function: str, at_ms: int, messages: Sequence[str]) -> Iterator[Entry]:
    """Yield the entries of one invocation at a time (Unix ms), without Lambda's own lines."""
    when = f"{datetime.fromtimestamp(at_ms / 1000).astimezone():%H:%M:%S}"
    plain: list[str] = []
    for message in messages:
        record = _record(message)
        if record is not None:
            if _METRICS not in record:
                yield _entry(f"{when} {function}", record)
        elif message.strip() and not message.startswith(_PLATFORM):
            plain.append(message)
    if plain:
        yield _plain_entry(f"{when} {function}", plain)


def _record(message: str) -> dict[str, Any] | None:
    try:
        record = json.loads(message)
    except ValueError:
        return None
    return record if isinstance(record, dict) else None


def _entry(head: str, record: Mapping[str, Any]) -> Entry:
    """Format a record in one line, and an error's traceback below it."""
    level = str(record.get("level", ""))
    named = [record.get("error"), record.get("route")]
    fields = [f"{name}={_value(v)}" for name, v in record.items() if name not in _NOT_SHOWN_AGAIN]
    if request_id := record.get("request_id"):
        fields.append(f"x-request-id={request_id}")
    words = [head, f"{level:<5}", str(record.get("message", "")), *map(str, filter(None, named))]
    line = " ".join([*words, *fields])
    if level not in ERROR_LEVELS:
        return Entry(line)
    trace = record.get("traceback") or "\n".join(record.get("where", []))
    return Entry("\n".join([line, *_indented(str(trace))]), is_error=True)


def _plain_entry(head: str, lines: Sequence[str]) -> Entry:
    """Format lines that are not records: printed text, or an error of Lambda's runtime."""
    is_error = any(TRACEBACK in line or line.startswith("[ERROR]") for line in lines)
    level = "ERROR" if is_error else "plain"
    return Entry("\n".join([f"{head} {level}", *_indented("\n".join(lines))]), is_error)


def _indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.rstrip().splitlines()]


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
