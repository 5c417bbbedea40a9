"""A client's handling of answers: typed refusals, safe retries, and lost answers."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest

from orderdesk.web.codes import CODES
from tests.clients.languages import Built, Command, Language, without_empty
from tests.clients.scripted_server import Answer, ScriptedServer, Sent, Silence, Step, answer
from tests.support import openapi
from tests.support.merchant_client import sign

SECRET = "sk_of_the_test"
ATTEMPTS = 4
PROCESSES = 4
NUMBER = "A-1"
BUY = (json.dumps(NUMBER), '"100.50"', '{"remark":"茶 & <b>"}')
EXAMPLES = {
    (path, name): envelope["data"]
    for path, status, name, envelope in openapi.answer_examples()
    if status == 200
}
CREATED = EXAMPLES["/merchant/createOrder", "buy"]
FOUND = EXAMPLES["/merchant/queryOrder", "buy"]
CREATED_DRAFT = EXAMPLES["/merchant/createOrder", "pending_identity"]
HELD = EXAMPLES["/merchant/queryOrder", "draft_held"]
LOCKED = EXAMPLES["/test/advanceOrder", "draft_locked"]
SOLD = EXAMPLES["/merchant/createOrder", "sell"]
FOUND_SELL = EXAMPLES["/merchant/queryOrder", "sell"]
OK = answer(1, 200, CREATED)
EXISTS = answer(2001, 409, {"reason": "merchant_order_no_exists", "order_no": "B1", "same": True})
BUSY = answer(5001, 503, {"reason": "try_again"}, Retry_After="1")
BROKEN = answer(5000, 500, {"reason": "internal_error"})
BAD_BASE_URLS = (
    "api.example.com/v1",
    "ftp://api.example.com",
    "https://",
    "https://…",
    "http:/localhost",
    "https://api.example.com/v1?stage=prod",
    "https://api.example.com\n",
)
PAGE_OF_A_PROXY = Answer(502, b"<html>Bad Gateway</html>")


@dataclass(frozen=True, slots=True)
class Case:
    """A script, the client's call, the number of requests, and the outcome."""

    steps: Sequence[Step]
    requests: int
    outcome: dict[str, Any]
    method: str = "create_buy"
    arguments: Sequence[str] = BUY
    timeout_seconds: float = 60
    base_url: str = ""
    refused: dict[str, Any] = field(default_factory=dict)


def refused(code: int, **more: Any) -> dict[str, Any]:
    return {"refused": {"code": code, "text": f"text of {code}", **more}}


CREATED_ONCE = {"data": CREATED}
# What createBuy and createSell return, of an order that an earlier attempt created.
LOOKED_UP = {"data": {name: {**CREATED, **FOUND}[name] for name in CREATED}}
LOOKED_UP_DRAFT = {"data": {name: {**CREATED_DRAFT, **HELD}[name] for name in CREATED_DRAFT}}
LOOKED_UP_SELL = {"data": {name: FOUND_SELL[name] for name in SOLD}}
NO_ANSWER = {"no_answer": True, "after_lost_attempt": True}
FIELDS = {"reason": "invalid_parameter", "fields": [{"field": "cny_amount", "problem": "missing"}]}

