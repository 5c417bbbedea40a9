"""The moves of contract section 6 beside the usual ones, walked by all hands over HTTP."""

from collections.abc import Iterator
from typing import Any

import pytest

from orderdesk.adapters.system import now_us
from orderdesk.domain.ledger.accounts import Account, AccountKind
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_usdt
from tests.e2e.meeting import DECIDER, NO_FINANCE, PROPOSER, Meeting
from tests.support.merchant_client import buy, sell
from tests.support.merchant_receiver import Receiver
from tests.support.operator_calls import People, Refused
from tests.support.payer import Payer
from tests.support.payouts import pay_out
from tests.support.receipt_samples import png
from tests.support.seed import CALLBACK_SECRET
from tests.support.stack_seed import StackSeed
from tests.support.trader import ORDER, TraderVisit

SEE_OTHER = 303
STATE, SECOND_PERSON = 2003, 2301
CALLBACKS = "/orders"
WHY = "the bank says so"


@pytest.fixture
def meeting(stack_seed: StackSeed, people: People, shop: Receiver) -> Iterator[Meeting]:
    """Yield parties whose merchant accepts other sums; at the end nothing is found about them."""
    address = {"callback_url": shop.url(CALLBACKS)}
    meeting = Meeting.of_new_parties(stack_seed, people, other_sums="agreed:10", **address)
    yield meeting
    meeting.check_books()


def bought(meeting: Meeting, amount: str = "1000.00") -> tuple[TraderVisit, Payer]:
    """Create a buy; return its trader and its payer."""
    number = meeting.order(buy(cny_amount=amount))
    pay_url = meeting.client.query(order_no=number).data["pay_url"]
    return meeting.trader_of(number), Payer.of_link(meeting.seed, pay_url)


def completed(meeting: Meeting) -> str:
    """Create a buy of 1000 CNY that its trader confirms; return its number."""
    trader, payer = bought(meeting)
    assert payer.post("/paid")["statusCode"] == SEE_OTHER
    assert trader.move(payer.order_no, "confirm") == SEE_OTHER
    return payer.order_no


def assigned(meeting: Meeting, number: str, trader: TraderVisit) -> None:
    """Assign a sell as an operator without a part in anything."""
    asked = {"order_no": number, "trader_id": trader.trader.trader_id}
    assert meeting.people.insist(NO_FINANCE, "order.assign", **asked)["status"] == "assigned"


def pay_sell(number: str, trader: TraderVisit) -> None:
    """Hand in a trader's proof, and confirm the payment."""
    assert trader.upload(number, png())["statusCode"] == SEE_OTHER
    assert trader.move(number, "confirm") == SEE_OTHER


def asked(meeting: Meeting, number: str) -> Any:
    """Return an order as its merchant sees it."""
    return meeting.client.query(order_no=number).data


def callback(shop: Receiver, kind: str, count: int = 1) -> dict[str, Any]:
    """Wait until the merchant has that many callbacks of a type; return the newest one's data."""
    received = 0
    while True:
        sent = [each.verified(CALLBACK_SECRET) for each in shop.wait_for(CALLBACKS, received + 1)]
        found = [each["data"] for each in sent if each["type"] == kind]
        if len(found) >= count:
            return max(found, key=lambda data: int(data["sequence"]))
        received = len(sent)


def owned(meeting: Meeting, kind: AccountKind) -> tuple[int, int]:
    """Return the available and held micro-USDT of one of the merchant's accounts."""
    account = Account(kind, meeting.merchant.merchant_id, Mode.LIVE)
    [(available, held)] = meeting.seed.shards(account)
    return available, held


def test_the_payer_agrees_to_another_sum(meeting: Meeting, shop: Receiver) -> None:
    trader, payer = bought(meeting)
    form = {"amount": "1050.00"}
    assert trader.post(f"{ORDER}/sum", payer.order_no, form=form)["statusCode"] == SEE_OTHER
    assert asked(meeting, payer.order_no)["reported_cny_amount"] == "1050.00"
    page = payer.get(lang="zh")["body"]
    assert "1,050.00" in page
    assert payer.post("/agree")["statusCode"] == SEE_OTHER
    sent = callback(shop, "order.completed")
    amounts = sent["cny_amount"], sent["requested_cny_amount"], sent["reported_cny_amount"]
    assert amounts == ("1050.00", "1000.00", "1050.00")
    assert asked(meeting, payer.order_no)["timeline"][-1]["by"] == "payer"


