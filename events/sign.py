"""`python -m events.sign EVENT`: fill a sample event's <placeholders>, sign it and print it.

The merchants' keys are those of the running local stack (`.local/stack.json`). Numbers and tokens
come from an earlier response: `--number`, or `--pay-url` for the payer's pages.
"""

import argparse
import json
import re
import secrets
import sys
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from events.samples import sample_at
from orderdesk.domain.merchants import signing
from orderdesk.domain.merchants.signing import JsonNumber

STACK_FILE = Path(__file__).resolve().parents[1] / ".local" / "stack.json"

SIGNATURE = "signature"
_NUMBERS = ("merchant_order_no", "order_no", "pending_no")
_PLACEHOLDER = re.compile(r"<([a-z][a-z_.]*)>")
_API_KEY = re.compile(r"<(\w+)\.api_key>")
_PAGE_URLS = (
    re.compile(r"/pay/(?P<order_no>[^/?#]+)/(?P<token>[^/?#]+)\Z"),
    re.compile(r"/identity/(?P<pending_no>[^/?#]+)/(?P<token>[^/?#]+)\Z"),
)


class Unfillable(Exception):
    """A sample cannot be filled; the text says which value is missing."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command line's arguments that fill a sample."""
    parser.add_argument("file", type=Path, help="a sample: events/FUNCTION/NAME.json")
    parser.add_argument("--stack", type=Path, default=STACK_FILE, help="the stack's description")
    parser.add_argument("--number", help="number of an order or draft, for samples that need one")
    parser.add_argument("--pay-url", help="pay_url or identity_url, for samples of those pages")
    parser.add_argument("--nonce", help="a fixed nonce; a second use is refused")


def event_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Read, fill and sign the sample that the command line names. Raises: Unfillable."""
    try:
        demo = json.loads(arguments.stack.read_text("utf-8"))["demo"]
        sample = sample_at(arguments.file)
    except FileNotFoundError as error:
        why = "start `make run` first" if error.filename == str(arguments.stack) else "no sample"
        raise Unfillable(f"{error.filename} does not exist: {why}") from None
    nonce = arguments.nonce or secrets.token_hex(12)
    values = given(arguments.number, arguments.pay_url) | fresh(int(time.time()), nonce)
    return filled(sample, demo, values)


def given(number: str | None, pay_url: str | None) -> dict[str, str]:
    """Return the values taken from an earlier response. Raises: Unfillable."""
    values = dict.fromkeys(_NUMBERS, number) if number else {}
    if not pay_url:
        return values
    for form in _PAGE_URLS:
        if link := form.search(pay_url):
            return values | link.groupdict()
    raise Unfillable("a page's URL ends with /pay/ORDER_NO/TOKEN or /identity/PENDING_NO/TOKEN")


def fresh(now: int, nonce: str) -> dict[str, str]:
    """Return the values that are unique to one request."""
    return {"timestamp": str(now), "nonce": nonce, "request_id": str(uuid.uuid4())}


def filled(
    sample: Mapping[str, Any], demo: Mapping[str, Any], values: Mapping[str, str]
) -> dict[str, Any]:
    """Fill every placeholder of a sample; sign a merchant's JSON body. Raises: Unfillable."""
    event = {name: value for name, value in sample.items() if name != "body"}
    plain = _fill_all(event, _filler({**_ids(demo), **values}, str))
    assert isinstance(plain, dict)
    body = sample.get("body")
    if not body or not body.startswith("{") or "{command}" in sample["resource"]:
        return {**plain, **{name: sample[name] for name in ("body",) if name in sample}}
    return {**plain, "body": _signed(sample, body, demo, values)}


def _ids(demo: Mapping[str, Any]) -> dict[str, str]:
    """Return the ids of the demo merchants, by placeholder."""
    return {
        f"{name}.merchant_id": merchant["merchant_id"]
        for name, merchant in demo.items()
        if isinstance(merchant, Mapping) and "merchant_id" in merchant
    }


def _signed(
    sample: Mapping[str, Any], body: str, demo: Mapping[str, Any], values: Mapping[str, str]
) -> str:
    """Fill and sign a body as text, because the signature covers the text of a number."""
    name, keys = _merchant(body, demo)
    known = {**values, f"{name}.api_key": keys["api_key"], SIGNATURE: f"<{SIGNATURE}>"}
    unsigned = _filler(known, lambda text: json.dumps(text, ensure_ascii=False)[1:-1])(body)
    params = json.loads(unsigned, parse_int=JsonNumber, parse_float=JsonNumber)
    text = signing.string_to_sign(sample["httpMethod"], sample["resource"], params)
    return unsigned.replace(f"<{SIGNATURE}>", signing.sign(keys["api_secret"], text))


def _merchant(body: str, demo: Mapping[str, Any]) -> tuple[str, Mapping[str, str]]:
    found = _API_KEY.search(body)
    if found is None or found[1] not in demo:
        wanted = "a placeholder <….api_key>" if found is None else f"demo.{found[1]} of the stack"
        raise Unfillable(f"{wanted} is missing")
    return found[1], demo[found[1]]


def _filler(values: Mapping[str, str], write: Callable[[str], str]) -> Callable[[str], str]:
    def value_of(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise Unfillable(f"{match[0]} is not known: pass --number, or --pay-url for a page")
        return write(values[match[1]])

    return lambda text: _PLACEHOLDER.sub(value_of, text)


def _fill_all(value: Any, fill: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return fill(value)
    if isinstance(value, dict):
        return {name: _fill_all(inner, fill) for name, inner in value.items()}
    if isinstance(value, list):
        return [_fill_all(inner, fill) for inner in value]
    return value


def main() -> int:
    """Print the event, or one error line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m events.sign", description=__doc__)
    add_arguments(parser)
    try:
        event = event_of(parser.parse_args())
    except Unfillable as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    json.dump(event, sys.stdout, ensure_ascii=False)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
