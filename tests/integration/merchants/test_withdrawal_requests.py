"""A merchant's person requests a withdrawal: what is held, refused and repeated."""

from dataclasses import replace

import pytest

from orderdesk.adapters.dynamodb import ledger_statement
from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.marshal import Item, to_item
from orderdesk.adapters.dynamodb.withdrawals import MerchantWithdrawals, request_item
from orderdesk.domain.accounts import Account, AccountKind, TransferKind
from orderdesk.domain.errors import Refusal
from orderdesk.domain.merchants.merchant import Merchant, MerchantSuspended
from orderdesk.domain.merchants.withdrawals import (
    FORM_LIFE_SECONDS,
    OPEN_REQUESTS_MAX,
    REST_SECONDS,
    Network,
    RequestStatus,
    WithdrawalProblem,
    WithdrawalRefused,
    is_fresh,
    request_number,
)
from orderdesk.domain.pricing import Mode
from orderdesk.services.merchants.list_withdrawals import (
    ListedWithdrawal,
    WithdrawalReads,
    list_withdrawals,
)
from orderdesk.services.merchants.withdrawals import draw_request_no, remove_address
from orderdesk.services.ports import Slice
from tests.support.faults import Killed, killed_at
from tests.support.money_world import Interruption
from tests.support.requesting import ETHER, TRON, Person
from tests.support.world import World

USDT = 1_000_000


@pytest.fixture
def merchant(world: World) -> Merchant:
    merchant, _ = world.add_merchant()
    world.fund(merchant, 1000 * USDT)
    return merchant


@pytest.fixture
def mei(world: World, merchant: Merchant) -> Person:
    return Person(world, merchant.merchant_id).with_rested_address()


def refused(mei: Person, micro: int = USDT, *, number: str = "", memo: str = "m") -> object:
    """Make a request that must be refused and change nothing; return what is wrong."""
    before = mei.seed.items("Ledger")
    with pytest.raises(Refusal) as raised:
        mei.request(micro, number=number, memo=memo)
    assert mei.seed.items("Ledger") == before
    found = raised.value
    return found.problem if isinstance(found, WithdrawalRefused) else type(found)


def test_the_amount_is_held_from_the_request_on(
    world: World, mei: Person, merchant: Merchant
) -> None:
    request = mei.request(400 * USDT)
    assert (request.status, request.proposal_no) == (RequestStatus.REQUESTED, "")
    assert (request.label, request.requested_by) == ("cold", "mei")
    assert world.balance(merchant) == (600 * USDT, 400 * USDT)
    assert mei.stored(request.request_no) == request
    assert mei.request(600 * USDT).amount_micro == 600 * USDT
    assert world.balance(merchant) == (0, 1000 * USDT)
    assert refused(mei) is WithdrawalProblem.BALANCE_TOO_LOW
    newest = mei.ports.book.newest(mei.merchant_id, None, 10)
    assert [each.amount_micro for each in newest] == [600 * USDT, 400 * USDT]
    older = mei.ports.book.newest(mei.merchant_id, newest[0].request_no, 10)
    assert older == [request]


def test_the_amount_is_gathered_from_all_shards(world: World) -> None:
    merchant, _ = world.add_merchant(balance_shards=2)
    world.fund(merchant, 500 * USDT)
    key = {"pk": f"merchant:{merchant.merchant_id}#1:live", "sk": "balance"}
    world.put("Ledger", {**key, "available_micro": 500 * USDT, "held_micro": 0})
    mei = Person(world, merchant.merchant_id).with_rested_address()
    assert refused(mei, 1001 * USDT) is WithdrawalProblem.BALANCE_TOO_LOW
    number = mei.request(900 * USDT).request_no
    assert world.balance(merchant) == (100 * USDT, 900 * USDT)
    mei.cancel(number)
    assert world.balance(merchant) == (1000 * USDT, 0)


def test_a_repeated_form_is_one_request(world: World, mei: Person, merchant: Merchant) -> None:
    number = draw_request_no(mei.ports)
    first = mei.request(USDT, number=number)
    mei.passed += 60
    assert mei.request(USDT, number=number) == first
    assert world.balance(merchant) == (999 * USDT, USDT)
    assert refused(mei, 2 * USDT, number=number) is WithdrawalProblem.STALE_FORM
    assert refused(mei, USDT, number=number, memo="other") is WithdrawalProblem.STALE_FORM
    other, _ = world.add_merchant()
    world.fund(other, USDT)
    neighbour = Person(world, other.merchant_id).with_rested_address()
    assert refused(neighbour, USDT, number=number) is WithdrawalProblem.STALE_FORM


