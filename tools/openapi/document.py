"""The whole document: paths, callbacks, schemas, and an example of every answer and refusal."""

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml

from local.templates import read_template
from orderdesk.domain.merchants.signing import sign, string_to_sign
from orderdesk.web.codes import CODES, INTERNAL_ERROR, SUCCESS, UNKNOWN_ROUTE, Code, code_of
from orderdesk.web.merchant import endpoint
from orderdesk.web.operator.endpoint import COMMANDS
from orderdesk.web.operator.refusals import OPERATOR_CODES
from tools.openapi import answers, callbacks
from tools.openapi.parameters import REQUESTS
from tools.openapi.routes import EVERYWHERE, ROUTES, Data, Route
from tools.openapi.samples import LOCAL_URL, NOW, REFUSALS
from tools.openapi.texts import Schema, described, labelled, texts

ROOT = Path(__file__).parents[2]
COMMANDS_FILE = ROOT / "cli" / "orderdesk_cli" / "commands.json"
COMMON = {"api_key": "mk_test_123", "timestamp": NOW, "nonce": "Ab3dEf7hIj9kLm2n"}
SECRET = "sk_test_456"  # noqa: S105 - the contract's example
JSON = "application/json"


@cache
def refusals() -> dict[str, tuple[Code, str, dict[str, Any], Mapping[str, str]]]:
    """Return code, reason, envelope and headers of each refusal by the name of its example."""
    internal = CODES[INTERNAL_ERROR], {"reason": INTERNAL_ERROR}
    responses = {
        name: (code_of(refusal), endpoint.refused(refusal, NOW, chinese=False))
        for name, refusal in REFUSALS.items()
    }
    responses[INTERNAL_ERROR] = internal[0], endpoint.envelope(*internal, NOW, chinese=False)
    rendered = {}
    for name, (code, response) in responses.items():
        envelope = json.loads(response.body)
        rendered[name] = code, envelope["data"]["reason"], envelope, response.headers
    api = read_template(ROOT / "template.yaml")["Resources"]["Api"]["Properties"]
    gateway = api["GatewayResponses"]["MISSING_AUTHENTICATION_TOKEN"]["ResponseTemplates"][JSON]
    rendered[UNKNOWN_ROUTE] = (CODES[UNKNOWN_ROUTE], UNKNOWN_ROUTE, json.loads(gateway), {})
    return rendered


def schemas() -> dict[str, Schema]:
    answered: dict[str, list[Data]] = {}
    for name, examples in (answer for route in ROUTES for answer in route.answers.items()):
        answered.setdefault(name, []).extend(examples.values())
    refused: dict[str, list[Data]] = {}
    for _, reason, envelope, _ in refusals().values():
        refused.setdefault(reason, []).append(envelope["data"])
    found: dict[str, Schema] = dict(REQUESTS)
    for name, outputs in answered.items():
        found[name] = answers.of_view(name, *outputs)
        found[name]["properties"]["ignored"] = answers.TYPES["ignored"]
    found |= answers.objects_in(answered | refused)
    found |= callbacks.schemas()
    found |= {
        each: answers.refusal(CODES[each].code, each, refused[each]) for each in sorted(refused)
    }
    return {name: described(name, schema) for name, schema in found.items()}


def _one_of(names: Sequence[str]) -> Schema:
    refs = [answers.ref(name) for name in names]
    return refs[0] if len(refs) == 1 else {"oneOf": refs}


def _request(route: Route) -> Schema:
    examples = {}
    for name, own in route.requests.items():
        params = {**COMMON, **own}
        signable = {k: str(v) if isinstance(v, int) else v for k, v in params.items()}
        text = string_to_sign("POST", route.path, signable)
        examples[name] = {"value": {**params, "signature": sign(SECRET, text)}}
    content = {JSON: {"schema": _one_of(route.bodies), "examples": examples}}
    return {"required": True, "content": content}


def _success_of(route: Route) -> Schema:
    data = _one_of([*route.answers])
    schema = answers.envelope(SUCCESS.code, data, from_gateway=False)
    head = {"code": SUCCESS.code, "msg": SUCCESS.en}
    examples = {
        name: {"value": {**head, "data": rendered, "time": NOW}}
        for outputs in route.answers.values()
        for name, rendered in outputs.items()
    }
    content = {JSON: {"schema": described("Envelope", schema), "examples": examples}}
    return {"description": "Success", "headers": _headers(route, {}), "content": content}


