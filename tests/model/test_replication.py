"""A replica that is cut at a random point: the check of the ledger names every torn transaction.

Global tables replicate item by item. Here each write of an item arrives after those before it, and
items are behind by different numbers of transactions. What this does not show: AWS's real lag, the
time until a failover, DNS.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from random import Random

from orderdesk.domain.accounts import Account, AccountKind
from orderdesk.domain.ledger.rows import (
    BalanceRow,
    DecisionRow,
    LedgerRow,
    OpenBuysRow,
    PostingRow,
    TraderRow,
)
from orderdesk.domain.ledger.seals import Finding
from orderdesk.domain.orders.order import Order
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.proposals import Proposal
from tests.support.template import ROOT
from tests.unit.ledger.kept_books import MERCHANT, TRADER, USDT, KeptBooks, an_order, found

HISTORIES, CUTS_EACH, MOVES = 50, 20, 24
BEHIND_MAX = 6  # transactions
OTHERS = [
    Account(AccountKind.MERCHANT, "m1", Mode.LIVE),
    Account(AccountKind.TRADER, "t1", Mode.LIVE),
]

type Items = Mapping[str, LedgerRow]
"""Every stored item by its key."""


IDENTITIES = {
    BalanceRow: ("account_key",),
    PostingRow: ("account_key", "transfer_id", "kind"),
    TraderRow: ("account.key",),
    Proposal: ("proposal_no",),
    DecisionRow: ("proposal_no", "is_approval"),
    OpenBuysRow: ("key",),
    Order: ("order_no",),
}


def key_of(row: LedgerRow) -> str:
    names = (str(attrgetter(name)(row)) for name in IDENTITIES[type(row)])
    return " ".join((type(row).__name__, *names))


@dataclass
class History:
    """The items after each transaction; the first state is consistent everywhere."""

    states: list[Items] = field(default_factory=list)

    def add(self, books: KeptBooks) -> None:
        """Add a state, if the last move changed something."""
        items = {key_of(row): row for row in books.rows()}
        if not self.states or items != self.states[-1]:
            self.states.append(items)

    def written(self, at: int) -> set[str]:
        """Return the keys of the items that a transaction wrote."""
        before, after = self.states[at - 1], self.states[at]
        return {key for key in before.keys() | after.keys() if before.get(key) != after.get(key)}


def a_history(random: Random) -> History:
    books, history = KeptBooks(), History()
    for account in (MERCHANT, TRADER, *OTHERS):
        books.fund(account, 2000 * USDT)
    history.add(books)
    for number in range(MOVES):
        match random.choice(["place", "place", "place", "cancel", "complete", "propose", "decide"]):
            case "place":
                side = random.choice([OrderType.BUY, OrderType.SELL])
                owners = f"m{random.randrange(2)}", f"t{random.randrange(2)}"
                books.place(an_order(number, side, Mode.LIVE, *owners))
            case "cancel" if books.open_orders():
                books.cancel(random.choice(books.open_orders()))
            case "complete" if books.open_orders():
                books.complete(random.choice(books.open_orders()))
            case "propose":
                books.propose(random.choice([MERCHANT, *OTHERS]), (number + 1) * USDT)
            case "decide" if books.open_withdrawals():
                row = random.choice(books.open_withdrawals())
                books.decide(row, approving=random.random() < 0.5)
        history.add(books)
    return history


def replica_of(history: History, cut: int, random: Random) -> dict[str, int]:
    """Return how many transactions of each item have arrived when the first region is lost."""
    keys = {key for state in history.states for key in state}
    slow = {key for key in sorted(keys) if random.random() < 0.2}
    return {key: max(0, cut - random.randrange(BEHIND_MAX) * (key in slow)) for key in sorted(keys)}


def torn(history: History, cut: int, arrived: Mapping[str, int]) -> list[int]:
    """Return the transactions of which some writes have arrived, and others have not."""
    found = []
    for at in range(1, cut + 1):
        here = {arrived[key] >= at for key in history.written(at)}
        if len(here) == 2:
            found.append(at)
    return found


@dataclass
class Named:
    """Transactions by how findings name them, counted.

    `numbers` by the number of the transaction's order, proposal or transfer. `accounts` only by an
    account or counter that it changed, so the finding may be another transaction's.
    """

    numbers: int = 0
    accounts: int = 0

    def add(self, keys: set[str], findings: list[Finding]) -> bool:
        """Count a transaction by the keys of its items; return whether it is named at all."""
        words = {word for key in keys for word in key.split()[1:] if word not in {"True", "False"}}
        names = {
            word
            for each in findings
            for word in (*each.key.split(), each.order_no, each.proposal_no, each.account)
        }
        found = words & names
        by_number = any(":" not in word for word in found)  # keys of accounts and counters have it
        self.numbers += by_number
        self.accounts += bool(found) and not by_number
        return bool(found)


def holds_nothing(keys: set[str], replica: Items) -> bool:
    """Return whether order and proposal of a transaction have ended there, or are not there."""
    rows = [replica[key] for key in keys & replica.keys()]
    return not any(
        (isinstance(row, Order) and row.status.is_open)
        or (isinstance(row, Proposal) and row.status.is_undecided)
        for row in rows
    )


def agrees(replica: Items, keys: set[str]) -> bool:
    """Return whether the traders that a transaction wrote have as many open orders as they count.

    For example, the end of one sell and the assignment of another are missing on the trader.
    """
    open_of = Counter(
        row.trader_id for row in replica.values() if isinstance(row, Order) and row.status.is_open
    )
    rows = [replica[key] for key in keys & replica.keys()]
    traders = [row for row in rows if isinstance(row, TraderRow)]
    return all(row.open_orders == open_of[row.account.owner] for row in traders)


def test_the_check_names_every_torn_transaction_that_holds_something() -> None:
    """The others lack a hold and its release, or have both: no amount and no count is wrong."""
    random, cuts, broken, offset, named = Random(23), 0, 0, 0, Named()
    for _ in range(HISTORIES):
        history = a_history(random)
        for _ in range(CUTS_EACH):
            cut = random.randrange(1, len(history.states))
            arrived = replica_of(history, cut, random)
            states = ((key, history.states[at]) for key, at in arrived.items())
            replica = {key: state[key] for key, state in states if key in state}
            findings = found(replica.values())
            partial = torn(history, cut, arrived)
            assert partial or not findings
            cuts, broken = cuts + 1, broken + len(partial)
            for at in partial:
                if not named.add(history.written(at), findings):
                    assert agrees(replica, history.written(at))
                    offset += not holds_nothing(history.written(at), replica)
    page = (ROOT / "docs" / "multi-region.md").read_text("utf-8")
    for said in (
        f"{cuts:,} points tore {broken:,} transactions.",
        f"{named.numbers:,} were named by the number",
        f"{named.accounts:,} only by an account",
        f"The other {broken - named.numbers - named.accounts:,}",
        f"for {offset:,} of them",
    ):
        assert said in page
