"""Tables, keys and indexes: every access pattern in one place.

The attributes of the indexes:

- Traders `rotation`: rotation_key (`live#0`, present only while online), last_accepted_at.
- Traders `access_code`: access_code_hash.
- Orders `all_orders`: all_key (`0` to `7`), order_id. Its entries have what operators filter by.
- Orders `by_merchant`: list_key (`<merchant_id>#<n>`, see LIST_SHARDS), order_id (grows with time).
  A reservation has the list_key `number#<number, case folded>`, so that operators find it.
- Orders `desk`: desk_key (`<trader>#<list>`, see domain/orders/desk_lists.py), order_id.
  A sell that was taken back from a trader has `<trader>#returned`.
  A reservation has the desk_key `ending#<last four digits>` of its order_no or pending_no.
- Orders `due`: due_key (`due#0` while a deadline is open, `matching#live#0` while a sell waits for
  a trader, `disputed#live` while an order is disputed, `claims#live` while an ended sell has an
  undecided late proof), due_time.
- Callbacks `by_order`: number (order_no or pending_no), sequence.
- Callbacks `by_merchant`: merchant_id, place (time and webhook_id of the event). A paused endpoint
  has the merchant_id `paused#<merchant>#<mode>` and its origin as place.
- Callbacks `due`: due_key (`due#0` and the like, present only while the sweep watches), due_ms.
  A delivery that waits for a paused endpoint has `waiting#0#<endpoint>`, an endpoint `endpoints`.
- Callbacks `trouble`: trouble_key (`dead#0` and the like, present only in trouble), updated_ms.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from orderdesk.domain.accounts import SPREAD_PART
from orderdesk.domain.orders.desk_lists import DeskList
from orderdesk.domain.pricing import Mode

if TYPE_CHECKING:
    from orderdesk.domain.orders.amounts import AccountAmount
    from orderdesk.domain.receipts.shares import Place

# In its life, a sell writes 4 units into this index, or 8 if it is larger than 1 KB. A partition
# accepts 1,000 units a second, so five accept 625 large sells of one merchant.
LIST_SHARDS = 5
# Every new order enters the index; one partition cannot accept all these writes, eight can.
DUE_SHARDS = 8
# An order writes about 3 units into the index of all orders, so eight partitions accept 2,600
# orders a second. A page of operators' list queries each of them.
ALL_SHARDS = 8
# A merchant whose endpoint is down has all its deliveries in this index and in `due` of Callbacks.
TROUBLE_SHARDS = 8

AMOUNT_KIND = "amount"
OPEN_BUYS_KIND = "open_buys"
ENDING_DIGITS = 4


@dataclass(frozen=True, slots=True)
class TableNames:
    """The deployed names of the tables; a function's settings set only those it may use."""

    merchants: str = ""
    traders: str = ""
    orders: str = ""
    ledger: str = ""
    guards: str = ""
    callbacks: str = ""
    audit: str = ""


class IndexKeys(NamedTuple):
    """An index's name, and the attributes that it is partitioned and sorted by."""

    name: str
    key: str
    sort: str


class Index:
    """The indexes that are queried; ITEMS is a table itself."""

    ITEMS = IndexKeys("", "pk", "sk")
    ROTATION = IndexKeys("rotation", "rotation_key", "last_accepted_at")
    ACCESS_CODE = IndexKeys("access_code", "access_code_hash", "")
    # Orders.
    ALL_ORDERS = IndexKeys("all_orders", "all_key", "order_id")
    BY_MERCHANT = IndexKeys("by_merchant", "list_key", "order_id")
    DESK = IndexKeys("desk", "desk_key", "order_id")
    DUE = IndexKeys("due", "due_key", "due_time")
    # Callbacks.
    BY_ORDER = IndexKeys("by_order", "#number", "sequence")
    EVENTS = IndexKeys("by_merchant", "merchant_id", "place")
    DUE_CALLBACKS = IndexKeys("due", "due_key", "due_ms")
    TROUBLE = IndexKeys("trouble", "trouble_key", "updated_ms")


