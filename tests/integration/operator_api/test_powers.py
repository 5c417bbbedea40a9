"""Every field of every command that writes has its power (contract section 11)."""

import pytest

from orderdesk.domain.authority import Power
from orderdesk.web.operator.declare import Role
from orderdesk.web.operator.endpoint import COMMANDS
from tests.support.commands import POWERS
from tests.support.operator_api import OperatorApi

EXPLAINS = {"idempotency_key", "reason", "memo"}  # every write may have them; they change nothing
ALWAYS_TWO = {Power.MONEY, Power.DESTINATION, Power.SECRET, Power.ADMISSION}


def test_who_may_only_read_calls_no_command_that_writes() -> None:
    assert {n for n, each in COMMANDS.items() if each.role is not Role.VIEWER} == POWERS.keys()
    assert {n for n, each in COMMANDS.items() if each.powers} == POWERS.keys()


@pytest.mark.parametrize("command", sorted(POWERS))
def test_each_field_has_its_power_and_money_and_admission_are_finances(command: str) -> None:
    assert POWERS[command].keys() == COMMANDS[command].parameters.model_fields.keys() - EXPLAINS
    if ALWAYS_TWO & set(POWERS[command].values()):
        assert COMMANDS[command].role is Role.FINANCE


def test_rights_have_the_schema_of_each_command(api: OperatorApi) -> None:
    rights = api.data("viewer-1", "rights.list")
    assert rights["schemas"].keys() == rights["roles"].keys() == COMMANDS.keys()
    fund = rights["schemas"]["fund.merchant"]
    assert fund["required"] == ["amount", "memo", "merchant_id"]
    assert fund["additionalProperties"] is False
    assert fund["properties"]["amount"]["type"] == "string"
    assert fund["properties"]["amount"]["x-power"] == "money"
    assert "x-power" not in fund["properties"]["memo"]
    for name, schema in rights["schemas"].items():
        amounts = {
            n: p for n, p in schema["properties"].items() if n.endswith("_cny") or n == "usdt"
        }
        for each in amounts.values():
            assert "string" in {part.get("type") for part in each.get("anyOf", [each])}, name
        assert schema["properties"].keys() == COMMANDS[name].parameters.model_fields.keys()
