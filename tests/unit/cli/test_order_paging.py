"""`order list` prints each page before it asks for the next one but one (contract section 9)."""

import io
import json
from contextlib import redirect_stdout
from typing import Any

import pytest
from click.testing import CliRunner

from orderdesk_cli.answering import ROWS_A_PAGE
from orderdesk_cli.api import PAGE_MAX, Api, Reply
from orderdesk_cli.commands import Invocation
from orderdesk_cli.main import app

ORDERS = 2_000


class Endless:
    """Answers `order.list`, and keeps how many rows were printed when each page was asked for."""

    def __init__(self, printed: "Counting") -> None:
        self.printed = printed
        self.behind: list[int] = []

    def __call__(self, path: str, body: bytes) -> Reply:
        assert path == "order.list"
        asked: dict[str, Any] = json.loads(body)
        assert asked["limit"] == PAGE_MAX
        first = int(asked.get("after", 0))
        self.behind.append(first - self.printed.rows)
        items = [{"number": f"B20251121{n:016d}"} for n in range(first, first + PAGE_MAX)]
        last = first + PAGE_MAX
        data = {"items": items, "next": str(last) if last < ORDERS else None}
        return Reply(200, json.dumps({"code": 1, "data": data}).encode())


class Counting(io.TextIOWrapper):
    """Discards the output, and counts rows."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")
        self.rows = 0

    def write(self, text: str) -> int:
        self.rows += text.count("B20251121")
        return len(text)


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_many_orders_are_printed_while_they_are_read(
    form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = Counting()
    endless = Endless(counting)
    obj = Invocation(open_api=lambda _: Api(endless))
    monkeypatch.setattr("builtins.print", lambda text, **_: counting.write(text))
    with redirect_stdout(counting):
        CliRunner().invoke(app, ["order", "list", form], obj=obj, catch_exceptions=False)
    assert counting.rows == ORDERS
    assert len(endless.behind) == ORDERS // PAGE_MAX
    assert max(endless.behind) <= ROWS_A_PAGE