@pytest.mark.parametrize("when", ["before-call", "after-call"])
def test_a_request_whose_answer_is_lost_is_held_once(
    world: World, mei: Person, merchant: Merchant, when: str
) -> None:
    number = draw_request_no(mei.ports)
    with pytest.raises(Killed), killed_at(world, 2, when):
        mei.request(USDT, number=number)
    held = USDT if when == "after-call" else 0
    assert world.balance(merchant) == (1000 * USDT - held, held)
    assert mei.request(USDT, number=number).request_no == number
    assert world.balance(merchant) == (999 * USDT, USDT)


def test_an_old_or_invented_number_is_refused(mei: Person) -> None:
    number = draw_request_no(mei.ports)
    assert refused(mei, number=f"{number[:-17]}{9:017d}") is WithdrawalProblem.STALE_FORM
    for text in ("W1", f"P{number[1:]}", f"{number}0", ""):
        assert not is_fresh(text, mei.ports.now_us() // 10**6)
    mei.passed += FORM_LIFE_SECONDS + 1
    assert refused(mei, number=number) is WithdrawalProblem.STALE_FORM
    mei.passed -= 2 * FORM_LIFE_SECONDS
    assert refused(mei, number=number) is WithdrawalProblem.STALE_FORM
    now_us = 1_900_000_000_123_456
    assert is_fresh(request_number(now_us, 5), now_us // 10**6)


def test_a_new_or_unknown_address_is_refused(world: World, merchant: Merchant) -> None:
    mei = Person(world, merchant.merchant_id)
    assert refused(mei) is WithdrawalProblem.UNKNOWN_ADDRESS
    mei.add_address()
    assert refused(mei) is WithdrawalProblem.ADDRESS_RESTS
    mei.passed += REST_SECONDS - 2
    assert refused(mei) is WithdrawalProblem.ADDRESS_RESTS
    mei.passed += 3
    request = mei.request(USDT)
    remove_address(mei.ports, mei.by, Network.TRC20, TRON)
    assert refused(mei) is WithdrawalProblem.UNKNOWN_ADDRESS
    assert mei.stored(request.request_no) == request
    mei.add_address()
    assert refused(mei) is WithdrawalProblem.ADDRESS_RESTS


def test_an_address_that_is_removed_meanwhile_is_refused(mei: Person) -> None:
    meanwhile = Interruption(mei.ports.book, "create")
    meanwhile.then = lambda: remove_address(mei.ports, mei.by, Network.TRC20, TRON)
    with pytest.raises(WithdrawalRefused) as raised:
        mei.request(USDT)
    assert raised.value.problem is WithdrawalProblem.UNKNOWN_ADDRESS
    assert mei.ports.book.newest(mei.merchant_id, None, 10) == []


def test_the_book_keeps_its_changes_and_who_made_them(world: World, mei: Person) -> None:
    meanwhile = Interruption(mei.ports.book, "change_book")
    meanwhile.then = lambda: mei.add_address(ETHER, Network.BEP20, "bob's")
    book = mei.add_address(ETHER.lower(), Network.ERC20, " exchange ")
    assert [(each.network, each.address, each.label) for each in book.addresses] == [
        (Network.TRC20, TRON, "cold"),
        (Network.BEP20, ETHER, "bob's"),
        (Network.ERC20, ETHER, "exchange"),
    ]
    assert mei.ports.book.address_book(mei.merchant_id) == book
    with pytest.raises(WithdrawalRefused):
        remove_address(mei.ports, mei.by, Network.ERC20, TRON)
    entries = world.items("Audit")
    assert [entry["action"] for entry in entries] == ["address.add"] * 3
    assert {entry["pk"] for entry in entries} == {f"portal#{mei.merchant_id}"}
    assert {entry["who"] for entry in entries} == {"mei"}


@pytest.mark.parametrize(
    ("micro", "memo", "problem"),
    [
        (0, "m", WithdrawalProblem.BAD_AMOUNT),
        (-USDT, "m", WithdrawalProblem.BAD_AMOUNT),
        (1001 * USDT, "m", WithdrawalProblem.BALANCE_TOO_LOW),
        (USDT, "x" * 129, WithdrawalProblem.BAD_MEMO),
        (USDT, "a\nb", WithdrawalProblem.BAD_MEMO),
    ],
)
def test_an_unfit_request_is_refused(
    mei: Person, micro: int, memo: str, problem: WithdrawalProblem
) -> None:
    assert refused(mei, micro, memo=memo) is problem


def test_a_suspended_merchant_requests_nothing(world: World, mei: Person) -> None:
    world.client.update_item(
        TableName="Merchants",
        Key=to_item({"pk": f"merchant#{mei.merchant_id}"}),
        UpdateExpression="SET #status = :suspended",
        ExpressionAttributeNames={"#status": "status"},
        ExpressionAttributeValues=to_item({":suspended": "suspended"}),
    )
    assert refused(mei) is MerchantSuspended


def test_the_requests_that_wait_are_bounded(mei: Person) -> None:
    requests = [mei.request(USDT) for _ in range(OPEN_REQUESTS_MAX)]
    assert refused(mei) is WithdrawalProblem.TOO_MANY_OPEN
    mei.cancel(requests[0].request_no)
    assert mei.request(USDT).status is RequestStatus.REQUESTED


def test_cancelled_requests_do_not_hide_those_that_wait(world: World, mei: Person) -> None:
    for _ in range(OPEN_REQUESTS_MAX):
        waiting = mei.request(USDT)
    later = replace(waiting, status=RequestStatus.CANCELLED)
    for number in range(101):
        text = f"{waiting.request_no[:-3]}{number:03d}"
        world.put("Ledger", request_item(replace(later, request_no=f"W9{text[2:]}")))
    assert refused(mei) is WithdrawalProblem.TOO_MANY_OPEN


def test_a_long_history_keeps_nobody_from_a_request_and_costs_one_read(
    world: World, mei: Person
) -> None:
    ended = replace(mei.request(USDT), status=RequestStatus.CANCELLED, reason="r" * 380_000)
    for number in range(60):  # more than 20 pages of 1 MB
        text = f"{ended.request_no[:-3]}{number:03d}"
        world.put("Ledger", request_item(replace(ended, request_no=f"W0{text[2:]}")))
    reads: list[object] = []
    mei.seed.client.meta.events.register("before-call.dynamodb.Query", lambda **_: reads.append(1))
    assert mei.request(USDT).status is RequestStatus.REQUESTED
    assert len(reads) == 1


def test_other_postings_hide_no_withdrawal_from_the_list(
    world: World, mei: Person, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_statement, "_PAYOUT_PAGES", 1)
    account = Account(AccountKind.MERCHANT, merchant.merchant_id, Mode.TEST)
    for number in range(8):  # more than two pages of 1 MB; the oldest is a withdrawal
        kind = TransferKind.SETTLEMENT if number else TransferKind.WITHDRAWAL
        row: Item = {"pk": account.key, "sk": Key.posting(number + 1, "B1"), "at_us": number + 1}
        row |= {"transfer_id": "B1", "kind": kind.value, "amount_micro": -1, "order_no": ""}
        world.put("Ledger", {**row, "memo": "m" * 380_000})
    client, tables = mei.seed.client, mei.seed.tables
    postings = ledger_statement.LedgerStatement(client, tables.ledger)
    reads = WithdrawalReads(MerchantWithdrawals(client, tables), postings)
    pages, before = list[Slice[ListedWithdrawal, int]](), None
    while not pages or before is not None:
        pages.append(list_withdrawals(reads, merchant.merchant_id, Mode.TEST, before, 20))
        before = pages[-1].following
    assert [each.at_us for page in pages for each in page.items] == [1]
    assert len(pages) > 2


def test_a_cancelled_request_releases_its_amount(
    world: World, mei: Person, merchant: Merchant
) -> None:
    number = mei.request(400 * USDT).request_no
    cancelled = mei.cancel(number)
    assert cancelled.status is RequestStatus.CANCELLED
    assert mei.stored(number) == cancelled
    assert mei.cancel(number) == cancelled
    assert world.balance(merchant) == (1000 * USDT, 0)
    other, _ = world.add_merchant()
    with pytest.raises(WithdrawalRefused) as raised:
        Person(world, other.merchant_id).cancel(mei.request(USDT).request_no)
    assert raised.value.problem is WithdrawalProblem.UNKNOWN_REQUEST
