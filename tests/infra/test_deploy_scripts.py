"""The deployment workflow calls existing commands with the least permissions."""

import os
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from orderdesk_cli.preflight import read_plan
from tests.support.programs import ended, printed
from tests.support.template import ROOT, template

CHANGE_SET = "arn:aws:cloudformation:ap-east-1:1:changeSet/samcli-deploy1/0a-1b"
SCRIPT = ROOT / "tools" / "deploy" / "sam.sh"
WORKFLOW: dict[Any, Any] = yaml.safe_load((ROOT / ".github/workflows/deploy.yml").read_text())
STEPS = [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]


def test_an_unknown_step_is_refused() -> None:
    done = ended(SCRIPT, "destroy", "prod")
    assert (done.returncode, done.stderr) == (2, "no step destroy\n")


@pytest.mark.parametrize("step", ["build", "preview", "deploy"])
def test_each_step_passes_the_environment_to_sam(step: str, tmp_path: Path) -> None:
    script, sam = tmp_path / "tools/deploy/sam.sh", tmp_path / "tools/sam/.venv/bin/sam"
    for path in (script, sam):
        path.parent.mkdir(parents=True)
    shutil.copy(SCRIPT, script)
    sam.write_text(f'#!/bin/sh\necho "$@"; echo "Changeset created successfully. {CHANGE_SET}"\n')
    sam.chmod(0o755)
    output, role = tmp_path / "output", "arn:aws:iam::1:role/execution"
    env = {**os.environ, "GITHUB_OUTPUT": str(output), "EXECUTION_ROLE_ARN": role}
    words = printed(script, step, "prod", env=env).split()
    assert words[words.index("--config-env") + 1] == "prod"
    assert (role in words) is (step != "build")
    if step == "preview":
        assert output.read_text("utf-8") == f"change_set={CHANGE_SET}\n"


def test_prod_executes_the_change_set_of_the_preview_and_builds_nothing() -> None:
    commands = [step["run"] for step in WORKFLOW["jobs"]["prod"]["steps"] if "run" in step]
    assert not any("sam.sh" in each for each in commands)
    assert '.venv/bin/python -m tools.deploy.change_set "$CHANGE_SET"' in commands
    preview = WORKFLOW["jobs"]["preview"]
    assert preview["outputs"] == {"change_set": "${{ steps.preview.outputs.change_set }}"}


@pytest.mark.parametrize("environment", ["dev", "staging", "prod"])
def test_sam_build_reads_the_parameters_that_sam_deploy_reads(environment: str) -> None:
    """sam build needs Architecture: the libraries of render_receipt are compiled."""
    commands = tomllib.loads((ROOT / "samconfig.toml").read_text("utf-8"))[environment]
    holders = {name for name, each in commands.items() if "parameter_overrides" in str(each)}
    assert holders == {"global"}


@pytest.mark.parametrize("environment", ["default", "dev", "staging", "prod"])
def test_the_parameters_of_an_environment_are_valid(environment: str) -> None:
    plan = read_plan(ROOT / "template.yaml", ROOT / "samconfig.toml", environment)
    assert plan.given.keys() <= plan.declared.keys()
    allowed = {name: each.get("AllowedValues") for name, each in plan.declared.items()}
    assert all(plan.value(name) in map(str, of) for name, of in allowed.items() if of)
    assert plan.stack_name == (
        "orderdesk" if environment == "default" else f"orderdesk-{environment}"
    )
    assert plan.is_on("Gradual") is (environment == "prod")
    assert plan.is_on("ProtectTables") is (environment != "dev")


def test_the_workflow_runs_existing_commands() -> None:
    commands = [step["run"].split() for step in STEPS if "run" in step]
    makefile = (ROOT / "Makefile").read_text()
    for command, *words in commands:
        if command == "make":
            assert re.search(rf"^{words[0]}:", makefile, re.MULTILINE)
        elif command.startswith("tools/"):
            assert os.access(ROOT / command, os.X_OK)
            assert words[1] in {"staging", "prod"}
        else:
            assert command in {".venv/bin/orderdesk", ".venv/bin/python"}


def test_the_workflow_pins_actions_by_commit() -> None:
    used = [step["uses"] for step in STEPS if "uses" in step]
    assert used
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", each) for each in used)


def test_only_jobs_of_an_environment_can_assume_a_role() -> None:
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert set(WORKFLOW[True]) == {"push", "workflow_dispatch"}, "YAML parses `on` as true"
    for job in WORKFLOW["jobs"].values():
        asks = job.get("permissions", {})
        assert set(asks) <= {"contents", "id-token"}
        assert ("id-token" in asks) is ("environment" in job)


def test_prod_comes_after_staging_and_its_preview() -> None:
    needs = {name: job.get("needs") for name, job in WORKFLOW["jobs"].items()}
    assert needs == {"test": None, "staging": "test", "preview": "staging", "prod": "preview"}
    assert template()["Parameters"]["Gradual"]["Default"] == "false"
