"""The operators' API of a local stack, called by the emulated account's root."""

from collections.abc import Mapping

from orderdesk_cli.api import Api
from orderdesk_cli.stacks import Installation, LocalSession


def root_api(endpoint_url: str, outputs: Mapping[str, str]) -> Api:
    """Return a client that acts alone, because root is one person."""
    return Installation(LocalSession(endpoint_url), "", outputs["OperatorUrl"]).api
