"""Persons who call the deployed operators' API, each with the keys of its role."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from local.stack import Stack
from tests.support.operator_calls import ROOT, Keys, signed_headers
from tests.support.visitors import threaded_http

TRY_AGAIN = 5001


class Refused(Exception):
    """An answer other than 1; nothing was changed."""

    def __init__(self, status: int, envelope: Mapping[str, Any]) -> None:
        super().__init__(f"{status} {envelope}")
        self.status, self.code, self.data = status, envelope["code"], envelope["data"]


@dataclass(frozen=True)
class People:
    """Calls as a named operator or as `root`; thread-safe."""

    stack: Stack
    keys: Mapping[str, Keys]
    http: httpx.Client

    def call(self, person: str, path: str, /, **parameters: Any) -> Any:
        """Return a command's data; `path` can begin with `solo/`. Raises: Refused."""
        url, body = f"{self.stack.outputs['OperatorUrl']}/{path}", json.dumps(parameters).encode()
        headers = signed_headers(self.keys[person], url, body)
        answer = self.http.post(url, content=body, headers=headers)
        envelope = answer.json()
        if envelope.get("code") != 1:
            raise Refused(answer.status_code, {"code": None, "data": envelope} | envelope)
        return envelope["data"]

    def insist(self, person: str, path: str, /, **parameters: Any) -> Any:
        """Call again while the answer is 5001. Raises: Refused."""
        while True:
            try:
                return self.call(person, path, **parameters)
            except Refused as refused:
                if refused.code != TRY_AGAIN:
                    raise

    def proposed(self, person: str, command: str, **parameters: Any) -> str:
        """Propose a command; return the proposal's number."""
        return str(self.insist(person, command, **parameters)["proposal"]["proposal_no"])

    def listed(self, person: str, command: str, **parameters: Any) -> list[Any]:
        """Return the items of all pages of a list."""
        items: list[Any] = []
        after = None
        while True:
            page = self.insist(person, command, **parameters, after=after)
            items += page["items"]
            after = page["next"]
            if after is None:
                return items

    def checked(self) -> Any:
        """Run the ledger check in all of its parts; return its result."""
        part = self.insist("viewer-1", "ledger.check")
        while part["next"] is not None:
            part = self.insist("viewer-1", "ledger.check", after=part["next"])
        return part


@contextmanager
def people_of(stack: Stack, operators: list[dict[str, str]]) -> Iterator[People]:
    """Yield callers with the keys of these operators of stack.json, and root."""
    keys = {each["name"]: Keys.of(each) for each in operators} | {"root": ROOT}
    with threaded_http() as http:
        yield People(stack, keys, http)


def findings_about(checked: Any, names: set[str]) -> list[Any]:
    """Return the findings whose key, account, order or proposal has one of these names."""
    return [
        finding
        for finding in checked["findings"] + checked["moving"]
        if any(name in text for name in names for text in map(str, finding.values()))
    ]
