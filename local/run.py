"""`make run`: the whole stack in the foreground until Ctrl-C or SIGTERM."""

import contextlib
import fcntl
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from local import docs_site, processes, stack
from local.callback_sink import CallbackSink, serve
from local.demo.data import load_demo_data
from local.emulator import Emulator
from local.logs import PAUSE_SECONDS, Follower, StartErrors, functions_of
from local.operators import add_operators
from local.places import REPOSITORY, STACK_FILE
from local.progress import LocalError, say, step
from local.stack import Stack

LOCK_FILE = "lock"


def run(port: int, work: Path) -> None:
    """Start the stack, print the addresses, and show errors until a signal. Raises: LocalError."""
    if processes.is_port_taken(port):
        raise LocalError(f"port {port} is taken: stop what listens there or choose PORT=…")
    with processes.until_stopped(), _alone_in(work):
        _run(port, work)
    say("stopped")


def _run(port: int, work: Path) -> None:
    began = time.monotonic()
    sink = CallbackSink()
    try:
        with (
            stack.start(port, work) as (running, emulator),
            serve(sink) as sink_url,
            docs_site.serve() as docs_url,
        ):
            with step("demo data"):
                demo = load_demo_data(running, sink, sink_url) | {"callback_sink": sink_url}
            _seal(running)
            described = running.describe() | {"demo": demo, "operators": add_operators(running)}
            _write(work / STACK_FILE, described)
            print(_table(running, sink_url, docs_url, demo["merchant"]["invite_url"]))
            print(f"ready in {time.monotonic() - began:.0f} s; Ctrl-C ends it", flush=True)
            _watch(emulator, running)
    finally:
        (work / STACK_FILE).unlink(missing_ok=True)


def _seal(running: Stack) -> None:
    """Begin to seal the books; the schedule's first run is a minute later."""
    name = f"{running.outputs['SealBooksFunctionName']}:live"
    running.client("lambda").invoke(FunctionName=name, InvocationType="Event", Payload=b"{}")


@contextmanager
def _alone_in(work: Path) -> Iterator[None]:
    """Lock the work folder, because a second stack would delete the first one's files."""
    work.mkdir(parents=True, exist_ok=True)
    with (work / LOCK_FILE).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LocalError("a stack of this clone is running: stop it first") from None
        yield


def _watch(emulator: Emulator, running: Stack) -> None:
    """Show the functions' errors until a signal. Raises: LocalError if the emulator ends."""
    now_ms = int(time.time() * 1000)
    functions = functions_of(running.outputs)
    follower = Follower(running.client("logs"), functions, now_ms)
    starts = StartErrors(running.emulator_log, functions, from_end=True)
    while True:
        emulator.check()
        _show_errors(follower, starts)
        time.sleep(PAUSE_SECONDS)


def _show_errors(follower: Follower, starts: StartErrors) -> None:
    """Print new errors; if the emulator is too busy to answer, the next call retries."""
    entries = starts.new()
    with contextlib.suppress(BotoCoreError, ClientError):
        entries += follower.new()
    for entry in entries:
        if entry.is_error:
            say(entry.text)


def _write(file: Path, content: Mapping[str, Any]) -> None:
    whole = file.with_suffix(".tmp")
    whole.touch(mode=0o600)  # it contains keys
    whole.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n")
    whole.rename(file)


def _table(running: Stack, sink_url: str, docs_url: str, invite_url: str) -> str:
    built = "" if docs_site.SITE.exists() else " (after `make docs`)"
    rows = {
        "create an order": f"POST {running.base_url}/merchant/createOrder",
        "the same, test": f"POST {running.base_url}/test/createOrder",
        "query an order": f"POST {running.base_url}/merchant/queryOrder",
        "callbacks": f"GET  {sink_url}",
        "merchant portal": f"GET  {invite_url} (works once)",
        "documentation": f"GET  {docs_url}{built}",
        "AWS endpoint": running.endpoint_url,
        "keys, outputs": _short(running.work / STACK_FILE),
        "emulator's log": _short(running.emulator_log),
    }
    width = max(map(len, rows))
    return "\n".join(["", *(f"  {name:<{width}}  {value}" for name, value in rows.items()), ""])


def _short(path: Path) -> str:
    return str(path.relative_to(REPOSITORY) if path.is_relative_to(REPOSITORY) else path)
