"""Each client signs the vectors of docs/signing-vectors.json, and sends what it signed.

It verifies the vectors of docs/callback-vectors.json too.
"""

import json
from typing import Any

import pytest

from orderdesk.domain.merchants import signing
from orderdesk.web.body import read_body
from orderdesk.web.http import request_of
from tests.clients.languages import Built
from tests.clients.scripted_server import ScriptedServer, Sent, answer
from tests.support.events import proxy_event
from tests.support.template import ROOT

VECTORS: list[dict[str, Any]] = json.loads((ROOT / "docs" / "signing-vectors.json").read_text())[
    "signed"
]
SECRET = "sk_of_the_test"


@pytest.fixture(scope="module")
def answers(client: Built, server: ScriptedServer) -> list[tuple[Any, Any, list[Sent]]]:
    calls = []
    for index, vector in enumerate(VECTORS):
        name = f"{client.language.name}-vector-{index}"
        base_url = server.play(name, [answer(1, 200, {"done": "yes"})])
        arguments = [json.dumps(vector["path"]), vector["body"]]
        keys = {"api_key": "mk_of_the_test", "api_secret": SECRET}
        how = {"test": False, "timeout_seconds": 60, "method": "call", "arguments": arguments}
        calls.append({"do": "call", "base_url": base_url, **keys, **how})
    signs = [{"do": "sign", **vector} for vector in VECTORS]
    signed, called = client.drive(signs), client.drive(calls)
    sent = [server.sent[f"{client.language.name}-vector-{n}"] for n in range(len(VECTORS))]
    return list(zip(signed, called, sent, strict=True))


@pytest.mark.parametrize("index", range(len(VECTORS)), ids=lambda n: VECTORS[n]["name"])
def test_it_signs_the_published_vectors(answers: list[Any], index: int) -> None:
    vector = VECTORS[index]
    signed, _, _ = answers[index]
    if "error" in signed:
        assert vector.get("literal"), signed
        return
    if signed["string_to_sign"] != vector["string_to_sign"]:
        assert vector.get("literal")  # then it also sent another text: see below
        return
    assert signed["signature"] == vector["signature"]


@pytest.mark.parametrize("index", range(len(VECTORS)), ids=lambda n: VECTORS[n]["name"])
def test_the_server_accepts_its_signatures(answers: list[Any], index: int) -> None:
    vector = VECTORS[index]
    _, called, sent = answers[index]
    if "error" in called:
        assert vector.get("literal"), called
        assert sent == []
        return
    assert called == {"data": {"done": "yes"}}
    [request] = sent
    assert request.path == vector["path"]
    headers = {"content-type": "application/json"}
    event = proxy_event("POST", request.path, body=request.body, headers=headers)
    params = read_body(request_of(event))
    text = signing.string_to_sign("POST", request.path, params)
    signature = params["signature"]
    assert isinstance(signature, str)
    assert signing.verifying_secret([SECRET], text, signature) == 0, text
    if not vector.get("literal"):
        ours = {"api_key", "timestamp", "nonce"}

        def theirs(text: str) -> list[str]:
            return [line for line in text.split("\n") if line.partition("=")[0] not in ours]

        assert theirs(text) == theirs(vector["string_to_sign"])


CALLBACKS: dict[str, Any] = json.loads((ROOT / "docs" / "callback-vectors.json").read_text("utf-8"))


def test_it_verifies_the_published_callbacks(client: Built) -> None:
    """Their time is long ago. A client says so only after it has verified the signature."""
    vectors = [*CALLBACKS["accepted"], *CALLBACKS["refused"]]
    fields = ("secret", "headers", "body")
    answers = client.drive([{"do": "verify", **{f: each[f] for f in fields}} for each in vectors])
    reasons = {
        each["name"]: "timestamp" if "timestamp" in answer["invalid"] else "signature"
        for each, answer in zip(vectors, answers, strict=True)
    }
    assert reasons == {each["name"]: each.get("by", "timestamp") for each in vectors}
