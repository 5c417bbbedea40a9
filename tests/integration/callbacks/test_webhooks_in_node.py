"""The standard's own npm package verifies our signatures in Node, also during a secret rotation."""

import json
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from orderdesk.domain.callbacks.signing import sign
from tests.support.template import ROOT

PACKAGE = ROOT / "tests" / "browser" / "node_modules" / "standardwebhooks"
OLD, NEW, OTHER = ("whsec_" + letter * 44 for letter in "ABC")
BODY = json.dumps({"type": "order.paid", "data": {"merchant_order_no": "订单-1"}})
VERIFY = """
const { Webhook } = require(process.argv[1]);
const { secret, body, headers } = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(new Webhook(secret).verify(body, headers)));
"""


def verified_in_node(secret: str, signature: str, now: int) -> subprocess.CompletedProcess[str]:
    """Verify with the package; return the JSON of the body."""
    node = shutil.which("node")
    if node is None or not Path(PACKAGE).exists():
        pytest.skip("needs node and npm, then `make setup`")
    headers = {
        "webhook-id": "msg_B1_2",
        "webhook-timestamp": str(now),
        "webhook-signature": signature,
    }
    told = json.dumps({"secret": secret, "body": BODY, "headers": headers})
    return subprocess.run(
        [node, "-e", VERIFY, str(PACKAGE)], input=told, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("secrets", [(NEW,), (NEW, OLD)])
def test_the_npm_package_verifies(secrets: tuple[str, ...]) -> None:
    now = int(time.time())
    signature = sign("msg_B1_2", now, BODY, secrets)
    for secret in secrets:
        answer = verified_in_node(secret, signature, now)
        assert answer.returncode == 0, answer.stderr
        assert json.loads(answer.stdout) == json.loads(BODY)
    assert verified_in_node(OTHER, signature, now).returncode != 0
