"""The report of the ledger check: findings are errors, moving accounts only warn."""

import json

import pytest

from orderdesk.domain.ledger.check_run import CheckRun
from orderdesk.domain.ledger.findings import Finding, FindingKind, Unit
from orderdesk_cli.ledger.check_views import checked
from orderdesk_cli.output import show

KEY = "merchant:m0:live"
BALANCE = Finding(FindingKind.BALANCE, KEY, 3_000_000, -1, account=KEY)


def run_with(*found: Finding, moving: tuple[Finding, ...] = ()) -> CheckRun:
    run = CheckRun.begin(0, b"key", 1)
    run.found, run.moving, run.number = list(found), list(moving), 3
    return run


@pytest.mark.parametrize("kind", FindingKind)
def test_every_kind_is_told_with_its_key_and_unit(kind: FindingKind) -> None:
    found = Finding(kind, "the key", 2, -5, order_no="B1", account=KEY, problem="no status")
    answer = checked(run_with(found))
    [line] = answer.complaints
    assert line.startswith("finding: B1: the key: ")
    assert line.endswith(f"({kind.value})")
    document = json.loads(json.dumps(answer.data))["findings"][0]
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


def test_what_moves_is_a_warning_and_no_refusal(capsys: pytest.CaptureFixture[str]) -> None:
    answer = checked(run_with(moving=(BALANCE,)))
    assert answer.complaints == []
    show(answer, as_json=True)
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert (document["balanced"], document["findings"]) == (True, [])
    assert document["moving"] == [
        {
            "kind": "balance",
            "key": KEY,
            "account": KEY,
            "expected": "3.000000",
            "actual": "-0.000001",
            "delta": "-3.000001",
        }
    ]
    assert err.startswith("warning: 1 more differed in each of 3 passes")


def test_the_summary_counts_what_was_read(capsys: pytest.CaptureFixture[str]) -> None:
    show(checked(run_with(BALANCE)), as_json=False)
    out, err = capsys.readouterr()
    read = "accounts: 0, postings: 0, open orders: 0, open withdrawals: 0"
    assert out == f"Findings: 1 ({read}).\n"
    told = "owns -0.000001 USDT, its postings sum to 3.000000 (balance)"
    assert err == f"finding: {KEY}: {told}\n"
