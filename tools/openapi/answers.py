"""The schemas of the answers. The views' output defines the fields, `TYPES` their types."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from orderdesk.domain.callbacks.delivery import DeliveryState
from orderdesk.domain.callbacks.events import CallbackType
from orderdesk.domain.errors import SHOWN_LENGTH_MAX
from orderdesk.domain.merchants.notices import NoticeKind
from orderdesk.domain.merchants.withdrawals import RequestStatus
from orderdesk.domain.orders.amounts import NEARBY_MAX
from orderdesk.domain.orders.drafts import DraftStatus
from orderdesk.domain.orders.open_orders import OpenLimit
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor
from orderdesk.domain.payment_methods import MethodType
from orderdesk.services.merchants.statement import ACCOUNTS, KINDS
from orderdesk.web.codes import FIELDS_MAX
from orderdesk.web.merchant import endpoint
from tools.openapi.texts import Schema

COUNT: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
TEXT: Schema = {"type": "string"}
TIME: Schema = {"type": "integer", "format": "int64", "minimum": 0}
URL: Schema = {"type": "string", "format": "uri"}
CNY: Schema = {"type": "string", "pattern": r"^[0-9]+\.[0-9]{2}$"}
USDT: Schema = {"type": "string", "pattern": r"^-?[0-9]+\.[0-9]{6}$"}
RATE: Schema = {"type": "string", "pattern": r"^[0-9]+\.[0-9]{4}$"}
ORDER_NO: Schema = {"type": "string", "pattern": "^[BS][0-9]{24}$"}
PENDING_NO: Schema = {"type": "string", "pattern": "^D[0-9]{24}$"}


def _values(enum: type[Any]) -> Schema:
    return {"type": "string", "enum": [member.value for member in enum]}


def _or_null(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]}


def _list(schema: Schema, **bounds: int) -> Schema:
    return {"type": "array", "items": schema, **bounds}


def constant(value: int | str) -> Schema:
    """Return the schema of one value."""
    return {"type": "integer" if isinstance(value, int) else "string", "const": value}


def ref(name: str) -> Schema:
    """Return a reference to a schema of the document."""
    return {"$ref": f"#/components/schemas/{name}"}


EVENTS = ("Order", "Draft", "Endpoint", "Account")


def _each(names: str, schema: Schema) -> dict[str, Schema]:
    """Return one schema for several names, with spaces between them."""
    return dict.fromkeys(names.split(), schema)


# The type of every field of answers and callbacks. A rendered field that is missing here stops the
# generator. "Schema.field" has priority over "field".
TYPES: Mapping[str, Schema] = {
    **_each(
        "cny_amount requested_cny_amount reported_cny_amount min_cny max_cny max_open_cny open_cny "
        "max_open_sell_cny open_sell_cny",
        CNY,
    ),
    **_each(
        "usdt_amount merchant_amount deposit_amount service_amount merchant_actual_amount amount "
        "balance available held deposit reversed_usdt claimed_usdt service_fixed",
        USDT,
    ),
    **_each("createtime updatetime expire_time time timestamp server_time rate_time since", TIME),
    **_each("BuyOrder.expire_time SellOrder.expire_time OrderEvent.expire_time", _or_null(TIME)),
    **_each("next_time opens_at", _or_null(TIME)),
    **_each("pay_url identity_url", URL),
    **_each(
        "string_to_sign webhook_id answer reason problem bank sub_bank card_number account qr_code "
        "real_name full_info endpoint_id remark event_id callback_url return_url AccountEvent.by "
        "origin Posting.id hash",
        TEXT,
    ),
    **_each(
        "merchant_order_no failure cursor request_no withdrawal_no network address_ending txid "
        "Withdrawal.reason Agreement.callback_url",
        _or_null(TEXT),
    ),
    **_each(
        "service_bps deposit_bps spread_bps max_rps max_open_buys open_buys max_open_sells "
        "open_sells latency_ms",
        COUNT,
    ),
    **_each("identity_required require_receipt same", FLAG),
    "metadata": {"type": "object", "additionalProperties": TEXT},
    "would_match": _or_null(FLAG),
    "state": _values(RequestStatus),
    "ListedEvent.data": {"anyOf": [ref(f"{of}Event") for of in EVENTS]},
    **_each("Posting.order_no Delivery.order_no", _or_null(ORDER_NO)),
    **_each("Draft.status DraftEvent.status", _values(DraftStatus)),
    "AccountEvent.kind": _values(NoticeKind),
    "Delivery.pending_no": _or_null(PENDING_NO),
    "Delivery.status": _values(DeliveryState),
    "Posting.account": {"type": "string", "enum": list(ACCOUNTS)},
    "by": _values(Actor),
    "callbacks": _list(ref("Delivery")),
    "field": {"type": "string", "maxLength": SHOWN_LENGTH_MAX},
    "http_status": _or_null({"type": "integer"}),
    "ignored": _list(TEXT, minItems=1, maxItems=endpoint.IGNORED_MAX),
    "is_test": {"type": "integer", "enum": [0, 1]},
    "kind": {"type": "string", "enum": list(KINDS)},
    "limit": _values(OpenLimit),
    "method_type": _values(MethodType),
    "more": {"type": "boolean", "const": True},
    "nearby": _list(CNY, maxItems=NEARBY_MAX),
    "order_id": {"type": "integer", "format": "int64", "minimum": 0, "maximum": 2**53 - 1},
    "order_no": ORDER_NO,
    "order_type": {"type": "integer", "enum": [1, 2]},
    "orders": _list({"oneOf": [ref("BuyOrder"), ref("SellOrder")]}),
    "pending_no": PENDING_NO,
    "rate": RATE,
    "result_status": {"type": "string", "enum": ["success", "pending_identity"]},
    "sequence": {"type": "integer", "minimum": 1},
    "state_conflict.status": {
        "type": "string",
        "enum": list(dict.fromkeys([*map(str, OrderStatus), *map(str, DraftStatus)])),
    },
    "status": _values(OrderStatus),
    "refund_of": ORDER_NO,
    "type": _values(CallbackType),
    **_each("CreatedBuy.order_type BuyOrder.order_type", constant(1)),
    **_each("CreatedSell.order_type SellOrder.order_type", constant(2)),
    "CreatedBuy.result_status": constant("success"),
    "HeldDraft.result_status": constant("pending_identity"),
    # The objects inside of answers. The document has their schemas in this order.
    "payment_method": ref("TraderMethod"),
    "customer_payment_method": ref("CustomerMethod"),
    "timeline": _list(ref("TimelineEntry"), minItems=1),
    **_each("live test", ref("Balance")),
    "seal": ref("Seal"),
    "postings": _list(ref("Posting")),
    "attempts": _list(ref("Attempt")),
    "refunds": _list(ref("Refund"), minItems=1),
    "paused": _list(ref("PausedEndpoint")),
    "fees": ref("Fees"),
    **_each("Agreement.live Agreement.test", ref("Limits")),
    "withdrawals": _list(ref("Withdrawal")),
    "events": _list(ref("ListedEvent")),
    "fields": _list(ref("FieldProblem"), minItems=1, maxItems=FIELDS_MAX),
}


def _type_of(name: str, field: str) -> Schema:
    return TYPES.get(f"{name}.{field}") or TYPES[field]


def _object_in(schema: Schema) -> str:
    """Return the name of the object that a field is or lists; "" if there is none."""
    found: str = schema.get("items", schema).get("$ref", "")
    return found.rpartition("/")[2]


def _inside(name: str, rendered: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the objects inside of a view's output at any depth, each with its schema's name."""
    for field, value in rendered.items():
        if value and (inner := _object_in(_type_of(name, field))):
            for each in value if isinstance(value, list) else [value]:
                yield inner, each
                yield from _inside(inner, each)


