"""Every use case that moves orders and money, over a seed's tables, with a clock that tests set."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self, cast

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.ledger import LedgerStore
from orderdesk.adapters.dynamodb.merchants import MerchantStore
from orderdesk.adapters.dynamodb.operator.funds import OperatorFunds
from orderdesk.adapters.dynamodb.operator.orders import OperatorOrders, OperatorReads
from orderdesk.adapters.dynamodb.operator.parties import OperatorMerchants, OperatorTraders
from orderdesk.adapters.dynamodb.operator.proposals import OperatorProposals
from orderdesk.adapters.dynamodb.orders.creation import NewOrderStore
from orderdesk.adapters.dynamodb.orders.drafts import DraftStore, DueEntries
from orderdesk.adapters.dynamodb.orders.moves import OrderMoveStore
from orderdesk.adapters.dynamodb.orders.reads import DeskOrderIndex, OrderStore, WaitingSellIndex
from orderdesk.adapters.dynamodb.traders.desk import DeskTraders
from orderdesk.adapters.dynamodb.traders.items import ShardedRotation
from orderdesk.adapters.dynamodb.withdrawals import book_item
from orderdesk.adapters.identity.configured import SandboxVerifier
from orderdesk.adapters.kms import KmsSecrets
from orderdesk.adapters.merchant_directory import CachedDirectory
from orderdesk.adapters.sending import call
from orderdesk.adapters.system import SystemChance
from orderdesk.domain.accounts import Account, AccountKind, Balance, Transfer
from orderdesk.domain.identity import IdentityVerifier
from orderdesk.domain.merchants.merchant import Merchant
from orderdesk.domain.merchants.terms import TermsChange
from orderdesk.domain.merchants.withdrawals import (
    REST_SECONDS,
    Address,
    AddressBook,
    Network,
    WithdrawalRequest,
)
from orderdesk.domain.operators import Caller
from orderdesk.domain.orders.blocks import BlockKind, Subject, digest_of, limits_of
from orderdesk.domain.orders.moves import By
from orderdesk.domain.orders.order import Order, OrderStatus, Receipt, SumAnswer
from orderdesk.domain.orders.requests import OrderRequest
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import FeePolicy, Mode, OrderType, quote
from orderdesk.domain.proposals import Proposal, Sum
from orderdesk.domain.receipts.files import ReceiptProblem, UnfitReceipt
from orderdesk.domain.receipts.places import kept_key, late_proof_key, late_upload_key
from orderdesk.domain.times import US_PER_SECOND, trading_day
from orderdesk.domain.traders.terms import TraderTermsChange
from orderdesk.domain.traders.trader import Trader
from orderdesk.services.expire_proposals import ExpiryPorts, ProposalSweep
from orderdesk.services.operator import moves as operator_moves
from orderdesk.services.operator import proposals as proposal_steps
from orderdesk.services.operator.actions import Operator
from orderdesk.services.operator.desk_rules import add_block, remove_block, set_day_limits
from orderdesk.services.operator.duty import Duty, Suspension, set_duty, suspend
from orderdesk.services.operator.funds import Withdrawal, known_request, record_sent
from orderdesk.services.operator.funds import move as move_funds
from orderdesk.services.operator.merchants import set_terms
from orderdesk.services.operator.reversals import Verdict, decide_claim, reverse_order
from orderdesk.services.operator.traders import set_trader_terms
from orderdesk.services.orders.assign_sells import AssignPorts, Offered, Run, assign_waiting
from orderdesk.services.orders.create import Created, CreatePorts, DraftHeld, create_order
from orderdesk.services.orders.late_receipts import ReopenPorts, take_late_proof, take_late_receipt
from orderdesk.services.orders.match import Contention
from orderdesk.services.orders.move import MovePorts, add_receipt, move_order
from orderdesk.services.orders.other_sums import Report, answer_sum, report_sum
from orderdesk.services.orders.place_buy import MatchingPorts, Terms
from orderdesk.services.orders.receipts import ReceiptPorts, Rendering
from orderdesk.services.orders.sweep import SweepPorts, sweep
from orderdesk.services.orders.verify_customer import Cap, CustomerCheck, VerifyPorts
from orderdesk.services.ports import Chance, MerchantCaller, Nonce
from orderdesk.web.operator.proposals import run_stored
from tests.support.books import HOLDING, WITH_TRADER, assert_books
from tests.support.commands import Ask, ask, command_on, moving
from tests.support.identities import identity
from tests.support.payouts import pay_out
from tests.support.requesting import TRON, Person
from tests.support.seed import ALL_METHODS, BANK_METHOD, Seed, with_changes

# In the future, so that the deployed sweep and assigner find nothing due.
START = 1_900_000_000
FUNDS_MICRO = 2_000 * 10**6
SOLO_MICRO = 2_000 * 10**6
SELL_E4 = 71640
ASSIGNMENT_SECONDS = 1800
SELL_HOLD_SECONDS = 14_400
PAY_WINDOW, DRAFT_LIFE = 900, 7200
ODD_FEES = FeePolicy(service_bps=61, service_fixed_micro=7, deposit_bps=137, spread_bps=13)
REASON = "because"
BLOCK_KEY = b"key"
CUSTOMER = identity()
OPERATORS = ("ann", "bob", "cid")
TESTER = Caller("tester", "arn:aws:iam::123456789012:user/tester", "198.51.100.9", "r1", alone=True)


@dataclass(frozen=True, slots=True)
class OperatorPorts:
    """The ports of the commands that can need a second person."""

    operator: Operator
    proposals: OperatorProposals
    funds: OperatorFunds
    merchants: OperatorMerchants
    traders: OperatorTraders
    desk: OperatorMerchants
    vault: KmsSecrets
    orders: OrderStore
    open_orders: DeskOrderIndex
    order_listing: OperatorOrders
    moves: MovePorts
    reads: OperatorReads
    solo_micro: int = SOLO_MICRO
    assignment_seconds: int = ASSIGNMENT_SECONDS
    allow_loopback: bool = False
    pages_url: str = "https://pay.example.com"
    rotation_shards: int = 1

    def acting(self, operator: Operator) -> Self:
        return replace(self, operator=operator)

    def block_key(self) -> bytes:
        return BLOCK_KEY


def operator_ports(seed: Seed, operator: Operator) -> OperatorPorts:
    """Return the ports of an operator over a seed's tables."""
    client, tables = seed.client, seed.tables
    merchants = OperatorMerchants(client, tables)
    proposals, funds = OperatorProposals(client, tables), OperatorFunds(client, tables)
    traders = OperatorTraders(client, tables)
    registers = (merchants, traders, merchants)
    orders = (
        OrderStore(client, tables.orders),
        DeskOrderIndex(client, tables.orders),
        OperatorOrders(client, tables.orders),
    )
    moves = MovePorts(OrderMoveStore(client, tables), operator.chance, lambda _: None)
    reads = OperatorReads(client, tables)
    return OperatorPorts(operator, proposals, funds, *registers, seed.kms, *orders, moves, reads)


