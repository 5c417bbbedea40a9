"""The schemas of a request's parameters, from the pydantic models and constants of the parsers."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.pricing import OrderType
from orderdesk.web.merchant.advance_order import AdvanceOrderParameters
from orderdesk.web.merchant.callbacks import ListCallbacksParameters, RedeliverParameters
from orderdesk.web.merchant.create_order import (
    BuyParameters,
    IdentityParameters,
    OrderParameters,
)
from orderdesk.web.merchant.list_orders import ListOrdersParameters
from orderdesk.web.merchant.parameters import MAX_TEXT_LENGTH, Parameters
from orderdesk.web.merchant.payment_method import METHOD_MODELS
from orderdesk.web.merchant.query_order import AnyNumber, OrderNumber
from orderdesk.web.merchant.statement import StatementParameters

type Schema = dict[str, Any]

# An int as the contract takes it: a JSON number, or a string of digits.
_LARGEST = 10**18 - 1
INTEGER: Schema = {
    "anyOf": [
        {"type": "integer", "minimum": -_LARGEST, "maximum": _LARGEST},
        {"type": "string", "pattern": "^-?[0-9]{1,18}$"},
    ]
}
AMOUNT: Schema = {
    "anyOf": [
        {"type": "string", "pattern": r"^(?=.*[1-9])[0-9]{1,15}(\.[0-9]{1,2})?$"},
        {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 10**15},
    ]
}
URL: Schema = {"pattern": "^[hH][tT][tT][pP][sS]?://[^/?#]"}
# Where a text must be seen by a person. \x85 and \xa0 are blank to Python and not to every regex.
_LINE: Schema = {
    "pattern": r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\xa0][^\x00-\x1f\x7f-\x9f]*$"
}
MAX_LISTED = 5
ABSENT: Schema = {"enum": [None, ""]}
# Contract section 2: a string at the top level holds no control character.
_SIGNABLE: Schema = {"pattern": r"^[^\x00-\x1f\x7f-\x9f]*$"}


def one_of(*allowed: int) -> Schema:
    """Give the schema of an int that has few values."""
    return {"enum": [*allowed, *map(str, allowed)]}


def _within(first: int, last: int) -> Schema:
    """Give the schema of an int in a range; a range of few is a list."""
    if last - first < MAX_LISTED:
        return one_of(*range(first, last + 1))
    whole = {"type": "integer", "minimum": first, "maximum": last}
    return {"anyOf": [whole, {"type": "string", "pattern": "^(100|[1-9][0-9]?)$"}]}


def _exactly(length: int) -> Schema:
    return {"minLength": length, "maxLength": length}


_ANY = "|".join(OrderStatus)

# What the validators of the models mean as a schema. One that is missing here stops the generator.
_MEANING: Mapping[str, Callable[..., Schema]] = {
    "_int": lambda: INTEGER,
    "_amount_fen": lambda: AMOUNT,
    "one_of.<locals>.check": lambda allowed: one_of(*map(int, allowed)),
    "within.<locals>.check": _within,
    "_exactly.<locals>.check": _exactly,
    "_printable": lambda: _LINE,
    "_card_number": lambda: {"pattern": "^[ -]*([0-9][ -]*){4,32}$"},
    "_image_url": lambda: URL,
    "_web_address": lambda: URL,
    "_statuses": lambda: {"type": "string", "pattern": f"^ *({_ANY})( *, *({_ANY}))* *$"},
    "_cursor_id": lambda: {"type": "string", "pattern": "^[A-Za-z0-9_-]{10}$"},
    "_place": lambda: {"type": "string", "pattern": "^[A-Za-z0-9_-]+$"},
}


def _meaning(validator: Callable[..., Any]) -> Schema:
    """Read what a validator checks; its closure has the values that it was made with."""
    return _MEANING[validator.__qualname__](**inspect.getclosurevars(validator).nonlocals)


class _AsSent(GenerateJsonSchema):
    """Writes what is sent, where pydantic would write what the validator makes of it."""

    def function_before_schema(self, schema: core_schema.BeforeValidatorFunctionSchema) -> Schema:
        return _meaning(schema["function"]["function"])

    def function_after_schema(self, schema: core_schema.AfterValidatorFunctionSchema) -> Schema:
        return {**self.generate_inner(schema["schema"]), **_meaning(schema["function"]["function"])}


def of_model(model: type[Parameters]) -> tuple[dict[str, Schema], list[str]]:
    """Give the properties of a model, and which of them are required."""
    whole = model.model_json_schema(schema_generator=_AsSent)
    required = whole.get("required", [])
    properties = {}
    for name, schema in whole["properties"].items():
        sent = next((s for s in schema.get("anyOf", []) if "$ref" in s), schema)
        if "$ref" in sent:  # the one enum of the models
            sent = {"type": "string", "enum": [kind.value for kind in MethodType]}
        sent = {key: value for key, value in sent.items() if key not in {"title", "default"}}
        alternatives = [part for part in sent.get("anyOf", []) if part != {"type": "null"}]
        if len(alternatives) == 1:
            sent = alternatives[0]
        elif alternatives:
            sent = {"anyOf": alternatives}
        properties[name] = sent if name in required else optional(sent)
    return properties, required


def optional(schema: Schema) -> Schema:
    """Allow what counts as not sent: null and the empty string."""
    if set(schema) == {"type", "minLength", "maxLength"} and schema["minLength"] == 1:
        return {"type": ["string", "null"], "maxLength": schema["maxLength"]}
    if "anyOf" in schema:
        return {"anyOf": [*schema["anyOf"], ABSENT]}
    if schema == {"type": "string"}:
        return {"type": ["string", "null"]}
    if "enum" in schema:
        return {"enum": [*schema["enum"], *ABSENT["enum"]]}
    return {"anyOf": [schema, ABSENT]}


_COMMON: dict[str, Schema] = {
    "api_key": {"type": "string", "minLength": 1},
    "timestamp": INTEGER,
    "nonce": {"type": "string", "pattern": "^[A-Za-z0-9_-]{8,64}$"},
    "signature": {"type": "string", "minLength": 1},
}


def signed(properties: Mapping[str, Schema], required: list[str], **more: Any) -> Schema:
    """Give the schema of a signed body: the common parameters and a route's own."""
    all_of_them = {**_COMMON, **properties}
    return {
        "type": "object",
        "required": [*_COMMON, *required],
        "properties": {name: _signable(schema) for name, schema in all_of_them.items()},
        "propertyNames": {"pattern": "^[a-z][a-z0-9_]*$"},
        **more,
    }


