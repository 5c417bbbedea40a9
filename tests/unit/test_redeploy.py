"""A failed deploy leaves no record of success; the next one deploys everything."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from local import live, redeploy, sam, stack
from local.progress import LocalError
from local.stack import Stack

PORT = 4566
BUILT = {"template.yaml": "t", "functions/create_order/app.py": "a"}
CHANGED = {**BUILT, "functions/create_order/app.py": "b"}


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return S3 with a stack that is live as `BUILT`, while the sources are `CHANGED`."""
    described = {"endpoint_url": f"http://localhost:{PORT}", "outputs": {}}
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-1")
        client.create_bucket(Bucket=sam.BUCKET)
        live.write(client, live.deployed_from(BUILT, stack.local_parameters(PORT)))
        monkeypatch.setattr(Stack, "client", lambda *_: client)
        monkeypatch.setattr(redeploy, "running_stack", lambda _: described)
        monkeypatch.setattr(sam, "build", lambda _: CHANGED)
        yield client


def test_the_changed_function_is_updated_and_known_to_be_live(
    s3: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    updated: list[str] = []
    monkeypatch.setattr(redeploy, "_update_code", lambda _, folders: updated.extend(folders))
    redeploy.redeploy(tmp_path)
    assert updated == ["functions/create_order"]
    assert live.read(s3) == live.deployed_from(CHANGED, stack.local_parameters(PORT))
    redeploy.redeploy(tmp_path)
    assert updated == ["functions/create_order"]


def fail(*_: object) -> None:
    raise LocalError("the update of the stack failed")


@pytest.mark.parametrize("before", ["a failure", "other parameters"])
def test_otherwise_everything_is_deployed(
    s3: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, before: str
) -> None:
    if before == "a failure":
        monkeypatch.setattr(redeploy, "_update_code", fail)
        with pytest.raises(LocalError, match="the update of the stack failed"):
            redeploy.redeploy(tmp_path)
        assert live.read(s3) == {}
    else:
        live.write(s3, live.deployed_from(BUILT, {"CacheSeconds": "1"}))
    deployed: list[object] = []
    monkeypatch.setattr(stack, "deploy", lambda *given: deployed.append(given[-1]))
    redeploy.redeploy(tmp_path)
    assert deployed == [CHANGED]
