"""The schemas of a request's parameters, from the pydantic models and constants of the parsers."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import core_schema

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.pricing import OrderType
from orderdesk.services.orders.listing import MAX_LIMIT
from orderdesk.web.merchant.create_order import (
    BuyParameters,
    IdentityParameters,
    OrderParameters,
)
from orderdesk.web.merchant.parameters import MAX_TEXT_LENGTH, Parameters
from orderdesk.web.merchant.payment_method import BankMethod, WalletMethod

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
TEXT: Schema = {"type": "string", "minLength": 1, "maxLength": MAX_TEXT_LENGTH}
# Where a text must be seen by a person. \x85 and \xa0 are blank to Python and not to every regex.
_LINE: Schema = {
    "pattern": r"^[^\x00-\x1f\x7f-\x9f]*[^\s\x00-\x1f\x7f-\xa0][^\x00-\x1f\x7f-\x9f]*$"
}
ABSENT: Schema = {"enum": [None, ""]}
LIMIT: Schema = {
    "anyOf": [
        {"type": "integer", "minimum": 1, "maximum": MAX_LIMIT},
        {"type": "string", "pattern": "^(100|[1-9][0-9]?)$"},
    ]
}
# Contract section 2: a string at the top level holds no control character.
_SIGNABLE: Schema = {"pattern": r"^[^\x00-\x1f\x7f-\x9f]*$"}


def one_of(*allowed: int) -> Schema:
    """Give the schema of an int that has few values."""
    return {"enum": [*allowed, *map(str, allowed)]}


def _exactly(length: int) -> Schema:
    return {"minLength": length, "maxLength": length}


# What the validators of the models mean as a schema. One that is missing here stops the generator.
_MEANING: Mapping[str, Callable[..., Schema]] = {
    "_int": lambda: INTEGER,
    "_amount_fen": lambda: AMOUNT,
    "_one_of.<locals>.check": lambda allowed: one_of(*map(int, allowed)),
    "_exactly.<locals>.check": _exactly,
    "_printable": lambda: _LINE,
    "_card_number": lambda: {"pattern": "^[ -]*([0-9][ -]*){4,32}$"},
    "_image_url": lambda: URL,
    "_url": lambda: URL,
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
    if set(schema) <= {"enum", "type"}:
        return {"enum": [*schema["enum"], *ABSENT["enum"]]}
    return {"anyOf": [schema, ABSENT]}


def _optionals(schemas: Mapping[str, Schema]) -> dict[str, Schema]:
    return {name: optional(schema) for name, schema in schemas.items()}


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


def exactly_one(*names: str) -> Schema:
    """Give the schema of a body that names one order."""
    alternatives = [{"required": [name]} for name in names]
    return signed(dict.fromkeys(names, TEXT), [], oneOf=alternatives)


def _order(order_type: OrderType, model: type[OrderParameters], **own: Schema) -> Schema:
    properties, required = of_model(model)
    identity, _ = of_model(IdentityParameters)
    properties |= identity | own
    properties["order_type"] = one_of(order_type)
    properties["callback_url"] = {
        "anyOf": [{"maxLength": MAX_TEXT_LENGTH, "type": "string", **URL}, ABSENT]
    }
    return signed(properties, [*required, *own])


def _method(model: type[Parameters], *kinds: MethodType) -> Schema:
    properties, required = of_model(model)
    values = [kind.value for kind in kinds]
    properties["method_type"] = {"enum": values if "method_type" in required else [*values, ""]}
    return {"type": "object", "required": required, "properties": properties}


STATUSES = "|".join(OrderStatus)
REQUESTS: Mapping[str, Schema] = {
    "BankMethod": _method(BankMethod, MethodType.BANK),
    "WalletMethod": _method(WalletMethod, MethodType.WECHAT, MethodType.ALIPAY),
    "Buy": _order(OrderType.BUY, BuyParameters),
    "Sell": _order(
        OrderType.SELL,
        OrderParameters,
        payment_method={
            "oneOf": [
                {"$ref": "#/components/schemas/BankMethod"},
                {"$ref": "#/components/schemas/WalletMethod"},
            ]
        },
    ),
    "Listing": signed(
        _optionals(
            {
                "status": {"type": "string", "pattern": f"^ *({STATUSES})( *, *({STATUSES}))* *$"},
                "order_type": one_of(*OrderType),
                "is_test": one_of(0, 1),
                "start_time": INTEGER,
                "end_time": INTEGER,
                "limit": LIMIT,
                "cursor": {"type": "string", "pattern": "^[A-Za-z0-9_-]{10}$"},
            }
        ),
        [],
    ),
    "Nothing": signed({}, []),
}
