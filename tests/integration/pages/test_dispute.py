"""A dispute on both pages: its texts and pictures, their readers, and refusals."""

import re
from functools import partial
from html import unescape
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.notes import PICTURES_MAX, TEXTS_MAX, AskedSide, Said
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import Actor
from orderdesk.services.operator.moves import ask
from orderdesk.services.orders.notes import add_text
from tests.integration.pages.conftest import Meanwhile
from tests.support import receipt_samples as samples
from tests.support.commands import resolve
from tests.support.offices import Office, office_on
from tests.support.payer import Payer
from tests.support.trader import ORDER, REASON, TraderVisit
from tests.support.world import World

SAY, NOTE = f"{ORDER}/say", f"{ORDER}/notes/{{number}}"


@pytest.fixture
def payer(world: World, trader: TraderVisit) -> Payer:
    """Return the payer of this trader's buy, which is reported as paid."""
    _, client = world.add_merchant()
    made = client.create({"order_type": 1, "cny_amount": "1000.37", "payment_method": "bank"}).data
    payer = Payer.of_link(world, made["pay_url"])
    world.report_paid(payer.order_no)
    return payer


@pytest.fixture
def disputed(trader: TraderVisit, payer: Payer) -> Payer:
    """Return the same payer, after the trader has reported that nothing arrived."""
    assert trader.post(f"{ORDER}/report", payer.order_no)["statusCode"] == 303
    return payer


def notes(payer: Payer) -> list[dict[str, Any]]:
    item: Any = payer.seed.get(payer.seed.tables.orders, {"pk": Key.notes(payer.order_no)})
    return [] if item is None else item["said"]


def says(payer: Payer, text: str, seen: int = 0) -> int:
    answer = payer.post("/say", form={"text": text, "seen": str(seen)}, lang="en")
    return int(answer["statusCode"])


def trader_says(trader: TraderVisit, payer: Payer, text: str, seen: int = 0) -> Any:
    return trader.post(SAY, payer.order_no, form={"text": text, "seen": str(seen)}, lang="en")


def both_pages(trader: TraderVisit, payer: Payer, language: str = "en") -> list[str]:
    pages = payer.get(lang=language), trader.get(ORDER, payer.order_no, lang=language)
    return [unescape(page["body"]).partition("<main")[2] for page in pages]


def asked_of(trader: TraderVisit, payer: Payer) -> list[bool]:
    """Return whether the payer's page, the trader's page and its list want an answer."""
    marks = ("Our support has a question for you", "<h1>Answer ", "Answer wanted")
    orders = trader.get("/trader/orders", lang="en")["body"]
    pages = (*both_pages(trader, payer), orders)
    return [mark in page for mark, page in zip(marks, pages, strict=True)]


def test_a_report_needs_a_reason_and_is_kept_with_the_move(
    trader: TraderVisit, payer: Payer
) -> None:
    asked = trader.get(f"{ORDER}/report", payer.order_no, lang="en")["body"]
    assert '<textarea id="reason" name="reason"' in asked
    assert "The customer, the merchant and our support read this" in asked
    for reason, told in ((" ", "write a few words"), ("a\u202eb", "cannot be shown")):
        refused = trader.post(f"{ORDER}/report", payer.order_no, form={"reason": reason}, lang="en")
        assert refused["statusCode"] == 422
        assert told in refused["body"]
    assert (payer.order()["status"], notes(payer)) == ("paid", [])
    for _ in range(2):
        assert trader.post(f"{ORDER}/report", payer.order_no)["statusCode"] == 303
    assert [(note["by"], note["text"]) for note in notes(payer)] == [("trader", REASON)]
    order = payer.order()
    assert (order["status"], order["sequence"], order["notes"]) == ("disputed", 2, 1)


