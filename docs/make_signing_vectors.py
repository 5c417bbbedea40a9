"""Write the vectors of requests and of callbacks: python -m docs.make_signing_vectors.

The tests' independent client signs the requests of signing-vectors.json, and the library of
Standard Webhooks the callbacks of callback-vectors.json. The service signs none of them, so that
the two check each other.
"""

import base64
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from standardwebhooks import Webhook

from tests.support.merchant_client import Raw, body_of, sign, string_to_sign
from tests.support.openapi import document

SECRET = "sk_test_456"  # noqa: S105 - the contract's example
BASE = {"api_key": "mk_test_123", "timestamp": 1756617600, "nonce": "Ab3dEf7hIj9kLm2n"}
PATH = "/merchant/createOrder"
BANK = {
    "method_type": "bank",
    "real_name": "张三",
    "bank": "中国银行",
    "sub_bank": "深圳分行",
    "card_number": "6222021234567890",
}

ABOUT = (
    "The steps of the page Signing. `body` is sent unchanged (UTF-8). `literal`: the body"
    " has a number that most JSON parsers change (100.50 becomes 100.5), so the signature must use"
    " the body's text. A client avoids this by sending amounts as strings."
)

SIGNED: dict[str, tuple[str, dict[str, Any]]] = {
    "the contract's worked example: a sell, remark is empty": (
        PATH,
        {"order_type": 2, "cny_amount": Raw("100.50"), "payment_method": BANK, "remark": ""},
    ),
    "a buy, the amount as a string": (PATH, {"order_type": 1, "cny_amount": "100.50"}),
    "the same on the test route": ("/test/createOrder", {"order_type": 1, "cny_amount": "100.50"}),
    **{
        f"numbers keep their text: {text}": (PATH, {"order_type": 1, "cny_amount": Raw(text)})
        for text in ("1E+2", "1E2", "1e2", "1.0", "1.10", "0.10", "-0", "12345678901.23")
    },
    "numbers keep their text: 100.500 (refused as an amount, signed all the same)": (
        PATH,
        {"order_type": 1, "cny_amount": Raw("100.500")},
    ),
    "ints keep their digits: beyond 2^53, and beyond 64 bits": (
        PATH,
        {
            "order_type": 1,
            "cny_amount": "1",
            "x": Raw("9007199254740993"),
            "y": Raw("12345678901234567890123456789012"),
        },
    ),
    "amounts as strings keep their text, too": (
        PATH,
        {"order_type": 1, "cny_amount": "1.10", "x": "1.0", "y": "1E2", "z": "007"},
    ),
    "ints may be digit strings": (PATH, {"order_type": "1", "cny_amount": "1", "is_test": "1"}),
    "null and empty strings are left out, 0 and false are not": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "is_test": 0, "mobile": None, "x": False, "y": ""},
    ),
    'left out is null and the empty string only: "0", 0, false, {} and [] are signed': (
        PATH,
        {"order_type": 1, "cny_amount": "1", "a": "0", "b": 0, "c": False, "d": {}, "e": []},
    ),
    "true and false, and the words as text": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "a": True, "b": "true", "c": "null", "d": False},
    ),
    "spaces stay at both ends, plus and percent are not decoded": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "remark": " 100%25+1 "},
    ),
    "nothing is escaped in a top-level string: < > & ' / U+2028 and an emoji": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "remark": "<a>&'b'/\u2028\u2029\U0001f600"},
    ),
    "a top-level array keeps its order": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "tags": ["b", "a", "", "10", "9"]},
    ),
    "the caller's own signature is not signed, and upper-case hex is accepted": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "remark": "upper"},
    ),
    "unknown parameters are signed": (PATH, {"order_type": 1, "cny_amount": "1", "shop": "七号店"}),
    "names sort by bytes: a_b after a1, digits before underscore before letters": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "a_b": "3", "a1": "2", "aa": "4", "a": "1"},
    ),
    "equals signs, ampersands and quotes are not escaped in a top-level string": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "remark": 'a=b&c="d"\\e/f'},
    ),
    "a Chinese merchant_order_no and a callback_url": (
        PATH,
        {
            "order_type": 1,
            "cny_amount": "1",
            "merchant_order_no": "订单-0001",
            "callback_url": "https://m.example.com/cb?a=1&b=2",
        },
    ),
    "objects: names sort by UTF-16 code units (an emoji before U+FB33)": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "o": {"\ufb33": "1", "\U0001f600": "2", "b": "3"}},
    ),
    "objects: control characters and quotes escape as in RFC 8785, others do not": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "o": {"t": '\t\n\r\b\f\u0001\u007f"\\/€\u2028'}},
    ),
    "objects: names that look like numbers sort as text, at every level": (
        PATH,
        {
            "order_type": 1,
            "cny_amount": "1",
            "o": {"9": "a", "10": "b", "1": {"2": "c", "11": "d"}, "-1": "e", "": "f"},
        },
    ),
    "objects: nested names sort by UTF-16 code units, capitals before small letters": (
        PATH,
        {
            "order_type": 1,
            "cny_amount": "1",
            "o": {
                "中": {"\ufffd": "1", "\U0001f4b0": "2", "é": "3", "e\u0301": "4"},
                "b": "5",
                "B": "6",
            },
        },
    ),
    "objects: slashes, < > & ' and U+2028, U+2029 are not escaped": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "o": {"t": "</script>&'\u2028\u2029"}},
    ),
    "objects: a backslash before u2028, b and n stays a backslash": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "o": {"t": "\\u2028 \\b \\n \\\\u0008"}},
    ),
    "objects: control characters without a short escape are lower-case hex": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "o": {"t": "\x00\x0b\x1b\x1f\x7f\x80\x9f"}},
    ),
    "objects: text beyond the basic plane is not escaped, nor made one form of Unicode": (
        PATH,
        {
            "order_type": 1,
            "cny_amount": "1",
            "o": {"name": "𠮷野家 \U0001f468\u200d\U0001f4bb e\u0301 é"},
        },
    ),
    "objects: strings that look like numbers or words stay strings": (
        PATH,
        {
            "order_type": 1,
            "cny_amount": "1",
            "o": {"a": "1.0", "b": "true", "c": "null", "d": "1E2"},
        },
    ),
    "objects: empty strings stay, nesting and arrays too": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "o": {"e": "", "a": ["z", "y", {"k": "v"}], "m": {}}},
    ),
    "listOrders: ints": (
        "/merchant/listOrders",
        {"status": "paid,completed", "start_time": 1756600000, "limit": 100},
    ),
    "balance: the common parameters only": ("/merchant/balance", {}),
    "queryOrder": ("/merchant/queryOrder", {"merchant_order_no": "A-1"}),
}

