"""The operators' API of a local stack, called by the emulated account's root."""

from collections.abc import Mapping

from botocore.session import Session

from orderdesk_cli.api import Api
from orderdesk_cli.stacks import LOCAL_CREDENTIALS, LOCAL_REGION, Installation


def root_api(outputs: Mapping[str, str]) -> Api:
    """Return a client that acts alone, because root is one person."""
    session = Session()
    session.set_credentials(LOCAL_CREDENTIALS, LOCAL_CREDENTIALS)
    session.set_config_variable("region", LOCAL_REGION)
    return Installation(session, "", outputs["OperatorUrl"]).api
