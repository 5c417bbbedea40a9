"""The pay page escapes the names that traders typed."""

from dataclasses import replace

import pytest

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.payment_methods import MethodType
from tests.support.orders import BUY_STATUSES, buy_order
from tests.support.seed import BANK_METHOD
from tests.support.seen_page import show_at

NOW = 1_763_700_000


def directive(policy: str, name: str) -> str:
    [found] = [part for part in policy.split("; ") if part.startswith(name)]
    return found


HOSTILE = """</dd><script>alert(1)</script>" onclick='x' {{ 7*7 }} & 张三"""


@pytest.mark.parametrize("method_type", MethodType)
@pytest.mark.parametrize("status", BUY_STATUSES)
def test_hostile_names_stay_text(status: OrderStatus, method_type: MethodType) -> None:
    calm = replace(BANK_METHOD, method_type=method_type, qr_code="https://img.example.com/a.png")
    hostile = replace(
        calm,
        real_name=HOSTILE,
        bank=HOSTILE,
        sub_bank=HOSTILE,
        account=HOSTILE,
        qr_code='https://img.example.com/a.png?"><script>alert(1)</script>',
    )
    expected = show_at(NOW, buy_order(NOW, status, payment_method=replace(calm, account="a")))
    page = show_at(NOW, buy_order(NOW, status, payment_method=hostile))
    assert page.tags == expected.tags
    assert page.attributes == expected.attributes
    assert directive(page.policy, "img-src") == directive(expected.policy, "img-src")
    if status is OrderStatus.PENDING:
        assert HOSTILE in page.copied
        assert HOSTILE in page.text
