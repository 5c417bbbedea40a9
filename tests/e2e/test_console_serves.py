"""The installed `orderdesk console` on the deployed stack: open, read, end with Ctrl-C."""

import json
import signal
import subprocess
from urllib.parse import urlsplit

import httpx

from local.stack import Stack
from tests.e2e.script import SCRIPT, environment
from tests.support.merchant_client import buy
from tests.support.stack_seed import StackSeed


def test_the_console_of_the_stack(stack: Stack, stack_seed: StackSeed) -> None:
    stack_seed.only_trader()
    _, client = stack_seed.add_merchant()
    number = client.create(buy()).data["order_no"]
    with subprocess.Popen(
        [SCRIPT, "console", "--json"],
        env=environment(stack),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            url = json.loads(process.stdout.readline())["url"]
            with httpx.Client(trust_env=False, follow_redirects=True, timeout=None) as browser:
                assert "Waiting for you" in browser.get(url).text
                root = url.removesuffix(urlsplit(url).path) + "/" + urlsplit(url).path.split("/")[1]
                assert number in browser.get(f"{root}/orders").text
                for page in (f"orders/{number}", "disputes", "sells", "proposals", "traders"):
                    assert browser.get(f"{root}/{page}").status_code == 200
                for page in ("merchants", "callbacks", "report", "ledger?run=1", "audit"):
                    assert browser.get(f"{root}/{page}").status_code == 200
        finally:
            process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (0, "", "")
