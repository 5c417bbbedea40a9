"""docs/openapi.yaml: its routes, and checks of requests and answers against it."""

import json
import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from decimal import Decimal, InvalidOperation
from functools import cache
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from orderdesk.web.merchant.parameters import COMMON_PARAMETERS
from tests.support.merchant_client import Reply
from tests.support.template import ROOT

FILE = ROOT / "docs" / "openapi.yaml"
JSON = "application/json"
_REQUESTS, _ANSWERS = "urn:requests", "urn:answers"
_INTS = {"timestamp", "order_type", "is_test", "start_time", "end_time", "limit"}
_AMOUNTS = {"cny_amount", "max_discount"}
_LARGEST_AMOUNT = Decimal(10**40)


@cache
def document() -> dict[str, Any]:
    loaded = yaml.load(FILE.read_text("utf-8"), Loader=yaml.CSafeLoader)
    assert isinstance(loaded, dict)
    return loaded


def resolved(part: Mapping[str, Any]) -> Any:
    """Return the part that a `$ref` refers to, or the part itself."""
    if "$ref" not in part:
        return part
    found: Any = document()
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for path, item in document()["paths"].items():
        yield path, item["post"]


def answer_examples() -> Iterator[tuple[str, int, str, dict[str, Any]]]:
    """Yield the path, status, name and envelope of every example of an answer."""
    for path, operation in operations():
        for status, response in operation["responses"].items():
            for name, example in response["content"][JSON]["examples"].items():
                yield path, int(status), name, resolved(example)["value"]


def own_parameters(path: str) -> set[str]:
    """Return the names of a route's parameters without the common ones."""
    schema = document()["paths"][path]["post"]["requestBody"]["content"][JSON]["schema"]
    bodies = [resolved(part) for part in schema.get("oneOf", [schema])]
    return {name for body in bodies for name in body["properties"]} - COMMON_PARAMETERS


def request_problems(path: str, body: Mapping[str, Any]) -> list[str]:
    """Return where a body that the service accepts differs from the document."""
    content = document()["paths"][path]["post"]["requestBody"]["content"]
    return _problems(_REQUESTS, content[JSON]["schema"], _declared(body))


def _declared(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a body in the declared form: without null and "", ints and amounts in their type."""
    return {
        name: _declared(value) if isinstance(value, dict) else _declared_value(name, value)
        for name, value in body.items()
        if value is not None and value != ""
    }


def _declared_value(name: str, value: Any) -> Any:
    if name in _INTS and isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,18}", value, re.ASCII):
        return int(value)
    is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    if name in _AMOUNTS and is_number and abs(amount := Decimal(str(value))) < _LARGEST_AMOUNT:
        return f"{amount.normalize():f}"
    return value


def callback_problems(kind: str, body: Mapping[str, Any]) -> list[str]:
    content = document()["x-webhooks"][kind]["post"]["requestBody"]["content"]
    return _problems(_ANSWERS, content[JSON]["schema"], body)


def answer_problems(path: str, reply: Reply) -> list[str]:
    """Return where an answer differs from the document; an unknown field is a difference."""
    responses = document()["paths"][path]["post"]["responses"]
    if str(reply.status) not in responses:
        return [f"status {reply.status}"]
    response = responses[str(reply.status)]
    promised = {"x-request-id", *(name.lower() for name in response["headers"])}
    missing = [f"no header {name}" for name in promised - set(reply.headers)]
    return missing + _problems(_ANSWERS, response["content"][JSON]["schema"], reply.envelope)


# With an identity agreement a malformed factor is accepted: the buy is held as a draft.
_FACTORS = {"customer_name", "id_card", "mobile"}


def call_problems(path: str, body: str | bytes, reply: Reply) -> list[str]:
    """Return where an answer, or a body that was accepted, differs from the document."""
    problems = answer_problems(path, reply)
    if reply.code == 1:
        taken = parsed(body)
        if reply.data.get("result_status") == "pending_identity":
            taken = {name: taken[name] for name in taken.keys() - _FACTORS}
        problems += request_problems(path, taken)
    return problems


def parsed(body: str | bytes) -> Any:
    """Parse a body; numbers stay exact."""
    return json.loads(body, parse_float=_exact, parse_int=_whole)


def _whole(text: str) -> int | Decimal:
    try:
        return int(text)
    except ValueError:  # more digits than Python converts to an int
        return Decimal(text)


def _exact(text: str) -> Decimal | float:
    try:
        return Decimal(text)
    except InvalidOperation:  # an exponent beyond a Decimal's
        return float(text)


def _problems(side: str, schema: Mapping[str, Any], value: object) -> list[str]:
    schema = json.loads(json.dumps(schema).replace('"#/', f'"{side}#/'))
    if side == _ANSWERS:
        _close(schema)
    validator = Draft202012Validator(schema, registry=_registry())
    error = best_match(validator.iter_errors(value))
    return [] if error is None else [f"{error.json_path}: {error.message}"]


@cache
def _registry() -> Registry[Any]:
    """Register the document twice: unchanged, and with answers closed to unknown fields."""
    closed = deepcopy(document())
    _close(closed)
    both = {_REQUESTS: document(), _ANSWERS: closed}
    return Registry().with_resources(
        (name, DRAFT202012.create_resource(content)) for name, content in both.items()
    )


def _close(part: Any) -> None:
    if isinstance(part, dict):
        if part.get("type") == "object" and "properties" in part:
            part.setdefault("additionalProperties", False)
        for inner in part.values():
            _close(inner)
    elif isinstance(part, list):
        for inner in part:
            _close(inner)