def test_an_operator_decides_the_sum_that_the_payer_objects_to(
    meeting: Meeting, shop: Receiver
) -> None:
    trader, payer = bought(meeting)
    form = {"amount": "1300.00"}
    assert trader.post(f"{ORDER}/sum", payer.order_no, form=form)["statusCode"] == SEE_OTHER
    assert payer.post("/object")["statusCode"] == SEE_OTHER
    assert "You objected" in payer.get(lang="en")["body"]
    assert asked(meeting, payer.order_no)["status"] == "disputed"
    resolution = {"order_no": payer.order_no, "outcome": "completed", "reason": WHY}
    with pytest.raises(Refused):
        meeting.people.insist(NO_FINANCE, "order.resolve", **resolution, amount="2000.01")
    done = meeting.people.insist(NO_FINANCE, "order.resolve", **resolution, amount="900.00")
    assert done["status"] == "completed"
    sent = callback(shop, "order.completed")
    assert (sent["cny_amount"], sent["requested_cny_amount"]) == ("900.00", "1000.00")
    assert "900.00" in trader.get(ORDER, payer.order_no, lang="en")["body"]


def test_two_operators_reverse_an_order_in_two_parts(meeting: Meeting, shop: Receiver) -> None:
    number = completed(meeting)
    whole = asked(meeting, number)["usdt_amount"]
    before = owned(meeting, AccountKind.MERCHANT)
    reversal = {"order_no": number, "reason": WHY}
    proposal = meeting.people.proposed(PROPOSER, "order.reverse", **reversal, usdt="38.000000")
    with pytest.raises(Refused) as alone:
        meeting.people.insist(PROPOSER, "proposal.approve", proposal_no=proposal)
    assert alone.value.code == SECOND_PERSON
    assert owned(meeting, AccountKind.MERCHANT) == before
    meeting.people.insist(DECIDER, "proposal.approve", proposal_no=proposal)
    sent = callback(shop, "order.reversed")
    assert (sent["status"], sent["reversed_usdt"]) == ("completed", "38.000000")
    meeting.by_two("order.reverse", **reversal, usdt="all")
    rest = callback(shop, "order.reversed", 2)
    assert (rest["status"], rest["reversed_usdt"]) == ("completed", whole)
    assert rest["sequence"] == sent["sequence"] + 1
    assert owned(meeting, AccountKind.DEPOSIT) == owned(meeting, AccountKind.FEE) == (0, 0)
    with pytest.raises(Refused) as again:
        meeting.people.insist(PROPOSER, "order.reverse", **reversal, usdt="all")
    assert again.value.code == STATE


def test_a_refund_takes_no_more_than_is_left(meeting: Meeting) -> None:
    number = completed(meeting)
    first = meeting.order(sell(cny_amount="600.00", refund_of=number))
    over = meeting.client.create(sell(cny_amount="400.01", refund_of=number))
    assert (over.code, over.data["refundable_cny_amount"]) == (STATE, "400.00")
    assert meeting.client.post("/merchant/cancelOrder", {"order_no": first}).code == 1
    whole = meeting.order(sell(cny_amount="1000.00", refund_of=number))
    assert asked(meeting, whole)["refund_of"] == number
    assert asked(meeting, number)["refunds"] == [{"order_no": whole, "cny_amount": "1000.00"}]
    assigned(meeting, whole, meeting.traders[0])
    pay_sell(whole, meeting.traders[0])
    assert asked(meeting, whole)["status"] == "completed"
    over = meeting.client.create(sell(cny_amount="1.00", refund_of=number))
    assert (over.code, over.data["refundable_cny_amount"]) == (STATE, "0.00")


