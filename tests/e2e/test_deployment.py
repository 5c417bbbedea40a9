"""The scripts of a deployment on the emulator: the preview and the smoke test."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from local import sam
from local.emulator import client_env
from local.stack import Stack
from tests.clients.places import place_of_seed
from tests.support.stack_seed import StackSeed
from tests.support.template import ROOT

SCRIPT = ROOT / "tools" / "deploy" / "sam.sh"


def smoke(stack: Stack, api_key: str, api_secret: str) -> subprocess.CompletedProcess[str]:
    keys = {"ORDERDESK_API_KEY": api_key, "ORDERDESK_API_SECRET": api_secret}
    return subprocess.run(
        [sys.executable, "-m", "tools.deploy.smoke", "orderdesk"],
        cwd=ROOT,
        env={**client_env(stack.endpoint_url), **keys},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_smoke_test_runs_an_order_and_reports_a_wrong_key(
    stack: Stack, stack_seed: StackSeed
) -> None:
    merchant = place_of_seed(stack_seed).merchant
    done = smoke(stack, merchant.api_key, merchant.api_secret)
    assert (done.returncode, done.stderr) == (0, "")
    said = [line.split()[0].strip(",") for line in done.stdout.splitlines()]
    assert said == ["balance", "buy", "pay", "completed", "statement"]
    forged = smoke(stack, merchant.api_key, merchant.api_secret + "x")
    assert forged.returncode == 1
    assert forged.stderr.startswith("smoke: Refused: ")


def parameters_of(described: Any) -> dict[str, str]:
    return {each["ParameterKey"]: each["ParameterValue"] for each in described["Parameters"]}


@pytest.mark.slow
def test_a_preview_makes_no_change_and_its_change_set_is_executed(
    stack: Stack, tmp_path: Path
) -> None:
    formation = stack.client("cloudformation")
    before = formation.describe_stacks(StackName="orderdesk")["Stacks"][0]
    # The stack keeps its other parameters, which other tests of the session need.
    parameters = {**parameters_of(before), "LogRetentionDays": "7"}
    overrides = [f"{name}={value}" for name, value in parameters.items() if value]
    done = subprocess.run(
        [SCRIPT, "preview", "local", "--parameter-overrides", *overrides],
        env={**sam.environment(stack.endpoint_url), "GITHUB_OUTPUT": str(tmp_path / "output")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Modify" in done.stdout
    assert "PayPageLogGroup" in done.stdout
    after = formation.describe_stacks(StackName="orderdesk")["Stacks"][0]
    assert (after["Parameters"], after["StackStatus"]) == (
        before["Parameters"],
        before["StackStatus"],
    )
    name, _, arn = (tmp_path / "output").read_text("utf-8").strip().partition("=")
    assert name == "change_set"
    command = [sys.executable, "-m", "tools.deploy.change_set", arn]
    environment = client_env(stack.endpoint_url)
    for code in (0, 1):  # the second time it cannot be executed any more
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
        assert run.returncode == code, run.stderr
    changed = formation.describe_stacks(StackName="orderdesk")["Stacks"][0]
    assert parameters_of(changed) == parameters
    logs = stack.client("logs").describe_log_groups(
        logGroupNamePrefix="/aws/lambda/orderdesk-pay-page"
    )
    assert [each["retentionInDays"] for each in logs["logGroups"]] == [7]
