"""A fact that is declared in several places is declared in all of them."""

import re
from collections.abc import Iterator

from orderdesk.domain.orders.order import FIRST_STATUS, OrderStatus
from orderdesk.domain.orders.transitions import TRANSITIONS
from orderdesk.domain.pricing import FEE_TERMS, OrderType
from orderdesk.web.pages.desk.desk_texts import DeskTexts
from orderdesk.web.pages.pay.pay_texts import PayTexts
from orderdesk.web.pages.texts import Language
from orderdesk_cli.options import asked_by
from tests.support.template import ROOT


def test_every_fee_term_has_its_option() -> None:
    """Storage and the audit entry read FEE_TERMS; the fields of the command are written out."""
    terms = {term.removesuffix("_micro") for term in FEE_TERMS}
    assert terms <= {option.name for option in asked_by("merchant.set")}


def test_every_fee_term_names_its_unit() -> None:
    assert {term.rpartition("_")[2] for term in FEE_TERMS} <= {"bps", "micro"}


def reached(order_type: OrderType) -> Iterator[OrderStatus]:
    """Yield the statuses that an order of a type can have."""
    yield FIRST_STATUS[order_type]
    yield from (row.target for row in TRANSITIONS if row.order_type is order_type)


def test_a_status_that_is_shown_has_a_text() -> None:
    for language in Language:
        todo = DeskTexts(language).order.todo
        for status in reached(OrderType.BUY):
            assert PayTexts(language).statuses[status] is not None, status
            assert todo[OrderType.BUY][status] is not None, status
        for status in {*reached(OrderType.SELL)} - {OrderStatus.MATCHING}:  # no trader has it
            assert todo[OrderType.SELL][status] is not None, status


def test_amounts_that_people_type_have_one_parser() -> None:
    """The strict parsers are for the API's amounts; a comma is read by `money.parse_typed` only."""
    package = ROOT / "layers" / "common" / "orderdesk"
    typed = [*(package / "web/pages").rglob("*.py"), package / "services/operator/find_orders.py"]
    other = re.compile(r"\bparse_(cny|usdt|rate|fixed)\b|Decimal\(")
    assert [path.name for path in typed if other.search(path.read_text(encoding="utf-8"))] == []


def test_every_template_shows_values_without_control_characters() -> None:
    """`finalize` applies `printable` to each value, of whomever it is."""
    folders = [ROOT / name for name in ("layers/common/orderdesk", "cli", "functions")]
    texts = [path.read_text("utf-8") for each in folders for path in each.rglob("*.py")]
    made = [text for text in texts if re.search(r"\bEnvironment\(", text)]
    assert len(made) == 2
    assert all("finalize=" in text and "printable(value" in text for text in made)
