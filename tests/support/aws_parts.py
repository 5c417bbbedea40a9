"""Caches and shortcuts for botocore and moto; without them most of a test on moto is waste.

Every client reads the same JSON models, every KMS key generates an RSA key that nothing uses, and
every transaction copies all items of its tables.
"""

import copy
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import boto3
import botocore.session
from botocore import hooks, regions
from botocore.compat import accepts_kwargs
from botocore.endpoint_provider import EndpointProvider
from botocore.hooks import EventAliaser
from botocore.loaders import create_loader
from moto.core import models, responses
from moto.core.serialize import BaseJSONSerializer
from moto.core.utils import method_names_from_class
from moto.dynamodb.models import DynamoDBBackend, dynamodb_backends
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.models.table import Table
from moto.kms import models as kms_models
from moto.kms.models import kms_backends
from moto.kms.utils import generate_private_key
from moto.s3.models import s3_backends
from moto.sqs.models import sqs_backends

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient


def share() -> None:
    """Patch botocore and moto for the whole run."""
    botocore.session.create_loader = cache(create_loader)
    hooks.accepts_kwargs = _accepts_kwargs  # type: ignore[assignment]
    regions.EndpointProvider = _endpoint_provider  # type: ignore[attr-defined]
    models.RESPONSES_METHODS = []  # only botocore calls AWS here, never `requests`
    Table.__deepcopy__ = _snapshot  # type: ignore[attr-defined]
    DynamoDBBackend.update_item = _update_item  # type: ignore[method-assign]
    DynamoType.cast_value = property(_cast_value)  # type: ignore[assignment]
    kms_models.generate_private_key = cache(generate_private_key)  # type: ignore[attr-defined]
    responses.method_names_from_class = cache(method_names_from_class)  # type: ignore[attr-defined]
    EventAliaser._alias_event_name = _alias_event_name  # type: ignore[attr-defined]
    BaseJSONSerializer._serialize_type_structure = _serialize_structure  # type: ignore[method-assign]


@cache
def kms() -> "KMSClient":
    return boto3.client("kms")


@cache
def s3() -> "S3Client":
    return boto3.client("s3")


@cache
def sqs() -> "SQSClient":
    return boto3.client("sqs")


_ACCOUNT, _REGION = "123456789012", "us-east-1"
_created: dict[str, Any] = {}


def created_once(create: Callable[[], dict[str, str]]) -> dict[str, str]:
    """Call `create` in an empty account; later restore what it created there, and return the same.

    Keys are shared, because no test changes one. Buckets and queues hold their content, so they are
    created again.
    """
    tables, keys = dynamodb_backends[_ACCOUNT][_REGION], kms_backends[_ACCOUNT][_REGION]
    buckets, queues = s3_backends[_ACCOUNT]["aws"], sqs_backends[_ACCOUNT][_REGION]
    if _created:
        tables.tables = {name: copy.deepcopy(each) for name, each in _created["tables"].items()}
        keys.keys.update(_created["keys"])
        for name in _created["buckets"]:
            buckets.create_bucket(name, _REGION)
        for name in _created["queues"]:
            queues.create_queue(name)
    else:
        _created["returned"] = create()
        _created["tables"] = {name: copy.deepcopy(each) for name, each in tables.tables.items()}
        _created["keys"] = dict(keys.keys)
        _created["buckets"], _created["queues"] = [*buckets.buckets], [*queues.queues]
    returned: dict[str, str] = _created["returned"]
    return returned


_alias_anew = EventAliaser._alias_event_name  # type: ignore[attr-defined]
_aliases: dict[str, str] = {}


def _alias_event_name(self: EventAliaser, event_name: str) -> str:
    """Return the name under which an event is registered; all sessions have the same aliases."""
    if event_name not in _aliases:
        _aliases[event_name] = _alias_anew(self, event_name)
    return _aliases[event_name]


_providers: dict[int, tuple[object, EndpointProvider]] = {}


def _endpoint_provider(ruleset_data: Mapping[str, Any], **others: Any) -> EndpointProvider:
    """Return the provider for a service's rules, which the shared loader reads once.

    The rules are kept, so that no other rules can have their id.
    """
    key = id(ruleset_data)
    if key not in _providers:
        _providers[key] = ruleset_data, EndpointProvider(ruleset_data, **others)
    return _providers[key][1]


_functions_accept_kwargs = lru_cache(accepts_kwargs)


def _accepts_kwargs(handler: Callable[..., object]) -> bool:
    """Return whether an event's handler takes keyword arguments; cached by its function."""
    return bool(_functions_accept_kwargs(getattr(handler, "__func__", handler)))


_serialize_any = BaseJSONSerializer._serialize_type_structure
_PLAIN = frozenset({"S", "N", "BOOL", "NULL", "SS", "NS"})


def _serialize_structure(
    self: BaseJSONSerializer, serialized: Any, value: Any, shape: Any, key: str
) -> None:
    """Answer a plain attribute unchanged; moto looks for its ten members under four names each."""
    if key and shape.name == "AttributeValue" and _is_plain(value):
        serialized[key] = value
    else:
        _serialize_any(self, serialized, value, shape, key)


def _is_plain(attribute: object) -> bool:
    """Return whether an attribute, with all it contains, already has the form of the wire."""
    if not isinstance(attribute, dict) or len(attribute) != 1:
        return False
    ((kind, value),) = attribute.items()
    if kind == "M":
        return isinstance(value, dict) and all(map(_is_plain, value.values()))
    if kind == "L":
        return isinstance(value, list) and all(map(_is_plain, value))
    return kind in _PLAIN


def _snapshot(table: Table, _: object) -> Table:
    """Copy a table for a rollback, but share its items, which `_update_item` replaces."""
    copied = copy.copy(table)
    items: Any = table.items
    if table.has_range_key:
        copied.items = defaultdict(dict, {key: dict(rows) for key, rows in items.items()})
    else:
        copied.items = items.copy()
    if table.stream_shard is not None:
        copied.stream_shard = copy.copy(table.stream_shard)
        copied.stream_shard.table = copied
        copied.stream_shard.items = list(table.stream_shard.items)
    return copied


_cast_any: Callable[[DynamoType], Any] = DynamoType.__dict__["cast_value"].fget


def _cast_value(self: DynamoType) -> Any:
    """Return a value to compare; moto looks for five other types before text, which keys are."""
    return self.value if self.type == "S" else _cast_any(self)


_update_in_place = DynamoDBBackend.update_item


def _update_item(
    self: DynamoDBBackend, table_name: str, key: Any, *arguments: Any, **named: Any
) -> Any:
    """Replace an item by a copy before moto changes it in place."""
    table = self.get_table(table_name)
    hash_key = DynamoType(key[table.hash_key_attr])
    range_key = DynamoType(key[table.range_key_attr]) if table.has_range_key else None
    item = table.get_item(hash_key, range_key)
    if item is not None:
        items: Any = table.items[hash_key] if range_key else table.items
        items[range_key or hash_key] = copy.deepcopy(item)
    return _update_in_place(self, table_name, key, *arguments, **named)