CASES = {
    "an answer": Case([OK], 1, CREATED_ONCE),
    "a busy store is asked again": Case([BUSY, OK], 2, CREATED_ONCE),
    "a limit's Retry-After is waited for": Case(
        [answer(1201, 429, {"reason": "too_many_requests"}, Retry_After="1"), OK], 2, CREATED_ONCE
    ),
    "a long Retry-After is the caller's": Case(
        [answer(1201, 429, {}, Retry_After="60")],
        1,
        refused(1201, retry_after_seconds=60, http_status=429),
    ),
    "a lost answer, and the order is there": Case(
        [Silence.DROPS, EXISTS, answer(1, 200, FOUND)], 3, LOOKED_UP
    ),
    "a time-out, and the order is there": Case(
        [Silence.HANGS, EXISTS, answer(1, 200, FOUND)], 3, LOOKED_UP, timeout_seconds=5
    ),
    "an internal error, and the order is there": Case(
        [BROKEN, EXISTS, answer(1, 200, FOUND)], 3, LOOKED_UP
    ),
    "a busy store, and the order is there": Case(
        [BUSY, EXISTS, answer(1, 200, FOUND)], 3, LOOKED_UP
    ),
    "a lost answer, and the draft is there": Case(
        [Silence.DROPS, EXISTS, answer(1, 200, HELD)], 3, LOOKED_UP_DRAFT
    ),
    "a lost answer, and the sell is there": Case(
        [Silence.DROPS, EXISTS, answer(1, 200, FOUND_SELL)],
        3,
        LOOKED_UP_SELL,
        method="create_sell",
        arguments=(json.dumps(NUMBER), '"100.50"', '{"method_type":"bank"}', "{}"),
    ),
    "a lost answer, and the number is another order's": Case(
        [Silence.DROPS, answer(2001, 409, {"order_no": "B0", "same": False})],
        2,
        refused(2001, after_lost_attempt=True, data={"order_no": "B0", "same": False}),
    ),
    "the number was used before": Case(
        [EXISTS], 1, refused(2001, http_status=409, after_lost_attempt=False, request_id="r-1")
    ),
    "the number was used before the limit, too": Case(
        [answer(1201, 429, {}, Retry_After="0"), EXISTS], 2, refused(2001, after_lost_attempt=False)
    ),
    "nothing is ever answered": Case([Silence.DROPS] * ATTEMPTS, ATTEMPTS, NO_ANSWER),
    "an internal error that stays": Case(
        [BROKEN] * ATTEMPTS, ATTEMPTS, refused(5000, after_lost_attempt=True, http_status=500)
    ),
    "a proxy's page is no answer": Case([PAGE_OF_A_PROXY, OK], 2, CREATED_ONCE),
    "JSON that is no envelope is no answer": Case(
        [Answer(200, b"[]"), Answer(200, b'{"code":"one"}'), Answer(503, b"null"), OK],
        4,
        CREATED_ONCE,
    ),
    "a gateway's refusal that is no envelope is not an unknown result": Case(
        [Answer(403, b"<html>Forbidden</html>")],
        1,
        {"refused": {"code": 0, "http_status": 403, "data": {}, "after_lost_attempt": False}},
    ),
    "the same buy is created once": Case([OK], 1, CREATED_ONCE, method="create_or_get"),
    "the same buy is there, with its status": Case(
        [answer(2001, 409, {"order_no": "B0", "same": True}), answer(1, 200, FOUND)],
        2,
        LOOKED_UP,
        method="create_or_get",
    ),
    "the number is another buy's": Case(
        [answer(2001, 409, {"order_no": "B0", "same": False})],
        1,
        refused(2001, data={"order_no": "B0", "same": False}),
        method="create_or_get",
    ),
    "absent parameters": Case(
        [answer(1, 200, {"orders": [], "cursor": None})],
        1,
        {"data": {"orders": []}},
        method="call",
        arguments=('"/merchant/listOrders"', '{"status":"","cursor":null,"limit":1}'),
    ),
    "metadata without a text": Case(
        [OK], 1, CREATED_ONCE, arguments=(json.dumps(NUMBER), '"100.50"', '{"metadata":{}}')
    ),
    "a draft is moved": Case(
        [answer(1, 200, LOCKED)],
        1,
        {"data": LOCKED},
        method="advance_order",
        arguments=('"locked"', '{"pending_no":"D1"}'),
    ),
    "a redirect is not followed": Case(
        [Answer(302, b"", {"location": "/elsewhere"}), OK], 2, CREATED_ONCE
    ),
    "bad parameters are named": Case(
        [answer(1002, 400, FIELDS)], 1, refused(1002, data=FIELDS, http_status=400)
    ),
    "a signature that does not match, on the test route": Case(
        [answer(1102, 401, {"reason": "bad_signature", "string_to_sign": "card 6200"})],
        1,
        refused(1102, data={"reason": "bad_signature", "string_to_sign": "card 6200"}),
    ),
    "an amount out of range": Case(
        [answer(1003, 400, {"reason": "r", "min_cny": "0.01", "max_cny": "500.00"})],
        1,
        refused(1003),
    ),
    "a move that the status does not allow": Case(
        [answer(2003, 409, {"reason": "state_conflict", "status": "paid"})],
        1,
        refused(2003),
        method="cancel_order",
        arguments=('{"order_no":"B1"}',),
    ),
    "a missing rate is the caller's to wait for": Case(
        [answer(2103, 503, {}, Retry_After="30")], 1, refused(2103, retry_after_seconds=30)
    ),
    "a code of a later version": Case([answer(2999, 409, {"x": "y"})], 1, refused(2999)),
    "the gateway's own answer, without data": Case(
        [Answer(404, b'{"code":4000,"msg":"text of 4000"}')], 1, refused(4000, data={})
    ),
    "a sell": Case(
        [answer(1, 200, SOLD)],
        1,
        {"data": SOLD},
        method="create_sell",
        arguments=(json.dumps(NUMBER), '"100.50"', '{"method_type":"bank"}', "{}"),
    ),
    "a move is repeated": Case(
        [BUSY, answer(1, 200, FOUND)],
        2,
        {"data": FOUND},
        method="cancel_order",
        arguments=('{"order_no":"B1"}',),
    ),
    **{
        f"a base URL: {base_url}": Case([], 0, {"error": None}, base_url=base_url)
        for base_url in BAD_BASE_URLS
    },
    "an order of no number": Case([OK], 0, {"error": None}, arguments=('""', '"100.50"', "{}")),
    "a float in a parameter": Case(
        [OK], 0, {"error": None}, method="list_orders", arguments=('{"limit":0.5}',)
    ),
}


