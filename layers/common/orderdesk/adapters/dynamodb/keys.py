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

from dataclasses import dataclass
from typing import TYPE_CHECKING

from orderdesk.domain.ledger.accounts import SPREAD_PART
from orderdesk.domain.modes import Mode
from orderdesk.domain.orders.desk_lists import DeskList

if TYPE_CHECKING:
    from orderdesk.domain.orders.amounts import AccountAmount
    from orderdesk.domain.receipts.shares import Place

ROTATION_INDEX = "rotation"
BY_MERCHANT_INDEX = "by_merchant"
ALL_ORDERS_INDEX = "all_orders"
DUE_INDEX = "due"
DESK_INDEX = "desk"
ACCESS_CODE_INDEX = "access_code"
BY_ORDER_INDEX = "by_order"
TROUBLE_INDEX = "trouble"

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

RATES_KEY = "rates"
AMOUNT_KIND = "amount"
OPEN_BUYS_KIND = "open_buys"
BALANCE_SORT_KEY = "balance"
ENDPOINT_PREFIX = "endpoint#"
# Few endpoints are paused at a time, so one partition is enough.
DUE_ENDPOINTS_KEY = "endpoints"
MERCHANT_PREFIX = "merchant#"
TEAM_PREFIX = "team#"
NAME_PREFIX = "name#"
POSTING_PREFIX = "posting#"
AUDIT_PREFIX = "audit#"
# A separate partition, because the desk's role may write these but no operator's entry.
DESK_AUDIT_PREFIX = "desk#"
PORTAL_AUDIT_PREFIX = "portal#"
# Few are proposed, so one partition is enough; their numbers sort by time.
PROPOSALS_KEY = "proposals"
OPEN_REQUESTS_KEY = "requests"
ENDED_REQUESTS_KEY = "requests:ended"
REQUESTS_PREFIX = "requests#"
ADDRESSES_PREFIX = "addresses#"
SEALS_KEY = "seals"
PAYOUTS_KEY = "payouts"
"""The partition of the payouts that wait for a seal, by proposal_no."""
CHECKPOINTS_PREFIX = "checkpoints#"
SEAL_AUDIT_PREFIX = "seals#"


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


def merchant_key(merchant_id: str) -> str:
    return f"{MERCHANT_PREFIX}{merchant_id}"


def requests_key(merchant_id: str) -> str:
    return f"{REQUESTS_PREFIX}{merchant_id}"


def addresses_key(merchant_id: str) -> str:
    return f"{ADDRESSES_PREFIX}{merchant_id}"


def seal_sort_key(end: int) -> str:
    """Sort key of a seal's place in Ledger: its end in Unix seconds."""
    return f"{end:010d}"


def checkpoints_key(account_key: str) -> str:
    """Partition of an account's checkpoints in Ledger; the sealing role may write no other."""
    return f"{CHECKPOINTS_PREFIX}{account_key}"


def seal_audit_key(year: str) -> str:
    return f"{SEAL_AUDIT_PREFIX}{year}"


def team_key(merchant_id: str) -> str:
    return f"{TEAM_PREFIX}{merchant_id}"


def name_key(folded_name: str) -> str:
    """Key in Merchants or Traders of a shown name; at most 1,029 of the 2,048 bytes allowed."""
    return f"{NAME_PREFIX}{folded_name}"


def amount_key(amount: "AccountAmount") -> str:
    """Key of a reserved amount in Traders; no trader_id has a `#`."""
    return f"{amount.trader_id}#{amount.account_key}#{amount.cny_fen}"


def returned_key(order_no: str, trader_id: str) -> str:
    """Key in Orders of a sell that was taken back from a trader; roles that write it may too."""
    return f"{order_no}#returned#{trader_id}"


def returned_desk_key(trader_id: str) -> str:
    """Partition of the sells that were taken back from a trader, in the desk's index."""
    return f"{trader_id}#returned"


def number_key(merchant_id: str, merchant_order_no: str) -> str:
    """Key of a number's reservation in Orders; at most 1 044 of the 2 048 bytes allowed."""
    return f"number#{merchant_id}#{merchant_order_no}"


def ending_item_key(order_no: str) -> str:
    """Key in Orders of what finds an order without a merchant_order_no."""
    return f"{order_no}#ending"


def notes_key(order_no: str) -> str:
    """Key of an order's notes in Orders; roles that may write the order may write it."""
    return f"{order_no}#notes"


def nonce_key(api_key: str, nonce: str) -> str:
    return f"nonce#{api_key}#{nonce}"


def attempts_key(key: str, window: int) -> str:
    return f"attempts#{key}#{window}"


def calls_key(counter: str) -> str:
    return f"calls#{counter}"


def refused_key(merchant_id: str) -> str:
    return f"refused#{merchant_id}"


def failures_key(kind: str, who: str, window: int) -> str:
    """Key of a window's failed verifications in Guards; a person is a keyed hash."""
    return f"failures#{kind}#{who}#{window}"


