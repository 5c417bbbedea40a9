"""What botocore and moto make again for every client and key, made once for a whole run.

None of it differs between tests. Without this, most of a test on moto is reading the same JSON
models, generating RSA keys that nothing uses, and looking for names that no attribute has.
"""

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
from moto.dynamodb.models.table import StreamRecord
from moto.kms import models as kms_models
from moto.kms.utils import generate_private_key

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient


def share() -> None:
    """Let all sessions have one loader of service models, all KMS keys of a kind one RSA key.

    Let moto answer a plain attribute of an item as it stands, and only to botocore: nothing here
    asks AWS by `requests`. Look up what all sessions, clients and requests have in common once:
    names of events and of methods, handlers' parameters, the rules of a service's addresses.
    """
    botocore.session.create_loader = cache(create_loader)
    hooks.accepts_kwargs = _accepts_kwargs  # type: ignore[assignment]
    regions.EndpointProvider = _endpoint_provider  # type: ignore[attr-defined]
    models.RESPONSES_METHODS = []
    # Each transaction copies its tables, to put them back; a stream's record never changes.
    StreamRecord.__deepcopy__ = lambda record, _: record  # type: ignore[attr-defined]
    kms_models.generate_private_key = cache(generate_private_key)  # type: ignore[attr-defined]
    responses.method_names_from_class = cache(method_names_from_class)  # type: ignore[attr-defined]
    EventAliaser._alias_event_name = _alias_event_name  # type: ignore[attr-defined]
    BaseJSONSerializer._serialize_type_structure = _serialize_structure  # type: ignore[method-assign]


@cache
def kms() -> "KMSClient":
    """Give a client for all worlds."""
    return boto3.client("kms")


@cache
def s3() -> "S3Client":
    """Give a client for all worlds."""
    return boto3.client("s3")


@cache
def sqs() -> "SQSClient":
    """Give a client for all worlds."""
    return boto3.client("sqs")


_alias_anew = EventAliaser._alias_event_name  # type: ignore[attr-defined]
_aliases: dict[str, str] = {}


def _alias_event_name(self: EventAliaser, event_name: str) -> str:
    """Give the name under which an event is registered; all sessions have the same aliases."""
    if event_name not in _aliases:
        _aliases[event_name] = _alias_anew(self, event_name)
    return _aliases[event_name]


_providers: dict[int, tuple[object, EndpointProvider]] = {}


def _endpoint_provider(ruleset_data: Mapping[str, Any], **others: Any) -> EndpointProvider:
    """Give what knows a service's addresses; the loader gives all clients one set of rules.

    The rules stay with it, so that no other rules get their id.
    """
    key = id(ruleset_data)
    if key not in _providers:
        _providers[key] = ruleset_data, EndpointProvider(ruleset_data, **others)
    return _providers[key][1]


_functions_accept_kwargs = lru_cache(accepts_kwargs)


def _accepts_kwargs(handler: Callable[..., object]) -> bool:
    """Tell whether an event's handler takes any parameter; all methods of a class are alike."""
    return bool(_functions_accept_kwargs(getattr(handler, "__func__", handler)))


_serialize_any = BaseJSONSerializer._serialize_type_structure
_PLAIN = frozenset({"S", "N", "BOOL", "NULL", "SS", "NS"})


def _serialize_structure(
    self: BaseJSONSerializer, serialized: Any, value: Any, shape: Any, key: str
) -> None:
    """Serialize what is no plain attribute as moto does.

    An attribute has one of ten members, and moto asks for each under four names.
    """
    if key and shape.name == "AttributeValue" and _is_plain(value):
        serialized[key] = value
    else:
        _serialize_any(self, serialized, value, shape, key)


def _is_plain(attribute: object) -> bool:
    """Tell whether an attribute is a dict as it is sent, and so is each that it holds."""
    if not isinstance(attribute, dict) or len(attribute) != 1:
        return False
    ((kind, value),) = attribute.items()
    if kind == "M":
        return isinstance(value, dict) and all(map(_is_plain, value.values()))
    if kind == "L":
        return isinstance(value, list) and all(map(_is_plain, value))
    return kind in _PLAIN