class NoCaps:
    """Verification caps that allow every attempt."""

    def reserve(self, attempt: CustomerCheck) -> Cap | Callable[[], None]:  # noqa: ARG002 the port
        return lambda: None


def uncapped(provider: IdentityVerifier) -> VerifyPorts:
    """Return the ports of a verification that always asks the provider."""
    return VerifyPorts(provider, NoCaps().reserve, lambda _, __: None)


class EveryFile:
    """Draws every upload."""

    def render(self, upload: str, _: str) -> Rendering:
        return Rendering(kept_key(upload, "digest"), "image/png", 1000, 1)

    def read_code(self, _: str, __: str) -> str:
        raise UnfitReceipt(ReceiptProblem.NO_CODE)

    def fetch_code(self, _: str, __: str, ___: str) -> str:
        raise UnfitReceipt(ReceiptProblem.NO_CODE)


class Interruption:
    """Runs `then` once: before (or after) the next call of a store's method; counts the calls."""

    def __init__(self, store: object, method: str, *, after: bool = False) -> None:
        self.then: Callable[[], object] | None = None
        self.calls = 0
        call = getattr(store, method)

        def interrupted(*arguments: Any, **named: Any) -> Any:
            self.calls += 1
            if not after:
                self._run()
            result = call(*arguments, **named)
            if after:
                self._run()
            return result

        setattr(store, method, interrupted)

    def _run(self) -> None:
        then, self.then = self.then, None
        if then is not None:
            then()


