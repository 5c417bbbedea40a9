"""Tools of others read docs/openapi.yaml and docs/postman.json.

test_generated_clients.py places orders with what they generate.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.clients.places import Place
from tests.support.openapi import FILE
from tests.support.programs import printed
from tests.support.template import ROOT

COLLECTION = ROOT / "docs" / "postman.json"
TOOLS = Path(__file__).with_name("tools") / "node_modules" / ".bin"


def run(*command: str | Path, cwd: Path) -> str:
    return printed(*command, cwd=cwd, env={**os.environ, "PYTHONPATH": str(cwd)})


@pytest.mark.parametrize(
    "command",
    [
        ["redocly", "lint", "--extends=spec", str(FILE)],
        ["spectral", "lint", "--ruleset", "spectral.yaml", "--fail-severity=error", str(FILE)],
    ],
    ids=["redocly", "spectral"],
)
def test_a_linter_finds_no_error(tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "spectral.yaml").write_text('extends: ["spectral:oas"]\n')
    run(TOOLS / command[0], *command[1:], cwd=tmp_path)


def test_the_collection_signs_and_chains_under_newman(tmp_path: Path, place: Place) -> None:
    given = {
        "base_url": place.base_url,
        "api_key": place.test_merchant.api_key,
        "api_secret": place.test_merchant.api_secret,
    }
    variables = [word for each in given.items() for word in ("--env-var", "=".join(each))]
    report = ["--reporters", "cli,json", "--reporter-json-export", "report.json"]
    before = open_numbers(place)
    run(TOOLS / "newman", "run", COLLECTION, *variables, *report, cwd=tmp_path)
    summary: dict[str, Any] = json.loads((tmp_path / "report.json").read_text())["run"]
    assert summary["failures"] == []
    requests = [each for folder in folders() for each in folder["item"]]
    assert summary["stats"]["assertions"]["total"] == len(requests)
    assert len(summary["executions"]) == len(requests)
    assert open_numbers(place) == before


def folders() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(COLLECTION.read_text("utf-8"))["item"]
    return found


def open_numbers(place: Place) -> set[str]:
    """Return the numbers of the open test orders."""
    asked = {"is_test": 1, "limit": 100, "status": "pending,paid,disputed,matching,assigned"}
    listed = place.test_merchant.post("/merchant/listOrders", asked).data["orders"]
    return {order["order_no"] for order in listed}
