"""A collection for Postman, created from the document; its scripts sign and chain.

It begins with test orders. A creating request draws a new number, and later requests use the
numbers of the last answer. What a request creates, a later one completes or cancels.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tools.openapi.samples import LOCAL_URL

SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
FOLDER = Path(__file__).parent
COMMON = ("api_key", "timestamp", "nonce", "signature")
VARIABLES = ("order_no", "merchant_order_no", "pending_no", "webhook_id")
BEGIN = "Begin here: test orders"
# The requests of the first folder, each an example of a route. All of them succeed in this order.
CHAIN = (
    ("/test/createOrder", "buy"),
    ("/merchant/queryOrder", "by_merchant_order_no"),
    ("/test/advanceOrder", "a_buy_is_paid"),
    ("/merchant/listCallbacks", "of_an_order"),
    ("/test/advanceOrder", "a_buy_is_completed"),
    ("/test/createOrder", "sell"),
    ("/merchant/cancelOrder", "by_merchant_order_no"),
    ("/merchant/balance", "balance"),
    ("/merchant/statement", "from_the_start"),
)
CREATING = "/createOrder"
CANCEL = ("/merchant/cancelOrder", "what was created")
# The codes of a request that is wrong in form, and of a fault of the service.
WRONG = [1001, 1002, 1101, 1102, 1103, 1104, 4000, 5000]
ACCEPTED = (
    f"pm.test(`right in form`, () => pm.expect(pm.response.json().code).to.not.be.oneOf({WRONG}));"
)


def text(document: dict[str, Any]) -> str:
    """Return docs/postman.json as text."""
    keys = {"base_url": LOCAL_URL, "api_key": "", "api_secret": ""}
    variables = keys | dict.fromkeys(VARIABLES, "")
    paths = {path: item["post"] for path, item in document["paths"].items()}
    test_first = sorted(paths, key=lambda path: not path.startswith("/test/"))
    chain = [_request(path, name, _examples(paths[path])[name]["value"]) for path, name in CHAIN]
    succeeds = "pm.test(`code 1`, () => pm.expect(pm.response.json().code).to.equal(1));"
    collection = {
        "info": {"name": document["info"]["title"], "schema": SCHEMA},
        "variable": [{"key": key, "value": value} for key, value in variables.items()],
        "event": [_script("prerequest", "sign.js"), _script("test", "keep.js")],
        "item": [
            {"name": BEGIN, "item": chain, "event": [_event("test", [succeeds])]},
            *(_folder(path, paths[path]) for path in test_first),
        ],
    }
    return json.dumps(collection, ensure_ascii=False, indent=2) + "\n"


def _script(moment: str, file: str) -> dict[str, Any]:
    return _event(moment, (FOLDER / file).read_text("utf-8").splitlines())


def _event(moment: str, lines: list[str]) -> dict[str, Any]:
    return {"listen": moment, "script": {"type": "text/javascript", "exec": lines}}


def _examples(operation: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = operation["requestBody"]["content"]["application/json"]["examples"]
    return found


def _folder(path: str, operation: dict[str, Any]) -> dict[str, Any]:
    requests = []
    for name, each in _examples(operation).items():
        requests.append(_request(path, name, each["value"]))
        if path.endswith(CREATING):
            requests.append(_request(*CANCEL, {"merchant_order_no": ""}))
    return {
        "name": path,
        "description": operation["description"],
        "item": requests,
        "event": [_event("test", [ACCEPTED])],
    }


def _request(path: str, name: str, example: dict[str, Any]) -> dict[str, Any]:
    """Return one request without the common parameters, which the script adds."""
    own = {key: value for key, value in example.items() if key not in COMMON}
    own |= {key: f"{{{{{key}}}}}" for key in VARIABLES if key in own}
    if path.endswith(CREATING):
        own |= {"merchant_order_no": "postman-{{$guid}}", "cny_amount": "100.00"}
    parts = path.strip("/").split("/")
    return {
        "name": f"{parts[-1]}: {name}",
        "request": {
            "method": "POST",
            "header": [{"key": "Content-Type", "value": "application/json"}],
            "url": {"raw": "{{base_url}}" + path, "host": ["{{base_url}}"], "path": parts},
            "body": {"mode": "raw", "raw": json.dumps(own, ensure_ascii=False, indent=2)},
        },
    }