@pytest.mark.parametrize("verdict", ["paid", "rejected"])
def test_two_operators_decide_a_late_proof(meeting: Meeting, verdict: str) -> None:
    former, other = meeting.traders
    number = meeting.order(sell())
    assigned(meeting, number, former)
    taken_back = {"order_no": number, "reason": WHY}
    meeting.people.insist(NO_FINANCE, "order.unassign", **taken_back)
    assigned(meeting, number, other)
    pay_sell(number, other)
    before = [meeting.seed.trader(each.trader.trader_id) for each in (former, other)]
    assert "我已付款：提交凭证" in former.get(ORDER, number, lang="zh")["body"]
    assert former.upload(number, png())["statusCode"] == SEE_OTHER
    assert "Your proof was received" in former.get(ORDER, number, lang="en")["body"]
    claims = meeting.people.listed("viewer-1", "order.list", claims=True)
    assert number in [row["order_no"] for row in claims]
    meeting.by_two("order.claim", **taken_back, trader_id=former.trader.trader_id, verdict=verdict)
    after = [meeting.seed.trader(each.trader.trader_id) for each in (former, other)]
    moved = [
        now.counts.available_micro - then.counts.available_micro
        for now, then in zip(after, before, strict=True)
    ]
    shown = meeting.people.call("viewer-1", "order.show", order_no=number)
    part = meeting.traders[0].order(number).quote.trader_micro if verdict == "paid" else 0
    assert moved == [part, -part]
    assert [each["claim"] for each in shown["claims"]] == [verdict]
    claims = meeting.people.listed("viewer-1", "order.list", claims=True)
    assert number not in [row["order_no"] for row in claims]
    assert asked(meeting, number)["status"] == "completed"


def test_one_decision_ends_the_orders_of_a_stopped_account(meeting: Meeting) -> None:
    trader = meeting.traders[0]
    meeting.traders[1].post("/trader/offline")
    payers = [bought(meeting, f"{fen}.00")[1] for fen in (100, 200, 300)]
    numbers = [payer.order_no for payer in payers]
    for payer in payers[1:]:
        assert payer.post("/paid")["statusCode"] == SEE_OTHER
    whose = {"trader_id": trader.trader.trader_id}
    frozen = {**whose, "account": "bank", "reason": WHY}
    meeting.people.insist(NO_FINANCE, "trader.stop-account", **frozen)
    assert "请勿付款" in payers[0].get(lang="zh")["body"]
    assert payers[0].upload(png())["statusCode"] == SEE_OTHER
    listed = meeting.people.listed("viewer-1", "order.list", **whose, stopped=True)
    assert {row["order_no"] for row in listed} == set(numbers)
    together = {"order_nos": numbers, "reason": WHY}
    disputed = meeting.people.insist(NO_FINANCE, "order.dispute", **together)
    assert [each["status"] for each in disputed["results"]] == ["disputed"] * 3
    ended = {**together, "outcome": "cancelled"}
    proposal = meeting.people.proposed(NO_FINANCE, "order.resolve", **ended)
    assert {asked(meeting, number)["status"] for number in numbers} == {"disputed"}
    done = meeting.people.insist(DECIDER, "proposal.approve", proposal_no=proposal)
    assert [(each["status"], each["refused"]) for each in done["results"]] == [
        ("cancelled", None)
    ] * 3
    assert {asked(meeting, number)["status"] for number in numbers} == {"cancelled"}
    assert meeting.seed.trader(whose["trader_id"]).counts.held_micro == 0


def test_deposit_and_fees_leave_by_two_people(meeting: Meeting) -> None:
    completed(meeting)
    own = owned(meeting, AccountKind.MERCHANT)
    for command, kind in (
        ("deposit.release", AccountKind.DEPOSIT),
        ("fees.withdraw", AccountKind.FEE),
    ):
        has, _ = owned(meeting, kind)
        assert has > 0
        money = {"merchant_id": meeting.merchant.merchant_id, "memo": "out"}
        with pytest.raises(Refused) as over:
            meeting.people.insist(PROPOSER, command, **money, amount=format_usdt(has + 1))
        assert over.value.code == 2102
        meeting.by_two(command, **money, amount=format_usdt(has))
        pay_out(meeting.seed, now_us)
        assert owned(meeting, kind) == (0, 0)
        own = (own[0] + (has if kind is AccountKind.DEPOSIT else 0), own[1])
        assert owned(meeting, AccountKind.MERCHANT) == own
