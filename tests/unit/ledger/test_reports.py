"""Sums of windows, and findings as JSON data: each has a line."""

import json

import pytest

from orderdesk.domain.accounts import WINDOW_SECONDS, parity_sums
from orderdesk.domain.ledger.seals import Finding, FindingKind, Unit
from orderdesk.web.operator.books import finding_data

KEY = "merchant:m0:live"


@pytest.mark.parametrize("kind", FindingKind)
def test_every_kind_has_a_line_with_its_key_and_unit(kind: FindingKind) -> None:
    found = Finding(kind, "the key", 2, -5, order_no="B1", account=KEY, problem="no status")
    document = json.loads(json.dumps(finding_data(found)))
    line = document.pop("text")
    assert line.startswith("B1: the key: ")
    assert line.endswith(f"({kind.value})")
    amounts = {
        Unit.COUNT: (2, -5, -7),
        Unit.CNY_FEN: ("0.02", "-0.05", "-0.07"),
        Unit.USDT_MICRO: ("0.000002", "-0.000005", "-0.000007"),
    }[kind.unit]
    assert document == {
        "kind": kind.value,
        "key": "the key",
        "order_no": "B1",
        "account": KEY,
        "problem": "no status",
        **dict(zip(("expected", "actual", "delta"), amounts, strict=True)),
    }


def test_neighbouring_windows_have_different_sums() -> None:
    first, last = 10 * WINDOW_SECONDS, 11 * WINDOW_SECONDS - 1
    assert parity_sums(-5, 5, first) == parity_sums(-5, 5, last) == {"a0": -5, "h0": 5}
    assert parity_sums(-5, 5, last + 1) == {"a1": -5, "h1": 5}


def test_nothing_is_added_for_an_unchanged_part() -> None:
    assert parity_sums(0, -3, 0) == {"h0": -3}
    assert parity_sums(0, 0, 0) == {}