@dataclass(frozen=True, slots=True)
class Played:
    outcome: dict[str, Any]
    sent: list[Sent]


@pytest.fixture(scope="module")
def played(client: Built, server: ScriptedServer) -> dict[str, Played]:
    return play(client, server, client.language.drive)


def play(client: Built, server: ScriptedServer, drive: Command) -> dict[str, Played]:
    """Run every case with a driver: in several processes at once, because they mostly wait."""
    requests = []
    for index, case in enumerate(CASES.values()):
        base_url = server.play(f"{client.language.name}-case-{index}", case.steps)
        requests.append(
            {
                "do": "call",
                "base_url": case.base_url or base_url + "/",
                "api_key": "mk_of_the_test",
                "api_secret": SECRET,
                "test": False,
                "timeout_seconds": case.timeout_seconds,
                "method": case.method,
                "arguments": case.arguments,
            }
        )
    outcomes: list[Any] = [None] * len(CASES)
    with ThreadPoolExecutor(PROCESSES) as pool:
        parts = [requests[first::PROCESSES] for first in range(PROCESSES)]
        driven = pool.map(lambda part: client.run(drive, json.dumps(part)), parts)
        for first, part in enumerate(driven):
            outcomes[first::PROCESSES] = json.loads(part)
    sent = [server.sent[f"{client.language.name}-case-{n}"] for n in range(len(CASES))]
    return {name: Played(*each) for name, *each in zip(CASES, outcomes, sent, strict=True)}


@pytest.mark.parametrize("name", CASES)
def test_the_outcome_of_an_answer(played: dict[str, Played], name: str) -> None:
    case, came = CASES[name], played[name]
    assert len(came.sent) == case.requests
    if "refused" in case.outcome:
        wanted = case.outcome["refused"]
        assert {name: came.outcome["refused"][name] for name in wanted} == wanted
    elif "error" in case.outcome:
        assert list(came.outcome) == ["error"]
    elif "data" in case.outcome:
        data = came.outcome["data"]
        assert without_empty({field: data.get(field) for field in case.outcome["data"]}) == (
            without_empty(case.outcome["data"])
        )
    else:
        assert came.outcome == case.outcome


