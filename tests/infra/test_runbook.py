"""The runbook has every alarm; it and the operators' guide name commands and tests that exist."""

import re
from typing import Any

import pytest

from orderdesk_cli.main import app
from tests.support.template import ROOT, template

RUNBOOK = (ROOT / "docs" / "runbook.md").read_text("utf-8")
GUIDE = (ROOT / "docs" / "operators.md").read_text("utf-8")
RESOURCES: dict[str, dict[str, Any]] = template()["Resources"]
ALARMS = sorted(
    name for name, each in RESOURCES.items() if each["Type"] == "AWS::CloudWatch::Alarm"
)
HEADINGS = re.findall(r"^#+ (.+)$", RUNBOOK, re.MULTILINE)
ROWS = re.findall(r"^\| `(\w+)` \|", RUNBOOK, re.MULTILINE)


@pytest.mark.parametrize("alarm", ALARMS)
def test_an_alarm_has_a_heading_or_a_row(alarm: str) -> None:
    assert [*HEADINGS, *ROWS].count(alarm) == 1


def test_every_alarm_that_it_names_exists() -> None:
    named = {name for name in [*HEADINGS, *ROWS] if name.endswith("Alarm")}
    assert named == set(ALARMS)


def test_its_commands_exist() -> None:
    named = set(re.findall(r"\borderdesk ([a-z]+)(?: ([a-z-]+))?", RUNBOOK + GUIDE))
    assert len(named) > 10
    known = app.commands
    for group, name in named:
        assert group in known
        its = getattr(known[group], "commands", None)
        assert not name or its is None or name in its


def test_its_outputs_exist() -> None:
    named = set(re.findall(r"\$\(out (\w+)\)", RUNBOOK))
    assert named
    assert named <= template()["Outputs"].keys()


def test_the_functions_it_stops_exist() -> None:
    (stopped,) = re.findall(r"for f in ([a-z -]+);", RUNBOOK)
    functions = {
        each["Properties"]["FunctionName"]["Fn::Sub"].removeprefix("${AWS::StackName}-")
        for each in RESOURCES.values()
        if each["Type"] == "AWS::Serverless::Function"
    }
    assert set(stopped.split()) == functions - {"relay-events", "send-callback"}


def procedures(document: str, first: str) -> list[str]:
    """Return the sections of a document from the one whose heading begins with `first`."""
    parts = re.split(r"^## ", document, flags=re.MULTILINE)
    return parts[next(n for n, text in enumerate(parts) if text.startswith(first)) :]


@pytest.mark.parametrize(
    "text",
    [*procedures(RUNBOOK, "A merchant's dead"), *procedures(GUIDE, "Working in the console")],
    ids=lambda text: text.splitlines()[0],
)
def test_a_procedure_says_whether_it_was_walked_and_by_which_test(text: str) -> None:
    said = text.split("\n\n")[1]
    assert re.match(r"\*(Walked:|Not walked[.:])\*", said), said
    for path, name in re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", said):
        assert name in (ROOT / path).read_text("utf-8"), f"{path}::{name}"
    assert said.startswith("*Not") or "`tests/" in said


def test_it_names_what_stays_when_the_stack_is_deleted() -> None:
    section = RUNBOOK.split("\n## Deleting a stack\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (\w[\w, ]*) \| ", section, re.MULTILINE)
    named = {name for cell in cells if cell != "stays" for name in cell.split(", ")}
    policies = {name: each.get("DeletionPolicy", "Delete") for name, each in RESOURCES.items()}
    assert named == {name for name, policy in policies.items() if policy != "Delete"}
