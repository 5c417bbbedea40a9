"""The emulator's workers share one copy of the layer and tolerate a slow machine."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from zipfile import ZipFile

import httpx

from local.emulator import SCRATCH
from local.stack import Stack
from local.workers import Worker

SLOW = """
import time

def handler(event, context):
    left = context.get_remaining_time_in_millis()
    over = time.monotonic() + 2 * left / 1000
    while time.monotonic() < over:
        pass
    return left
"""

TALKATIVE = """
def handler(event, context):
    for number in range(2_000):
        print(number, "x" * 100)
    return event
"""


def test_workers_share_one_copy_of_the_layer(stack: Stack) -> None:
    for page in ("identity/P0/x", "pay/O0/x"):
        assert httpx.get(f"{stack.base_url}/{page}", timeout=None).status_code == 404
    scratch = stack.work / SCRATCH
    workers = list(scratch.glob("ministack-lambda-orderdesk-*"))
    assert len(workers) >= 2
    assert [folder for worker in workers for folder in worker.glob("layer_*")] == []
    assert len(list(scratch.glob("ministack-lambda-extract-*/layer-*"))) == 1


def test_an_invocation_of_twice_its_timeout_answers_and_its_context_has_its_own_timeout() -> None:
    with worker_of(SLOW, timeout_seconds=1) as worker:
        for _ in range(2):
            answer = worker.invoke({}, "a request")
            assert answer["status"] == "ok"
            assert answer["result"] <= 1000


def test_an_answer_has_every_line_of_its_invocation_and_no_other() -> None:
    with worker_of(TALKATIVE, timeout_seconds=60) as worker, busy_threads(4):
        for _ in range(10):
            lines = worker.invoke({}, "a request")["log"].splitlines()
            assert [line.split()[0] for line in lines] == [str(each) for each in range(2_000)]


@contextmanager
def busy_threads(count: int) -> Iterator[None]:
    """Keep the cores busy with other threads of this process during the block."""
    over = Event()

    def compute() -> None:
        while not over.is_set():
            sum(range(10_000))

    threads = [Thread(target=compute) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


@contextmanager
def worker_of(code: str, timeout_seconds: int) -> Iterator[Worker]:
    zipped = io.BytesIO()
    with ZipFile(zipped, "w") as files:
        files.writestr("app.py", code)
    arn = "arn:aws:lambda:us-east-1:000000000000:function:slow"
    config = {
        "FunctionName": "slow",
        "FunctionArn": arn,
        "Runtime": "python3.13",
        "Handler": "app.handler",
        "Timeout": timeout_seconds,
    }
    worker = Worker("slow", config, zipped.getvalue())
    try:
        yield worker
    finally:
        process = worker._proc
        worker.kill()
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()
