"""Ten thousand items are listed page by page, and few are kept at a time."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from orderdesk_cli.api import Api, Reply
from orderdesk_cli.invocation import Invocation
from orderdesk_cli.main import app

MANY, PAGE = 10_000, 100


class Items:
    """Answers a list page by page, and keeps what was asked."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []

    def __call__(self, path: str, body: bytes) -> Reply:
        assert path == "proposal.list"
        asked = json.loads(body)
        self.asked.append(asked)
        first = int(asked.get("after", 0))
        items = [{"proposal_no": f"P{n}"} for n in range(first, first + asked["limit"])]
        end = first + asked["limit"]
        data = {"items": items, "next": str(end) if end < MANY else None}
        return Reply(200, json.dumps({"code": 1, "msg": "", "data": data, "time": 1}).encode())


@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)], ids=["people", "json", "csv"])
def test_ten_thousand_are_listed_by_pages(form: tuple[str, ...]) -> None:
    server = Items()
    obj = Invocation(open_api=lambda _: Api(server))
    result = CliRunner().invoke(app, ["proposal", "list", *form], obj=obj)
    assert result.exit_code == 0
    assert len(server.asked) == MANY // PAGE
    if form == ("--json",):
        assert [item["proposal_no"] for item in json.loads(result.stdout)][-1] == f"P{MANY - 1}"
    else:
        assert f"P{MANY - 1}" in result.stdout


def test_a_limit_reads_no_more_than_it_needs() -> None:
    server = Items()
    obj = Invocation(open_api=lambda _: Api(server))
    result = CliRunner().invoke(app, ["proposal", "list", "--limit", "3", "--json"], obj=obj)
    assert [item["proposal_no"] for item in json.loads(result.stdout)] == ["P0", "P1", "P2"]
    assert [asked["limit"] for asked in server.asked] == [3]