def days_key(mode: Mode, day: int, digest: str) -> str:
    """Key of what a keyed hash has on a trading day in Guards, where the desk limits it."""
    return f"days#{mode.value}#{day}#{digest}"


def rotation_key(mode: Mode, shard: int) -> str:
    return f"{mode.value}#{shard}"


def due_key(shard: int) -> str:
    return f"due#{shard}"


def matching_key(mode: Mode, shard: int) -> str:
    """Partition of a mode's sells that wait for a trader, in the same index."""
    return f"matching#{mode.value}#{shard}"


def disputed_key(mode: Mode) -> str:
    """Partition of a mode's disputed orders, in the same index; few are disputed."""
    return f"disputed#{mode.value}"


def claims_key(mode: Mode) -> str:
    return f"claims#{mode.value}"


def all_key(order_id: int) -> str:
    return str(order_id % ALL_SHARDS)


def list_key(merchant_id: str, shard: int) -> str:
    """Partition of the index of a merchant's orders; an order's is its order_id % LIST_SHARDS."""
    return f"{merchant_id}#{shard}"


def number_list_key(merchant_order_no: str) -> str:
    """Partition of all merchants' reservations of a number, in any case, in the same index."""
    return f"number#{merchant_order_no.casefold()}"


ENDING_DIGITS = 4


def ending_desk_key(number: str) -> str:
    """Partition of the orders and drafts whose number ends like this one, in the desk's index."""
    return f"ending#{number[-ENDING_DIGITS:]}"


def desk_key(trader_id: str, desk_list: DeskList) -> str:
    return f"{trader_id}#{desk_list.value}"


def trouble_key(kind: str, shard: int) -> str:
    return f"{kind}#{shard}"


def due_callback_key(shard: int) -> str:
    return f"due#{shard}"


def waiting_key(shard: int, endpoint: str) -> str:
    """Partition of what waits for a paused endpoint, in the same index."""
    return f"waiting#{shard}#{endpoint}"


def endpoint_key(endpoint: str) -> str:
    return f"{ENDPOINT_PREFIX}{endpoint}"


def paused_key(merchant_id: str, mode: Mode) -> str:
    return f"paused#{merchant_id}#{mode.value}"


def lanes_key(merchant_id: str) -> str:
    """Key of a merchant's lanes in Callbacks; no webhook_id begins with `lanes#`."""
    return f"lanes#{merchant_id}"


def session_key(token_hash: str) -> str:
    return f"session#{token_hash}"


def visits_key(merchant_id: str, member_id: str) -> str:
    return f"visits#{merchant_id}#{member_id}"


def challenge_key(challenge_hash: str) -> str:
    return f"challenge#{challenge_hash}"


def push_key(trader_id: str) -> str:
    return f"push#{trader_id}"


def drawings_key(counted_for: str) -> str:
    return f"drawings#{counted_for}"


def place_key(place: "Place") -> str:
    """Key in Guards of a place for decoding, of a merchant, a trader or a buy, or a common one.

    No order_no is `at_once`.
    """
    return f"drawings#at_once#{place.owner}#{place.number}"


def figures_key(day: str, merchant_id: str = "") -> str:
    """Key in Guards of a merchant's figures of a day (`yyyy-mm-dd`), or of when it was read."""
    return f"figures#{merchant_id}#{day}" if merchant_id else f"figures#{day}"


def answer_key(person: str, key: str) -> str:
    return f"answer#{person.casefold()}#{key}"


def hands_key(subject: str, person: str) -> str:
    """Key in Guards of a person's part in what happened to a merchant, trader or order."""
    return f"hands#{subject}#{person.casefold()}"


def solo_key(person: str, day: int) -> str:
    """Key in Guards of what a person decided alone on a trading day, by its number."""
    return f"solo#{person.casefold()}#{day}"


def posting_sort_key(at_us: int, transfer_id: str, *, is_spread: bool = False) -> str:
    """Sort key of a posting: by time, in 16 digits of microseconds."""
    return f"{POSTING_PREFIX}{at_us:016d}#{transfer_id}{SPREAD_PART if is_spread else ''}"


def audit_key(month: str) -> str:
    """Partition of a UTC month (`yyyy-mm`) of the audit trail."""
    return f"{AUDIT_PREFIX}{month}"


def desk_audit_key(month: str) -> str:
    """Partition of a UTC month (`yyyy-mm`) of traders' changes of their own settings."""
    return f"{DESK_AUDIT_PREFIX}{month}"


def portal_audit_key(merchant_id: str) -> str:
    return f"{PORTAL_AUDIT_PREFIX}{merchant_id}"


def audit_sort_key(at_us: int, audit_id: str = "") -> str:
    """Sort key of an audit entry: by time, in 16 digits of microseconds."""
    return f"{at_us:016d}#{audit_id}"