def objects_in(views: Mapping[str, Iterable[Mapping[str, Any]]]) -> dict[str, Schema]:
    """Return the schemas of the objects that are only inside of views' outputs."""
    found: dict[str, list[Mapping[str, Any]]] = {
        name: [] for schema in TYPES.values() if (name := _object_in(schema)) not in {"", *views}
    }
    for name, outputs in views.items():
        for inner, each in (pair for rendered in outputs for pair in _inside(name, rendered)):
            if inner in found:
                found[inner].append(each)
    return {name: of_view(name, *each) for name, each in found.items()}


def of_view(name: str, *rendered: Mapping[str, object], **fixed: Schema) -> Schema:
    """Return the schema of an object from a view's output.

    A field that only some of the outputs have is optional. `fixed`: fields with one value in this
    object.
    """
    names = list(dict.fromkeys(field for each in rendered for field in each))
    properties = {field: fixed.get(field) or _type_of(name, field) for field in names}
    required = [field for field in names if all(field in each for each in rendered)]
    return {"type": "object", "required": required, "properties": properties}


def envelope(code: int, data: Schema, *, from_gateway: bool) -> Schema:
    """Return the schema of an answer; API Gateway's own answers have no `time`."""
    properties = {"code": constant(code), "msg": TEXT, "data": data, "time": TIME}
    required = [name for name in properties if name != "time" or not from_gateway]
    return {"type": "object", "required": required, "properties": properties}


def refusal(code: int, reason: str, datas: Sequence[Mapping[str, object]]) -> Schema:
    """Return the schema of a refusal from its examples' data."""
    data = of_view(reason, *datas, reason=constant(reason))
    # API Gateway sends only the slug: `data` of its 1002 has no `fields`.
    return envelope(code, data, from_gateway=True)
