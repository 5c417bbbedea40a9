"""Six trials on a used stack: five clients from the site's packages, and Ruby and curl by hand."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path

import httpx
import pytest

from local import processes
from tests.clients.places import Place, new_number
from tests.clients.trials import TABS, Trial, fenced, instructions, program, row, tab
from tests.support.merchant_client import buy, sell
from tests.support.merchant_receiver import signed
from tests.support.programs import ended
from tests.support.template import ROOT

PAGES = ROOT / "docs" / "site"
BY_HAND = ("ruby", "bash")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder)]
    command += ["--config-file", str(ROOT / "docs" / "mkdocs.yml")]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder


@pytest.fixture(scope="session", params=TABS)
def trial(
    request: pytest.FixtureRequest, site: Path, tmp_path_factory: pytest.TempPathFactory
) -> Trial:
    return Trial(site, request.param, tmp_path_factory.mktemp(request.param))


def use(place: Place) -> None:
    """Leave open test orders of the examples' amounts, as a sandbox in use has."""
    for cny_amount in ("100.00", "100.00", "50.00"):
        body = buy(merchant_order_no=new_number("used"), cny_amount=cny_amount)
        assert place.merchant.post("/test/createOrder", body).code == 1


def test_the_example_goes_through(trial: Trial, place: Place) -> None:
    use(place)
    done = trial.example(place.environment)
    printed = [line.split()[0] for line in done.stdout.splitlines()]
    calls = ["agreement", "quote", "buy", "again", "query", "advance", "same", "balance", "sell"]
    assert printed[: len(calls)] == calls, done
    assert (done.returncode, done.stderr, printed[-1]) == (0, "", "statement")
    lines = done.stdout.splitlines()
    assert lines[1].lower().endswith("a trader fits: true")
    order_no = lines[2].split()[1]
    assert lines[3] == f"again 2001 {order_no}"
    assert lines[4].startswith(f"query {order_no} pending ")
    assert lines[5:7] == ["advance completed", f"same {order_no} completed"]
    assert lines[9] == "cancel cancelled"
    order = place.merchant.query(order_no=order_no).data
    assert (order["is_test"], order["metadata"]) == (1, {"cart": "77"})
    sold = place.merchant.query(order_no=lines[8].split()[1]).data
    assert sold["refund_of"] == order_no


def test_the_statement_ends_with_available_and_held(
    trial: Trial, place_without_funds: Place
) -> None:
    merchant, number = place_without_funds.merchant, new_number("reconcile")
    bought = merchant.post("/test/createOrder", buy(merchant_order_no=f"{number}-1")).data
    merchant.post("/test/advanceOrder", {"order_no": bought["order_no"], "to": "completed"})
    small = sell(merchant_order_no=f"{number}-2", cny_amount="10.00")
    sold = merchant.post("/test/createOrder", small).data
    matches = trial.reconcile(place_without_funds.environment)
    balance = merchant.post("/merchant/balance", {}).data["test"]
    merchant.post("/merchant/cancelOrder", {"order_no": sold["order_no"]})
    assert Decimal(balance["held"]) > 0
    assert (matches.returncode, matches.stderr) == (0, ""), matches.stdout
    total = Decimal(balance["available"]) + Decimal(balance["held"])
    micro = str(int(total * 10**6))
    printed = [word.replace("n", "") for word in matches.stdout.split()]
    assert {printed[1], printed[3]} <= {str(total), micro}, matches.stdout


@contextmanager
def receiving(trial: Trial, place: Place) -> Iterator[tuple[str, Iterator[str]]]:
    """Run the receiver; yield its address and the lines that it prints."""
    port = str(processes.free_port())
    with trial.receiving(port, place.environment) as lines:
        for line in lines:
            if "listening" in line or "started" in line:
                break
        yield f"http://127.0.0.1:{port}/callbacks", lines


def post_endpoint_test(url: str, secret: str) -> int:
    """Post testCallback's event, which is about no order; return the receiver's status."""
    body = json.dumps({"type": "endpoint.test", "timestamp": 1, "data": {"is_test": 1}})
    headers = signed(body, secret, webhook_id="msg_0123")
    return httpx.post(url, content=body, headers=headers, timeout=None).status_code


def test_a_callback_of_the_stack_is_verified(trial: Trial, place: Place) -> None:
    with receiving(trial, place) as (url, lines):
        forged = httpx.post(url, content=b"{}", headers={"webhook-id": "msg_1"}, timeout=None)
        assert forged.status_code == 400
        assert post_endpoint_test(url, place.callback_secret) == 204
        body = buy(merchant_order_no=new_number("receiver"), callback_url=url)
        order_no = place.merchant.post("/test/createOrder", body).data["order_no"]
        place.merchant.post("/merchant/cancelOrder", {"order_no": order_no})
        wanted = f"order.cancelled {order_no} 2"
        printed: list[str] = []
        for line in lines:
            printed.append(line.strip())
            if wanted in line:
                break
        assert printed[-1] == wanted, printed
        assert any(line.startswith("refused: ") for line in printed), printed


@pytest.mark.parametrize("language", BY_HAND)
def test_an_order_is_signed_by_hand(
    site: Path, tmp_path: Path, place: Place, language: str
) -> None:
    use(place)
    [written] = fenced((site / "sign-by-hand.md").read_text("utf-8"), language)
    (tmp_path / "buy").write_text(written, "utf-8")
    done = ended(language, "buy", cwd=tmp_path, env={**os.environ, **place.environment})
    assert (done.returncode, done.stderr) == (0, "")
    [order_no, *_] = re.findall(r"B\d{24}", done.stdout)
    order = place.merchant.query(order_no=order_no).data
    assert (order["status"], order["is_test"]) == ("completed", 1)


@pytest.mark.parametrize("page", ["quickstart", "going-live", "callbacks"])
@pytest.mark.parametrize("name", TABS)
def test_both_languages_of_the_site_have_the_programs_and_commands(page: str, name: str) -> None:
    english, chinese = ((PAGES / each / f"{page}.md").read_text("utf-8") for each in ("en", "zh"))
    assert program(english, name) == program(chinese, name)
    assert fenced(tab(english, name), "sh") == fenced(tab(chinese, name), "sh")
    if page == "quickstart":
        assert instructions(english, name) == instructions(chinese, name)
    if page == "callbacks":
        assert row(english, name) == row(chinese, name)


def test_blocks_of_a_language_are_found_in_order() -> None:
    indented = '=== "x"\n\n    ```ruby\n    two\n      three\n    ```\n'
    page = f"```ruby\none\n```\n\n{indented}\n```bash\nfour\n```\n"
    assert fenced(page, "ruby") == ["one\n", "two\n  three\n"]
    assert fenced(page, "bash") == ["four\n"]