REFUSED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a line feed in a top-level string": ({"remark": "a\nis_test=1"}, ["remark"]),
    "a NUL in a top-level string": ({"remark": "a\x00"}, ["remark"]),
    "a name with a capital": ({"Remark": "a"}, ["Remark"]),
    "a name with an equals sign": ({"a=b": "c"}, ["a=b"]),
    "an empty name": ({"": "c"}, [""]),
    "a number inside an object": (
        {"payment_method": {"card_number": Raw("1")}},
        ["payment_method.card_number"],
    ),
    "null inside an object": ({"payment_method": {"bank": None}}, ["payment_method.bank"]),
    "true inside an array": ({"tags": ["a", True]}, ["tags.1"]),
    "false and null, deeper": (
        {"o": {"a": [{"b": False}], "c": {"d": None}}},
        ["o.a.0.b", "o.c.d"],
    ),
    "a control character beyond ASCII in a top-level string": ({"remark": "a\x85b"}, ["remark"]),
    "a DEL in a top-level string": ({"remark": "a\x7f"}, ["remark"]),
    "a name with a hyphen, and one that begins with a digit": (
        {"return-url": "a", "2fa": "b"},
        ["return-url", "2fa"],
    ),
}


def signed_vector(name: str, path: str, params: dict[str, Any]) -> dict[str, str | bool]:
    """Return one vector with everything that a client compares."""
    whole = {**BASE, **params}
    signature = sign(SECRET, path, whole)
    sent = signature.upper() if "upper-case" in name else signature
    vector: dict[str, str | bool] = {
        "name": name,
        "api_secret": SECRET,
        "method": "POST",
        "path": path,
        "body": body_of({**whole, "signature": sent}),
        "string_to_sign": string_to_sign("POST", path, whole),
        "signature": signature,
    }
    if any(isinstance(value, Raw) for value in params.values()):
        vector["literal"] = True
    return vector


def refused_body(params: dict[str, Any]) -> str:
    """Write the JSON of parameters that cannot be signed."""
    text = json.dumps({**BASE, **params}, default=str)
    return text.replace('"card_number": "1"', '"card_number": 1')


def vectors() -> dict[str, Any]:
    """Return the content of the file."""
    return {
        "about": ABOUT,
        "signed": [signed_vector(name, *case) for name, case in SIGNED.items()],
        "refused": [
            {"name": name, "body": refused_body(params), "fields": fields, "code": 1002}
            for name, (params, fields) in REFUSED.items()
        ],
    }


