"""Caches and shortcuts for botocore, moto and httpx; without them most of a test is waste.

Every client reads the same JSON models, every KMS key generates an RSA key that nothing uses, and
a request by httpx reads all authorities' keys. DynamoDB is not moto's but the emulator's
(tests/support/engine.py).
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
from httpx import create_ssl_context
from httpx._transports import default as httpx_transports
from moto.core import models, responses
from moto.core.utils import camelcase_to_underscores, method_names_from_class
from moto.kms import models as kms_models
from moto.kms.models import kms_backends
from moto.kms.utils import generate_private_key
from moto.s3.models import s3_backends
from moto.sqs import models as sqs_models
from moto.sqs.models import sqs_backends

from tests.support import clients, engine

if TYPE_CHECKING:
    from mypy_boto3_kms import KMSClient
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_sqs import SQSClient


def share() -> None:
    """Patch botocore, moto and httpx for the whole run."""
    botocore.session.create_loader = cache(create_loader)
    httpx_transports.create_ssl_context = cache(create_ssl_context)  # type: ignore[attr-defined]
    hooks.accepts_kwargs = _accepts_kwargs  # type: ignore[assignment]
    regions.EndpointProvider = _endpoint_provider  # type: ignore[attr-defined]
    models.RESPONSES_METHODS = []  # only botocore calls AWS here, never `requests`
    kms_models.generate_private_key = cache(generate_private_key)  # type: ignore[attr-defined]
    engine.share()
    responses.method_names_from_class = cache(method_names_from_class)  # type: ignore[attr-defined]
    sqs_models.camelcase_to_underscores = cache(camelcase_to_underscores)  # type: ignore[attr-defined]
    EventAliaser._alias_event_name = _alias_event_name  # type: ignore[attr-defined]
    clients.share()


@cache
def kms() -> "KMSClient":
    return boto3.client("kms")


@cache
def s3() -> "S3Client":
    return boto3.client("s3")


@cache
def sqs() -> "SQSClient":
    return boto3.client("sqs")


_created: dict[str, Any] = {}


def created_once(create: Callable[[], dict[str, str]]) -> dict[str, str]:
    """Call `create` in an empty account; later restore what it created there, and return the same.

    Keys are shared, because no test changes one. Buckets and queues hold their content, so they are
    created again.
    """
    account, region = engine.ACCOUNT, engine.REGION
    keys, queues = kms_backends[account][region], sqs_backends[account][region]
    buckets = s3_backends[account]["aws"]
    if _created:
        engine.restore(_created["tables"])
        keys.keys.update(_created["keys"])
        for name in _created["buckets"]:
            buckets.create_bucket(name, region)
        for name in _created["queues"]:
            queues.create_queue(name)
    else:
        _created["returned"] = create()
        _created["tables"] = engine.snapshot()
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
