"""Each fault reaches the client in its own way, and is counted."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionClosedError, HTTPClientError
from botocore.session import Session

from tests.faults import proxy as fault_proxy
from tests.faults.proxy import SERVICES, Fault, FaultProxy, open_fault_proxy
from tests.faults.upstream import Upstream
from tests.support.served import served

ONCE = Config(retries={"total_max_attempts": 1}, read_timeout=None, s3={"addressing_style": "path"})
BODY = b'{"TableNames":["' + b"t" * 500 + b'"]}'


@pytest.fixture
def upstream() -> Iterator[Upstream]:
    with served(Upstream()) as server:
        server.content = BODY
        yield server


@pytest.fixture
def proxy(upstream: Upstream) -> Iterator[FaultProxy]:
    with open_fault_proxy(upstream.server_port) as proxy:
        yield proxy


def client(service: str, proxy: FaultProxy) -> Any:
    return Session().create_client(
        service,
        region_name="us-east-1",
        endpoint_url=proxy.endpoint_url,
        aws_access_key_id="a",
        aws_secret_access_key="b",
        config=ONCE,
    )


def asked(proxy: FaultProxy) -> Any:
    with closing(client("dynamodb", proxy)) as dynamodb, proxy.faults():
        return dynamodb.list_tables()


REACH_THE_CLIENT: dict[Fault, tuple[type[Exception] | None, int]] = {
    Fault.DELAYED: (None, 1),
    Fault.CUT_BEFORE: (ConnectionClosedError, 0),
    Fault.CUT_AFTER: (ConnectionClosedError, 1),
    Fault.CUT_SHORT: (HTTPClientError, 1),
    Fault.THROTTLED: (ClientError, 0),
    Fault.FAILED: (ClientError, 0),
    Fault.UNAVAILABLE: (ClientError, 0),
}
"""What the client raises, and how many requests the service sees."""


@pytest.mark.parametrize("fault", Fault)
def test_each_fault(
    proxy: FaultProxy, upstream: Upstream, monkeypatch: pytest.MonkeyPatch, fault: Fault
) -> None:
    raises, reaches = REACH_THE_CLIENT[fault]
    monkeypatch.setattr(fault_proxy, "PER_CENT", {fault: 100})
    if raises is None:
        assert asked(proxy)["TableNames"]
    else:
        with pytest.raises(raises):
            asked(proxy)
    assert upstream.reached == reaches
    assert proxy.counts == {("dynamodb", fault): 1}


CALLS = {
    "dynamodb": lambda c: c.list_tables(),
    "kms": lambda c: c.list_keys(),
    "lambda": lambda c: c.invoke(FunctionName="f"),
    "s3": lambda c: c.put_object(Bucket="b", Key="k", Body=b"1"),
    "sqs": lambda c: c.send_message(QueueUrl="http://q/1/q", MessageBody="m"),
}


@pytest.mark.parametrize("service", SERVICES)
@pytest.mark.parametrize("fault", [Fault.THROTTLED, Fault.FAILED])
def test_a_refusal_is_in_the_services_own_words(
    proxy: FaultProxy, monkeypatch: pytest.MonkeyPatch, service: str, fault: Fault
) -> None:
    monkeypatch.setattr(fault_proxy, "PER_CENT", {fault: 100})
    with (
        closing(client(service, proxy)) as its,
        proxy.faults(),
        pytest.raises(ClientError) as raised,
    ):
        CALLS[service](its)
    answer = raised.value.response
    told = (answer["ResponseMetadata"]["HTTPStatusCode"], answer["Error"]["Code"])
    assert told == SERVICES[service].of(fault)


def test_nothing_is_spoiled_unless_asked_for(proxy: FaultProxy) -> None:
    with closing(client("dynamodb", proxy)) as dynamodb:
        for _ in range(20):
            dynamodb.list_tables()
    assert (proxy.faulted, proxy.passed) == (0, 0)


def test_a_seed_gives_its_faults_again(proxy: FaultProxy) -> None:
    def drawn() -> list[Fault | None]:
        proxy.reseed(7)
        with proxy.faults():
            return [proxy.draw("kms") for _ in range(200)]

    first = drawn()
    assert drawn() == first
    assert set(first) == {None, *Fault}