def _signable(schema: Schema) -> Schema:
    """Refuse control characters in every text of a parameter that has no stricter pattern."""
    if "anyOf" in schema:
        return {**schema, "anyOf": [_signable(part) for part in schema["anyOf"]]}
    is_text = "string" in schema.get("type", ())
    return {**_SIGNABLE, **schema} if is_text and "enum" not in schema else schema


def of(*models: type[Parameters], **more: Any) -> Schema:
    """Give the schema of a signed body with the parameters of some models."""
    read = [of_model(model) for model in models]
    properties = {name: schema for own, _ in read for name, schema in own.items()}
    return signed(properties, [name for _, required in read for name in required], **more)


def _one(model: type[OrderNumber]) -> list[Schema]:
    """Say that exactly one number is sent; null and "" are none."""
    sent = {"type": "string", "minLength": 1}
    return [{"required": [name], "properties": {name: sent}} for name in model.model_fields]


def _order(order_type: OrderType, model: type[OrderParameters], **own: Schema) -> Schema:
    properties, required = of_model(model)
    identity, _ = of_model(IdentityParameters)
    properties |= identity | own
    properties["order_type"] = one_of(order_type)
    properties["callback_url"] = {
        "anyOf": [{"maxLength": MAX_TEXT_LENGTH, "type": "string", **URL}, ABSENT]
    }
    return signed(properties, [*required, *own])


def _in_test(schema: Schema) -> Schema:
    """Give the schema on the test route, where every order is a test order."""
    is_test = optional(one_of(1))
    return {**schema, "properties": {**schema["properties"], "is_test": is_test}}


def _method(model: type[Parameters], *kinds: MethodType) -> Schema:
    properties, required = of_model(model)
    values = [kind.value for kind in kinds]
    properties["method_type"] = {"enum": values if "method_type" in required else [*values, ""]}
    return {"type": "object", "required": required, "properties": properties}


def _methods() -> dict[str, Schema]:
    """Return the schema of each model of a payment method, with the types that use it."""
    kinds: dict[type[Parameters], list[MethodType]] = {}
    for kind in MethodType:
        kinds.setdefault(METHOD_MODELS[kind], []).append(kind)
    return {model.__name__: _method(model, *used_by) for model, used_by in kinds.items()}


_METHODS = _methods()
_BUY = _order(OrderType.BUY, BuyParameters)
_SELL = _order(
    OrderType.SELL,
    OrderParameters,
    payment_method={"oneOf": [{"$ref": f"#/components/schemas/{name}"} for name in _METHODS]},
)
REQUESTS: Mapping[str, Schema] = {
    **_METHODS,
    "Buy": _BUY,
    "Sell": _SELL,
    "TestBuy": _in_test(_BUY),
    "TestSell": _in_test(_SELL),
    "AnyNumber": of(AnyNumber, oneOf=_one(AnyNumber)),
    "OrderNumber": of(OrderNumber, oneOf=_one(OrderNumber)),
    "OrderListing": of(ListOrdersParameters),
    "Statement": of(StatementParameters),
    "CallbackListing": of(
        AnyNumber,
        ListCallbacksParameters,
        oneOf=[*_one(AnyNumber), {"not": {"anyOf": _one(AnyNumber)}}],
    ),
    "Advance": of(OrderNumber, AdvanceOrderParameters, oneOf=_one(OrderNumber)),
    "Redelivery": of(RedeliverParameters),
    "Nothing": signed({}, []),
}
