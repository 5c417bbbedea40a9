"""A new operators' command is one declaration and one row for its answer, and all else follows."""

import json
from collections.abc import Iterator
from typing import Any

import click
import pytest
from click.testing import CliRunner

from orderdesk.domain.authority import Power
from orderdesk.web.operator.declare import DECLARED, Json, OperatorPorts, Role, command, powers
from orderdesk.web.operator.parameters import Memo, TraderId, UsdtMicro, WriteParameters, told
from orderdesk_cli import commands, options
from orderdesk_cli.console.forms import Action
from orderdesk_cli.sheets.sheet import Facts, Sheet
from orderdesk_cli.sheets.words import fields
from tests.support.offices import api_on, installation_of
from tests.support.world import World
from tools.openapi.document import commands_text

NAME = "trader.praise"


class PraiseParameters(WriteParameters):
    """Parameters of `trader.praise`."""

    trader_id: TraderId
    bonus: UsdtMicro = told("For a good month, USDT.")
    memo: Memo


@pytest.fixture
def praise(monkeypatch: pytest.MonkeyPatch) -> Iterator[click.Command]:

    @command(NAME, Role.SUPPORT, powers(Power.CONTACT, "trader_id bonus"))
    def run(ports: OperatorPorts, asked: PraiseParameters) -> Json:
        """Praise a trader; a `bonus` is only a word."""
        assert ports.traders.trader(asked.trader_id)
        return {"trader_id": asked.trader_id, "reason": f"{asked.memo} {asked.bonus}"}

    written = json.loads(commands_text())
    for module in (options, commands):
        monkeypatch.setattr(module, "of_api", written.__getitem__)
    yield commands.calls(NAME, Sheet([Facts(fields("trader_id reason"))]))
    del DECLARED[NAME], commands.DECLARED[NAME]


def test_all_else_follows_from_a_commands_declaration(praise: click.Command, world: World) -> None:
    world.add_trader(name="wang")
    api = api_on(world, "support-1")
    place = installation_of(api)
    rights: Any = api.call("rights.list")
    assert rights["roles"][NAME] == "support"
    assert rights["schemas"][NAME]["properties"]["bonus"]["x-power"] == "contact"
    shown = CliRunner().invoke(praise, ["--help"]).output
    assert "TRADER" not in shown
    assert all(text in shown for text in ("ID BONUS", "--memo MEMO", "For a good month"))
    for words, code in ((["wang", "1,000.5", "--memo", "well"], 0), (["wang", "x"], 2)):
        done = CliRunner().invoke(praise, words, obj=commands.Invocation(lambda _: place))
        assert (done.exit_code, "well 1000500000" in done.output) == (code, code == 0)
    asked = Action(NAME, "Praise", "表扬").inputs("traders/{trader_id}")
    assert [(each.name, each.required) for each in asked] == [("bonus", True), ("memo", True)]
