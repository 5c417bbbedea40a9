"""Proposals: two people, one transaction a step, nothing executed twice whatever fails."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.domain.errors import TryAgain
from orderdesk.domain.ledger.accounts import Account, AccountKind, Balance
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.modes import Mode
from orderdesk.domain.operators import (
    BalanceTooLow,
    BasisChanged,
    IdempotencyConflict,
    NothingToReveal,
    OperatorRefusal,
    ProposalDecided,
    RateJump,
    SecondPersonNeeded,
    UnacceptableTerms,
    UnknownId,
    WrongMode,
)
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.proposals import (
    LIFE_SECONDS,
    RATE_LIFE_SECONDS,
    REVEAL_SECONDS,
    Proposal,
    ProposalStatus,
    TwoPersonCommand,
)
from orderdesk.services.expire_proposals import expire_proposals
from orderdesk.services.operator import proposals as steps
from orderdesk.services.operator.actions import (
    ANSWER_LIFE_SECONDS,
    GuardedCommand,
    Repeated,
    RequestKey,
    once,
    request_digest,
)
from orderdesk.services.operator.funds import (
    FundMerchant,
    FundTrader,
    WithdrawMerchant,
    WithdrawTrader,
)
from orderdesk.services.operator.invitations import InviteMember
from orderdesk.services.operator.merchants import RotateSecret, SetTerms, suspend_merchant
from orderdesk.services.operator.rates import SetRate
from orderdesk.services.operator.traders import AddMethod, RemoveMethod, ResetCode, TraderWithCode
from tests.support.faults import Killed, answer_lost, answered_with, cancelled, killed_at
from tests.support.money_world import FUNDS_MICRO, OPERATORS, REASON, TESTER, MoneyWorld

MERCHANT, TRADER = AccountKind.MERCHANT, AccountKind.TRADER
A, B, C = OPERATORS
FUNDED, TAKEN = FUNDS_MICRO, 30_000_000
CARD = PaymentMethod(
    MethodType.BANK, "赵六", bank="工商银行", sub_bank="上海", card_number="6222029876543210"
)


class Desk:
    """A first merchant and traders in each mode, all funded, and three people."""

    def __init__(self, money: MoneyWorld) -> None:
        self.money, self.merchant_id = money, money.merchants[0].merchant_id
        self.trader_id = money.withdrawn_account(TRADER, Mode.LIVE).owner
        self.test_trader_id = money.withdrawn_account(TRADER, Mode.TEST).owner

    def request(self, command: GuardedCommand[Any], who: str = A) -> Any:
        self.money.now += 1
        return steps.request(self.money.command_ports, self.money.acting(who), command)

    def proposed(self, command: GuardedCommand[Any], who: str = A) -> Proposal:
        proposal = self.request(command, who)
        assert isinstance(proposal, Proposal)
        assert proposal == self.stored(proposal)
        return proposal

    def alone(self, command: GuardedCommand[Any]) -> Any:
        self.money.now += 1
        return steps.request(self.money.command_ports, self.money.operator, command)

    def withdrawal(self, micro: int = TAKEN, kind: AccountKind = MERCHANT) -> Proposal:
        self.money.now += 1
        return self.money.propose(self.money.withdrawn_account(kind, Mode.LIVE), micro, A)

    def approve(self, proposal: Proposal, who: str = B) -> Proposal:
        self.money.now += 1
        return self.money.decide(proposal.proposal_no, "approve", who)

    def reject(self, proposal: Proposal, who: str = B) -> Proposal:
        self.money.now += 1
        return self.money.decide(proposal.proposal_no, "reject", who)

    def expire(self) -> dict[str, int]:
        tally = expire_proposals(self.money.expiry_ports, self.money.now, lambda: True)
        assert not self.money.reported
        return {ended.value: count for ended, count in tally.items()}

    def reveal(self, proposal: Proposal, who: str = A) -> str:
        vault, operator = self.money.command_ports.vault, self.money.acting(who)
        return steps.reveal(self.money.proposals, vault, operator, proposal.proposal_no).secret

    def stored(self, proposal: Proposal) -> Proposal:
        return self.money.proposal(proposal.proposal_no)

    def merchant(self) -> Merchant:
        found = self.money.agreements.merchant(self.merchant_id)
        assert found is not None
        return found

    def balance(self, kind: AccountKind, mode: Mode = Mode.LIVE) -> Balance:
        return self.money.balance(self.money.withdrawn_account(kind, mode))

    def trail(self) -> list[Any]:
        rows: list[Any] = self.money.seed.items("Audit")
        return sorted((r for r in rows if r["who"] != TESTER.person), key=lambda r: r["sk"])

    def everything(self) -> Any:
        tables = ("Ledger", "Traders", "Merchants", "Audit", "Guards")
        return [sorted(self.money.seed.items(table), key=repr) for table in tables]

    def check(self) -> None:
        self.money.check()


@pytest.fixture
def desk(money: MoneyWorld) -> Desk:
    return Desk(money)


def commands(desk: Desk) -> dict[TwoPersonCommand, GuardedCommand[Any]]:
    """Return one of each command, all of which need two people."""
    found: list[GuardedCommand[Any]] = [
        FundMerchant(desk.merchant_id, TAKEN, Mode.LIVE, REASON),
        FundTrader(desk.trader_id, TAKEN, REASON),
        WithdrawMerchant(desk.merchant_id, TAKEN, Mode.LIVE, REASON),
        WithdrawTrader(desk.trader_id, TAKEN, REASON),
        RotateSecret(desk.merchant_id, REASON),
        InviteMember(desk.merchant_id, "mei", MemberRole.ADMIN, REASON),
        SetTerms(desk.merchant_id, {"max_cny_fen": 1, "events": None, "allowed_cidrs": ()}, REASON),
        AddMethod(desk.trader_id, CARD, REASON),
        RemoveMethod(desk.trader_id, MethodType.BANK, REASON),
        ResetCode(desk.trader_id, REASON),
        SetRate(OrderType.BUY, 99999, REASON, is_confirmed=True),
    ]
    return {command.name: command for command in found}


@pytest.mark.parametrize("name", TwoPersonCommand)
def test_each_command_is_proposed_by_one_and_executed_once_by_another(
    desk: Desk, name: TwoPersonCommand
) -> None:
    proposal = desk.proposed(commands(desk)[name])
    desk.check()
    assert (proposal.proposal_no[0], proposal.command, proposal.proposed_by) == ("P", name, A)
    before = desk.everything()
    for own in (A, A.upper()):
        with pytest.raises(SecondPersonNeeded):
            desk.approve(proposal, own)
    assert desk.everything() == before
    executed = desk.approve(proposal)
    assert (executed.status, executed.decided_by) == (ProposalStatus.EXECUTED, B)
    assert executed == desk.stored(proposal)
    assert (executed.parameters, dict(executed.plan.basis)) == ("", {})
    asked, approved = desk.trail()
    assert (asked["action"], asked["who"], asked["proposal_no"]) == (name, A, proposal.proposal_no)
    assert (approved["action"], approved["who"]) == ("proposal.approve", B)
    assert (approved["proposal_no"], approved["details"]["command"]) == (proposal.proposal_no, name)
    assert approved["audit_id"] == executed.audit_id
    before = desk.everything()
    for decide in (desk.approve, desk.reject):
        with pytest.raises(ProposalDecided, match="was executed before, by bob"):
            decide(proposal, C)
    assert desk.everything() == before
    desk.check()


def test_a_rejected_command_changes_nothing(desk: Desk) -> None:
    before = desk.everything()
    for command in commands(desk).values():
        proposal = desk.proposed(command)
        assert desk.reject(proposal, A).reason == REASON  # the proposer may withdraw it
        assert desk.stored(proposal).status is ProposalStatus.REJECTED
        with pytest.raises(ProposalDecided):
            desk.approve(proposal)
    assert desk.everything()[1:3] == before[1:3]
    desk.check()


def test_a_command_alone_is_executed_at_once_and_marked(desk: Desk) -> None:
    for name, command in commands(desk).items():
        assert not isinstance(desk.alone(command), Proposal)
        rows: list[Any] = desk.money.seed.items("Audit")
        entry = max(rows, key=lambda row: row["sk"])
        assert (entry["action"], entry["alone"], entry["arn"]) == (name, True, TESTER.arn)
        assert (entry["source_ip"], entry["request_id"]) == (TESTER.source_ip, TESTER.request_id)
    desk.check()


def test_test_accounts_need_one_person(desk: Desk) -> None:
    trader_id = desk.test_trader_id
    done = [
        desk.request(command)
        for command in (
            FundMerchant(desk.merchant_id, TAKEN, Mode.TEST, REASON),
            FundTrader(trader_id, TAKEN, REASON, as_test=True),
            WithdrawMerchant(desk.merchant_id, TAKEN, Mode.TEST, REASON),
            WithdrawTrader(trader_id, TAKEN, REASON, as_test=True),
            AddMethod(trader_id, CARD),
            RemoveMethod(trader_id, MethodType.BANK),
            ResetCode(trader_id),
        )
    ]
    assert not [each for each in done if isinstance(each, Proposal)]
    transfers = [transfer.transfer_id for transfer in done[:4]]
    assert [row["audit_id"] for row in desk.trail()[:4]] == transfers
    assert desk.balance(MERCHANT, Mode.TEST) == Balance(FUNDED, 0)
    desk.check()


def test_a_trader_without_money_and_orders_needs_one_person(desk: Desk) -> None:
    trader_id = desk.money.seed.add_trader(available_micro=0, methods=(CARD,)).trader_id
    code = desk.request(ResetCode(trader_id))
    assert isinstance(code, TraderWithCode)
    assert len(code.access_code) > 20
    gone = desk.request(RemoveMethod(trader_id, MethodType.BANK))
    assert gone.methods == ()
    with pytest.raises(UnknownId):
        desk.request(RemoveMethod(trader_id, MethodType.BANK))


def test_a_withdrawal_is_held_then_paid_out(desk: Desk) -> None:
    for kind in (MERCHANT, TRADER):
        proposal = desk.withdrawal(kind=kind)
        assert desk.balance(kind) == Balance(FUNDED - TAKEN, TAKEN)
        shown = dict(proposal.plan.before), dict(proposal.plan.after)
        assert shown == ({"available": "2000.000000"}, {"available": "1970.000000"})
        desk.check()  # no order is counted for it
        outside = Account(AccountKind.FUNDING, "", Mode.LIVE)
        before = desk.money.balance(outside).available_micro
        desk.approve(proposal)
        assert desk.balance(kind) == Balance(FUNDED - TAKEN, 0)
        assert desk.money.balance(outside) == Balance(before + TAKEN, 0)
        rows: list[Any] = desk.money.seed.items("Ledger")
        posted = [row for row in rows if row.get("transfer_id") == proposal.proposal_no]
        assert sorted(row["amount_micro"] for row in posted) == [-TAKEN, TAKEN]
        desk.check()


def test_expiry_counts_at_once_and_releases_the_hold_later(desk: Desk) -> None:
    proposal, decided = desk.withdrawal(), desk.withdrawal()
    desk.approve(decided)
    desk.money.now = proposal.expires_at - 1
    assert proposal.expires_at - proposal.proposed_at_us // 10**6 == LIFE_SECONDS
    assert desk.expire() == {}
    desk.money.now += 1
    for decide in (desk.approve, desk.reject):
        with pytest.raises(ProposalDecided, match="was expired before"):
            decide(proposal)
    assert desk.balance(MERCHANT).held_micro == TAKEN
    assert desk.expire() == {"proposals_expired": 1}
    assert desk.expire() == {}
    assert desk.stored(proposal).status is ProposalStatus.EXPIRED
    assert desk.balance(MERCHANT) == Balance(FUNDED - TAKEN, 0)
    desk.check()


def test_a_rates_proposal_lives_an_hour(desk: Desk) -> None:
    proposal = desk.proposed(SetRate(OrderType.BUY, 99999, is_confirmed=True))
    assert proposal.expires_at - proposal.proposed_at_us // 10**6 == RATE_LIFE_SECONDS
    desk.money.now = proposal.expires_at
    with pytest.raises(ProposalDecided):
        desk.approve(proposal)


def test_what_is_not_there_is_not_proposed(desk: Desk) -> None:
    desk.withdrawal(FUNDED - 1)
    before = desk.everything()
    live = Mode.LIVE
    refused: list[tuple[type[Exception], GuardedCommand[Any]]] = [
        (BalanceTooLow, WithdrawMerchant(desk.merchant_id, 2, live, REASON)),
        (BalanceTooLow, WithdrawTrader(desk.trader_id, FUNDED + 1, REASON)),
        (UnacceptableTerms, WithdrawMerchant(desk.merchant_id, 0, live, REASON)),
        (UnacceptableTerms, FundMerchant(desk.merchant_id, -1, live, REASON)),
        (UnacceptableTerms, FundMerchant(desk.merchant_id, 1, live, " ")),
        (UnknownId, WithdrawMerchant("mx", 1, live, REASON)),
        (UnknownId, FundMerchant("mx", 1, live, REASON)),
        (UnknownId, FundTrader("tx", 1, REASON)),
        (UnknownId, RotateSecret("mx")),
        (UnknownId, ResetCode("tx")),
        (UnknownId, SetTerms("mx", {"max_cny_fen": 1})),
        (UnacceptableTerms, SetTerms(desk.merchant_id, {"max_cny_fen": 0})),
        (UnacceptableTerms, RotateSecret(desk.merchant_id, "two\nlines")),
        (RateJump, SetRate(OrderType.BUY, 99999)),
        (UnacceptableTerms, SetRate(OrderType.BUY, 0)),
        (WrongMode, WithdrawTrader(desk.trader_id, 1, REASON, as_test=True)),
    ]
    for error, command in refused:
        with pytest.raises(error):
            desk.request(command)
    for what in ("approve", "reject"):
        with pytest.raises(UnknownId):
            desk.money.decide("P1", what, B)
    with pytest.raises(UnacceptableTerms):
        steps.reject(desk.money.proposals, desk.money.acting(B), "P1", " ")
    assert desk.everything() == before


def test_what_it_rests_on_has_changed(desk: Desk) -> None:
    changes: dict[TwoPersonCommand, GuardedCommand[Any]] = {
        TwoPersonCommand.ROTATE_SECRET: RotateSecret(desk.merchant_id),
        TwoPersonCommand.SET_MERCHANT: SetTerms(desk.merchant_id, {"max_cny_fen": 2}),
        TwoPersonCommand.ADD_METHOD: AddMethod(desk.trader_id, replace(CARD, bank="另一银行")),
        TwoPersonCommand.RESET_CODE: ResetCode(desk.trader_id),
        TwoPersonCommand.SET_RATE: SetRate(OrderType.BUY, 72361),
    }
    for name, change in changes.items():
        refused_after(change, commands(desk)[name], desk)


def test_what_one_person_did_meanwhile_is_not_approved(desk: Desk) -> None:
    done = (TwoPersonCommand.SET_MERCHANT, TwoPersonCommand.ADD_METHOD, TwoPersonCommand.SET_RATE)
    for name in (*done, TwoPersonCommand.REMOVE_METHOD):
        refused_after(commands(desk)[name], commands(desk)[name], desk)


def refused_after(change: GuardedCommand[Any], command: GuardedCommand[Any], desk: Desk) -> None:
    """Propose a command, execute a change alone, and check that the approval writes nothing."""
    proposal = desk.proposed(command)
    desk.alone(change)
    before = desk.everything()
    with pytest.raises(BasisChanged, match="reject it and propose"):
        desk.approve(proposal)
    assert desk.everything() == before
    assert desk.stored(proposal).status is ProposalStatus.OPEN
    desk.reject(proposal)


def test_other_changes_do_not_hinder_an_approval(desk: Desk) -> None:
    proposals = [desk.proposed(command) for command in commands(desk).values()]
    suspend_merchant(desk.money.agreements, desk.money.operator, desk.merchant_id, REASON)
    desk.money.suspend(0)
    desk.alone(SetTerms(desk.merchant_id, {"display_name": "x"}))
    removed = TwoPersonCommand.REMOVE_METHOD  # it rests on the method that the other one replaces
    for proposal in proposals:
        if proposal.command is not removed:
            assert desk.approve(proposal).status is ProposalStatus.EXECUTED
    desk.check()


def test_terms_creep_no_further_than_two_people_approved(desk: Desk) -> None:
    def fee(service_bps: int) -> Any:
        return desk.request(SetTerms(desk.merchant_id, {"fees": {"service_bps": service_bps}}))

    desk.alone(SetTerms(desk.merchant_id, {"fees": {"service_bps": 100}}))
    assert isinstance(fee(101), Proposal), "61 was the value at creation, and one person set 100"
    assert desk.approve(fee(100 * 2)).status is ProposalStatus.EXECUTED
    for near in (210, 190, 200, 205):
        assert isinstance(fee(near), Merchant)
    assert isinstance(fee(211), Proposal)
    assert isinstance(fee(189), Proposal)
    assert desk.merchant().terms.fees.service_bps == 205
    assert isinstance(
        desk.request(SetTerms(desk.merchant_id, {"display_name": "x", "max_rps": 1})), Merchant
    )
    assert desk.merchant().approved["service_bps"] == 200


def test_a_number_that_was_zero_needs_two_people(desk: Desk) -> None:
    desk.alone(SetTerms(desk.merchant_id, {"fees": {"service_fixed_micro": 0}}))
    other = desk.money.seed.add_merchant()[0].merchant_id
    proposal = desk.proposed(SetTerms(other, {"fees": {"service_fixed_micro": 1}}))
    desk.approve(proposal)
    assert isinstance(
        desk.request(SetTerms(other, {"fees": {"service_fixed_micro": 1}})), Merchant
    ), "no change"


def test_rates_creep_no_further_than_two_people_approved(desk: Desk) -> None:
    def rate(rate_e4: int) -> Any:
        return desk.request(SetRate(OrderType.BUY, rate_e4, is_confirmed=True))

    assert not isinstance(rate(75970), Proposal)  # 4.99 % from 7.2360
    assert isinstance(rate(76000), Proposal)
    desk.approve(rate(80000))
    assert not isinstance(rate(84000), Proposal)
    assert isinstance(rate(84001), Proposal)


def test_the_proposer_reads_the_secret_for_an_hour(desk: Desk) -> None:
    proposal = desk.proposed(RotateSecret(desk.merchant_id))
    with pytest.raises(NothingToReveal):
        desk.reveal(proposal)
    executed = desk.approve(proposal)
    assert executed.reveal_until == desk.money.now + REVEAL_SECONDS
    with pytest.raises(NothingToReveal, match="only ann can"):
        desk.reveal(proposal, B)
    secrets = {desk.reveal(proposal) for _ in range(2)}
    stored = desk.merchant()
    newest = desk.money.command_ports.vault.unseal(desk.merchant_id, stored.sealed_secrets)
    assert secrets == {newest.api_secrets[0]}
    reveals = [row for row in desk.trail() if row["action"] == "proposal.reveal"]
    assert [row["who"] for row in reveals] == [A, A]
    assert newest.api_secrets[0] not in repr(desk.everything())
    desk.money.now = executed.reveal_until
    with pytest.raises(NothingToReveal):
        desk.reveal(proposal)
    assert desk.expire() == {"secrets_forgotten": 1}
    assert desk.expire() == {}
    assert desk.stored(proposal).sealed is None


def test_the_secret_of_one_proposal_does_not_open_as_anothers(desk: Desk) -> None:
    first, second = (desk.approve(desk.proposed(ResetCode(desk.trader_id))) for _ in range(2))
    assert first.sealed is not None
    assert desk.reveal(second)
    with pytest.raises(Exception, match="InvalidCiphertext"):
        desk.money.command_ports.vault.unseal_for_proposer(second.proposal_no, first.sealed)


def test_no_personal_data_and_no_secret_is_audited(desk: Desk) -> None:
    proposal = desk.proposed(AddMethod(desk.trader_id, CARD))
    assert CARD.card_number not in repr(proposal)
    assert CARD.real_name not in repr(proposal)
    assert proposal.plan.after["account"] == "************3210"
    desk.approve(proposal)
    assert desk.money.seed.trader(desk.trader_id).account(MethodType.BANK) == CARD
    rows: list[Any] = desk.money.seed.items("Ledger")
    [item] = [row for row in rows if row.get("sk") == proposal.proposal_no]
    for text in (CARD.card_number, CARD.real_name):
        assert text not in repr(desk.trail())
        assert text not in repr(item), "it is kept only while the proposal is open"


def test_the_list_is_newest_first_and_continues(desk: Desk) -> None:
    made = [desk.withdrawal(1) for _ in range(5)] + [desk.proposed(RotateSecret(desk.merchant_id))]
    numbers = [proposal.proposal_no for proposal in reversed(made)]
    desk.approve(made[1])
    store, now = desk.money.proposals, desk.money.now

    def listed(**wanted: Any) -> list[str]:
        found: list[str] = []
        after = None
        while True:
            page = steps.list_proposals(store, now, limit=2, after=after, **wanted)
            found += [proposal.proposal_no for proposal in page.items]
            after = page.following
            if after is None:
                return found

    assert listed() == numbers
    assert listed(open_only=True) == [n for n in numbers if n != made[1].proposal_no]
    assert listed(commands=lambda command: command.takes_money) == numbers[1:]
    for place in ("A", "Z"):  # a caller can send any text
        assert steps.list_proposals(store, now, limit=9, after=place, open_only=True).items == (
            [] if place == "A" else [store.proposal(n) for n in listed(open_only=True)]
        )
    now = made[3].expires_at
    assert listed(open_only=True) == numbers[:2]


def keyed(desk: Desk, command: GuardedCommand[Any], key: str, who: str = A) -> Any:
    """Request a command with an idempotency key, as the API does."""
    digest = request_digest(command.name, command.parameters(), alone=False)
    operator = replace(desk.money.acting(who), key=RequestKey(key, digest))
    ports = desk.money.command_ports
    desk.money.now += 1
    return once(desk.money.proposals, operator, lambda: steps.request(ports, operator, command))


def test_a_repeated_key_receives_the_first_answer(desk: Desk) -> None:
    fund = FundMerchant(desk.merchant_id, TAKEN, Mode.LIVE, REASON)
    test = FundMerchant(desk.merchant_id, TAKEN, Mode.TEST, REASON)
    proposal, transfer = keyed(desk, fund, "k1"), keyed(desk, test, "k2")
    before = desk.everything()
    again, funded = keyed(desk, fund, "k1"), keyed(desk, test, "k2")
    assert isinstance(again, Repeated)
    assert again.ids["proposal_no"] == proposal.proposal_no
    assert funded.ids["audit_id"] == transfer.transfer_id
    for command, key in ((test, "k1"), (replace(fund, memo="other"), "k1")):
        with pytest.raises(IdempotencyConflict):
            keyed(desk, command, key)
    assert desk.everything() == before
    assert isinstance(keyed(desk, fund, "k1", B), Proposal), "the keys of another person"
    desk.money.now += ANSWER_LIFE_SECONDS
    assert isinstance(keyed(desk, fund, "k1"), Proposal)


def test_requests_with_one_key_that_meet_are_executed_once(desk: Desk) -> None:
    command = FundMerchant(desk.merchant_id, TAKEN, Mode.TEST, REASON)
    digest = request_digest(command.name, command.parameters(), alone=False)
    operator = replace(desk.money.acting(A), key=RequestKey("k", digest))
    ports = desk.money.command_ports

    def run() -> Any:
        keyed(desk, command, "k")
        return steps.request(ports, operator, command)

    assert isinstance(once(desk.money.proposals, operator, run), Repeated)
    assert desk.balance(MERCHANT, Mode.TEST) == Balance(FUNDED + TAKEN, 0)
    desk.check()


STEPS: dict[str, Callable[[Desk, Proposal], object]] = {
    "approve": lambda desk, open_one: desk.approve(open_one),
    "reject": lambda desk, open_one: desk.reject(open_one),
}


def varied(desk: Desk, name: TwoPersonCommand, number: int) -> GuardedCommand[Any]:
    """Return a command that needs two people again after the ones with lower numbers."""
    match name:
        case TwoPersonCommand.SET_MERCHANT:
            return SetTerms(desk.merchant_id, {"max_open_buys": 2**number})
        case TwoPersonCommand.SET_RATE:
            return SetRate(OrderType.BUY, 2**number, is_confirmed=True)
        case TwoPersonCommand.ADD_METHOD:
            return AddMethod(desk.trader_id, replace(CARD, bank=f"{number}"))
        case TwoPersonCommand.REMOVE_METHOD:
            desk.alone(AddMethod(desk.trader_id, replace(CARD, bank=f"{number}")))
            return RemoveMethod(desk.trader_id, MethodType.BANK)
        case _:
            return commands(desk)[name]


@pytest.mark.parametrize("name", TwoPersonCommand)
def test_a_death_leaves_a_proposal_open_or_executed_with_its_entry(
    desk: Desk, name: TwoPersonCommand
) -> None:
    """Kill an approval before and after each of its requests."""
    alive: set[str] = set()
    for number in range(20):
        when = ("before-call", "after-call")[number % 2]
        proposal = desk.proposed(varied(desk, name, number))
        with suppress(Killed), killed_at(desk.money.seed, number // 2, when):
            desk.approve(proposal)
            alive.add(when)
        stored = desk.stored(proposal)
        entries = [row for row in desk.trail() if row["action"] == "proposal.approve"]
        mine = [row for row in entries if row["proposal_no"] == proposal.proposal_no]
        assert len(mine) == (stored.status is ProposalStatus.EXECUTED)
        assert stored.status in {ProposalStatus.OPEN, ProposalStatus.EXECUTED}
        desk.check()
        if stored.status is ProposalStatus.OPEN:
            desk.reject(proposal)
        if len(alive) == 2:
            assert number >= 6, "an approval reads, writes and reads"
            return
    raise AssertionError("an approval never ends")


@pytest.mark.parametrize("times", [1, 2])
def test_an_approval_whose_answer_is_lost_is_repeated(desk: Desk, times: int) -> None:
    """moto ignores ClientRequestToken, so the repeat finds the decision made; see tests/e2e."""
    for number, name in enumerate(TwoPersonCommand):
        proposal = desk.proposed(varied(desk, name, number + 1))
        with answer_lost(desk.money.seed, "TransactWriteItems", times) as calls:
            executed = desk.approve(proposal)
        assert len(calls) > times
        assert executed.status is ProposalStatus.EXECUTED
        desk.check()
    assert len(desk.trail()) == 2 * len(TwoPersonCommand)


@pytest.mark.parametrize("step", STEPS)
def test_a_conflict_is_tried_again_and_not_without_end(desk: Desk, step: str) -> None:
    first, second = desk.withdrawal(1), desk.withdrawal(1)
    writes = {"approve": 6, "reject": 3}[step]
    conflict = cancelled("TransactionConflict", *["None"] * (writes - 1))
    with answered_with(desk.money.seed, "TransactWriteItems", conflict, 3):
        STEPS[step](desk, first)
    desk.check()
    before = desk.everything()
    with (
        answered_with(desk.money.seed, "TransactWriteItems", conflict, 1_000),
        pytest.raises(TryAgain),
    ):
        STEPS[step](desk, second)
    assert desk.everything() == before


def test_a_decision_is_made_once_if_two_meet(desk: Desk) -> None:
    for first, second in (("approve", "reject"), ("approve", "approve")):
        proposal = desk.withdrawal(1)
        number = proposal.proposal_no
        desk.money.before_pay_out.then = lambda n=number, w=second: desk.money.decide(n, w, C)
        with pytest.raises(ProposalDecided, match="by cid"):
            desk.money.decide(number, first, B)
        desk.check()


def test_a_refusal_of_the_command_leaves_the_proposal_open(desk: Desk) -> None:
    proposal = desk.proposed(SetTerms(desk.merchant_id, {"max_cny_fen": 500}))
    desk.alone(SetTerms(desk.merchant_id, {"min_cny_fen": 900}))
    with pytest.raises(OperatorRefusal, match="max_cny"):
        desk.approve(proposal)
    assert desk.stored(proposal).status is ProposalStatus.OPEN
