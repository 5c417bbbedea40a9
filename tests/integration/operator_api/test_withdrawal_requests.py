"""Operators take up, decide and send what merchants request to withdraw (contract section 11)."""

from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.proposals import ProposalStore
from orderdesk.adapters.dynamodb.withdrawals import book_item
from orderdesk.adapters.system import SystemChance, now_us
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.withdrawals import RequestStatus, WithdrawalRefused
from orderdesk.domain.proposals import LIFE_SECONDS
from orderdesk.services.expire_proposals import Ended, ExpiryPorts, ProposalSweep
from tests.support.market import FundedBooks, funded_books
from tests.support.operator_api import OperatorApi
from tests.support.portal import PortalVisit
from tests.support.requesting import TRON, Person
from tests.support.world import World

USDT = 1_000_000
FIRST, SECOND = "finance-1", "finance-2"
CONFLICT = (409, 2003)


@pytest.fixture
def books(world: World, monkeypatch: pytest.MonkeyPatch) -> FundedBooks:
    monkeypatch.setattr("orderdesk.wiring.operators.pause_ms", lambda _: None)
    return funded_books(world)


@pytest.fixture
def merchant(books: FundedBooks) -> Merchant:
    return books.merchant


@pytest.fixture
def mei(world: World, merchant: Merchant) -> Person:
    return Person(world, merchant.merchant_id).with_rested_address()


@pytest.fixture
def money(world: World, merchant: Merchant) -> "Money":
    return Money(world, merchant)


class Money:
    """What the merchant had at the beginning of the test, and what has changed since."""

    def __init__(self, world: World, merchant: Merchant) -> None:
        self.world, self.merchant = world, merchant
        self.before = world.balance(merchant)

    def changed(self) -> tuple[int, int]:
        now = self.world.balance(self.merchant)
        return now[0] - self.before[0], now[1] - self.before[1]


def taken_up(api: OperatorApi, request_no: str) -> str:
    data = api.data(FIRST, "withdraw.merchant", request_no=request_no)
    assert data["proposal"]["status"] == "open"
    return str(data["withdrawal_no"])


def refusal(answer: tuple[int, dict[str, Any]]) -> tuple[int, int]:
    status, envelope = answer
    return status, envelope["code"]


def test_from_the_request_to_the_transaction(
    api: OperatorApi, books: FundedBooks, mei: Person, merchant: Merchant, money: Money
) -> None:
    number = mei.request(100 * USDT).request_no
    [listed] = api.data(FIRST, "withdraw.list")["items"]
    assert (listed["request_no"], listed["status"]) == (number, "requested")
    assert (listed["amount"], listed["network"], listed["address"]) == ("100.000000", "TRC20", TRON)
    assert (listed["merchant_id"], listed["requested_by"]) == (merchant.merchant_id, "mei")
    assert (listed["memo"], listed["proposal_no"], listed["txid"]) == ("rent", None, None)

    proposal = api.data(FIRST, "withdraw.merchant", request_no=number)["proposal"]
    taken = proposal["proposal_no"]
    assert (proposal["command"], proposal["request_no"]) == ("withdraw.merchant", number)
    assert (proposal["amount"], proposal["merchant_id"]) == ("100.000000", merchant.merchant_id)
    assert proposal["after"]["address"] == TRON
    assert proposal["after"]["requested_by"] == "mei"
    assert proposal["memo"] == f"{number} TRC20 {TRON}"
    assert (mei.stored(number).status, mei.stored(number).proposal_no) == ("requested", taken)
    assert money.changed() == (-100 * USDT, 100 * USDT), "held once"

    assert refusal(api.call(FIRST, "proposal.approve", proposal_no=taken)) == (403, 2301)
    done = api.data(SECOND, "proposal.approve", proposal_no=taken)
    assert (done["status"], done["txid"]) == ("executed", None)
    assert mei.stored(number).status is RequestStatus.APPROVED
    assert money.changed() == (-100 * USDT, 0)

    assert refusal(api.call(FIRST, "withdraw.merchant", request_no=number)) == CONFLICT
    assert [each["request_no"] for each in api.data(FIRST, "withdraw.list")["items"]] == [
        number
    ] * 2
    sent = api.data(FIRST, "withdraw.sent", withdrawal_no=taken, txid="ab12")
    assert (sent["status"], sent["txid"], sent["request_no"]) == ("sent", "ab12", number)
    stored = mei.stored(number)
    assert (stored.status, stored.txid) == (RequestStatus.SENT, "ab12")
    for name in (taken, number):
        again = api.data(SECOND, "withdraw.sent", withdrawal_no=name, txid="ab12")
        assert again["sent_at"] == sent["sent_at"]
        other = api.call(FIRST, "withdraw.sent", withdrawal_no=name, txid="cd34")
        assert refusal(other) == CONFLICT
    [only] = api.data(FIRST, "withdraw.list")["items"]
    assert (only["proposal_no"], only["txid"]) == (taken, "ab12")
    assert books.terminal.json("ledger", "check")["balanced"] is True
    trail = api.data(FIRST, "audit.list", newest_first=True, limit=3)["items"]
    actions = [(each["action"], each["who"], each["target"]) for each in trail]
    assert actions == [
        ("withdraw.sent", FIRST, merchant.merchant_id),
        ("proposal.approve", SECOND, merchant.merchant_id),
        ("withdraw.merchant", FIRST, merchant.merchant_id),
    ]


