"""Tools of others read docs/openapi.yaml and docs/postman.json, and place orders with them."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from local.places import VENV_BIN
from tests.clients.places import Place, signed_test_buy
from tests.support.openapi import FILE
from tests.support.programs import printed
from tests.support.template import ROOT

COLLECTION = ROOT / "docs" / "postman.json"
TOOLS = Path(__file__).with_name("tools") / "node_modules" / ".bin"
GENERATOR = "openapi-python-client==0.29.1"
PYTHON = """
import json, sys
from generated import Client
from generated.api.test import test_create_order
from generated.models import TestBuy
made = test_create_order.sync(
    client=Client(base_url=sys.argv[1]), body=TestBuy.from_dict(json.loads(sys.argv[2])))
print(made.data.order_no)
"""
TYPESCRIPT = """
import type { components, paths } from "./api";
type Route = paths["/test/createOrder"]["post"];
type Answer = Route["responses"][200]["content"]["application/json"];
const [baseUrl, text] = process.argv.slice(2);
const body: components["schemas"]["TestBuy"] = JSON.parse(text);
const sent: Route["requestBody"]["content"]["application/json"] = body;
const headers = { "Content-Type": "application/json" };
const request = { method: "POST", headers, body: JSON.stringify(sent) };
const response = await fetch(`${baseUrl}/test/createOrder`, request);
const answer: Answer = await response.json();
console.log("order_no" in answer.data ? answer.data.order_no : answer);
export {};
"""


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


def test_a_generated_python_client_places_an_order(tmp_path: Path, place: Place) -> None:
    (tmp_path / "config.yaml").write_text("package_name_override: generated\npost_hooks: []\n")
    generate = ["generate", "--meta=none", "--config=config.yaml", "--fail-on-warning"]
    tool: list[str | Path] = [
        VENV_BIN / "uv",
        "tool",
        "run",
        "--python",
        sys.executable,
        "--from",
        GENERATOR,
    ]
    output: list[str | Path] = ["--output-path", "generated", "--path", FILE]
    run(*tool, "openapi-python-client", *generate, *output, cwd=tmp_path)
    packages = ["--with", "attrs", "--with", "httpx", "--with", "python-dateutil"]
    (tmp_path / "order.py").write_text(PYTHON)
    python: list[str | Path] = [
        VENV_BIN / "uv",
        "run",
        "--no-project",
        "--python",
        sys.executable,
        *packages,
    ]
    printed = run(*python, "order.py", place.base_url, signed_test_buy(place), cwd=tmp_path)
    assert place.test_merchant.query(order_no=printed.strip()).data["is_test"] == 1


def test_generated_typescript_places_an_order(tmp_path: Path, place: Place) -> None:
    run(TOOLS / "openapi-typescript", FILE, "--output", "api.d.ts", cwd=tmp_path)
    (tmp_path / "order.mts").write_text(TYPESCRIPT.replace('"./api"', '"./api.d.ts"'))
    types: list[str | Path] = ["--typeRoots", TOOLS.parent / "@types", "--types", "node"]
    options: list[str | Path] = ["--strict", "--module", "nodenext", "--target", "es2022", *types]
    run(TOOLS / "tsc", *options, "order.mts", cwd=tmp_path)
    printed = run("node", "order.mjs", place.base_url, signed_test_buy(place), cwd=tmp_path)
    assert place.test_merchant.query(order_no=printed.strip()).data["is_test"] == 1


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
