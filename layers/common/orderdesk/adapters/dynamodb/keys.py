"""Tables, keys and indexes: every access pattern in one place.

| table     | key                                   | item                                       |
|-----------|---------------------------------------|--------------------------------------------|
| Merchants | pk = `merchant#<merchant_id>`         | terms and encrypted credentials            |
|           | pk = `rates`                          | the base rates of both sides               |
|           | pk = `team#<merchant_id>`             | the portal's members, passkeys, invitations |
|           | pk = `name#<shown name, folded>`      | the merchants that have the name           |
| Traders   | trader_id                             | methods, limits, caps, balance, rotation   |
|           | trader_id = `<trader>#<method>#<fen>` | a reserved amount, until `expires_at`      |
|           | trader_id = `name#<name, folded>`     | the traders that have the name             |
| Orders    | pk = order_no                         | an order                                   |
|           | pk = `<order_no>#notes`               | the notes of its dispute                   |
|           | pk = pending_no                       | a draft                                    |
|           | pk = `number#<merchant>#<number>`     | the reservation of a merchant_order_no     |
|           | pk = `<order_no>#ending`              | finds an order without a merchant_order_no |
|           | pk = `open_buys:<merchant>:<mode>:<n>` | a counter of a merchant's open buys        |
| Ledger    | pk = account, sk = `balance`          | an account's balance, or its shard 0       |
|           | pk = `<kind>:<owner>#<n>:<mode>`, sk = `balance` | a further shard of it           |
|           | pk = account, sk = `posting#<us>#<id>`| one posting of a transfer; a settlement's  |
|           |                                       | spread ends in `#spread`                   |
|           | pk = `proposals`, sk = proposal_no    | a proposal                                 |
|           | pk = `requests#<merchant>`, sk = request_no | a merchant's withdrawal request      |
|           | pk = `requests`, sk = request_no      | whose an open request is                   |
|           | pk = `requests:ended`, sk = request_no | whose an ended request is                 |
|           | pk = `addresses#<merchant>`, sk = `addresses` | a merchant's address book          |
|           | pk = `seals`, sk = end                | a seal's hash and counts                   |
|           | pk = `checkpoints#<account>`, sk = a posting's | the balance after this posting    |
| Guards    | pk = `nonce#<api_key>#<nonce>`        | a consumed nonce, until `expires_at`       |
|           | pk = `attempts#<key>#<window>`        | a window's attempts, until `expires_at`    |
|           | pk = `calls#<merchant_id>[:test]`     | a key's request rate, a token bucket       |
|           | pk = `refused#<merchant_id>`          | its last refused calls, until `expires_at` |
|           | pk = `failures#<kind>#<id>#<window>`  | failed verifications, until `expires_at`   |
|           | pk = `days#<mode>#<day>#<hash>`       | a limited day, until `expires_at`          |
|           | pk = `session#<token hash>`           | a trader's session, until `expires_at`     |
|           | pk = `push#<trader_id>`               | a trader's devices, until `expires_at`     |
|           | pk = `visits#<merchant>#<member>`     | a member's portal sessions, it expires     |
|           | pk = `challenge#<SHA-256>`            | a passkey's challenge, until `expires_at`  |
|           | pk = `drawings#<order_no>#<uploader>` | an uploader's decoded files, it expires    |
|           | pk = `drawings#at_once#<owner>`       | places for decoding: merchant, trader, buy |
|           | pk = `figures#<merchant>#<date>`      | a merchant's figures of a day, they expire |
|           | pk = `figures#<date>`                 | when the day's orders were read            |
|           | pk = `answer#<person>#<key>`          | an idempotency key, until `expires_at`     |
|           | pk = `hands#<id>#<person>`            | a person's part in a subject, it expires   |
|           | pk = `solo#<person>#<day>`            | what a person decided alone, it expires    |
| Callbacks | webhook_id                            | a callback's delivery and its attempts     |
|           | webhook_id = `lanes#<merchant>`       | the containers that send to a merchant     |
|           | webhook_id = `endpoint#<m>#<mode>#…`  | an origin that failed or is paused         |
| Audit     | pk = `audit#<yyyy-mm>`, sk = `<us>#…` | an operator's action; append-only          |
|           | pk = `desk#<yyyy-mm>`, sk = `<us>#…`  | a trader's change of its own settings      |
|           | pk = `portal#<merchant>`, sk = `<us>#…` | an action of a member at the portal        |
|           | pk = `seals#<yyyy>`, sk = `<us>#…`    | the hash of a day's seal                   |

- Traders `rotation`: rotation_key (`live#0`, present only while online), last_accepted_at.
- Traders `access_code`: access_code_hash.
- Orders `all_orders`: all_key (`0` to `7`), order_id. Its entries have what operators filter by.
- Orders `by_merchant`: list_key (`<merchant_id>#<n>`, see `list_key`), order_id (grows with time).
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
from typing import TYPE_CHECKING

from orderdesk.domain.ledger.accounts import SPREAD_PART
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.desk_lists import DeskList

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


class Index:
    ROTATION = "rotation"
    BY_MERCHANT = "by_merchant"
    ALL_ORDERS = "all_orders"
    DUE = "due"
    DESK = "desk"
    ACCESS_CODE = "access_code"
    BY_ORDER = "by_order"
    TROUBLE = "trouble"


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
    """The keys of items and partitions; which table has them is in the list above."""

    merchant: _Of[str] = (Prefix.MERCHANT + "{}").format
    team: _Of[str] = (Prefix.TEAM + "{}").format
    # Also in Traders; at most 1,029 of the 2,048 bytes allowed.
    shown_name: _Of[str] = (Prefix.NAME + "{}").format
    RATES = "rates"

    rotation: _Of[Mode, int] = "{}#{}".format
    # No trader_id has a `#`.
    amount: "_Of[AccountAmount]" = "{0.trader_id}#{0.account_key}#{0.cny_fen}".format

    # Roles that may write an order may write what its number begins.
    notes: _Of[str] = "{}#notes".format
    ending: _Of[str] = "{}#ending".format
    returned: _Of[str, str] = "{}#returned#{}".format
    # At most 1,044 of the 2,048 bytes allowed.
    number: _Of[str, str] = "number#{}#{}".format

    # Partitions of `due`, in Orders and in Callbacks. Few orders are disputed.
    due: _Of[int] = "due#{}".format
    matching: _Of[Mode, int] = "matching#{}#{}".format
    disputed: _Of[Mode] = "disputed#{}".format
    claims: _Of[Mode] = "claims#{}".format
    waiting: _Of[int, str] = "waiting#{}#{}".format
    # Few endpoints are paused at a time, so one partition is enough.
    DUE_ENDPOINTS = "endpoints"

    # Partitions of the other indexes of Orders. An order's shard is its order_id % LIST_SHARDS.
    merchants_orders: _Of[str, int] = "{}#{}".format
    desk: _Of[str, DeskList] = "{}#{}".format
    returned_on_desk: _Of[str] = "{}#returned".format

    BALANCE = "balance"
    requests: _Of[str] = (Prefix.REQUESTS + "{}").format
    OPEN_REQUESTS = "requests"
    ENDED_REQUESTS = "requests:ended"
    addresses: _Of[str] = (Prefix.ADDRESSES + "{}").format
    # Few are proposed, so one partition is enough; their numbers sort by time.
    PROPOSALS = "proposals"
    PAYOUTS = "payouts"  # those that wait for a seal, by proposal_no
    SEALS = "seals"
    seal: _Of[int] = "{:010d}".format
    # The sealing role may write no other partition.
    checkpoints: _Of[str] = (Prefix.CHECKPOINTS + "{}").format

    nonce: _Of[str, str] = "nonce#{}#{}".format
    attempts: _Of[str, int] = "attempts#{}#{}".format
    calls: _Of[str] = "calls#{}".format
    refused: _Of[str] = "refused#{}".format
    failures: _Of[str, str, int] = "failures#{}#{}#{}".format
    limited_day: _Of[Mode, int, str] = "days#{}#{}#{}".format
    session: _Of[str] = "session#{}".format
    visits: _Of[str, str] = "visits#{}#{}".format
    challenge: _Of[str] = "challenge#{}".format
    push: _Of[str] = "push#{}".format
    drawings: _Of[str] = "drawings#{}".format
    # Of a merchant, a trader or a buy, or a common one. No order_no is `at_once`.
    place: "_Of[Place]" = "drawings#at_once#{0.owner}#{0.number}".format
    figures: _Of[str, str] = "figures#{}#{}".format
    figures_read: _Of[str] = "figures#{}".format

    endpoint: _Of[str] = (Prefix.ENDPOINT + "{}").format
    paused: _Of[str, Mode] = "paused#{}#{}".format
    lanes: _Of[str] = "lanes#{}".format  # no webhook_id begins so
    trouble: _Of[str, int] = "{}#{}".format

    audit: _Of[str] = (Prefix.AUDIT + "{}").format
    desk_audit: _Of[str] = (Prefix.DESK_AUDIT + "{}").format
    portal_audit: _Of[str] = (Prefix.PORTAL_AUDIT + "{}").format
    seal_audit: _Of[str] = "seals#{}".format

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
        return f"answer#{person.casefold()}#{key}"

    @staticmethod
    def hands(subject: str, person: str) -> str:
        return f"hands#{subject}#{person.casefold()}"

    @staticmethod
    def solo(person: str, day: int) -> str:
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
