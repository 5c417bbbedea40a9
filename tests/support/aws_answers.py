"""An installation whose AWS answers from a table."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from orderdesk_cli.installation import Installation
from orderdesk_cli.stacks import Stack

REGION = "ap-east-1"


class Answers:
    """A session and its clients; each operation has an answer, or a function of its parameters."""

    meta = SimpleNamespace(region_name=REGION)

    def __init__(self, **answers: Any) -> None:
        self._answers = answers

    def create_client(self, *_: object, **__: object) -> "Answers":
        return self

    def get_paginator(self, operation: str) -> Any:
        return SimpleNamespace(paginate=lambda **named: [getattr(self, operation)(**named)])

    def __getattr__(self, operation: str) -> Any:
        answer = self._answers[operation]
        return answer if callable(answer) else lambda **_: answer


class Outputs(dict[str, str]):
    """Outputs of a stack: the value of each is its name."""

    def __contains__(self, _: object) -> bool:
        return True

    def __missing__(self, name: str) -> str:
        return name


def installation(
    parameters: Mapping[str, str] | None = None, status: str = "UPDATE_COMPLETE", **answers: Any
) -> Installation:
    session: Any = Answers(**answers)
    stack = Stack("s", Outputs(), parameters or {}, status)
    return Installation(session, lambda: stack, pytest.fail)