@pytest.mark.parametrize(
    ("form", "kept"),
    [
        ({"grounds": "missing"}, "未收到款项"),
        ({"grounds": "amount", "reason": "只到账 900"}, "到账金额与订单不符\n只到账 900"),
        ({"grounds": "other", "reason": "账户异常"}, "账户异常"),
    ],
)
def test_a_reason_is_chosen_from_a_list(
    trader: TraderVisit, payer: Payer, form: dict[str, str], kept: str
) -> None:
    asked = trader.get(f"{ORDER}/report", payer.order_no, lang="zh")["body"]
    for value in ("missing", "amount", "payer", "other"):
        assert f'<input type="radio" name="grounds" value="{value}">' in asked
    refused = trader.post(f"{ORDER}/report", payer.order_no, form={"grounds": "other"}, lang="zh")
    assert refused["statusCode"] == 422
    assert 'value="other" checked>' in refused["body"]
    unknown = trader.post(f"{ORDER}/report", payer.order_no, form={"grounds": "x"}, lang="zh")
    assert unknown["statusCode"] == 400
    assert payer.order()["status"] == "paid"
    done = trader.post(f"{ORDER}/report", payer.order_no, form={"reason": "", **form}, lang="zh")
    assert done["statusCode"] == 303
    assert [note["text"] for note in notes(payer)] == [kept]


def tasks_of(page: str) -> list[str]:
    """Return what each side does next: the reader, the other side, support."""
    return re.findall(r"<dd>([^<]+)</dd>", page.partition('<dl class="tasks"')[2].split("</dl>")[0])


def test_each_side_sees_what_it_does_next_and_until_when(
    world: World, trader: TraderVisit, disputed: Payer
) -> None:
    of_payer, of_trader = map(tasks_of, both_pages(trader, disputed))
    assert of_payer[0].startswith("Describe your payment and send its receipt by ")
    assert of_payer[1] == "No answer is due."
    assert of_trader[0].startswith("Nothing for now.")
    assert of_trader[1].startswith("Is to answer by ")
    assert (
        of_payer[2]
        == of_trader[2]
        == ("Decides after both sides have answered, or once the time to answer is over.")
    )
    assert says(disputed, "I paid at noon", seen=1) == 303
    office = office_on(world)
    ask(disputed.order_no, AskedSide.TRADER, "Which bank?", office)
    of_payer, of_trader = map(tasks_of, both_pages(trader, disputed))
    assert of_payer[0].startswith("Nothing for now.")
    assert of_payer[1].startswith("Is to answer by ")
    assert of_trader[0].startswith("Answer our support’s question by ")
    resolve(disputed.order_no, OrderStatus.CANCELLED, office, reason="none")
    ended = both_pages(trader, disputed, "zh")
    for page, follows in zip(
        ended, ("订单已取消。如款项已从", "您的 USDT 已解除冻结。"), strict=True
    ):
        assert tasks_of(page) == []
        assert "争议已结束：客服判定款项未到账" in page
        assert follows in page


def test_a_payer_may_leave_the_reason_out(payer: Payer, world: World) -> None:
    world.report_paid(payer.order_no, seconds_ago=1800)
    assert payer.post("/dispute", form={"reason": "x" * 501})["statusCode"] == 422
    assert payer.order()["status"] == "paid"
    assert payer.post("/dispute")["statusCode"] == 303
    assert (payer.order()["status"], notes(payer)) == ("disputed", [])
    assert "Dispute opened" in payer.get()["body"]


def test_a_payers_dispute_wants_the_traders_answer(
    world: World, trader: TraderVisit, payer: Payer
) -> None:
    world.report_paid(payer.order_no, seconds_ago=1800)
    form = {"grounds": "other", "reason": "paid at noon"}
    assert payer.post("/dispute", form=form)["statusCode"] == 303
    assert asked_of(trader, payer) == [False, True, True]
    orders = trader.get("/trader/orders", lang="en")["body"]
    assert "support may decide without your answer" in orders
    assert "待您回复" in trader.get("/trader/orders", lang="zh")["body"]
    assert trader_says(trader, payer, "nothing arrived", seen=1)["statusCode"] == 303
    assert asked_of(trader, payer) == [False, False, False]


