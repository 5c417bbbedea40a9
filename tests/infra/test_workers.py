"""The emulator's workers: the layer is there once, and a slow machine ends no invocation."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from zipfile import ZipFile

import httpx

from local.emulator import SCRATCH
from local.stack import Stack
from local.workers import Worker

SLOW = """
import time

def handler(event, context):
    told = context.get_remaining_time_in_millis()
    over = time.monotonic() + 2 * told / 1000
    while time.monotonic() < over:
        pass
    return told
"""


def test_workers_share_one_copy_of_the_layer(stack: Stack) -> None:
    for page in ("identity/P0/x", "pay/O0/x"):
        assert httpx.get(f"{stack.base_url}/{page}", timeout=None).status_code == 404
    scratch = stack.work / SCRATCH
    workers = list(scratch.glob("ministack-lambda-orderdesk-*"))
    assert len(workers) >= 2
    assert [folder for worker in workers for folder in worker.glob("layer_*")] == []
    assert len(list(scratch.glob("ministack-lambda-extract-*/layer-*"))) == 1


def test_who_takes_twice_its_time_still_answers_and_is_told_its_own_timeout() -> None:
    with worker_of(SLOW, timeout_seconds=1) as worker:
        for _ in range(2):
            answer = worker.invoke({}, "a request")
            assert answer["status"] == "ok"
            assert answer["result"] <= 1000


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
