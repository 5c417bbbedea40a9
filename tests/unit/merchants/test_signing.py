"""The string to sign, against the contract's example, published vectors and RFC 8785."""

import json
from typing import Any

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from docs.make_signing_vectors import vectors
from orderdesk.domain.merchants import signing
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.web.body import read_body
from orderdesk.web.http import request_of
from tests.support.events import proxy_event
from tests.support.merchant_client import string_to_sign
from tests.support.template import ROOT

VECTORS: dict[str, Any] = json.loads((ROOT / "docs" / "signing-vectors.json").read_text())

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
names = st.from_regex(r"[a-z][a-z0-9_]{0,12}", fullmatch=True)
objects = st.recursive(
    texts, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4)
)


def parsed(body: str) -> dict[str, JsonValue]:
    headers = {"Content-Type": "application/json"}
    event = proxy_event("POST", "/merchant/createOrder", body=body.encode(), headers=headers)
    return read_body(request_of(event))


def test_the_published_file_is_what_its_maker_makes() -> None:
    assert vectors() == VECTORS


@pytest.mark.parametrize("vector", VECTORS["signed"], ids=lambda v: v["name"])
def test_published_vectors(vector: dict[str, Any]) -> None:
    params = parsed(vector["body"])
    text = signing.string_to_sign(vector["method"], vector["path"], params)
    assert text == vector["string_to_sign"]
    assert list(signing.signable_problems(params)) == []
    assert signing.sign(vector["api_secret"], text) == vector["signature"]
    assert signing.verifying_secret([vector["api_secret"]], text, vector["signature"].upper()) == 0
    sent = params["signature"]
    assert isinstance(sent, str)
    assert signing.verifying_secret([vector["api_secret"]], text, sent) == 0


@pytest.mark.parametrize("vector", VECTORS["refused"], ids=lambda v: v["name"])
def test_published_refusals(vector: dict[str, Any]) -> None:
    problems = list(signing.signable_problems(parsed(vector["body"])))
    assert [problem.field for problem in problems] == vector["fields"]


@given(objects)
def test_objects_of_strings_are_canonical_json(value: Any) -> None:
    assert signing.canonical_json(value) == rfc8785.dumps(value).decode()


@given(st.dictionaries(names, texts | st.booleans() | st.none() | objects, max_size=6))
def test_an_independent_client_signs_the_same(params: dict[str, Any]) -> None:
    ours = signing.string_to_sign("POST", "/merchant/createOrder", params)
    assert ours == string_to_sign("POST", "/merchant/createOrder", params)


signable = st.dictionaries(
    names,
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12) | objects,
    max_size=4,
)


@given(signable, signable)
def test_two_signable_requests_share_a_string_only_where_they_mean_the_same(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    def meaning(params: dict[str, Any]) -> dict[str, str]:
        return {
            name: value if isinstance(value, str) else rfc8785.dumps(value).decode()
            for name, value in params.items()
            if name != "signature" and value not in ("", None)
        }

    if any(signing.signable_problems(one)) or any(signing.signable_problems(other)):
        return
    same = signing.string_to_sign("POST", "/p", one) == signing.string_to_sign("POST", "/p", other)
    assert same == (meaning(one) == meaning(other))


def test_either_of_two_active_secrets_verifies() -> None:
    secrets = ("new", "old")
    for position, secret in enumerate(secrets):
        assert signing.verifying_secret(secrets, "text", signing.sign(secret, "text")) == position
    assert signing.verifying_secret(secrets, "text", signing.sign("older", "text")) is None
    assert signing.verifying_secret([], "text", signing.sign("", "text")) is None


@pytest.mark.parametrize("signature", ["", "zz", "ü" * 64, "0" * 64, "\ud800"])
def test_any_text_as_signature_is_compared_not_raised_on(signature: str) -> None:
    assert signing.verifying_secret(["secret"], "text", signature) is None
