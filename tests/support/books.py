"""The books of the raw items, added up without the code under test (contract section 6)."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from tests.support.seed import Seed

HOLDING = {1: {"pending", "paid", "disputed"}, 2: {"matching", "assigned", "disputed"}}
TAKING = {"withdraw.merchant", "withdraw.trader", "fees.withdraw", "deposit.release"}
WITH_TRADER = {1: HOLDING[1], 2: {"assigned", "disputed"}}


@dataclass(frozen=True, slots=True)
class Owned:
    """An account's available and held micro-USDT."""

    available: int
    held: int


def assert_books(seed: Seed, merchants: Collection[str], traders: Collection[str]) -> None:
    """Check that postings, balances and holds of these owners agree; postings must fund them."""
    ledger: list[Any] = seed.items(seed.tables.ledger)
    orders: list[Any] = seed.items(seed.tables.orders, "order")
    items: list[Any] = seed.items(seed.tables.traders)
    posted, transfers, paid = Counter[str](), Counter[str](), Counter[str]()
    for row in ledger:
        if row["sk"].startswith("posting#"):
            posted[row["pk"]] += row["amount_micro"]
            transfers[row["transfer_id"]] += row["amount_micro"]
            paid[row["transfer_id"]] += row["kind"] == "withdrawal"
    assert set(transfers.values()) <= {0}, "a transfer that does not sum to zero"
    _assert_proposals(ledger, +paid, transfers.keys())
    _assert_requests(ledger)
    _assert_shards(_shards(ledger, items, merchants, traders), _held(orders, ledger))
    _assert_listed(ledger, merchants)
    for account, money in _owned(ledger, items, merchants, traders).items():
        assert money.available + money.held == posted[account], account
    _assert_counters(seed.items(seed.tables.orders, "open_buys"), orders, merchants)
    _assert_open_sells(ledger, orders, merchants)
    for row in items:
        if row["trader_id"] in traders:
            has = [o for o in orders if o.get("trader_id") == row["trader_id"]]
            count = sum(o["status"] in WITH_TRADER[o["order_type"]] for o in has)
            assert row["open_orders"] == count, row["trader_id"]
            assert row["daily_used_fen"] >= 0
            assert row["daily_kept"] >= 0
            _assert_open_amounts(items, row, has)
            _assert_slots(row, has)
    for order in orders:
        if order["merchant_id"] in merchants:
            _assert_one_state(order)
            _assert_refunds(order, orders)


def _assert_proposals(ledger: list[Any], paid: Counter[str], posted: Collection[str]) -> None:
    """Check that a proposal that moves money is posted if it is executed, and only then.

    An approved one is listed for the payout, also while a finding blocks it.
    """
    assert set(paid.values()) <= {2}, "each withdrawal is paid out once"
    listed = {row["sk"] for row in ledger if row["pk"] == "payouts"}
    proposals = [row for row in ledger if row["pk"] == "proposals"]
    waiting = {"approved", "blocked_by_finding"}
    assert listed == {row["sk"] for row in proposals if row["status"] in waiting}
    for row in ledger:
        if row["pk"] == "proposals" and row.get("amount_micro"):
            assert (row["sk"] in posted) is (row["status"] == "executed"), row["sk"]


OPEN_PROPOSALS = {"open", "approved", "blocked_by_finding"}
STATUS_OF_REQUEST = {
    **dict.fromkeys(OPEN_PROPOSALS, "requested"),
    "executed": "approved",
    "rejected": "rejected",
}


def _assert_requests(ledger: list[Any]) -> None:
    """Check that each withdrawal request agrees with its proposal, and is found by its number."""
    requests = {row["sk"]: row for row in ledger if row["pk"].startswith("requests#")}
    places = {row["sk"]: row["pk"] for row in ledger if row["pk"] in {"requests", "requests:ended"}}
    is_open = {no: row["status"] in {"requested", "approved"} for no, row in requests.items()}
    assert places == {no: "requests" if is_open[no] else "requests:ended" for no in requests}
    decided = {}
    for row in ledger:
        if row["pk"] == "proposals" and "request_no" in row and row["status"] != "expired":
            request = requests[row["request_no"]]
            status = "approved" if request["status"] == "sent" else request["status"]
            assert status == STATUS_OF_REQUEST[row["status"]], row["sk"]
            assert row["amount_micro"] == request["amount_micro"]
            assert row["request_no"] not in decided, "two proposals decide one request"
            decided[row["request_no"]] = row["sk"]
    named = {no: row["proposal_no"] for no, row in requests.items() if "proposal_no" in row}
    assert named == decided


