"""Runs the requests of standard input (JSON) with the client; prints the answers as JSON."""

import json
import sys
from typing import Any

import orderdesk
from orderdesk import NoAnswer, Orderdesk, Refused


def called(client: Orderdesk, request: Any) -> Any:
    given = [json.loads(each) for each in request["arguments"]]
    method = request["method"]
    if method in ("create_buy", "create_or_get", "create_sell", "quote"):
        return getattr(client, method)(*given[:-1], **given[-1])
    if method == "call":
        return client.call(*given)
    if method == "redeliver_callback":
        return client.redeliver_callback(*given)
    if method == "advance_order":
        return client.advance_order(given[0], **given[1])
    return getattr(client, method)(**(given[0] if given else {}))


def call(request: Any) -> Any:
    client = Orderdesk(
        request["base_url"],
        request["api_key"],
        request["api_secret"],
        test=request["test"],
        timeout_seconds=request["timeout_seconds"],
    )
    try:
        return {"data": called(client, request)}
    except Refused as refused:
        return {
            "refused": {
                "code": refused.code,
                "error": str(refused),
                "text": refused.message,
                "data": refused.data,
                "http_status": refused.http_status,
                "request_id": refused.request_id,
                "retry_after_seconds": refused.retry_after_seconds or 0,
                "after_lost_attempt": refused.after_lost_attempt,
            }
        }
    except NoAnswer as error:
        return {"no_answer": True, "after_lost_attempt": error.after_lost_attempt}


def sign(request: Any) -> Any:
    parameters = json.loads(request["body"])
    text = orderdesk.string_to_sign(request["path"], parameters)
    return {"string_to_sign": text, "signature": orderdesk.sign(request["api_secret"], text)}


def verify(request: Any) -> Any:
    body = request["body"].encode()
    try:
        return {"event": orderdesk.verify_callback(request["secret"], request["headers"], body)}
    except orderdesk.InvalidCallback as error:
        return {"invalid": str(error)}


def answer(request: Any) -> Any:
    try:
        return {"call": call, "sign": sign, "verify": verify}[request["do"]](request)
    except (TypeError, ValueError) as error:
        return {"error": str(error)}


print(json.dumps([answer(request) for request in json.load(sys.stdin)]))
