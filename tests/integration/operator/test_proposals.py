"""Proposals: two people, one transaction a step, nothing executed twice whatever fails."""

from dataclasses import replace
from typing import Any

import pytest

from orderdesk.domain.accounts import Account, AccountKind, Balance
from orderdesk.domain.credentials import halves_of
from orderdesk.domain.ids import token_hash
from orderdesk.domain.merchants.merchant import Merchant, MerchantStatus
from orderdesk.domain.money import format_rate
from orderdesk.domain.operators import (
    BalanceTooLow,
    BasisChanged,
    IdempotencyConflict,
    NothingToReveal,
    OperatorRefusal,
    ProposalDecided,
    SecondPersonNeeded,
    UnacceptableTerms,
    UnknownId,
)
from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.pricing import Mode
from orderdesk.domain.proposals import (
    LIFE_SECONDS,
    RATE_LIFE_SECONDS,
    REVEAL_SECONDS,
    WITHDRAWALS,
    Proposal,
    ProposalStatus,
)
from orderdesk.services.expire_proposals import LOOK_BACK_SECONDS, Ended, ProposalSweep
from orderdesk.services.operator import proposals as steps
from orderdesk.services.operator.actions import ANSWER_LIFE_SECONDS, RequestKey, request_digest
from orderdesk.services.operator.merchants import set_status
from orderdesk.services.operator.proposals import Repeated, once
from tests.support.commands import Ask, ask, moving
from tests.support.money_world import FUNDS_MICRO, OPERATORS, REASON, TESTER, MoneyWorld
from tests.support.two_people import (
    CARD,
    TWO_PEOPLE,
    add_method,
    of_two_people,
    reset_code,
    set_rate,
    set_terms,
)

MERCHANT, TRADER = AccountKind.MERCHANT, AccountKind.TRADER
A, B, C = OPERATORS
UNFIT_MEMOS = ("", "   ", "x" * 256, "a\tb")
FUNDED, TAKEN = FUNDS_MICRO, 30_000_000


class Desk:
    """A first merchant and traders in each mode, all funded, and three people."""

    def __init__(self, money: MoneyWorld) -> None:
        self.money, self.merchant_id = money, money.merchants[0].merchant_id
        self.trader_id = money.withdrawn_account(TRADER, Mode.LIVE).owner
        self.test_trader_id = money.withdrawn_account(TRADER, Mode.TEST).owner
        self.commands = of_two_people(money)

    def request(self, command: Ask, who: str = A) -> Any:
        self.money.now += 1
        return self.money.run(command, self.money.acting(who))

    def proposed(self, command: Ask, who: str = A) -> Proposal:
        proposal = self.request(command, who)
        assert isinstance(proposal, Proposal)
        assert proposal == self.stored(proposal)
        return proposal

    def alone(self, command: Ask) -> Any:
        self.money.now += 1
        return self.money.run(command, self.money.operator)

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
        tally = ProposalSweep(self.money.expiry_ports).run(self.money.now, lambda: True)
        assert not self.money.reported
        return {ended.value: count for ended, count in tally.items()}

    def reveal(self, proposal: Proposal, who: str = A) -> str:
        ports = self.money.command_ports.acting(self.money.acting(who))
        return steps.reveal(ports, proposal.proposal_no, lambda _, __: False).secret

    def stored(self, proposal: Proposal) -> Proposal:
        return self.money.proposal(proposal.proposal_no)

    def merchant(self) -> Merchant:
        found = self.money.agreements.merchant(self.merchant_id)
        assert found is not None
        return found

    def account(self, kind: AccountKind, mode: Mode = Mode.LIVE) -> Account:
        return self.money.withdrawn_account(kind, mode)

    def balance(self, kind: AccountKind, mode: Mode = Mode.LIVE) -> Balance:
        return self.money.balance(self.account(kind, mode))

    def trail(self) -> list[Any]:
        rows: list[Any] = self.money.seed.items("Audit")
        return sorted((r for r in rows if r["who"] != TESTER.person), key=lambda r: r["sk"])

    def everything(self) -> Any:
        tables = ("Ledger", "Traders", "Merchants", "Audit", "Guards")
        return [sorted(map(_changed, self.money.seed.items(table)), key=repr) for table in tables]

    def check(self) -> None:
        self.money.check()


def _changed(row: Any) -> Any:
    """Return an item without the sums of its windows that are 0: a hold was released."""
    return {name: row[name] for name in row if name not in {"a0", "a1", "h0", "h1"} or row[name]}