def test_a_reason_that_crosses_the_other_sides_dispute_is_kept(
    world: World, trader: TraderVisit, payer: Payer, meanwhile: Meanwhile
) -> None:
    world.report_paid(payer.order_no, seconds_ago=1800)
    report = partial(trader.post, f"{ORDER}/report", payer.order_no)
    done = meanwhile("pay_page", report)
    form = {"grounds": "other", "reason": "paid at noon"}
    for _ in range(2):
        assert payer.post("/dispute", form=form)["statusCode"] == 303
    assert done
    assert [(note["by"], note["text"]) for note in notes(payer)] == [
        ("trader", REASON),
        ("payer", "paid at noon"),
    ]
    assert payer.post("/dispute")["statusCode"] == 303
    assert report()["statusCode"] == 303
    assert (payer.order()["sequence"], payer.order()["notes"]) == (2, 2)


def test_both_see_each_step_and_nobody_else_in_it(
    world: World, trader: TraderVisit, disputed: Payer
) -> None:
    office: Office = office_on(world)
    assert says(disputed, "I paid <b>1000.37</b>\r\nat noon") == 303
    ask(disputed.order_no, AskedSide.BOTH, "Which bank?", office)
    assert asked_of(trader, disputed) == [True, True, True]
    assert "客服提问 · 待回复" in trader.get("/trader/orders", lang="zh")["body"]
    assert trader_says(trader, disputed, "ICBC", seen=3)["statusCode"] == 303
    assert asked_of(trader, disputed) == [True, False, False], "the payer has not answered"
    resolve(disputed.order_no, OrderStatus.COMPLETED, office, reason="internal words")
    for page, names in zip(
        both_pages(trader, disputed), (("Payee", "You"), ("You", "Customer")), strict=True
    ):
        told = re.findall(r'<p class="who">([^<]+)</p>', page)
        reporter, answerer = names
        assert told == [
            f"{reporter} · Dispute opened",
            reporter,
            answerer,
            "Support · Question to both sides",
            reporter,
            "Support · Dispute over: support decided that the payment arrived",
        ]
        assert "I paid <b>1000.37</b>\nat noon" in page
        for secret in ("internal words", office.operator.who, "<textarea", 'name="seen"'):
            assert secret not in page
    assert trader.trader.trader_id not in both_pages(trader, disputed)[0]
    assert "I paid &lt;b&gt;" in disputed.get()["body"]
    assert says(disputed, "late") == 409
    assert says(disputed, "I paid <b>1000.37</b>\nat noon") == 303, "the same form, sent again"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_picture_is_drawn_and_seen_by_both(
    world: World, trader: TraderVisit, disputed: Payer, language: str
) -> None:
    assert trader.upload(disputed.order_no, samples.png(), lang=language)["statusCode"] == 303
    assert disputed.upload(samples.pdf(2), lang=language)["statusCode"] == 303
    first, second = (note["picture"] for note in notes(disputed)[1:])
    for picture, who in ((first, trader.trader.trader_id), (second, "payer")):
        assert picture["key"].startswith(f"rendered/{disputed.order_no}/dispute/{who}/1/")
    for page in both_pages(trader, disputed, language):
        assert page.count("/preview.jpg") == 2
    shown = trader.send("GET", NOTE, order_no=disputed.order_no, number="2")
    seen = disputed.send("GET", "/notes/{number}", {}, {"page": "2"}, number="3")
    assert f"/{first['key']}/1.jpg?" in shown["headers"]["Location"]
    assert f"/{second['key']}/2.jpg?" in seen["headers"]["Location"]
    for number, page in (("1", "1"), ("2", "2"), ("9", "1"), ("x", "1")):
        answer = disputed.send("GET", "/notes/{number}", {}, {"page": page}, number=number)
        assert answer["statusCode"] == 404
    told = office_on(world)
    assert told.orders.order(disputed.order_no).dispute.notes == 3  # type: ignore[union-attr]


