"""`make logs`: follows the functions' logs of the running local stack."""

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from local import processes
from local.log_lines import Entry, entries_of
from local.progress import LocalError
from local.running import port_of, running_stack
from local.stack import Stack

if TYPE_CHECKING:
    from mypy_boto3_logs import CloudWatchLogsClient

HISTORY_SECONDS = 600
PAUSE_SECONDS = 0.5
# An invocation's lines may arrive after those of an invocation that ended later.
OVERLAP_MS = 2_000
GROUP = "/aws/lambda/"
# The emulator's log line of a function that it could not start.
ERROR = " ERROR [lambda] "


class Follower:
    """Reads new log entries of functions."""

    def __init__(
        self, client: "CloudWatchLogsClient", functions: Mapping[str, str], since_ms: int
    ) -> None:
        """`functions`: deployed names by folder; `since_ms`: Unix time."""
        self._client = client
        self._names = {f"{GROUP}{deployed}": name for name, deployed in functions.items()}
        self._since_ms = dict.fromkeys(self._names, since_ms)
        self._bytes = dict.fromkeys(self._names, 0)
        self._seen: dict[str, Counter[tuple[Any, ...]]] = {}

    def new(self) -> list[Entry]:
        """Return the entries since the last call, by invocation. Raises: botocore's errors."""
        return [entry for group in self._grown() for entry in self._new_of(group)]

    def _grown(self) -> list[str]:
        """Return the log groups that have grown; one request covers all of them."""
        groups = self._client.describe_log_groups(logGroupNamePrefix=GROUP)["logGroups"]
        sizes = {group["logGroupName"]: group["storedBytes"] for group in groups}
        grown = [name for name in self._names if sizes.get(name, 0) != self._bytes[name]]
        self._bytes |= {name: sizes.get(name, 0) for name in grown}
        return grown

    def _new_of(self, group: str) -> Iterator[Entry]:
        pages = self._client.get_paginator("filter_log_events")
        since_ms = self._since_ms[group]
        events = [
            (event["logStreamName"], event["timestamp"], event["message"])
            for page in pages.paginate(logGroupName=group, startTime=since_ms)
            for event in page["events"]
        ]
        before, now = self._seen.get(group, Counter()), Counter[tuple[Any, ...]]()
        fresh = []
        for event in events:
            now[event] += 1
            if now[event] > before[event]:
                fresh.append(event)
        self._seen[group] = now
        if events:
            self._since_ms[group] = max(since_ms, events[-1][1] - OVERLAP_MS)
        for (_stream, at_ms), lines in groupby(fresh, key=lambda event: event[:2]):
            yield from entries_of(self._names[group], at_ms, [line[2] for line in lines])


class StartErrors:
    """Reads the functions that could not start from the emulator's log.

    A module whose import fails writes no log of its own.
    """

    def __init__(self, log: Path, functions: Mapping[str, str], *, from_end: bool = False) -> None:
        """`from_end`: skip the present content of the log."""
        self._log = log
        self._functions = functions
        self._position = log.stat().st_size if from_end else 0

    def new(self) -> list[Entry]:
        """Return the entries since the last call, one line each."""
        with self._log.open("rb") as file:
            file.seek(self._position)
            read = file.read()
        whole = read[: read.rfind(b"\n") + 1]
        self._position += len(whole)
        lines = [line for line in whole.decode(errors="replace").splitlines() if ERROR in line]
        return [
            Entry(f"{line.split()[1]} {name} ERROR {line.partition(ERROR)[2]}", is_error=True)
            for line in lines
            for name, deployed in self._functions.items()
            if f" {deployed}:" in line
        ]


def functions_of(outputs: Mapping[str, str]) -> dict[str, str]:
    """Return the deployed name of each function by the name of its folder."""
    return {
        _folder(output.removesuffix("FunctionName")): name
        for output, name in outputs.items()
        if output.endswith("FunctionName")
    }


def follow(work: Path, function: str | None) -> None:
    """Print the logs of all functions, or of one, until a signal. Raises: LocalError."""
    described = running_stack(work)
    functions = functions_of(described["outputs"])
    if function is not None:
        name = function.replace("-", "_")
        if name not in functions:
            known = ", ".join(sorted(functions))
            raise LocalError(f"no function is named {function}; the functions are {known}")
        functions = {name: functions[name]}
    running = Stack(port_of(described), work)
    since_ms = int((time.time() - HISTORY_SECONDS) * 1000)
    follower = Follower(running.client("logs"), functions, since_ms)
    starts = StartErrors(running.emulator_log, functions)
    try:
        with processes.until_stopped():
            while True:
                for entry in [*follower.new(), *starts.new()]:
                    print(entry.text, flush=True)
                time.sleep(PAUSE_SECONDS)
    except (BotoCoreError, ClientError):
        raise LocalError("the local stack has ended") from None
    print(flush=True)


def _folder(camel_case: str) -> str:
    words = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in camel_case)
    return words.removeprefix("_")