CALLBACK_SECRET, OTHER_SECRET = (
    "whsec_" + base64.b64encode(text).decode()
    for text in (b"secret of the examples", b"another secret, as long")
)
TOLERANCE_SECONDS = 300

CALLBACKS_ABOUT = (
    "The page Callbacks. `body` is what arrives, as UTF-8. Verify it with `secret` as if your clock"
    " showed `now`. `refused`: `by` its signature, or by its timestamp alone, which differs from"
    " `now` by more than `tolerance_seconds`."
)


def callback(*secrets: str, webhook_id: str, sent: int, body: str) -> dict[str, Any]:
    """Return a callback that is signed by each secret."""
    at = datetime.fromtimestamp(sent, UTC)
    signatures = [Webhook(secret).sign(webhook_id, at, body) for secret in secrets]
    headers = {
        "webhook-id": webhook_id,
        "webhook-timestamp": str(sent),
        "webhook-signature": " ".join(signatures),
    }
    return {"secret": CALLBACK_SECRET, "headers": headers, "body": body}


def callback_vectors() -> dict[str, Any]:
    """Return the content of callback-vectors.json."""
    completed = document()["x-webhooks"]["order.completed"]["post"]
    webhook_id = completed["parameters"][0]["example"]
    example = completed["requestBody"]["content"]["application/json"]["examples"]["callback"]
    event = example["value"]
    now = event["timestamp"] + 1
    body = json.dumps(event, separators=(",", ":"))
    names = {**event, "data": {**event["data"], "merchant_order_no": "订单 😀 </\u2028>"}}

    def signed(*secrets: str, late: int = 0, text: str = body) -> dict[str, Any]:
        return callback(*secrets, webhook_id=webhook_id, sent=now - late, body=text)

    sample = signed(CALLBACK_SECRET)
    signature = sample["headers"]["webhook-signature"]

    def headed(**changes: str) -> dict[str, Any]:
        changed = {f"webhook-{name}": value for name, value in changes.items()}
        return {**sample, "headers": {**sample["headers"], **changed}}

    accepted = {
        "the example of the page Callbacks": sample,
        "text beyond ASCII, escaped as the service does it": signed(
            CALLBACK_SECRET, text=json.dumps(names, separators=(",", ":"))
        ),
        "the same text as UTF-8, with white space": signed(
            CALLBACK_SECRET, text=json.dumps(names, ensure_ascii=False, indent=1)
        ),
        "two signatures, the first by this secret": signed(CALLBACK_SECRET, OTHER_SECRET),
        "two signatures, the second by this secret": signed(OTHER_SECRET, CALLBACK_SECRET),
        "a version to come beside v1": headed(signature=f"v2,AAAA {signature}"),
        "as old as allowed": signed(CALLBACK_SECRET, late=TOLERANCE_SECONDS),
        "as far ahead as allowed": signed(CALLBACK_SECRET, late=-TOLERANCE_SECONDS),
    }
    by_signature = {
        "another body": {**sample, "body": body.replace('"1000.00"', '"9000.00"')},
        "another id": headed(id=webhook_id + "0"),
        "another timestamp": headed(timestamp=str(now + 1)),
        "signed by another secret": signed(OTHER_SECRET),
        "an empty signature": headed(signature=""),
        "no version": headed(signature=signature.removeprefix("v1,")),
        "another version only": headed(signature=signature.replace("v1,", "v2,")),
        "a signature that is cut short": headed(signature=signature[:-4]),
    }
    by_timestamp = {
        "too old": signed(CALLBACK_SECRET, late=TOLERANCE_SECONDS + 1),
        "too far ahead": signed(CALLBACK_SECRET, late=-TOLERANCE_SECONDS - 1),
    }
    return {
        "about": CALLBACKS_ABOUT,
        "now": now,
        "tolerance_seconds": TOLERANCE_SECONDS,
        "accepted": [{"name": name, **case} for name, case in accepted.items()],
        "refused": [
            {"name": name, "by": by, **case}
            for by, cases in (("signature", by_signature), ("timestamp", by_timestamp))
            for name, case in cases.items()
        ],
    }


FILES = {"signing-vectors.json": vectors, "callback-vectors.json": callback_vectors}

if __name__ == "__main__":
    for name, made in FILES.items():
        text = json.dumps(made(), ensure_ascii=False, indent=2) + "\n"
        Path(__file__).with_name(name).write_text(text, "utf-8")
