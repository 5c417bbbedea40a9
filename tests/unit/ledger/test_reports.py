"""The ledger check as JSON data: findings have a line each, moving accounts are apart."""

import json

import pytest

from orderdesk.domain.ledger.check_run import CheckRun
from orderdesk.domain.ledger.findings import Finding, FindingKind, Unit
from orderdesk.web.operator.ledger import check_data, finding_data

KEY = "merchant:m0:live"
BALANCE = Finding(FindingKind.BALANCE, KEY, 3_000_000, -1, account=KEY)


def run_with(*found: Finding, moving: tuple[Finding, ...] = ()) -> CheckRun:
    run = CheckRun.begin(0, b"key", 1)
    run.found, run.moving, run.number = list(found), list(moving), 3
    return run


@pytest.mark.parametrize("kind", FindingKind)
def test_every_kind_has_a_line_with_its_key_and_unit(kind: FindingKind) -> None:
    found = Finding(kind, "the key", 2, -5, order_no="B1", account=KEY, problem="no status")
    document = json.loads(json.dumps(finding_data(found)))
    line = document.pop("text")
    assert line.startswith("B1: the key: ")
    assert line.endswith(f"({kind.value})")
    amounts = {
        Unit.COUNT: (2, -5, -7),
        Unit.SECONDS: (2, -5, -7),
        Unit.CNY_FEN: ("0.02", "-0.05", "-0.07"),
        Unit.USDT_MICRO: ("0.000002", "-0.000005", "-0.000007"),
    }[found.unit]
    assert document == {
        "kind": kind.value,
        "key": "the key",
        "order_no": "B1",
        "account": KEY,
        "problem": "no status",
        **dict(zip(("expected", "actual", "delta"), amounts, strict=True)),
    }


def test_what_moves_is_no_finding() -> None:
    document = check_data(run_with(moving=(BALANCE,)))
    assert (document["balanced"], document["findings"], document["passes"]) == (True, [], 3)
    assert document["moving"] == [
        {
            "kind": "balance",
            "key": KEY,
            "account": KEY,
            "expected": "3.000000",
            "actual": "-0.000001",
            "delta": "-3.000001",
            "text": f"{KEY}: owns -0.000001 USDT, its postings sum to 3.000000 (balance)",
        }
    ]