def test_php_without_curl_does_the_same(
    client: Built, server: ScriptedServer, played: dict[str, Played]
) -> None:
    """PHP sends by cURL if it is there; `-n` loads no extension, so it sends by streams."""
    if client.language.name == "php":
        by_streams = play(client, server, ["php", "-n", "driver.php"])
        for name, came in played.items():
            assert by_streams[name].outcome == came.outcome, name
            assert len(by_streams[name].sent) == len(came.sent), name


def test_every_attempt_is_signed_anew_for_the_same_order(played: dict[str, Played]) -> None:
    nonces: set[str] = set()
    for name, came in played.items():
        for each in came.sent:
            parameters = each.parameters
            assert parameters["nonce"] not in nonces, name
            nonces.add(parameters["nonce"])
            if CASES[name].method != "list_orders":
                assert parameters["signature"] == sign(SECRET, each.path, parameters), name
        creations = [each.parameters for each in came.sent if each.path.endswith("createOrder")]
        numbers = {creation["merchant_order_no"] for creation in creations}
        assert numbers <= {NUMBER}, name


def test_a_lost_order_is_looked_up_by_its_number(played: dict[str, Played]) -> None:
    paths = [each.path for each in played["a time-out, and the order is there"].sent]
    assert paths == ["/merchant/createOrder", "/merchant/createOrder", "/merchant/queryOrder"]
    query = played["a time-out, and the order is there"].sent[-1].parameters
    assert query["merchant_order_no"] == NUMBER
    assert set(query) == {"merchant_order_no", "api_key", "timestamp", "nonce", "signature"}


def test_a_buy_and_a_sell_are_what_was_asked_for(played: dict[str, Played]) -> None:
    bought = played["an answer"].sent[0].parameters
    assert (bought["order_type"], bought["cny_amount"], bought["remark"]) == (
        1,
        "100.50",
        "茶 & <b>",
    )
    sold = played["a sell"].sent[0].parameters
    assert (sold["order_type"], sold["payment_method"]) == (2, {"method_type": "bank"})


def test_a_draft_is_moved_by_its_own_number(played: dict[str, Played]) -> None:
    [sent] = played["a draft is moved"].sent
    assert (sent.path, sent.parameters["pending_no"]) == ("/test/advanceOrder", "D1")
    assert sent.parameters["to"] == "locked"


def test_absent_parameters_are_left_out(played: dict[str, Played]) -> None:
    [sent] = played["absent parameters"].sent
    common = {"api_key", "timestamp", "nonce", "signature"}
    assert set(sent.parameters) == {"limit"} | common
    assert None not in sent.parameters.values()


def test_metadata_without_a_text_is_no_list(played: dict[str, Played]) -> None:
    [sent] = played["metadata without a text"].sent
    assert sent.parameters.get("metadata", {}) == {}


def test_an_errors_text_names_fields_and_no_values(played: dict[str, Played]) -> None:
    named = played["bad parameters are named"].outcome["refused"]["error"]
    assert "1002 text of 1002: " in named
    assert "cny_amount" in named
    forged = played["a signature that does not match, on the test route"].outcome["refused"][
        "error"
    ]
    assert "1102 text of 1102: " in forged
    assert "bad_signature" in forged
    assert "6200" not in forged


def test_an_errors_text_says_the_status_and_the_range(played: dict[str, Played]) -> None:
    moved = played["a move that the status does not allow"].outcome["refused"]["error"]
    assert "2003 text of 2003" in moved
    assert "state_conflict" in moved
    assert moved.endswith(", status paid")
    asked = played["an amount out of range"].outcome["refused"]["error"]
    assert asked.endswith(", min_cny 0.01, max_cny 500.00")


def test_every_route_is_called(language: Language) -> None:
    text = language.text
    assert [path for path in openapi.document()["paths"] if f'{path}"' not in quoted(text)] == []


def quoted(text: str) -> str:
    return text.replace("'", '"')


def test_every_code_has_its_name(language: Language) -> None:
    text = language.text.replace("_", "").lower()
    for reason, code in CODES.items():
        name = reason.replace("_", "")
        assert f"{name}=" in text.replace(" ", "").replace(":", "=").replace("code=", "="), reason
        assert str(code.code) in text
