"""`python -m tests.soak --minutes 30`: the command of `make soak`."""

import argparse
import sys
import time

from local import processes, stack
from local.callback_sink import CallbackSink, serve
from local.demo.walks import check_ledger
from local.places import REPOSITORY, WORK
from local.progress import LocalError, say, step
from local.stack import Stack
from tests.soak import page
from tests.soak.curves import growth_of
from tests.soak.people import People
from tests.soak.traffic import ORDERS_A_MINUTE, Traffic, run
from tests.soak.watch import watching

MINUTES = 30
CALLBACKS_SECONDS_MAX = 300
QUEUES = ("CallbacksQueueUrl", "CallbacksDeadLetterQueueUrl", "RelayFailuresQueueUrl")


def main() -> int:
    """Soak; exit 1 if something grew, an order failed, or the books or queues are not clean."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=int, default=MINUTES)
    try:
        soak(parser.parse_args().minutes)
    except LocalError as error:
        say(f"error: {error}")
        return 1
    return 0


def soak(minutes: int) -> None:
    """Trade on a separate stack, and write the page. Raises: LocalError.

    A run shorter than the usual one writes to the stack's folder instead of docs.
    """
    sink, work = CallbackSink(), WORK / "soak"
    started = stack.start(processes.free_port(), work)
    with started as (running, emulator), serve(sink) as sink_url:
        with step("20 merchants, 50 traders"):
            people = People.added(running, sink, sink_url)
        with step(f"{minutes} min, {ORDERS_A_MINUTE} orders a minute"), watching(emulator) as seen:
            traffic = run(people, minutes)
        _require_completed(traffic)
        with step("callbacks"):
            _require_delivered(running, sink)
        check_ledger(running.endpoint_url)
    growth = growth_of(seen, traffic)
    folder = REPOSITORY / "docs" if minutes >= MINUTES else work
    page.draw(seen, traffic, folder / "soak.svg")
    (folder / "soak.md").write_text(page.markdown(growth, traffic, minutes), encoding="utf-8")
    say(f"{folder / 'soak.md'} is written")
    if grown := [row.what for row in growth if row.has_grown]:
        raise LocalError(f"grown: {', '.join(grown)}")


def _require_completed(traffic: Traffic) -> None:
    if traffic.failures:
        raise LocalError(f"{len(traffic.failures)} orders failed, first: {traffic.failures[0]}")


def _require_delivered(running: Stack, sink: CallbackSink) -> None:
    """Wait until the callbacks are sent. Raises: LocalError if one was not, or is not verified."""
    deadline = time.monotonic() + CALLBACKS_SECONDS_MAX
    while any(left := _messages(running)):
        if time.monotonic() > deadline:
            raise LocalError(f"messages are left: {dict(zip(QUEUES, left, strict=True))}")
        time.sleep(1)
    if not all(received["verified"] for received in sink.received):
        raise LocalError("a callback's signature does not verify")


def _messages(running: Stack) -> list[int]:
    """Count the messages of each queue, visible or hidden."""
    sqs = running.client("sqs")
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    asked = (
        sqs.get_queue_attributes(QueueUrl=running.outputs[queue], AttributeNames=names)
        for queue in QUEUES
    )
    return [sum(map(int, answer["Attributes"].values())) for answer in asked]


if __name__ == "__main__":
    sys.exit(main())
