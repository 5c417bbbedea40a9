"""The emulator unpacks the layer once, whichever functions run."""

import httpx

from local.emulator import SCRATCH
from local.stack import Stack


def test_workers_share_one_copy_of_the_layer(stack: Stack) -> None:
    for page in ("identity/P0/x", "pay/O0/x"):
        assert httpx.get(f"{stack.base_url}/{page}", timeout=None).status_code == 404
    scratch = stack.work / SCRATCH
    workers = list(scratch.glob("ministack-lambda-orderdesk-*"))
    assert len(workers) >= 2
    assert [folder for worker in workers for folder in worker.glob("layer_*")] == []
    assert len(list(scratch.glob("ministack-lambda-extract-*/layer-*"))) == 1