@pytest.fixture
def desk(money: MoneyWorld) -> Desk:
    return Desk(money)


@pytest.mark.parametrize("name", TWO_PEOPLE)
def test_each_command_is_proposed_by_one_and_executed_once_by_another(
    desk: Desk, name: str
) -> None:
    proposal = desk.proposed(desk.commands[name])
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
    for command in desk.commands.values():
        proposal = desk.proposed(command)
        assert desk.reject(proposal, A).reason == REASON  # the proposer may withdraw it
        assert desk.stored(proposal).status is ProposalStatus.REJECTED
        with pytest.raises(ProposalDecided):
            desk.approve(proposal)
    assert desk.everything()[1:3] == before[1:3]
    desk.check()


def test_a_command_alone_is_executed_at_once_and_marked(desk: Desk) -> None:
    for name, command in desk.commands.items():
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
            *(moving("fund", desk.account(kind, Mode.TEST), TAKEN) for kind in (MERCHANT, TRADER)),
            *(
                moving("withdraw", desk.account(kind, Mode.TEST), TAKEN)
                for kind in (MERCHANT, TRADER)
            ),
            add_method(trader_id, CARD),
            ask("trader.remove-method", trader_id=trader_id, method_type="bank"),
            reset_code(trader_id),
        )
    ]
    assert not [each for each in done if isinstance(each, Proposal)]
    transfers = [transfer["transfer_id"] for transfer in done[:4]]
    assert [row["audit_id"] for row in desk.trail()[:4]] == transfers
    assert desk.balance(MERCHANT, Mode.TEST) == Balance(FUNDED, 0)
    desk.check()


def test_a_trader_without_money_and_orders_needs_two_people_too(desk: Desk) -> None:
    trader_id = desk.money.seed.add_trader(available_micro=0, methods=(CARD,)).trader_id
    desk.approve(desk.proposed(reset_code(trader_id)))
    removal = ask("trader.remove-method", trader_id=trader_id, method_type="bank")
    desk.approve(desk.proposed(removal))
    assert desk.money.seed.trader(trader_id).methods == ()
    with pytest.raises(UnknownId):
        desk.request(removal)


def test_a_withdrawal_is_held_then_paid_out(desk: Desk) -> None:
    for kind in (MERCHANT, TRADER):
        proposal = desk.withdrawal(kind=kind)
        assert desk.balance(kind) == Balance(FUNDED - TAKEN, TAKEN)
        shown = dict(proposal.plan.before), dict(proposal.plan.after)
        after = {"available": "1970.000000", "address": f"no address: {proposal.plan.reason}"}
        assert shown == ({"available": "2000.000000"}, after)
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


def test_a_hold_is_released_after_any_break_of_the_expiry(desk: Desk) -> None:
    """A new container reads all proposals once, and then the latest."""
    desk.withdrawal()
    desk.money.now += LIFE_SECONDS + 400 * 24 * 3600
    sweep = ProposalSweep(desk.money.expiry_ports)
    assert sweep.run(desk.money.now, lambda: False) == {}, "no time"
    assert sweep.run(desk.money.now, lambda: True) == {Ended.EXPIRED: 1}
    assert desk.balance(MERCHANT) == Balance(FUNDED, 0)
    latest = desk.withdrawal()
    desk.money.now = latest.expires_at + LOOK_BACK_SECONDS - LIFE_SECONDS
    assert sweep.run(desk.money.now, lambda: True) == {Ended.EXPIRED: 1}
    desk.check()


def test_a_rates_proposal_lives_an_hour(desk: Desk) -> None:
    proposal = desk.proposed(set_rate("9.9999"))
    assert proposal.expires_at - proposal.proposed_at_us // 10**6 == RATE_LIFE_SECONDS
    desk.money.now = proposal.expires_at
    with pytest.raises(ProposalDecided):
        desk.approve(proposal)


