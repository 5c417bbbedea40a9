"""A deployed stack and its account, read from AWS with an administrator's rights.

`doctor`, `preflight` and repairs use it; everything else is a command of the operators' API.
"""

import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from orderdesk_cli.stacks import Stack, find_stack, is_emulated, session_from_environment

if TYPE_CHECKING:
    from botocore.session import Session

    from orderdesk_cli.account import Account
    from orderdesk_cli.api import Api
    from orderdesk_cli.facts import Facts


class Installation:
    """A stack; nothing is imported, read or opened before it is used."""

    def __init__(
        self, session: "Session", find: Callable[[], Stack], open_api: "Callable[[], Api]"
    ) -> None:
        self._session = session
        self._find = find
        self._open_api = open_api

    def now(self) -> int:
        """Return the time in Unix seconds."""
        return int(time.time())

    @cached_property
    def stack(self) -> Stack:
        """The stack. Raises: StackUnavailable, botocore's errors."""
        return self._find()

    @cached_property
    def api(self) -> "Api":
        """The stack's operators' API."""
        return self._open_api()

    @cached_property
    def account(self) -> "Account":
        """The stack's resources, and the account that they are in."""
        from orderdesk_cli.account import Account  # noqa: PLC0415 loaded only where it is used

        return Account(self._session, self.stack)

    @cached_property
    def facts(self) -> "Facts":
        """The account before the stack is in it."""
        from orderdesk_cli.facts import Facts  # noqa: PLC0415 as above

        return Facts(self._session)

    @property
    def is_emulated(self) -> bool:
        """Whether the stack is on this machine's emulator."""
        return is_emulated(self._session)


def open_installation(stack_name: str, open_api: "Callable[[], Api]") -> Installation:
    """Open the stack of a name, with the AWS configuration of the environment."""
    session = session_from_environment()
    return Installation(session, lambda: find_stack(session, stack_name), open_api)
