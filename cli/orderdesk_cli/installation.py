"""A deployed stack and its account, read from AWS with an administrator's rights.

`doctor`, `preflight` and repairs use it; everything else is a command of the operators' API.
"""

import os
import time
from collections.abc import Callable, Iterator
from functools import cache, cached_property, partial
from typing import Any

from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.session import Session

from orderdesk_cli.api import Api
from orderdesk_cli.stacks import LocalSession, Stack

_CONFIG = Config(connect_timeout=3, read_timeout=10, retries={"total_max_attempts": 3})
_ABSENT = {"ResourceNotFoundException", "NotFoundException", "ValidationError"}


class Installation:
    """A stack and its account; nothing is read or opened before it is used.

    Its methods raise botocore's errors.
    """

    def __init__(
        self, session: Session, find: Callable[[], Stack], open_api: Callable[[], Api]
    ) -> None:
        self._session = session
        self._find_stack = find
        self._open_api = open_api
        self.client: Callable[[str], Any] = cache(partial(session.create_client, config=_CONFIG))

    @cached_property
    def stack(self) -> Stack:
        """The stack. Raises: StackUnavailable, botocore's errors."""
        return self._find_stack()

    @cached_property
    def api(self) -> Api:
        """The stack's operators' API."""
        return self._open_api()

    def now(self) -> int:
        """Return the time in Unix seconds."""
        return int(time.time())

    @property
    def is_emulated(self) -> bool:
        """Whether the stack is on this machine's emulator."""
        named = os.environ.get("AWS_ENDPOINT_URL") or os.environ.get("AWS_ENDPOINT_URL_S3")
        return isinstance(self._session, LocalSession) or bool(named)

    @property
    def region(self) -> str:
        """The region that the credentials are used in."""
        return str(self.client("sts").meta.region_name)

    def found(self, service: str, operation: str, **named: str) -> Any:
        """Ask for one thing; None if there is none."""
        try:
            return getattr(self.client(service), operation)(**named)
        except ClientError as error:
            if error.response["Error"]["Code"] in _ABSENT:
                return None
            raise

    def pages(self, service: str, operation: str, key: str, **named: str) -> Iterator[Any]:
        """Yield the things that the pages of an answer have at a key."""
        for page in self.client(service).get_paginator(operation).paginate(**named):
            yield from page[key]

    @cached_property
    def resources(self) -> dict[str, str]:
        """The stack's physical names by their logical ids."""
        name, kept = self.stack.name, "StackResourceSummaries"
        found = self.pages("cloudformation", "list_stack_resources", kept, StackName=name)
        return {each["LogicalResourceId"]: each.get("PhysicalResourceId", "") for each in found}