def _assert_shards(shards: Mapping[str, Owned], held: Mapping[str, int]) -> None:
    for shard, money in shards.items():
        assert money.available >= 0, shard
        assert money.held >= 0, shard
        assert money.held == held[shard], shard


def _assert_listed(ledger: list[Any], merchants: Collection[str]) -> None:
    rows = {row["pk"]: row for row in ledger if row["sk"] == "balance"}
    for key in rows:
        account, number = _account_of(key)
        if number and account.split(":")[1] in merchants:
            assert number in rows[account]["shards"], key


def _account_of(key: str) -> tuple[str, str]:
    """Return a shard's account and number; the first shard's number is ""."""
    kind, owner, mode = key.split(":")
    owner, _, number = owner.partition("#")
    return f"{kind}:{owner}:{mode}", number


def _assert_open_amounts(items: list[Any], trader: Any, orders: list[Any]) -> None:
    """Check that each open buy with a record is in its amount's, and no other order."""
    recorded: dict[str, set[str]] = {}
    for order in orders:
        if order["order_type"] == 1 and order["status"] in HOLDING[1]:
            amount = f"{order['payment_method']['method_type']}#{order['cny_fen']}"
            has_record = order.get("unique_amount", False)
            assert has_record or not trader.get("unique_amounts"), order["pk"]
            if has_record:
                recorded.setdefault(f"{trader['trader_id']}#{amount}", set()).add(order["pk"])
    stored = {
        row["trader_id"]: row["open_orders"]
        for row in items
        if row["trader_id"].startswith(f"{trader['trader_id']}#") and "open_orders" in row
    }
    assert stored == recorded, trader["trader_id"]
    assert all("expires_at" not in row for row in items if "open_orders" in row)


def _assert_counters(counters: list[Any], orders: list[Any], merchants: Collection[str]) -> None:
    buys, fen = Counter[str](), Counter[str]()
    for order in orders:
        if order["order_type"] == 1 and order["status"] in HOLDING[1]:
            key = f"open_buys:{order['merchant_id']}:{order['mode']}:{order['open_shard']}"
            buys[key] += 1
            fen[key] += order["cny_fen"]
    mine = {row["pk"]: row for row in counters if row["pk"].split(":")[1] in merchants}
    assert {key: row["open_buys"] for key, row in mine.items() if row["open_buys"]} == {
        key: count for key, count in buys.items() if key.split(":")[1] in merchants
    }
    for key, row in mine.items():
        assert row["open_fen"] == fen[key], key


def _assert_open_sells(ledger: list[Any], orders: list[Any], merchants: Collection[str]) -> None:
    """Check that each shard of a merchant's balance counts the open sells that it holds for."""
    sells, fen = Counter[str](), Counter[str]()
    for order in orders:
        if order["order_type"] == 2 and order["status"] in HOLDING[2]:
            number = order.get("balance_shard", 0)
            assert order["open_shard"] == number
            owner = f"{order['merchant_id']}#{number}" if number else order["merchant_id"]
            sells[f"merchant:{owner}:{order['mode']}"] += 1
            fen[f"merchant:{owner}:{order['mode']}"] += order["cny_fen"]
    for row in ledger:
        kind, _, rest = row["pk"].partition(":")
        is_mine = rest.split(":")[0].split("#")[0] in merchants
        if kind == "merchant" and row["sk"] == "balance" and is_mine:
            counted = row.get("open_sells", 0), row.get("open_sell_fen", 0)
            assert counted == (sells[row["pk"]], fen[row["pk"]]), row["pk"]


def _assert_slots(trader: Any, orders: list[Any]) -> None:
    """Check a trader's number of open orders for each merchant, of those that it counted."""
    taken = Counter(
        f"s_{order['merchant_id'][-6:]}"
        for order in orders
        if order["status"] in WITH_TRADER[order["order_type"]] and order.get("in_slot")
    )
    stored = {name: count for name, count in trader.items() if name.startswith("s_") and count}
    assert stored == taken, trader["trader_id"]
    assert all(count >= 0 for name, count in trader.items() if name.startswith("s_"))


