"""A streamed answer that arrives in part is requested again, or raises TryAgain."""

import json
from collections.abc import Iterator
from contextlib import closing

import pytest
from botocore.session import Session

from orderdesk.adapters.receipts import Bucket, LambdaRenderer, s3_client
from orderdesk.adapters.sending import SENDS
from orderdesk.domain.errors import TryAgain
from tests.faults.upstream import Upstream
from tests.support.served import served

FILE = b"%PDF-" + b"x" * 500


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    with served(Upstream()) as server:
        server.content = FILE
        yield server


@pytest.fixture(autouse=True)
def environment(upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{upstream.server_port}")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "b")


@pytest.fixture
def bucket() -> Iterator[Bucket]:
    with closing(s3_client(Session(), emulated=True)) as client:
        yield Bucket(lambda: client, "bucket")


@pytest.mark.parametrize("most", [len(FILE) + 50, len(FILE), len(FILE) - 1])
def test_a_file_cut_short_is_read_again(bucket: Bucket, upstream: Upstream, most: int) -> None:
    upstream.cut = SENDS - 1
    read = bucket.read("key", most)
    assert read is not None
    assert (read.content, read.size_bytes) == (FILE[: most + 1], len(FILE))


def test_a_file_that_is_always_cut_short_means_again(bucket: Bucket, upstream: Upstream) -> None:
    upstream.cut = SENDS
    with pytest.raises(TryAgain):
        bucket.read("key", len(FILE))


def test_enough_of_a_cut_file_is_enough(bucket: Bucket, upstream: Upstream) -> None:
    upstream.cut = SENDS
    read = bucket.read("key", 50)
    assert read is not None
    assert read.content == FILE[:51]


def test_a_refusal_cut_short_is_asked_for_again(bucket: Bucket, upstream: Upstream) -> None:
    text = b"<Error><Code>NoSuchKey</Code><Message>" + b"x" * 200 + b"</Message></Error>"
    upstream.status, upstream.content, upstream.cut = 404, text, SENDS - 1
    assert bucket.read("key", len(FILE)) is None


@pytest.mark.parametrize("status", [200, 404, 429])
def test_a_drawing_whose_answer_is_cut_short_means_again(upstream: Upstream, status: int) -> None:
    text = json.dumps({"Message": "x" * 200, "Type": "User"}).encode()
    upstream.status, upstream.content, upstream.cut = status, text, 1
    with pytest.raises(TryAgain):
        LambdaRenderer(Session(), "draw").render("key", "m1")