def test_what_is_not_there_is_not_proposed(desk: Desk) -> None:
    desk.withdrawal(FUNDED - 1)
    before = desk.everything()
    merchant, trader = desk.account(MERCHANT), desk.account(TRADER)
    refused: list[tuple[type[Exception], Ask]] = [
        (BalanceTooLow, moving("withdraw", merchant, 2)),
        (BalanceTooLow, moving("withdraw", trader, FUNDED + 1)),
        (UnacceptableTerms, moving("withdraw", merchant, 0)),
        *((UnacceptableTerms, moving("fund", merchant, 1, memo)) for memo in UNFIT_MEMOS),
        (UnknownId, moving("withdraw", replace(merchant, owner="mx"), 1)),
        (UnknownId, moving("fund", replace(merchant, owner="mx"), 1)),
        (UnknownId, moving("fund", replace(trader, owner="tx"), 1)),
        (UnknownId, ask("merchant.invite", merchant_id="mx", name="n", role="viewer")),
        (UnknownId, reset_code("tx")),
        (UnknownId, set_terms("mx", max_cny="0.01")),
        (UnacceptableTerms, set_terms(desk.merchant_id, max_cny="0.00")),
        (UnacceptableTerms, reset_code(desk.trader_id).but(reason="two\nlines")),
        (UnacceptableTerms, set_rate("0.0000")),
    ]
    for error, command in refused:
        with pytest.raises(error):
            desk.request(command)
    with pytest.raises(OperatorRefusal, match="repeat it with --yes if it is meant"):
        desk.request(set_rate("9.9999", yes=False))
    with pytest.raises(OperatorRefusal, match="is live: it has no test money"):
        desk.request(moving("withdraw", trader, 1).but(is_test=True))
    for what in ("approve", "reject"):
        with pytest.raises(UnknownId):
            desk.money.decide("P1", what, B)
    with pytest.raises(UnacceptableTerms):
        steps.reject(desk.money.command_ports, "P1", " ")
    assert desk.everything() == before


def test_what_it_rests_on_has_changed(desk: Desk) -> None:
    changes: dict[str, Ask] = {
        "merchant.set": set_terms(desk.merchant_id, max_cny="0.02"),
        "trader.add-method": add_method(desk.trader_id, replace(CARD, bank="另一银行")),
        "trader.reset-code": reset_code(desk.trader_id),
        "rate.set": set_rate("7.2361"),
    }
    for name, change in changes.items():
        refused_after(change, desk.commands[name], desk)


def test_what_one_person_did_meanwhile_is_not_approved(desk: Desk) -> None:
    done = ("merchant.set", "trader.add-method", "rate.set")
    for name in (*done, "trader.remove-method"):
        refused_after(desk.commands[name], desk.commands[name], desk)


def refused_after(change: Ask, command: Ask, desk: Desk) -> None:
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
    proposals = [desk.proposed(command) for command in desk.commands.values()]
    suspended = MerchantStatus.SUSPENDED
    set_status(desk.money.command_ports, desk.merchant_id, suspended, REASON)
    desk.money.suspend(0)
    desk.alone(set_terms(desk.merchant_id, display_name="x"))
    # One rests on the method that the other one replaces, and one shows all of the terms.
    changed = {"trader.remove-method", "merchant.invite"}
    for proposal in proposals:
        if proposal.command not in changed:
            assert desk.approve(proposal).status is ProposalStatus.EXECUTED
    desk.check()


def test_terms_creep_no_further_than_two_people_approved(desk: Desk) -> None:
    def fee(service_bps: int) -> Any:
        return desk.request(set_terms(desk.merchant_id, service_bps=service_bps))

    desk.alone(set_terms(desk.merchant_id, service_bps=100))
    assert isinstance(fee(101), Proposal), "61 was the value at creation, and one person set 100"
    assert desk.approve(fee(100 * 2)).status is ProposalStatus.EXECUTED
    for near in (210, 190, 200, 205):
        assert not isinstance(fee(near), Proposal)
    assert isinstance(fee(211), Proposal)
    assert isinstance(fee(189), Proposal)
    assert desk.merchant().terms.fees.service_bps == 205
    other = set_terms(desk.merchant_id, display_name="x", max_rps=1)
    assert not isinstance(desk.request(other), Proposal)
    assert desk.merchant().approved["service_bps"] == 200


def test_a_number_that_was_zero_needs_two_people(desk: Desk) -> None:
    desk.alone(set_terms(desk.merchant_id, service_fixed="0"))
    other = desk.money.seed.add_merchant()[0].merchant_id
    proposal = desk.proposed(set_terms(other, service_fixed="0.000001"))
    desk.approve(proposal)
    again = desk.request(set_terms(other, service_fixed="0.000001"))
    assert not isinstance(again, Proposal), "no change"


def test_rates_creep_no_further_than_two_people_approved(desk: Desk) -> None:
    def rate(rate_e4: int) -> Any:
        return desk.request(set_rate(format_rate(rate_e4)))

    assert not isinstance(rate(75970), Proposal)  # 4.99 % from 7.2360
    assert isinstance(rate(76000), Proposal)
    desk.approve(rate(80000))
    assert not isinstance(rate(84000), Proposal)
    assert isinstance(rate(84001), Proposal)


