"""The report of the ledger check: differences are errors, moving accounts only warn."""

import json

import pytest

from orderdesk.domain.ledger.check import Tally
from orderdesk.domain.ledger.rows import Difference, DifferenceKind
from orderdesk.services.operator.ledger import Verdict
from orderdesk_cli.ledger.check_views import checked
from orderdesk_cli.output import show

MOVING = Difference("merchant:m0:live", DifferenceKind.BALANCE, 3_000_000, -1)
NOTHING = Tally().totals()


@pytest.mark.parametrize("kind", DifferenceKind)
def test_every_kind_is_told_with_its_subject_and_amounts(kind: DifferenceKind) -> None:
    found = Difference("subject", kind, 2, -5)
    answer = checked(Verdict((found,), (), NOTHING, 3))
    [line] = answer.complaints
    shown, difference = {
        DifferenceKind.OPEN_ORDERS: ("-5", "-7"),
        DifferenceKind.OPEN_BUYS: ("-5", "-7"),
        DifferenceKind.OPEN_CNY: ("-0.05", "-0.07"),
        DifferenceKind.OPEN_AMOUNTS: ("-5", "-7"),
    }.get(kind, ("-0.000005", "-0.000007"))
    assert "subject: " in line
    assert shown in line
    assert line.endswith(f"(difference {difference})")


def test_what_moves_is_a_warning_and_no_refusal(capsys: pytest.CaptureFixture[str]) -> None:
    answer = checked(Verdict((), (MOVING,), NOTHING, 3))
    assert answer.complaints == []
    show(answer, as_json=True)
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert (document["balanced"], document["differences"]) == (True, [])
    assert document["moving"] == [
        {
            "subject": "merchant:m0:live",
            "kind": "balance",
            "expected": "3.000000",
            "actual": "-0.000001",
            "delta": "-3.000001",
        }
    ]
    assert err.startswith("warning: 1 more differed in each of 3 passes")


def test_the_summary_counts_what_was_read(capsys: pytest.CaptureFixture[str]) -> None:
    show(checked(Verdict((MOVING,), (), NOTHING, 3)), as_json=False)
    out, err = capsys.readouterr()
    assert (
        out == "Differences: 1 (accounts: 0, postings: 0, open orders: 0, open withdrawals: 0).\n"
    )
    assert err == (
        "difference: merchant:m0:live: owns -0.000001 USDT, its postings sum to 3.000000"
        " (difference -3.000001)\n"
    )
