"""One word for one thing on every surface: the pages, the console, the command line, the docs."""

import pytest

from orderdesk.domain.orders.order import OrderStatus, SumAnswer
from orderdesk.web.pages.desk.desk_texts import DeskTexts
from orderdesk.web.pages.portal.portal_texts import PortalTexts
from orderdesk.web.pages.texts import Language
from orderdesk_cli.console.routes import PAGES
from orderdesk_cli.sheets.sheet import Kind
from orderdesk_cli.sheets.words import CHINESE, fields
from tests.support.template import ROOT

SURFACES = ("layers/common/orderdesk/web", "functions", "cli", "docs/site/zh", "tools/openapi")
GLOSSARY = {
    "核查": "争议",
    "仲裁": "争议",
    "服务费": "手续费",
    "转账附言": "转账备注",
    "客户已付款": "客户称已付款",
    "判定：": "判定已到账，放行 USDT / 判定未到账，退回 USDT",
    "Under review": "Disputed",
    "Service fee": "Fee",
}
"""What no surface writes, and what it writes instead."""
CONDITION = "仅在客户已付款时"
SHARED = (
    OrderStatus.PAID,
    OrderStatus.MATCHING,
    OrderStatus.COMPLETED,
    OrderStatus.CANCELLED,
    OrderStatus.EXPIRED,
    OrderStatus.DISPUTED,
)
"""The statuses that all readers know by one name; the others name who acts."""


def texts_of_surfaces() -> dict[str, str]:
    """Return what the surfaces write, by file."""
    endings = {".py", ".html", ".js", ".md", ".yaml"}
    files = [path for each in SURFACES for path in (ROOT / each).rglob("*")]
    wanted = [path for path in files if path.suffix in endings and ".venv" not in path.parts]
    return {
        str(path.relative_to(ROOT)): path.read_text("utf-8").replace(CONDITION, "")
        for path in wanted
    }


@pytest.mark.parametrize(("other", "word"), GLOSSARY.items())
def test_no_surface_has_another_word(other: str, word: str) -> None:
    found = [name for name, text in texts_of_surfaces().items() if other in text]
    assert found == [], f"write {word!r} instead of {other!r}"


@pytest.mark.parametrize("status", SHARED)
def test_a_status_has_one_name_at_the_desk_the_portal_and_the_console(status: OrderStatus) -> None:
    for language in Language:
        desk, portal = DeskTexts(language).statuses, PortalTexts(language).statuses
        assert desk[status] == portal[status]
    assert CHINESE[status.value] == DeskTexts(Language.ZH).statuses[status]


def test_a_payers_answer_and_a_suggestion_are_translated_at_the_console() -> None:
    assert {of.kind for of in fields("sum_answer suggested")} == {Kind.WORD}
    assert {answer.value for answer in SumAnswer} <= CHINESE.keys()


def test_no_label_of_the_console_is_the_name_of_a_parameter() -> None:
    actions = [(page.path, action) for page in PAGES for action in page.actions]
    asked = [each for path, action in actions for each in action.inputs(path)]
    asked += [each for page in PAGES for each in page.filters]
    assert [each.label[0] for each in asked if "_" in each.label[0]] == []
