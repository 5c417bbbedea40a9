"""Write docs/signing-vectors.json: python -m docs.make_signing_vectors.

Made by the tests' independent client, not by the service, so that the two check each other.
"""

import json
from pathlib import Path
from typing import Any

from tests.support.merchant_client import Raw, body_of, sign, string_to_sign

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

SIGNED: dict[str, tuple[str, dict[str, Any]]] = {
    "the contract's worked example: a sell, remark is empty": (
        PATH,
        {"order_type": 2, "cny_amount": Raw("100.50"), "payment_method": BANK, "remark": ""},
    ),
    "a buy, the amount as a string": (PATH, {"order_type": 1, "cny_amount": "100.50"}),
    "the same at the test door": (
        "/test/createOrder",
        {"order_type": 1, "cny_amount": "100.50"},
    ),
    "numbers keep their text: 1E+2": (PATH, {"order_type": 1, "cny_amount": Raw("1E+2")}),
    "numbers keep their text: 100.500 (refused as an amount, signed all the same)": (
        PATH,
        {"order_type": 1, "cny_amount": Raw("100.500")},
    ),
    "ints may be digit strings": (PATH, {"order_type": "1", "cny_amount": "1", "is_test": "1"}),
    "null and empty strings are left out, 0 and false are not": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "is_test": 0, "mobile": None, "x": False, "y": ""},
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
    "objects: empty strings stay, nesting and arrays too": (
        PATH,
        {"order_type": 1, "cny_amount": "1", "o": {"e": "", "a": ["z", "y", {"k": "v"}], "m": {}}},
    ),
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
}


def signed_vector(name: str, path: str, params: dict[str, Any]) -> dict[str, str]:
    """Give one vector with everything a client needs to compare."""
    whole = {**BASE, **params}
    return {
        "name": name,
        "api_secret": SECRET,
        "method": "POST",
        "path": path,
        "body": body_of({**whole, "signature": sign(SECRET, path, whole)}),
        "string_to_sign": string_to_sign("POST", path, whole),
        "signature": sign(SECRET, path, whole),
    }


def refused_body(params: dict[str, Any]) -> str:
    """Write the JSON of parameters that cannot be signed."""
    text = json.dumps({**BASE, **params}, default=str)
    return text.replace('"card_number": "1"', '"card_number": 1')


def vectors() -> dict[str, Any]:
    """Give the whole file."""
    return {
        "about": "Contract section 2, dialect `standard`. `body` is sent as it stands (UTF-8).",
        "signed": [signed_vector(name, *case) for name, case in SIGNED.items()],
        "refused": [
            {"name": name, "body": refused_body(params), "fields": fields, "code": 1002}
            for name, (params, fields) in REFUSED.items()
        ],
    }


if __name__ == "__main__":
    target = Path(__file__).with_name("signing-vectors.json")
    target.write_text(json.dumps(vectors(), ensure_ascii=False, indent=2) + "\n")
