"""`python -m events.sign FILE`: fill a sample event's <placeholders>, sign it, print it.

The merchant's keys are those of the running local stack (`.local/stack.json`). Numbers and tokens
come from an earlier answer: `--number`, or `--pay-url` for the payer's pages.
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
    """A sample cannot be filled; its text says what is missing."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what filling needs from the command line."""
    parser.add_argument("file", type=Path, help="a sample: events/FUNCTION/NAME.json")
    parser.add_argument("--stack", type=Path, default=STACK_FILE, help="the stack's description")
    parser.add_argument("--number", help="of an order or a draft, for what asks about one")
    parser.add_argument("--pay-url", help="of a buy order or a draft, for the payer's pages")
    parser.add_argument("--nonce", help="instead of a fresh one: to see it refused")


def event_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Read the sample that the command line names, fill and sign it. Raises: Unfillable."""
    try:
        demo = json.loads(arguments.stack.read_text("utf-8"))["demo"]
        sample = json.loads(arguments.file.read_text("utf-8"))
    except FileNotFoundError as error:
        why = "start `make run` first" if error.filename == str(arguments.stack) else "no sample"
        raise Unfillable(f"{error.filename} is not there: {why}") from None
    nonce = arguments.nonce or secrets.token_hex(12)
    values = given(arguments.number, arguments.pay_url) | fresh(int(time.time()), nonce)
    return filled(sample, demo, values)


def given(number: str | None, pay_url: str | None) -> dict[str, str]:
    """Give the values of an earlier answer. Raises: Unfillable."""
    values = dict.fromkeys(_NUMBERS, number) if number else {}
    if not pay_url:
        return values
    for form in _PAGE_URLS:
        if link := form.search(pay_url):
            return values | link.groupdict()
    raise Unfillable("a page's url ends with /pay/ORDER_NO/TOKEN or /identity/PENDING_NO/TOKEN")


def fresh(now: int, nonce: str) -> dict[str, str]:
    """Give the values that no two requests share."""
    return {"timestamp": str(now), "nonce": nonce, "request_id": str(uuid.uuid4())}


def filled(
    sample: Mapping[str, Any], demo: Mapping[str, Any], values: Mapping[str, str]
) -> dict[str, Any]:
    """Fill every placeholder of a sample and sign its body, if it is JSON. Raises: Unfillable."""
    event = {name: value for name, value in sample.items() if name != "body"}
    plain = _fill_all(event, _filler({**_ids(demo), **values}, str))
    assert isinstance(plain, dict)
    body = sample.get("body")
    if not body or not body.startswith("{"):
        return {**plain, **{name: sample[name] for name in ("body",) if name in sample}}
    return {**plain, "body": _signed(sample, body, demo, values)}


def _ids(demo: Mapping[str, Any]) -> dict[str, str]:
    """Give the ids of the demo merchants, by what a sample calls them."""
    return {
        f"{name}.merchant_id": merchant["merchant_id"]
        for name, merchant in demo.items()
        if isinstance(merchant, Mapping) and "merchant_id" in merchant
    }


def _signed(
    sample: Mapping[str, Any], body: str, demo: Mapping[str, Any], values: Mapping[str, str]
) -> str:
    """Fill a body as text, so that its numbers stay as they were written, and sign it."""
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
            raise Unfillable(f"{match[0]} is not known: give --number, or --pay-url for a page")
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
    """Print the event; one line and exit 1 where it cannot be filled."""
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
