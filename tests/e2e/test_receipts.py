"""A payer on the deployed stack: signed form to the bucket, back to the page, paid."""

import html
import re
from collections.abc import Mapping

import httpx
import pytest

from orderdesk.domain.receipts.files import MAX_BYTES
from tests.support import receipt_samples as samples
from tests.support.merchant_client import buy
from tests.support.stack_seed import StackSeed

OWN_PAGE = {"sec-fetch-site": "same-origin"}
FORM = re.compile(r'<form id="upload" action="([^"]+)"')
FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


@pytest.fixture
def pay_url(stack_seed: StackSeed) -> str:
    stack_seed.only_trader()
    _, client = stack_seed.add_merchant()
    return str(client.create(buy(cny_amount="1000.37")).data["pay_url"])


def status(stack_seed: StackSeed, pay_url: str) -> str:
    return str(stack_seed.http.get(f"{pay_url}/status").json()["status"])


def upload(
    stack_seed: StackSeed, pay_url: str, content: bytes, changed: Mapping[str, str] | None = None
) -> httpx.Response:
    """Post the page's form as a browser would, and follow where the bucket sends it."""
    page = stack_seed.http.get(pay_url).text
    fields = {name: html.unescape(value) for name, value in FIELD.findall(page)}
    [action] = FORM.findall(page)
    return stack_seed.http.post(
        html.unescape(action),
        data={**fields, **(changed or {})},
        files={"file": ("receipt.png", content, "image/png")},
        follow_redirects=True,
    )


@pytest.mark.parametrize("content", samples.RECEIPTS.values(), ids=list(samples.RECEIPTS))
def test_a_receipt_reports_the_payment(stack_seed: StackSeed, pay_url: str, content: bytes) -> None:
    answer = upload(stack_seed, pay_url, content)
    assert answer.status_code == 200
    assert str(answer.url) == pay_url
    assert "Payment reported" in answer.text
    assert "1 of 5 received" in answer.text
    assert status(stack_seed, pay_url) == "paid"


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b"\x89PNG\r\n\x1a\n" + b"\0" * (MAX_BYTES + 1024 * 1024), 400, "EntityTooLarge"),
        (samples.HTML, 422, "no PNG, JPEG or WebP picture"),
        (samples.png(samples.chunk(b"tEXt", samples.HTML)), 422, "more than a picture"),
    ],
    ids=["11 MB", "html named .png", "polyglot"],
)
def test_what_is_no_receipt_is_refused(
    stack_seed: StackSeed, pay_url: str, content: bytes, code: int, said: str
) -> None:
    answer = upload(stack_seed, pay_url, content)
    assert answer.status_code == code
    assert said in answer.text
    assert status(stack_seed, pay_url) == "pending"


@pytest.mark.parametrize("changed", [{"key": "receipts/B1/ab"}, {"Content-Type": "text/html"}])
def test_a_form_that_was_changed_is_refused(
    stack_seed: StackSeed, pay_url: str, changed: Mapping[str, str]
) -> None:
    assert upload(stack_seed, pay_url, samples.png(), changed).status_code == 403
    assert status(stack_seed, pay_url) == "pending"


@pytest.mark.parametrize(("part", "told"), [("paid", "paid"), ("cancel", "cancelled")])
def test_a_payers_move(stack_seed: StackSeed, pay_url: str, part: str, told: str) -> None:
    refused = stack_seed.http.post(f"{pay_url}/{part}", headers={"origin": "https://evil.example"})
    assert refused.status_code == 403
    for _ in range(2):
        answer = stack_seed.http.post(f"{pay_url}/{part}?lang=zh", headers=OWN_PAGE)
        assert answer.status_code == 303
        assert str(answer.next_request and answer.next_request.url) == f"{pay_url}?lang=zh"
    assert status(stack_seed, pay_url) == told