def test_a_rejection_rejects_the_request(
    api: OperatorApi, books: FundedBooks, mei: Person, money: Money
) -> None:
    number = mei.request(100 * USDT).request_no
    taken = taken_up(api, number)
    api.data(SECOND, "proposal.reject", proposal_no=taken, reason="unknown address")
    stored = mei.stored(number)
    assert (stored.status, stored.reason) == (RequestStatus.REJECTED, "unknown address")
    assert stored.proposal_no == taken
    assert money.changed() == (0, 0)
    assert refusal(api.call(FIRST, "withdraw.merchant", request_no=number)) == CONFLICT
    assert refusal(api.call(FIRST, "withdraw.sent", withdrawal_no=number, txid="t")) == CONFLICT
    with pytest.raises(WithdrawalRefused):
        mei.cancel(number)
    assert books.terminal.json("ledger", "check")["balanced"] is True


def test_an_expiry_returns_it_under_the_same_hold(
    api: OperatorApi, books: FundedBooks, mei: Person, money: Money, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = mei.request(100 * USDT).request_no
    first = taken_up(api, number)
    later_us = now_us() + (LIFE_SECONDS + 1) * 10**6
    monkeypatch.setattr("orderdesk.wiring.operators.now_us", lambda: later_us)
    assert refusal(api.call(SECOND, "proposal.approve", proposal_no=first)) == CONFLICT
    assert refusal(api.call(SECOND, "withdraw.merchant", request_no=number)) == CONFLICT
    expire(books.world, later_us)
    stored = mei.stored(number)
    assert (stored.status, stored.proposal_no) == (RequestStatus.REQUESTED, "")
    assert money.changed() == (-100 * USDT, 100 * USDT)
    assert api.data(FIRST, "proposal.show", proposal_no=first)["status"] == "expired"
    second = taken_up(api, number)
    assert second != first
    api.data(SECOND, "proposal.approve", proposal_no=second)
    assert money.changed() == (-100 * USDT, 0)
    assert books.terminal.json("ledger", "check")["balanced"] is True


def expire(world: World, at_us: int) -> None:
    """Run the expiry at a time, as its function does every minute."""
    store = ProposalStore(world.client, world.tables)
    ports = ExpiryPorts(store, SystemChance(), lambda _: None, raise_it)
    tally = ProposalSweep(ports).run(at_us // 10**6, lambda: True)
    assert tally[Ended.EXPIRED] == 1


def raise_it(error: Exception) -> None:
    raise error


def test_a_request_is_taken_up_once_and_not_cancelled(api: OperatorApi, mei: Person) -> None:
    number = mei.request(USDT).request_no
    key: dict[str, Any] = {"request_no": number, "idempotency_key": "k1"}
    first = api.data(FIRST, "withdraw.merchant", **key)["proposal"]["proposal_no"]
    again = api.data(FIRST, "withdraw.merchant", **key)
    assert (again["repeated"], again["proposal"]["proposal_no"]) == (True, first)
    answer = api.call(SECOND, "withdraw.merchant", request_no=number)
    assert refusal(answer) == CONFLICT
    assert first in answer[1]["data"]["detail"]
    with pytest.raises(WithdrawalRefused):
        mei.cancel(number)
    assert mei.stored(number).is_taken_up
    mei.cancel(cancelled := mei.request(USDT).request_no)
    _, envelope = api.call(FIRST, "withdraw.merchant", request_no=cancelled)
    assert envelope["data"]["detail"] == f"{cancelled} is cancelled"


def test_an_administrator_alone_pays_a_request(
    api: OperatorApi, books: FundedBooks, mei: Person, money: Money
) -> None:
    number = mei.request(100 * USDT).request_no
    status, envelope = api.call("root-1", "withdraw.merchant", alone=True, request_no=number)
    assert (status, envelope["data"]["amount"]) == (200, "100.000000")
    assert money.changed() == (-100 * USDT, 0)
    stored = mei.stored(number)
    assert (stored.status, stored.proposal_no) == (RequestStatus.APPROVED, "")
    sent = api.data(FIRST, "withdraw.sent", withdrawal_no=number, txid="ab12")
    assert (sent["status"], sent["txid"]) == ("sent", "ab12")
    assert books.terminal.json("ledger", "check")["balanced"] is True


def test_an_operators_own_withdrawal_is_sent_too(api: OperatorApi, books: FundedBooks) -> None:
    def listed() -> list[tuple[str, str, str | None]]:
        data = books.client.post("/merchant/listWithdrawals", {}).data["withdrawals"]
        return [(each["withdrawal_no"], each["state"], each["txid"]) for each in data]

    asked = {"merchant_id": books.merchant.merchant_id, "amount": "1", "memo": "m"}
    number = api.data(FIRST, "withdraw.merchant", **asked)["withdrawal_no"]
    assert refusal(api.call(FIRST, "withdraw.sent", withdrawal_no=number, txid="t")) == CONFLICT
    api.data(SECOND, "proposal.approve", proposal_no=number)
    assert listed() == [(number, "approved", None)]
    sent = api.data(FIRST, "withdraw.sent", withdrawal_no=number, txid="0xAB")
    assert (sent["status"], sent["txid"], sent["request_no"]) == ("executed", "0xAB", None)
    assert listed() == [(number, "sent", "0xAB")]
    assert api.data(FIRST, "withdraw.sent", withdrawal_no=number, txid="0xAB") == sent
    assert refusal(api.call(FIRST, "withdraw.sent", withdrawal_no=number, txid="t")) == CONFLICT


def test_a_funding_or_a_malformed_transaction_is_not_sent(
    api: OperatorApi, merchant: Merchant
) -> None:
    asked = {"merchant_id": merchant.merchant_id, "amount": "1", "memo": "m"}
    number = api.data(FIRST, "fund.merchant", **asked)["proposal"]["proposal_no"]
    for name in (number, "P1", "W202601010000000000000000", "x"):
        answer = api.call(FIRST, "withdraw.sent", withdrawal_no=name, txid="t")
        assert refusal(answer) == (404, 2002)
    for txid in ("", "a b", "x" * 129, "交易"):
        answer = api.call(FIRST, "withdraw.sent", withdrawal_no="P1", txid=txid)
        assert refusal(answer) == (400, 1002)


@pytest.mark.parametrize(
    ("asked", "fields"),
    [
        ({}, ["amount", "memo", "merchant_id"]),
        ({"amount": "1"}, ["memo", "merchant_id"]),
        ({"request_no": "W1", "amount": "1", "memo": "m"}, ["amount", "memo"]),
        ({"request_no": "W1", "is_test": True}, ["is_test"]),
    ],
)
def test_a_request_has_its_values_itself(
    api: OperatorApi, asked: dict[str, Any], fields: list[str]
) -> None:
    status, envelope = api.call(FIRST, "withdraw.merchant", **asked)
    assert (status, envelope["code"]) == (400, 1002)
    assert [each["field"] for each in envelope["data"]["fields"]] == fields


def test_the_merchant_may_be_named_beside_the_request(
    api: OperatorApi, world: World, merchant: Merchant, mei: Person
) -> None:
    other, _ = world.add_merchant(name="another one")
    number = mei.request(USDT).request_no
    wrong: dict[str, Any] = {"request_no": number, "merchant_id": other.merchant_id}
    assert refusal(api.call(FIRST, "withdraw.merchant", **wrong)) == (404, 2002)
    right = {"request_no": number, "merchant_id": merchant.merchant_id}
    assert api.data(FIRST, "withdraw.merchant", **right)["proposal"]["status"] == "open"


def test_the_list_pages_through_requests_then_proposals(api: OperatorApi, mei: Person) -> None:
    numbers = [mei.request(USDT).request_no for _ in range(3)]
    taken = taken_up(api, numbers[1])
    own = {"merchant_id": mei.merchant_id, "amount": "1", "memo": "m"}
    newest = api.data(FIRST, "withdraw.merchant", **own)["withdrawal_no"]
    for limit in (1, 2, 3, 4, 100):
        pages = [p["items"] for p in api.parts(FIRST, "withdraw.list", limit=limit, open_only=True)]
        assert max(map(len, pages)) <= limit
        found = [row.get("withdrawal_no") or row["request_no"] for page in pages for row in page]
        assert found == [*numbers, newest, taken]


ANOTHER = "TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9"


@pytest.mark.parametrize("is_in_book", [False, True])
@pytest.mark.parametrize("is_taken_up", [False, True])
def test_a_changed_request_is_neither_taken_up_nor_paid(
    api: OperatorApi,
    books: FundedBooks,
    mei: Person,
    money: Money,
    *,
    is_taken_up: bool,
    is_in_book: bool,
) -> None:
    number = mei.request(100 * USDT).request_no
    taken = taken_up(api, number) if is_taken_up else ""
    key = {"pk": f"requests#{mei.merchant_id}", "sk": number}
    books.set("Ledger", key, "address", ANOTHER)
    if is_in_book:  # by a role that may write there, too
        book = mei.ports.book.address_book(mei.merchant_id)
        forged = replace(book.addresses[0], address=ANOTHER)
        books.world.put("Ledger", book_item(replace(book, addresses=(forged,))))
    if taken:
        assert refusal(api.call(SECOND, "proposal.approve", proposal_no=taken)) == CONFLICT
    else:
        assert refusal(api.call(FIRST, "withdraw.merchant", request_no=number)) == CONFLICT
        answer = api.call("root-1", "withdraw.merchant", alone=True, request_no=number)
        assert refusal(answer) == CONFLICT
    assert money.changed() == (-100 * USDT, 100 * USDT)


@pytest.mark.parametrize("what", ["amount_micro", "address_added_at", "requested_by", "sealed"])
def test_the_digest_is_of_everything_that_the_person_asked_for(
    api: OperatorApi, books: FundedBooks, mei: Person, what: str
) -> None:
    number = mei.request(100 * USDT).request_no
    taken = taken_up(api, number)
    other: dict[str, Any] = {"requested_by": "operator", "sealed": mei.request(USDT).sealed}
    key = {"pk": f"requests#{mei.merchant_id}", "sk": number}
    books.set("Ledger", key, what, other.get(what, 200 * USDT))
    assert refusal(api.call(SECOND, "proposal.approve", proposal_no=taken)) == CONFLICT


def test_a_removed_address_is_not_paid(api: OperatorApi, mei: Person, money: Money) -> None:
    number = mei.request(100 * USDT).request_no
    taken = taken_up(api, number)
    mei.remove_address()
    status, envelope = api.call(SECOND, "proposal.approve", proposal_no=taken)
    assert (status, envelope["code"]) == CONFLICT
    assert "address book" in envelope["data"]["detail"]
    assert money.changed() == (-100 * USDT, 100 * USDT)


def test_a_live_merchant_with_a_team_is_paid_only_through_its_request(
    api: OperatorApi, world: World, merchant: Merchant, mei: Person, money: Money
) -> None:
    whose = {"merchant_id": merchant.merchant_id}
    asked: dict[str, Any] = {**whose, "amount": "1", "memo": ANOTHER}
    earlier = api.data(FIRST, "withdraw.merchant", **asked)["proposal"]
    assert earlier["after"]["address"] == f"no address: {ANOTHER}"
    assert merchant.name in earlier["summary"]
    assert merchant.merchant_id in earlier["summary"]
    PortalVisit.of_new_member(world, merchant=merchant)
    answers = [
        api.call(FIRST, "withdraw.merchant", **asked),
        api.call("root-1", "withdraw.merchant", alone=True, **asked),
        api.call(SECOND, "proposal.approve", proposal_no=earlier["proposal_no"]),
    ]
    for status, envelope in answers:
        assert (status, envelope["code"]) == (400, 1002)
        assert [each["field"] for each in envelope["data"]["fields"]] == ["request_no"]
    api.data(FIRST, "proposal.reject", proposal_no=earlier["proposal_no"], reason="no address")
    taken = taken_up(api, mei.request(100 * USDT).request_no)
    api.data(SECOND, "proposal.approve", proposal_no=taken)
    assert money.changed() == (-100 * USDT, 0)
    test_money = {**asked, "is_test": True}
    api.data(FIRST, "fund.merchant", **test_money)
    assert api.data(FIRST, "withdraw.merchant", **test_money)["amount"] == "1.000000"