def _owned(
    ledger: list[Any], items: list[Any], merchants: Collection[str], traders: Collection[str]
) -> dict[str, Owned]:
    owned: dict[str, Owned] = {}
    for key, money in _shards(ledger, items, merchants, traders).items():
        account, _ = _account_of(key)
        sum_so_far = owned.get(account, Owned(0, 0))
        owned[account] = Owned(sum_so_far.available + money.available, sum_so_far.held + money.held)
    return owned


def _shards(
    ledger: list[Any], items: list[Any], merchants: Collection[str], traders: Collection[str]
) -> dict[str, Owned]:
    owned: dict[str, Owned] = {}
    for row in ledger:
        kind, _, rest = row["pk"].partition(":")
        owner = rest.split(":")[0].split("#")[0]
        if row["sk"] == "balance" and kind != "funding" and owner in merchants:
            owned[row["pk"]] = _owned_of(row)
    for row in items:
        if row["trader_id"] in traders:
            key = f"trader:{row['trader_id']}:{row['mode']}"
            owned[key] = _owned_of(row)
    return owned


def _owned_of(row: Any) -> Owned:
    """Return the balance of an item, which is also the sum of its two windows' parities."""
    money = Owned(row["available_micro"], row["held_micro"])
    sums = (sum(row.get(f"{name}{parity}", 0) for parity in (0, 1)) for name in "ah")
    assert money == Owned(*sums), row
    return money


def _held(orders: list[Any], ledger: list[Any]) -> defaultdict[str, int]:
    held: defaultdict[str, int] = defaultdict(int)
    for row in ledger:
        if row["pk"] == "proposals" and row["status"] in OPEN_PROPOSALS:
            takes = row["command"] in TAKING and "request_no" not in row
            held[row.get("account", "")] += row["amount_micro"] if takes else 0
        if row["pk"].startswith("requests#") and row["status"] == "requested":
            held[f"merchant:{row['pk'].partition('#')[2]}:live"] += row["amount_micro"]
    for order in orders:
        if order["status"] not in HOLDING[order["order_type"]]:
            continue
        if order["order_type"] == 1:
            held[f"trader:{order['trader_id']}:{order['mode']}"] += order["trader_micro"]
        else:
            number = order.get("balance_shard", 0)
            owner = f"{order['merchant_id']}#{number}" if number else order["merchant_id"]
            held[f"merchant:{owner}:{order['mode']}"] += order["merchant_actual_micro"]
    return held


def _assert_refunds(buy: Any, orders: list[Any]) -> None:
    """Check that a buy lists its sells that are not cancelled, within its own amount."""
    mine = [each for each in orders if each.get("refund_of") == buy["pk"]]
    listed = dict(buy.get("refunds", ()))
    kept = {
        each["pk"]: each["cny_fen"]
        for each in mine
        if each["status"] != "cancelled" or _is_claim_paid(each)
    }
    assert listed == kept, buy["pk"]
    reversed_micro = sum(part[2] for part in buy.get("reversals", ()))
    reversed_fen = buy["cny_fen"] * reversed_micro // buy["usdt_micro"]
    assert sum(listed.values()) + reversed_fen <= buy["cny_fen"]


def _is_claim_paid(order: Any) -> bool:
    return any(is_paid for *_, is_paid in order.get("claims", ()))


def _claims(order: Any) -> set[str]:
    """Return the traders with a late proof of an ended sell that nobody has decided."""
    if order["status"] not in {"completed", "cancelled"}:
        return set()
    proofs = {each["trader_id"] for each in order.get("late_proofs", ())}
    decided = {trader_id for _, _, trader_id, _ in order.get("claims", ())}
    own = {order.get("trader_id")} if order["status"] == "completed" else set()
    return proofs - decided - own


def _assert_one_state(order: Any) -> None:
    timeline = order["timeline"]
    assert timeline[-1]["status"] == order["status"]
    told = order["status"] == "cancelled" and _is_claim_paid(order)
    assert order["sequence"] == len(timeline) + len(order.get("reversals", ())) + told
    times = [entry["time"] for entry in timeline]
    assert times == sorted(times)
    has_trader = order["status"] in WITH_TRADER[order["order_type"]]
    assert not has_trader or order["trader_id"]
    waits = order["status"] in {"pending", "paid", "matching", "assigned", "disputed"}
    assert ("due_key" in order) is (waits or bool(_claims(order)))
