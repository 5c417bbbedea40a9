"""docs/openapi.yaml matches the code, and its examples match its schemas."""

import json
from typing import Any

import pytest

from orderdesk.domain.callbacks.events import CallbackType
from orderdesk.domain.merchants.signing import JsonNumber, JsonValue, sign, string_to_sign
from orderdesk.web.codes import CODES
from orderdesk.web.merchant import endpoint
from tests.support import openapi
from tests.support.merchant_client import Reply
from tests.support.programs import printed
from tests.support.template import ROOT, template
from tools.openapi import clients
from tools.openapi.__main__ import files
from tools.openapi.document import COMMANDS_FILE, SECRET, document

PATHS = [path for path, _ in openapi.operations()]


def test_all_files_were_written_after_the_last_change() -> None:
    stale = [path for path, written in files().items() if path.read_text("utf-8") != written]
    assert stale == [], "run `make openapi`"


def test_texts_that_cannot_be_read_are_not_read_by_an_import() -> None:
    """`make openapi` says what is wrong in a line."""
    seen = "import tools.openapi.clients as c; print(c.fields.texts.cache_info().misses)"
    assert printed(ROOT / ".venv/bin/python", "-c", seen) == "0\n"


def test_what_is_written_is_marked_for_reviews() -> None:
    written = [openapi.FILE, COMMANDS_FILE, *(clients.CLIENTS / name for name in clients.WRITTEN)]
    catalogues = [each for name in ("layers", "cli") for each in (ROOT / name).rglob("*texts.toml")]
    written += [path.with_suffix(".py") for path in catalogues]
    marks = printed("git", "check-attr", "linguist-generated", *written)
    assert [line for line in marks.splitlines() if not line.endswith(": set")] == []


def test_every_package_has_the_license() -> None:
    manifests = [ROOT / name for name in clients.VERSIONED if name.startswith("clients/")]
    assert len(manifests) == 4
    assert [path for path in manifests if "Apache-2.0" not in path.read_text("utf-8")] == []
    whole = (ROOT / "LICENSE").read_bytes()
    copies = [path.read_bytes() for path in clients.CLIENTS.glob("*/LICENSE")]
    assert copies == [whole] * 5


def test_no_packages_readme_links_out_of_its_package() -> None:
    readmes = {path: path.read_text("utf-8") for path in clients.CLIENTS.glob("*/README.md")}
    assert len(readmes) == 5
    assert [path for path, text in readmes.items() if "](../" in text] == []
    of_repository = ("make ", "clients/", "docs/")
    assert [path for path, text in readmes.items() for each in of_repository if each in text] == []


@pytest.mark.parametrize("path", PATHS)
def test_what_is_deprecated_is_marked(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A route, a parameter of a request, and the headers of each answer."""
    monkeypatch.setattr(endpoint, "DEPRECATIONS", {path: 1, f"{path} cursor": 1})
    operation = document()["paths"][path]["post"]
    assert operation["deprecated"] is True
    for status, response in operation["responses"].items():
        assert {"Deprecation", "Sunset"} <= response["headers"].keys(), status
    other = document()["paths"][next(each for each in PATHS if each != path)]["post"]
    assert "deprecated" not in other
    assert "Sunset" not in other["responses"]["200"]["headers"]


def test_the_routes_are_those_of_the_template() -> None:
    deployed = {
        event["Properties"]["Path"]
        for resource in template()["Resources"].values()
        for event in resource["Properties"].get("Events", {}).values()
        if event["Type"] == "Api" and event["Properties"]["Method"] == "POST"
    }
    assert set(PATHS) == {path for path in deployed if path.startswith(("/merchant/", "/test/"))}


@pytest.mark.parametrize("path", PATHS)
def test_the_requests_of_the_examples_are_valid_and_signed(path: str) -> None:
    content = openapi.document()["paths"][path]["post"]["requestBody"]["content"]
    for example in content[openapi.JSON]["examples"].values():
        assert openapi.request_problems(path, example["value"]) == []
        params = as_parsed(example["value"])
        text_to_sign = string_to_sign("POST", path, params)
        assert sign(SECRET, text_to_sign) == params["signature"]


def as_parsed(value: Any) -> dict[str, JsonValue]:
    read = json.loads(json.dumps(value), parse_int=JsonNumber, parse_float=JsonNumber)
    assert isinstance(read, dict)
    return read


@pytest.mark.parametrize("path", PATHS)
def test_the_answers_of_the_examples_are_valid(path: str) -> None:
    headers = {"x-request-id": "-", "retry-after": "1"}
    for of, status, name, envelope in openapi.answer_examples():
        if of == path:
            problems = openapi.answer_problems(path, Reply(status, envelope, headers))
            assert problems == [], (status, name)


def test_the_callbacks_are_all_there_and_valid() -> None:
    webhooks = openapi.document()["x-webhooks"]
    assert set(webhooks) == set(CallbackType)
    for kind, item in webhooks.items():
        content = item["post"]["requestBody"]["content"][openapi.JSON]
        for example in content["examples"].values():
            assert openapi.callback_problems(kind, example["value"]) == []


def test_every_code_has_an_example_and_advice() -> None:
    shown = {envelope["code"] for _, _, _, envelope in openapi.answer_examples()}
    assert shown == {1, *(code.code for code in CODES.values())}
    advice = openapi.document()["x-codes"]
    assert {entry["reason"]: entry["code"] for entry in advice} == {
        reason: code.code for reason, code in CODES.items()
    }
    assert {entry["retry"] for entry in advice} <= {"never", "changed", "later", "look"}


def test_an_undocumented_field_is_reported() -> None:
    envelope = openapi.document()["components"]["examples"]["order_not_found"]["value"]
    data = {**envelope["data"], "secret": "x"}
    reply = Reply(404, {**envelope, "data": data}, {"x-request-id": "-"})
    assert openapi.answer_problems("/merchant/queryOrder", reply) != []
