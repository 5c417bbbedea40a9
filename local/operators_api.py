"""The operators' API of a local stack, called by the emulated account's root."""

from collections.abc import Mapping

from orderdesk_cli.api import Api
from orderdesk_cli.stacks import LocalSession, SignedTransport


def root_api(endpoint_url: str, outputs: Mapping[str, str]) -> Api:
    """Return a client that acts alone, because root is one person."""
    transport = SignedTransport(LocalSession(endpoint_url), "", outputs["OperatorUrl"])
    return Api(transport, fetch=transport.fetch)