def _refused(route: Route) -> Iterator[tuple[str, Schema]]:
    reasons = {*EVERYWHERE, *route.refusals}
    assert reasons <= CODES.keys(), route.path
    named = [(name, *case) for name, case in refusals().items() if case[1] in reasons]
    named.sort(key=lambda each: (each[1].status, each[1].code))
    for status, group in groupby(named, key=lambda each: each[1].status):
        cases = list(group)
        shown = list(dict.fromkeys(reason for _, _, reason, _, _ in cases))
        examples = {name: {"$ref": f"#/components/examples/{name}"} for name, *_ in cases}
        yield (
            str(status),
            {
                "description": ", ".join(f"{CODES[reason].code} {reason}" for reason in shown),
                "headers": _headers(route, cases[0][-1]),
                "content": {JSON: {"schema": _one_of(shown), "examples": examples}},
            },
        )


def _headers(route: Route, rendered: Mapping[str, str]) -> Schema:
    names = ["x-request-id", *(["Retry-After"] if "Retry-After" in rendered else [])]
    if any(name.split()[0] == route.path for name in endpoint.DEPRECATIONS):
        names += ["Deprecation", "Sunset"]
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _operation(route: Route) -> Schema:
    *_, mode, name = route.path.split("/")
    return {
        "operationId": name if mode == "merchant" else f"{mode}{name[0].upper()}{name[1:]}",
        **labelled(texts()["routes"][route.path]),
        **({"deprecated": True} if route.path in endpoint.DEPRECATIONS else {}),
        "tags": [mode],
        "requestBody": _request(route),
        "responses": {"200": _success_of(route), **dict(_refused(route))},
    }


def _codes() -> list[Schema]:
    advice: Mapping[str, Any] = texts()["codes"]
    statuses: dict[str, set[int]] = {}
    for code, reason, *_ in refusals().values():
        statuses.setdefault(reason, set()).add(code.status)
    return [
        {"code": each.code, "reason": reason, "http": sorted(statuses[reason])}
        | {"retry": advice[reason]["retry"], "msg": {"en": each.en, "zh": each.zh}}
        | {
            language: dict(zip(("means", "do"), advice[reason][language], strict=True))
            for language in ("en", "zh")
        }
        for reason, each in sorted(CODES.items(), key=lambda item: item[1].code)
    ]


def document() -> dict[str, Any]:
    """Return docs/openapi.yaml as data."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    info = {"title": "orderdesk", "version": project["version"]}
    info |= {"license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}}
    examples = {name: {"value": case[2]} for name, case in refusals().items()}
    whole = {
        "openapi": "3.1.0",
        "info": {**info, **labelled(texts()["info"])},
        "servers": [{"url": "{BaseUrl}", "variables": {"BaseUrl": {"default": LOCAL_URL}}}],
        "security": [],  # the signature is in the body
        "tags": [{"name": "merchant"}, {"name": "test"}],
        "paths": {route.path: {"post": _operation(route)} for route in ROUTES},
        # Of `webhooks`, openapi-generator 7.26 makes Python that does not compile: a header
        # parameter has no type. Redoc shows them by this name too.
        "x-webhooks": callbacks.webhooks(),
        "components": {"schemas": schemas(), "examples": examples, "headers": texts()["headers"]},
        "x-codes": _codes(),
        "x-deprecations": {
            name: endpoint.deprecation_headers(since)
            for name, since in endpoint.DEPRECATIONS.items()
        },
    }
    plain: dict[str, Any] = json.loads(json.dumps(whole))  # no enums, tuples or shared parts
    return plain


def text(document: Mapping[str, Any]) -> str:
    """Return docs/openapi.yaml as text."""
    note = "# Written by `make openapi` from the code; change tools/openapi or the code instead.\n"
    dumped: str = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=110)
    return note + dumped


def commands_text() -> str:
    """Return what the command line and the console read of the operators' API, as JSON."""
    codes = {each.code: each.zh for each in (*CODES.values(), *OPERATOR_CODES.values())}
    schemas = {name: COMMANDS[name].schema() for name in sorted(COMMANDS)}
    return json.dumps({"chinese": codes, "schemas": schemas}, ensure_ascii=False, indent=1) + "\n"