def test_an_upload_again_adds_nothing_and_a_sixth_is_refused(
    world: World, trader: TraderVisit, disputed: Payer
) -> None:
    for _ in range(PICTURES_MAX):
        assert disputed.upload(samples.png())["statusCode"] == 303
    again = f"uploads/{disputed.order_no}/dispute/payer/{PICTURES_MAX}"
    assert disputed.come_back(again)["statusCode"] == 303
    assert disputed.upload_fields() == {}
    assert len(notes(disputed)) == 1 + PICTURES_MAX
    sixth = f"{again[:-1]}{PICTURES_MAX + 1}"
    world.upload(sixth, samples.png())
    assert disputed.come_back(sixth)["statusCode"] in {409, 422}
    theirs = trader.upload_fields(disputed.order_no)["key"]
    world.upload(theirs, samples.png())
    assert disputed.come_back(theirs)["statusCode"] in {409, 422}, "it is the trader's slot"
    assert len(notes(disputed)) == 1 + PICTURES_MAX


def test_one_side_says_so_much_and_each_question_lets_it_answer(
    world: World, disputed: Payer
) -> None:
    for number in range(TEXTS_MAX):
        assert says(disputed, f"word {number}") == 303
    assert says(disputed, "one more") == 422
    assert "You have reached the limit" in disputed.get(lang="en")["body"]
    ask(disputed.order_no, AskedSide.PAYER, "When?", office_on(world))
    page = disputed.get(lang="en")["body"]
    assert "Question to you" in page
    assert "Your answer" in page
    assert says(disputed, "at noon") == 303
    assert says(disputed, "and more") == 422
    assert len(notes(disputed)) == 1 + TEXTS_MAX + 2


def test_what_is_not_kept_is_shown_back_with_its_problem(
    trader: TraderVisit, disputed: Payer
) -> None:
    answer = trader_says(trader, disputed, "a\x07<b>")
    assert answer["statusCode"] == 422
    assert "cannot be shown" in answer["body"]
    assert "\n" + "a\x07&lt;b&gt;</textarea>" in answer["body"]
    for seen in ("", "-1", "１", "99999"):
        form = {"text": "x", "seen": seen}
        assert disputed.post("/say", form=form)["statusCode"] == 400
    assert len(notes(disputed)) == 1


def test_nobody_says_anything_before_a_dispute(trader: TraderVisit, payer: Payer) -> None:
    assert says(payer, "x") == 409
    assert trader_says(trader, payer, "x")["statusCode"] == 409
    other = TraderVisit.of_new_trader(payer.seed)
    assert trader_says(other, payer, "x")["statusCode"] == 404
    assert payer.order().get("notes") is None
    assert notes(payer) == []


def test_a_resolution_meanwhile_keeps_the_answer_out(
    world: World, disputed: Payer, meanwhile: Meanwhile
) -> None:
    ports = office_on(world)

    def ends() -> None:
        resolve(disputed.order_no, OrderStatus.CANCELLED, ports, reason="r")

    done = meanwhile("pay_page", ends)
    assert says(disputed, "too late") == 409
    assert done
    assert disputed.order()["status"] == "cancelled"
    assert len(notes(disputed)) == disputed.order()["notes"] == 1


@pytest.mark.parametrize("text", ["the same", "another"])
def test_the_same_form_meanwhile_is_kept_once(
    world: World, disputed: Payer, meanwhile: Meanwhile, text: str
) -> None:
    by, ports = By(Actor.PAYER), office_on(world).moves
    said = Said(text, 1)
    meanwhile("pay_page", lambda: add_text(disputed.order_no, said, by, ports, 2**31))
    assert says(disputed, "the same", seen=1) == 303
    kept = [note["text"] for note in notes(disputed)[1:]]
    assert kept == list(dict.fromkeys([text, "the same"]))
    assert disputed.order()["notes"] == 1 + len(kept)