class Prefix:
    """What the keys of one kind of item begin with."""

    MERCHANT = "merchant#"
    TEAM = "team#"
    NAME = "name#"
    POSTING = "posting#"
    REQUESTS = "requests#"
    ADDRESSES = "addresses#"
    CHECKPOINTS = "checkpoints#"
    ENDPOINT = "endpoint#"
    AUDIT = "audit#"
    # A separate partition, because the desk's role may write these but no operator's entry.
    DESK_AUDIT = "desk#"
    PORTAL_AUDIT = "portal#"


type _Of[*Parts] = Callable[[*Parts], str]
"""The form of a key, which creates it from its parts."""


class Key:
    """The keys of items (pk, or the table's only key), and of the partitions of indexes.

    What ends with "expires" is deleted by TTL.
    """

    # Merchants.
    merchant: _Of[str] = (Prefix.MERCHANT + "{}").format  # terms and encrypted credentials
    team: _Of[str] = (Prefix.TEAM + "{}").format  # the portal's members, passkeys, invitations
    RATES = "rates"  # the base rates of both sides, the block list, the limits of a day
    # Also in Traders: the parties that have a name, folded. At most 1,029 of 2,048 bytes allowed.
    shown_name: _Of[str] = (Prefix.NAME + "{}").format

    # Traders, by trader_id: methods, limits, caps, balance, rotation.
    rotation: _Of[Mode, int] = "{}#{}".format  # of the index
    # A reserved amount, expires; no trader_id has a `#`.
    amount: "_Of[AccountAmount]" = "{0.trader_id}#{0.account_key}#{0.cny_fen}".format

    # Orders: orders by order_no, drafts by pending_no, and a merchant's counters of open buys
    # (`counter_key`). Roles that may write an order may write what begins with its number.
    notes: _Of[str] = "{}#notes".format  # of its dispute
    ending: _Of[str] = "{}#ending".format  # finds an order without a merchant_order_no
    returned: _Of[str, str] = "{}#returned#{}".format  # a sell that was taken back from a trader
    # The reservation of a merchant's merchant_order_no; at most 1,044 of 2,048 bytes allowed.
    number: _Of[str, str] = "number#{}#{}".format

    # Partitions of `due`, in Orders and in Callbacks. Few orders are disputed.
    due: _Of[int] = "due#{}".format
    matching: _Of[Mode, int] = "matching#{}#{}".format
    disputed: _Of[Mode] = "disputed#{}".format
    claims: _Of[Mode] = "claims#{}".format
    waiting: _Of[int, str] = "waiting#{}#{}".format  # what waits for a paused endpoint
    DUE_ENDPOINTS = "endpoints"  # few are paused at a time, so one partition is enough

    # Partitions of the other indexes of Orders. An order's shard is its order_id % LIST_SHARDS.
    merchants_orders: _Of[str, int] = "{}#{}".format
    desk: _Of[str, DeskList] = "{}#{}".format
    returned_on_desk: _Of[str] = "{}#returned".format

    # Ledger: pk and sk. An account's partition is `shard_key`; it has `posting` below, too.
    BALANCE = "balance"  # sk
    requests: _Of[str] = (Prefix.REQUESTS + "{}").format  # a merchant's, by request_no
    OPEN_REQUESTS = "requests"  # by request_no: whose an open request is
    ENDED_REQUESTS = "requests:ended"
    addresses: _Of[str] = (Prefix.ADDRESSES + "{}").format  # a merchant's address book
    PROPOSALS = "proposals"  # by proposal_no; few are proposed, so one partition is enough
    PAYOUTS = "payouts"  # those that wait for a seal, by proposal_no
    SEALS = "seals"  # hash and counts of a seal
    seal: _Of[int] = "{:010d}".format  # sk: its end
    # An account's, with a posting's sk: the balance after it. The sealing role may write no other.
    checkpoints: _Of[str] = (Prefix.CHECKPOINTS + "{}").format

    # Guards; all but `calls` expire.
    nonce: _Of[str, str] = "nonce#{}#{}".format  # consumed, by api_key
    attempts: _Of[str, int] = "attempts#{}#{}".format  # of a window
    calls: _Of[str] = "calls#{}".format  # a key's request rate, a token bucket
    refused: _Of[str] = "refused#{}".format  # a merchant's last refused calls
    failures: _Of[str, str, int] = "failures#{}#{}#{}".format  # verifications by kind, id, window
    limited_day: _Of[Mode, int, str] = "days#{}#{}#{}".format  # by day and keyed hash
    session: _Of[str] = "session#{}".format  # a trader's, by token hash
    visits: _Of[str, str] = "visits#{}#{}".format  # sessions of a merchant's member
    challenge: _Of[str] = "challenge#{}".format  # of a passkey, by SHA-256
    push: _Of[str] = "push#{}".format  # a trader's devices
    drawings: _Of[str] = "drawings#{}".format  # an uploader's decoded files
    # A place for decoding: a merchant's, a trader's, a buy's, or a common one. No order_no is
    # `at_once`.
    place: "_Of[Place]" = "drawings#at_once#{0.owner}#{0.number}".format
    figures: _Of[str, str] = "figures#{}#{}".format  # a merchant's of a day
    figures_read: _Of[str] = "figures#{}".format  # when the day's orders were read

    # Callbacks, by webhook_id: deliveries and their attempts. None begins with `lanes#`.
    lanes: _Of[str] = "lanes#{}".format  # the containers that send to a merchant
    endpoint: _Of[str] = (Prefix.ENDPOINT + "{}").format  # an origin that failed or is paused
    paused: _Of[str, Mode] = "paused#{}#{}".format  # of `by_merchant`
    trouble: _Of[str, int] = "{}#{}".format  # of its index

    # Audit, append-only; sk = `audit_entry`.
    audit: _Of[str] = (Prefix.AUDIT + "{}").format  # operators' actions of a month (yyyy-mm)
    desk_audit: _Of[str] = (Prefix.DESK_AUDIT + "{}").format  # traders' changes of a month
    portal_audit: _Of[str] = (Prefix.PORTAL_AUDIT + "{}").format  # a merchant's people
    seal_audit: _Of[str] = "seals#{}".format  # the hashes of a year's day seals

    @staticmethod
    def all_orders(order_id: int) -> str:
        return str(order_id % ALL_SHARDS)

    @staticmethod
    def numbers(merchant_order_no: str) -> str:
        """Return the partition of all merchants' reservations of a number, in any case."""
        return f"number#{merchant_order_no.casefold()}"

    @staticmethod
    def endings(number: str) -> str:
        """Return the partition of the orders and drafts whose number ends like this one."""
        return f"ending#{number[-ENDING_DIGITS:]}"

    @staticmethod
    def answer(person: str, key: str) -> str:
        """Return the key in Guards of an idempotency key; it expires."""
        return f"answer#{person.casefold()}#{key}"

    @staticmethod
    def hands(subject: str, person: str) -> str:
        """Return the key in Guards of a person's part in a subject; it expires."""
        return f"hands#{subject}#{person.casefold()}"

    @staticmethod
    def solo(person: str, day: int) -> str:
        """Return the key in Guards of what a person decided alone on a day; it expires."""
        return f"solo#{person.casefold()}#{day}"

    @staticmethod
    def posting(at_us: int, transfer_id: str, *, is_spread: bool = False) -> str:
        """Return the sort key of a posting: by time, in 16 digits of microseconds."""
        part = SPREAD_PART if is_spread else ""
        return f"{Prefix.POSTING}{at_us:016d}#{transfer_id}{part}"

    @staticmethod
    def audit_entry(at_us: int, audit_id: str = "") -> str:
        """Return the sort key of an audit entry: by time, in 16 digits of microseconds."""
        return f"{at_us:016d}#{audit_id}"