def test_each_of_two_people_reads_a_half_of_a_code_for_a_day(desk: Desk) -> None:
    proposal = desk.proposed(reset_code(desk.trader_id))
    with pytest.raises(NothingToReveal):
        desk.reveal(proposal)
    executed = desk.approve(proposal)
    assert executed.reveal_until == desk.money.now + REVEAL_SECONDS
    with pytest.raises(NothingToReveal, match="only ann and bob can"):
        desk.reveal(proposal, C)
    code = f"{desk.reveal(proposal)}-{desk.reveal(proposal, B)}"
    assert desk.reveal(proposal, A) in code
    assert desk.money.seed.trader(desk.trader_id).access.access_code_hash == token_hash(code)
    reveals = [row for row in desk.trail() if row["action"] == "proposal.reveal"]
    assert sorted(row["who"] for row in reveals) == [A, A, B]
    for half in halves_of(code):
        assert half not in repr(desk.everything())
    desk.money.now = executed.reveal_until
    for person in (A, B):
        with pytest.raises(NothingToReveal):
            desk.reveal(proposal, person)
    assert desk.expire() == {"secrets_forgotten": 1}
    assert desk.expire() == {}
    assert desk.stored(proposal).sealed is None


def test_the_secret_of_one_proposal_does_not_open_as_anothers(desk: Desk) -> None:
    first, second = (desk.approve(desk.proposed(reset_code(desk.trader_id))) for _ in range(2))
    assert first.sealed is not None
    assert desk.reveal(second)
    with pytest.raises(Exception, match="InvalidCiphertext"):
        desk.money.command_ports.vault.unseal_for_people(second.proposal_no, first.sealed)


def test_no_personal_data_and_no_secret_is_audited(desk: Desk) -> None:
    proposal = desk.proposed(add_method(desk.trader_id, CARD))
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
    made = [desk.withdrawal(1) for _ in range(5)] + [desk.proposed(reset_code(desk.trader_id))]
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
    assert listed(commands=WITHDRAWALS) == numbers[1:]
    for place in ("A", "Z"):  # a caller can send any text
        assert steps.list_proposals(store, now, limit=9, after=place, open_only=True).items == (
            [] if place == "A" else [store.proposal(n) for n in listed(open_only=True)]
        )
    now = made[3].expires_at
    assert listed(open_only=True) == numbers[:2]


def keyed(desk: Desk, command: Ask, key: str, who: str = A) -> Any:
    """Request a command with an idempotency key, as the API does."""
    digest = request_digest(command.name, command.sent, alone=False)
    operator = replace(desk.money.acting(who), key=RequestKey(key, digest))
    desk.money.now += 1
    return once(desk.money.proposals, operator, lambda by: desk.money.run(command, by))


def test_a_repeated_key_receives_the_first_answer(desk: Desk) -> None:
    fund = moving("fund", desk.account(MERCHANT), TAKEN)
    test = moving("fund", desk.account(MERCHANT, Mode.TEST), TAKEN)
    proposal, transfer = keyed(desk, fund, "k1"), keyed(desk, test, "k2")
    before = desk.everything()
    again, funded = keyed(desk, fund, "k1"), keyed(desk, test, "k2")
    assert isinstance(again, Repeated)
    assert again.ids["proposal_no"] == proposal.proposal_no
    assert funded.ids["audit_id"] == transfer["transfer_id"]
    for command, key in ((test, "k1"), (fund.but(memo="other"), "k1")):
        with pytest.raises(IdempotencyConflict):
            keyed(desk, command, key)
    assert desk.everything() == before
    assert isinstance(keyed(desk, fund, "k1", B), Proposal), "the keys of another person"
    desk.money.now += ANSWER_LIFE_SECONDS
    assert isinstance(keyed(desk, fund, "k1"), Proposal)


def test_a_refusal_of_the_command_leaves_the_proposal_open(desk: Desk) -> None:
    proposal = desk.proposed(set_terms(desk.merchant_id, max_cny="5.00"))
    desk.alone(set_terms(desk.merchant_id, min_cny="9.00"))
    with pytest.raises(OperatorRefusal, match="max_cny"):
        desk.approve(proposal)
    assert desk.stored(proposal).status is ProposalStatus.OPEN