@dataclass(frozen=True, slots=True)
class Step:
    """A move; `trader_id` is of the trader who confirms, declines, reports or is assigned.

    `percent` of the order's amount is the sum that a trader reports or an operator decides.
    """

    order_no: str
    actor: Actor
    what: Move
    trader_id: str | None = None
    percent: int | None = None


class OrderWorld:
    """The use cases that create, move and sweep orders, without pauses and with a fixed rate."""

    def __init__(
        self, seed: Seed, verifier: IdentityVerifier, chance: Chance, *, cache_seconds: int
    ) -> None:
        self.seed, self.chance = seed, chance
        self.now, self.secret_rotated_at = START, 0
        self.reported: list[Exception] = []
        self.contention = Contention()
        seed.set_rates(buy_e4=72360, sell_e4=SELL_E4, set_at=START)
        client, tables = seed.client, seed.tables
        self.cache_seconds = cache_seconds
        self.book = NewOrderStore(client, tables)
        matching = MatchingPorts(
            rotation=ShardedRotation(client, tables.traders, 1, chance),
            limits=self.book,
            directory=self._directory(),
            contention=self.contention,
            chance=chance,
            pause_ms=lambda _: None,
            block_key=lambda: BLOCK_KEY,
            terms=Terms(PAY_WINDOW, DRAFT_LIFE, rate_max_age_seconds=10**9),
        )
        self.create_ports = CreatePorts(self.book, uncapped(verifier), matching, SELL_HOLD_SECONDS)
        self.drafts = DraftStore(client, tables)
        self.store = OrderMoveStore(client, tables)
        self.moves = MovePorts(self.store, chance, lambda _: None)
        self.sweep_ports = SweepPorts(
            DueEntries(client, tables.orders),
            self.drafts,
            self.moves,
            lambda settle, page: list(map(settle, page)),
            self.reported.append,
        )

    def _directory(self) -> CachedDirectory:
        merchants = MerchantStore(self.seed.client, self.seed.tables.merchants)
        return CachedDirectory(merchants, self.seed.kms, self.cache_seconds, lambda: 0.0)

    def ask(
        self, request: OrderRequest, owner: Merchant, *, verifying: bool = False, nonce: str = ""
    ) -> Created:
        """Call createOrder, with a new nonce by default. Raises what it raises."""
        token = self.chance.token()
        used = Nonce(owner.api_key, nonce or token, self.now, token)
        caller = MerchantCaller(owner, Mode.LIVE, used, self.secret_rotated_at)
        now_us = self.now * 10**6
        return create_order(request, caller, self.create_ports, now_us, verifying=verifying)


