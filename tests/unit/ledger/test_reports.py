"""Findings of the ledger check as JSON data: every kind has a line that names its item."""

import pytest

from orderdesk.domain.ledger.findings import Finding, FindingKind, Unit
from orderdesk.web.operator.findings import finding_data

AMOUNTS = {
    Unit.COUNT: (2, -5),
    Unit.SECONDS: (2, -5),
    Unit.CNY_FEN: ("0.02", "-0.05"),
    Unit.USDT_MICRO: ("0.000002", "-0.000005"),
}


@pytest.mark.parametrize("kind", FindingKind)
def test_every_kind_has_a_line_with_its_item_and_amounts(kind: FindingKind) -> None:
    finding = Finding(kind, "the-item", 2, -5, order_no="B1")
    data = finding_data(finding)
    assert (data["expected"], data["actual"]) == AMOUNTS[finding.unit]
    assert str(data["text"]).startswith("B1: the-item: ")
    assert str(data["text"]).endswith(f"({kind.value})")
    assert "proposal_no" not in data