class MoneyWorld(OrderWorld):
    """Two merchants and three traders, funded by postings, so that the books must balance."""

    def __init__(self, seed: Seed, chance: Chance | None = None) -> None:
        seed.clear_rotation()
        self.has_days = False
        self._is_counted: dict[str, bool] = {}
        super().__init__(seed, SandboxVerifier(), chance or SystemChance(), cache_seconds=10**9)
        self._wire(seed)
        few = {
            "max_open_buys": 2,
            "max_open_cny_fen": 10_500_00,
            "max_open_sells": 2,
            "max_open_sell_cny_fen": 10_500_00,
        }
        self.merchants = [
            seed.add_merchant(fees=ODD_FEES, other_sums="agreed:100", **limits)[0]
            for limits in ({}, few)
        ]
        self.traders = [
            self._trader(mode, unique_amounts=unique, max_open=max_open)
            for mode, unique, max_open in (
                (Mode.LIVE, False, 60),
                (Mode.LIVE, True, None),
                (Mode.TEST, False, 20),
            )
        ]
        for merchant in self.merchants:
            for mode in Mode:
                self.fund(AccountKind.MERCHANT, merchant.merchant_id, mode)
        self.person = Person(seed, self.merchants[0].merchant_id, self._now_us, self.chance)
        address = Address(Network.TRC20, TRON, "cold", "mei", START - REST_SECONDS)
        book = AddressBook(self.person.merchant_id, (address,), 1)
        seed.put(seed.tables.ledger, book_item(book))  # without an entry in the audit log

    def fund(self, kind: AccountKind, owner: str, mode: Mode, micro: int = FUNDS_MICRO) -> None:
        """Fund an account, as an operator does."""
        account = Account(kind, owner, mode)
        command = command_on("fund", account)
        move_funds(self.command_ports, command, Sum(account, micro), "test")

    def _wire(self, seed: Seed) -> None:
        client, tables, chance = seed.client, seed.tables, self.chance
        self.operator = Operator(TESTER, chance, self._now_us, lambda _: None)
        self.command_ports = replace(operator_ports(seed, self.operator), moves=self.moves)
        ports = self.command_ports
        self.funds, self.register = ports.funds, ports.traders
        self.proposals, self.agreements = ports.proposals, ports.merchants
        self.before_change = Interruption(self.register, "change")
        self.before_reverse = Interruption(self.funds, "reverse")
        self.before_propose = Interruption(self.proposals, "propose")
        self.expiry_ports = ExpiryPorts(
            self.proposals, chance, lambda _: None, self.reported.append
        )
        self.before_sell = Interruption(self.book, "commit_sell")
        self.after_gather = Interruption(self.book, "gather", after=True)
        self.before_commit = Interruption(self.store, "commit")
        self.assign_ports = AssignPorts(
            waiting=WaitingSellIndex(client, tables.orders).waiting,
            orders=OrderStore(client, tables.orders).orders,
            rotation=ShardedRotation(client, tables.traders, 1, chance).line,
            moves=self.moves,
            window_seconds=ASSIGNMENT_SECONDS,
            run_all=lambda commit, steps: list(map(commit, steps)),
            report=self.reported.append,
        )

    def _trader(self, mode: Mode, *, unique_amounts: bool, max_open: int | None) -> Trader:
        trader = self.seed.add_trader(
            mode=mode,
            methods=ALL_METHODS,
            available_micro=0,
            created_at=START,
            unique_amounts=unique_amounts,
            max_open=max_open,
        )
        self.fund(AccountKind.TRADER, trader.trader_id, trader.mode)
        return self.seed.trader(trader.trader_id)

    def create(
        self,
        kind: OrderType,
        fen: int,
        mode: Mode = Mode.LIVE,
        merchant: int = 0,
        number: str | None = None,
        **asked: Any,
    ) -> str:
        """Create an order; return its order_no. Raises what createOrder raises.

        `asked` are more of its parameters; a customer's are verified.
        """
        method = BANK_METHOD if kind is OrderType.SELL else None
        whole = {"payment_method": method, "merchant_order_no": number, **asked}
        return self._created(with_changes(OrderRequest(kind, mode, fen), **whole), merchant)

    def completed(self, kind: OrderType, fen: int = 1000_00, mode: Mode = Mode.LIVE) -> str:
        """Create an order and complete it, a sell by the first trader of its mode."""
        number = self.create(kind, fen, mode)
        if kind is OrderType.BUY:
            self.do(Step(number, Actor.PAYER, Move.PAY))
        else:
            trader_id = next(each.trader_id for each in self.traders if each.mode is mode)
            self.do(Step(number, Actor.OPERATOR, Move.ASSIGN, trader_id))
            self.prove(number, trader_id)
        self.do(Step(number, Actor.TRADER, Move.CONFIRM, self.order(number).trader_id))
        return number

    def refund(self, buy: Order, fen: int) -> str:
        """Create a sell that refunds a buy. Raises what createOrder raises."""
        owner = [each.merchant_id for each in self.merchants].index(buy.merchant_id)
        asked = {"payment_method": BANK_METHOD, "refund_of": buy.order_no}
        return self._created(OrderRequest(OrderType.SELL, buy.mode, fen, **asked), owner)  # type: ignore[arg-type]

    def _created(self, request: OrderRequest, merchant: int) -> str:
        verifying = request.id_card is not None
        created = self.ask(request, self.merchants[merchant], verifying=verifying)
        assert not isinstance(created, DraftHeld)
        return created.order.order_no

    def limit_day(self, **limits: int) -> None:
        """Set limits of a day at once, as a person who acts alone; createOrder learns of them."""
        self._note_counted()
        self.has_days = True
        try:
            set_day_limits(self.command_ports, limits, REASON)
        finally:
            self._reread_desk()

    def block(self, subject: Subject) -> None:
        """Block a card or a customer; createOrder learns of it at once."""
        try:
            add_block(self.command_ports, *subject, until=None, reason=REASON)
        finally:
            self._reread_desk()

    def unblock(self) -> None:
        """Remove all blocks at once, as a person who acts alone; createOrder learns of it."""
        try:
            for each in self.agreements.blocks()[1]:
                remove_block(self.command_ports, each.number, REASON)
        finally:
            self._reread_desk()

    def _reread_desk(self) -> None:
        matching = replace(self.create_ports.matching, directory=self._directory())
        self.create_ports = replace(self.create_ports, matching=matching)

    def refuses(self, subject: Subject, fen: int, mode: Mode) -> bool:
        """Return whether the desk refuses an order of a payee or customer now."""
        blocked = {each.digest for each in self.agreements.blocks()[1]}
        kind = OrderType.BUY if subject[0] is BlockKind.ID_CARD else OrderType.SELL
        most_fen, most = limits_of(self.agreements.day_limits()[0], kind)
        day = (mode, trading_day(self.now), subject)
        count, sum_fen = self._counted()[day]
        is_over = (most and count >= most) or (most_fen and sum_fen + fen > most_fen)
        return bool(digest_of(BLOCK_KEY, subject) in blocked or is_over)

    def _note_counted(self) -> None:
        """Note for each new order whether its payee or customer is counted, by today's limits."""
        limits = self.agreements.day_limits()[0] if self.has_days else {}
        for row in self._rows():
            if row["pk"] not in self._is_counted:
                kind = OrderType(row["order_type"])
                self._is_counted[row["pk"]] = any(limits_of(limits, kind))

    def _counted(self) -> dict[tuple[Mode, int, Subject], tuple[int, int]]:
        """Return the counted orders and their sum in fen, of each day of a payee or customer."""
        self._note_counted()
        counts, sums = Counter[Any](), Counter[Any]()
        for row in self._rows():
            order = self.order(row["pk"])
            subject = _counted_subject(order)
            if subject is not None:
                day = (order.mode, trading_day(order.createtime), subject)
                counts[day] += self._is_counted[order.order_no]
                sums[day] += self._is_counted[order.order_no] * order.held_quote.cny_fen
        return defaultdict(lambda: (0, 0), {day: (counts[day], sums[day]) for day in counts})

    def _assert_days(self) -> None:
        """Check that a payee's or customer's day has the orders that were counted, and no other."""
        for (mode, day, subject), counted in self._counted().items():
            key = Key.limited_day(mode, day, digest_of(BLOCK_KEY, subject))
            item: Any = self.seed.get(self.seed.tables.guards, {"pk": key}) or {}
            assert (item.get("orders", 0), item.get("fen", 0)) == counted, key

    def _rows(self) -> list[Any]:
        return call(lambda: list[Any](self.seed.items(self.seed.tables.orders, "order")))

    def open_of(self, kind: OrderType, mode: Mode, merchant: int) -> tuple[int, int]:
        """Return the number of a merchant's open orders of a type and their sum in fen."""
        owner = self.merchants[merchant].merchant_id
        fen = [
            order["cny_fen"]
            for order in self._rows()
            if (order["merchant_id"], order["mode"]) == (owner, mode.value)
            and order["order_type"] == kind.value
            and order["status"] in HOLDING[kind.value]
        ]
        return len(fen), sum(fen)

    def taken_of(self, trader_id: str | None, merchant_id: str) -> int:
        """Return how many slots of a trader a merchant's open orders take, from the orders."""
        return sum(
            (row.get("trader_id"), row["merchant_id"]) == (trader_id, merchant_id)
            and row["status"] in WITH_TRADER[row["order_type"]]
            and row.get("in_slot", False)
            for row in self._rows()
        )

    def _now_us(self) -> int:
        return self.now * 10**6

    def order(self, order_no: str) -> Order:
        order = self.store.order(order_no)
        assert order is not None
        return order

    def do(self, step: Step) -> Order:
        """Make a move as its actor. Raises what the use case raises."""
        match step.actor, step.what:
            case Actor.CLOCK, Move.ASSIGN:
                Run(self.assign_ports, self._now_us, self.now).offer(step.order_no)
                return self.order(step.order_no)
            case Actor.OPERATOR, _:
                return self._operate(step)
            case Actor.PAYER, Move.PAY_LATE:
                return self._pay_late(step.order_no)
            case Actor.PAYER, Move.AGREE:
                order = self.order(step.order_no)
                return answer_sum(order, SumAnswer.AGREED, self.reopening(), self.now)
            case Actor.TRADER, Move.REPORT_SUM:
                return self._report(step)
            case _:
                by = By(step.actor, step.trader_id if step.actor is Actor.TRADER else None)
                return move_order(step.order_no, step.what, by, self.moves, self.now)

    def _pay_late(self, order_no: str) -> Order:
        """Send a late receipt: a new one, or the last one again if the order is not expired."""
        order = self.order(order_no)
        is_expired = order.status_at(self.now) is OrderStatus.EXPIRED
        sent = order if is_expired else replace(order, receipts=order.receipts[:-1])
        upload = late_upload_key(sent, self.store.notes(order_no))
        take_late_receipt(order, upload, EveryFile(), self.reopening(), self.now)
        return self.order(order_no)

    def reopening(self) -> ReopenPorts:
        traders = DeskTraders(self.seed.client, self.seed.tables)
        return ReopenPorts(self.moves, self.create_ports.matching.directory, traders)

    def _report(self, step: Step) -> Order:
        order = self.order(step.order_no)
        fen = order.held_quote.cny_fen * (step.percent or 90) // 100
        by = By(Actor.TRADER, step.trader_id)
        return report_sum(order, Report(fen, f"{fen}"), by, self.reopening(), self.now)

    def _operate(self, step: Step) -> Order:
        ports, number = self.command_ports, step.order_no
        if step.what is not Move.ASSIGN:
            fen = None
            if step.what is Move.RESOLVE_COMPLETED and step.percent is not None:
                fen = self.order(number).held_quote.cny_fen * step.percent // 100
            return operator_moves.make(
                number, operator_moves.cause_of(step.what, REASON, fen), ports
            )
        assert step.trader_id is not None
        return operator_moves.assign(number, step.trader_id, ports)

    def prove(self, order_no: str, trader_id: str | None, name: str = "proof") -> Order:
        receipt = Receipt(f"receipts/{order_no}/{name}", "image/png", 1, self.now)
        seen = self.moves.moves.order(order_no)
        assert seen is not None
        return add_receipt(seen, receipt, By(Actor.TRADER, trader_id), self.moves, self.now)

    def prove_late(self, order_no: str, trader_id: str) -> Order | None:
        """Hand in a late proof of a sell; None if it was not taken back from the trader."""
        order, by = self.order(order_no), By(Actor.TRADER, trader_id)
        returned = order.returned_from(trader_id, self.now)
        if returned is None:
            return None
        ports = ReceiptPorts(EveryFile(), self.moves)
        return take_late_proof(order, late_proof_key(order, returned), by, ports, self.now)

    def claimed_sell(self, number: str, *, completed: bool) -> str:
        """Return a new sell after the first trader lost it, another ended it, and it was claimed.

        The second trader completed it, or its merchant cancelled it.
        """
        former, other = self.traders[0].trader_id, self.traders[1].trader_id
        self.do(Step(number, Actor.OPERATOR, Move.ASSIGN, former))
        self.do(Step(number, Actor.OPERATOR, Move.UNASSIGN))
        if completed:
            self.do(Step(number, Actor.OPERATOR, Move.ASSIGN, other))
            self.prove(number, other)
            self.do(Step(number, Actor.TRADER, Move.CONFIRM, other))
        else:
            self.do(Step(number, Actor.MERCHANT, Move.CANCEL))
        self.prove_late(number, former)
        return number

    def withdrawn_account(self, kind: AccountKind, mode: Mode) -> Account:
        """Return an account of the first merchant, or of the first trader of a mode."""
        if kind is not AccountKind.TRADER:
            return Account(kind, self.merchants[0].merchant_id, mode)
        return Account(kind, next(t.trader_id for t in self.traders if t.mode is mode), mode)

    def balance(self, account: Account) -> Balance:
        if account.kind is AccountKind.TRADER:
            trader = self.seed.trader(account.owner)
            return Balance(trader.counts.available_micro, trader.counts.held_micro)
        return LedgerStore(self.seed.client, self.seed.tables.ledger).balance(account)

    def acting(self, who: str) -> Operator:
        """Return an operator who does not act alone."""
        return replace(self.operator, caller=replace(TESTER, person=who, alone=False))

    def propose(self, account: Account, micro: int, who: str | Operator) -> Proposal:
        """Propose to take live money from an account as a person. Raises what that raises."""
        return self._propose(moving("withdraw", account, micro), who)

    def propose_funding(self, account: Account, micro: int, who: str) -> Proposal:
        """Propose a funding of live money as a person."""
        return self._propose(moving("fund", account, micro), who)

    def run(self, command: Ask, operator: Operator) -> Any:
        """Run a command; return its data, or the proposal that it became."""
        return command.run(self.command_ports, operator)

    def _propose(self, command: Ask, who: str | Operator) -> Proposal:
        operator = self.acting(who) if isinstance(who, str) else who
        proposed = self.run(command, operator)
        assert isinstance(proposed, Proposal)
        return proposed

    def request_withdrawal(self, micro: int, request_no: str | None = None) -> WithdrawalRequest:
        """Request a withdrawal of the first merchant. Raises what the use case raises."""
        return self.person.request(micro, number=request_no or "")

    def cancel_request(self, request_no: str) -> WithdrawalRequest:
        return self.person.cancel(request_no)

    def take_up(self, request_no: str, who: str) -> Proposal:
        """Propose to pay a request as a person. Raises what the use case raises."""
        return self._propose(ask("withdraw.merchant", request_no=request_no), who)

    def send(self, number: str, txid: str) -> Withdrawal:
        return record_sent(self.command_ports.acting(self.acting(OPERATORS[0])), number, txid)

    def request(self, request_no: str) -> WithdrawalRequest:
        return known_request(self.funds, request_no)

    def withdraw(self, account: Account, micro: int, by: Operator | None = None) -> Transfer:
        """Withdraw at once, as a person who acts alone."""
        ports = self.command_ports.acting(by or self.operator)
        return move_funds(ports, command_on("withdraw", account), Sum(account, micro), REASON)

    def reverse(self, order_no: str, micro: int | None = None) -> Order:
        """Reverse a part of an order at once, or all that is left, as a person who acts alone."""
        return reverse_order(self.command_ports, order_no, micro, REASON).order

    def claim(self, order_no: str, trader_id: str, verdict: Verdict = Verdict.PAID) -> Order:
        """Decide a late proof at once, as a person who acts alone."""
        ports = self.command_ports
        return decide_claim(ports, order_no, trader_id, verdict=verdict, reason=REASON).order

    def decide(self, proposal_no: str, what: str, who: str) -> Proposal:
        """Decide a proposal as a person; pay out what waits. Raises what the use case raises."""
        decided = self.decided(proposal_no, what, who)
        if decided.status.waits:
            pay_out(self.seed, lambda: self.now * US_PER_SECOND)
        return self.proposal(proposal_no)

    def decided(self, proposal_no: str, what: str, who: str) -> Proposal:
        """Approve or reject a proposal as a person. Raises what the use case raises."""
        ports = cast("Any", self.command_ports.acting(self.acting(who)))
        if what == "approve":
            digest = getattr(ports.proposals.proposal(proposal_no), "digest", "")
            run = partial(run_stored, ports)
            return proposal_steps.approve(ports, proposal_no, digest, run)
        return proposal_steps.reject(ports, proposal_no, REASON)

    def proposal(self, proposal_no: str) -> Proposal:
        return proposal_steps.known_proposal(self.proposals, proposal_no)

    def suspend(self, number: int) -> Suspension:
        return suspend(self.command_ports, self.traders[number].trader_id)

    def put_online(self, number: int) -> None:
        """Set a trader online, which ends a suspension."""
        set_duty(self.command_ports, self.traders[number].trader_id, Duty.ONLINE)

    def set_unique_amounts(self, number: int, *, unique: bool) -> Trader:
        trader_id = self.traders[number].trader_id
        change: TraderTermsChange = {"unique_amounts": unique}
        return set_trader_terms(self.command_ports, trader_id, change)

    def set_cap(self, number: int, max_open: int | None) -> Trader:
        """Set a trader's cap of open orders; None removes it."""
        trader_id = self.traders[number].trader_id
        return set_trader_terms(self.command_ports, trader_id, {"max_open": max_open})

    def open_at(self, cny_fen: int) -> set[str]:
        """Return the ids of the traders with an open buy of this amount, from their orders."""
        return {
            row["trader_id"]
            for row in self._rows()
            if (row["order_type"], row["cny_fen"]) == (OrderType.BUY.value, cny_fen)
            and row["status"] in {"pending", "paid", "disputed"}
        }

    def is_suspended(self, trader_id: str | None) -> bool:
        return trader_id is not None and self.seed.trader(trader_id).suspended

    def sweep(self) -> dict[str, int]:
        """Run the sweep and the expiry; return the sweep's counts by outcome."""
        ProposalSweep(self.expiry_ports).run(self.now, lambda: True)
        tally = sweep(self.sweep_ports, self.now, lambda: True)
        assert not self.reported
        return {outcome.value: count for outcome, count in tally.items()}

    def assign_waiting(self, after_seconds: int = 0) -> dict[Offered, int]:
        """Run the assigner; return its counts by outcome."""
        tally = assign_waiting(
            self.assign_ports, self._now_us, lambda: True, after_seconds=after_seconds
        )
        assert not self.reported
        return dict(tally)

    def trader(self, number: int) -> Trader:
        return self.seed.trader(self.traders[number].trader_id)

    def split(self, number: int, shards: int, *, is_known: bool) -> None:
        """Set a merchant's number of balance shards; createOrder learns of it if `is_known`."""
        merchant_id = self.merchants[number].merchant_id
        change: TermsChange = {"balance_shards": shards}
        changed = set_terms(self.command_ports, merchant_id, change)
        if is_known:
            self.merchants[number] = changed

    def sold_from(self, mode: Mode, number: int) -> Balance:
        return self.balance(Account(AccountKind.MERCHANT, self.merchants[number].merchant_id, mode))

    def sell_micro(self, cny_fen: int) -> int:
        """Return the micro-USDT that a sell of this amount holds."""
        return quote(OrderType.SELL, cny_fen, SELL_E4, ODD_FEES).merchant_actual_micro

    def merchant(self, number: int = 0) -> Merchant:
        return self.merchants[number]

    def check(self) -> None:
        merchants = {merchant.merchant_id for merchant in self.merchants}
        assert_books(self.seed, merchants, {trader.trader_id for trader in self.traders})
        if self.has_days:
            self._assert_days()


def _counted_subject(order: Order) -> Subject | None:
    """Return whose day an order counts in; None for a buy of an unverified customer."""
    if order.order_type is OrderType.BUY:
        return None if order.identity is None else (BlockKind.ID_CARD, CUSTOMER["id_card"])
    return BlockKind.CARD, order.payment_method.card_number or ""
