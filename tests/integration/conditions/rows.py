"""What each condition of each write refuses and allows, and which error follows.

A condition's rule says this from the stored item, from the contract's terms and from the time, not
from the values of the request: so a value that is off by one is found, too.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from orderdesk.adapters.dynamodb.drawings import _FileLost, _PlaceLost
from orderdesk.adapters.dynamodb.failure_caps import (
    PERSON_FAILURES_MOST,
    _MerchantCapped,
    _NotCounted,
    _PersonCapped,
    _SameFactors,
)
from orderdesk.domain.audit import DecisionLost, KeyUsed
from orderdesk.domain.errors import ChangedMeanwhile, NameTaken, OrderdeskError, TryAgain
from orderdesk.domain.merchants.merchant import MerchantSuspended, NonceReused
from orderdesk.domain.merchants.withdrawals import REST_SECONDS, RequestNoTaken, WithdrawalRefused
from orderdesk.domain.operators import (
    BalanceTooLow,
    RequestDecided,
    RequestForged,
    UnacceptableTerms,
    UnknownId,
)
from orderdesk.domain.orders.order import DEFAULT_SLOT_SHARE
from orderdesk.domain.orders.order_errors import (
    HoldLost,
    NumberLost,
    NumberTaken,
    OrderIdTaken,
    RefusedByDesk,
    ShareFull,
    SharesChanged,
)
from orderdesk.domain.times import trading_day
from orderdesk.domain.traders.trader import (
    DAY_UNIT,
    AmountTaken,
    ClaimLost,
    CoverLost,
    TraderSuspended,
)
from tests.integration.conditions.store_scenes import CALLS, FILES_MOST, LANES, MAX_RPS
from tests.support.money_world import SOLO_MICRO
from tests.support.probing import Asked, Changes, Edge, Row, Rule

type _Limit = Callable[[Asked], int]
type _Error = type[Any]
_KEYS = {"pk", "sk", "trader_id", "webhook_id"}


def _others(value: Any) -> list[Any]:
    """Return other values of a type: for a number, one below and one above."""
    match value:
        case bool():
            return [not value]
        case int():
            return [value - 1, value + 1]
        case dict():
            return [{**value, "rate_e4": value["rate_e4"] + 1}]
        case _:
            return [f"{value}x"]


def same(asked: Asked) -> Edge:
    """Require the attribute as it was read."""
    name = asked.name()
    return Edge([{name: value} for value in _others(asked.item[name])])


def absent(asked: Asked) -> Edge:
    name = asked.name()
    return Edge([{"kept": 1} if name in _KEYS else {name: 1}])


def present(asked: Asked) -> Edge:
    name = asked.name()
    return Edge([None if name in _KEYS else {name: None}])


def covered(asked: Asked) -> Edge:
    """Require that the number does not fall below 0."""
    name = asked.name()
    least = -asked.added(name)
    return Edge([{name: least - 1}], [{name: least}])


def at_most(limit: _Limit, asked: Asked, *, step: int = 1, name: str = "") -> Edge:
    """Require at most a limit; with a `step` of -1, at least it."""
    name = name or asked.name("<>")
    most = limit(asked)
    return Edge([{name: most + step}], [{name: most}])


def _most(limit: _Limit, **named: Any) -> Rule:
    return partial(at_most, limit, **named)


def _least(limit: _Limit, **named: Any) -> Rule:
    return partial(at_most, limit, step=-1, **named)


def _or_absent(limit: _Limit) -> Rule:
    """Require at most a limit, or no such attribute."""

    def rule(asked: Asked) -> Edge:
        edge, name = at_most(limit, asked), asked.name("<>")
        return Edge(edge.refused, [*edge.allowed, {name: None}])

    return rule


def _day(asked: Asked) -> int:
    return trading_day(asked.now)


def _began(asked: Asked) -> int:
    return trading_day(asked.now) * DAY_UNIT


def _account_room(asked: Asked) -> int:
    caps = {each["daily_cap_fen"] for each in asked.item["account_terms"].values()}
    return _began(asked) + int(min(caps)) - asked.added("daily_used_fen")


def _slots(asked: Asked) -> int:
    return int(asked.item["max_open"]) * DEFAULT_SLOT_SHARE // 100 - 1


def _empty_slot(asked: Asked) -> Edge:
    name = asked.name("=")
    return Edge([{name: 1}, {name: -1}], [{name: 0}, {name: None}])


def _used_nonce(asked: Asked) -> Edge:
    of_another = {"holder": "another"}
    return Edge(
        [{**of_another, "expires_at": asked.now}], [{**of_another, "expires_at": asked.now - 1}]
    )


def _own_nonce(asked: Asked) -> Edge:
    return Edge([{"holder": asked.action["Item"]["holder"]["S"], "expires_at": asked.now}])


def _taken_number(asked: Asked) -> Edge:
    """A draft's number is free from its expire_time on; an order's never."""
    kept = {"order_no": "another", "mode": "live", "fingerprint": "another"}
    ran_out = {**kept, "expire_time": asked.now}
    return Edge([{**kept, "expire_time": None}, {**kept, "expire_time": asked.now + 1}], [ran_out])


def _free_amount(asked: Asked) -> Edge:
    merchant = asked.action["ExpressionAttributeValues"][":merchant"]["S"]
    of_another = {"reserved_for": "another"}
    return Edge(
        [{**of_another, "free_at": asked.now + 1}],
        [
            {**of_another, "free_at": asked.now},
            {"reserved_for": merchant, "free_at": asked.now + 1},
            {**of_another, "free_at": None},
        ],
    )


def _owners(asked: Asked) -> tuple[Changes, Changes]:
    """Return a name's item with one owner, and with another one beside it."""
    mine = frozenset(asked.action["ExpressionAttributeValues"][":owners"]["SS"])
    return {"owners": mine}, {"owners": mine | {"another"}}


def _free_name(asked: Asked) -> Edge:
    mine, shared = _owners(asked)
    return Edge([{"owners": frozenset({"another"})}, shared], [mine, None])


def _owned(asked: Asked, *, is_shared: bool) -> Edge:
    mine, shared = _owners(asked)
    return Edge([mine], [shared]) if is_shared else Edge([shared, None], [mine])


def _rested(asked: Asked) -> Edge:
    return at_most(lambda _: asked.now - REST_SECONDS, asked, name=_entry(asked)[0])


def _the_same_entry(asked: Asked) -> Edge:
    name, added_at = _entry(asked)
    return Edge([{name: value} for value in _others(added_at)])


def _entry(asked: Asked) -> tuple[str, Any]:
    """Return the name of the entry's time in the address book that a condition names, and it."""
    [(key, entry)] = [
        (key, entry) for key, entry in asked.item["addresses"].items() if key in asked.term
    ]
    return f"addresses.{key}.added_at", entry["added_at"]


def _room(orders: str, fen: str, used: str, used_fen: str) -> tuple[Rule, Rule]:
    """Return what a counter refuses of another epoch, and what beyond its share."""

    def base(asked: Asked) -> dict[str, Any]:
        values = asked.action["ExpressionAttributeValues"]
        counts = {name: asked.item.get(name, 0) for name in (orders, fen)}
        return {**counts, "limits_epoch": int(values[":epoch"]["N"]), used: 0, used_fen: 0}

    def epoch(asked: Asked) -> Edge:
        whole = base(asked)
        others = [{**whole, "limits_epoch": each} for each in _others(whole["limits_epoch"])]
        return Edge(others, [whole])

    def full(asked: Asked) -> Edge:
        whole, values = base(asked), asked.action["ExpressionAttributeValues"]
        most = int(values[":most"]["N"]) - 1
        most_fen = int(values[":used_before"]["N"])
        return Edge(
            [{**whole, used: most + 1}, {**whole, used_fen: most_fen + 1}],
            [{**whole, used: most, used_fen: most_fen}],
        )

    return epoch, full


def _other_rate(step: int) -> Rule:
    """Require that the other side's rate is at most this one; with a `step` of -1, at least."""

    def rule(asked: Asked) -> Edge:
        rate = int(asked.action["ExpressionAttributeValues"][":rate"]["M"]["rate_e4"]["N"])
        name, _ = asked.name("<>").split(".")
        other = asked.item.get(name, {})
        return Edge(
            [{name: {**other, "rate_e4": rate + step}}], [{name: {**other, "rate_e4": rate}}]
        )

    return rule


def _not_more_than_read(orders: str, fen: str, asked: Asked) -> Edge:
    names = orders, fen
    read = {name: asked.item.get(name, 0) for name in names}
    return Edge([{**read, name: read[name] + 1} for name in names], [read])


_now: _Limit = lambda asked: asked.now  # noqa: E731
_later: _Limit = lambda asked: asked.now + 1  # noqa: E731
_BUYS = _room("open_buys", "open_fen", "used_buys", "used_fen")
_SELLS = _room("open_sells", "open_sell_fen", "used_sells", "used_sell_fen")
_LEFT = "(attribute_not_exists({0}) OR ({0} <= :read AND {1} <= :read_fen))"
_FITS = "limits_epoch = :epoch AND {0} < :most AND {1} <= :used_before"


def _asked(name: str, change: int = 0) -> _Limit:
    return lambda asked: int(asked.action["ExpressionAttributeValues"][name]["N"]) + change


def _ms(asked: Asked) -> int:
    return asked.now_us // 1000


def _version_or_gone(asked: Asked) -> Edge:
    return Edge(same(asked).refused, [None])


def _width(asked: Asked) -> Edge:
    """The number of lanes is the one that the container has seen; without one it is LANES."""
    seen = asked.item.get("width", LANES)
    unset = [{"width": None}] if seen == LANES else []
    return Edge([{"width": each} for each in _others(seen)], [{"width": seen}, *unset])


def _failed(asked: Asked) -> Edge:
    """A person may fail with five different sets of factors."""
    [mine] = asked.action["ExpressionAttributeValues"][":new"]["SS"]
    others = [f"{mine}{number}" for number in range(PERSON_FAILURES_MOST)]
    return Edge([{"failed": frozenset(others)}], [{"failed": frozenset(others[1:])}])


def _same_factors(asked: Asked) -> Edge:
    [mine] = asked.action["ExpressionAttributeValues"][":new"]["SS"]
    return Edge([{"failed": frozenset({mine, "another"})}])


def _bucket(asked: Asked) -> Edge:
    """A busy merchant's time is neither past nor so late that the calls find no room."""
    name, now_ns = "used_until_ns", asked.now * 10**9
    latest = now_ns + 2 * 10**9 - CALLS * 10**9 // MAX_RPS
    return Edge([{name: now_ns - 1}, {name: latest + 1}], [{name: now_ns}, {name: latest}])


# The rules of conditions that do not say themselves what they refuse.
RULES: Mapping[str, Rule] = {
    "attribute_not_exists(pk) OR expires_at < :now": _used_nonce,
    "attribute_not_exists(pk) OR expire_time <= :now": _taken_number,
    "attribute_not_exists(pk) OR expires_at <= :now": _most(_now),
    "attribute_not_exists(pk) OR until <= :now": _most(_now),
    "(attribute_not_exists(free_at) OR free_at <= :now OR reserved_for = :merchant)": _free_amount,
    "attribute_not_exists(owners) OR owners = :owners": _free_name,
    "owners = :owners": partial(_owned, is_shared=False),
    "owners <> :owners": partial(_owned, is_shared=True),
    "attribute_not_exists(open_orders)": lambda _: Edge([{"open_orders": frozenset({"another"})}]),
    "available_micro >= :usdt": covered,
    "open_orders < :max_open": _most(lambda asked: int(asked.item["max_open"]) - 1),
    "daily_day < :day": _most(lambda asked: _day(asked) - 1),
    "daily_day >= :day": _least(_day),
    "daily_used_fen <= :used_before": _most(
        lambda asked: asked.item["daily_cap_fen"] - asked.added("daily_used_fen")
    ),
    "(attribute_not_exists(d_) OR d_ < :acct_day)": _or_absent(lambda asked: _began(asked) - 1),
    "d_ >= :acct_day": _least(_began),
    "d_ <= :acct_most": _most(_account_room),
    "(attribute_not_exists(s_) OR s_ < :slots)": _or_absent(_slots),
    "(attribute_not_exists(s_) OR s_ = :none)": _empty_slot,
    **dict.fromkeys(("used_buys < :most", "used_sells < :most"), _most(_asked(":most", -1))),
    **dict.fromkeys(
        ("used_fen <= :used_before", "used_sell_fen <= :used_before"), _most(_asked(":used_before"))
    ),
    _LEFT.format("open_sells", "open_sell_fen"): partial(
        _not_more_than_read, "open_sells", "open_sell_fen"
    ),
    _LEFT.format("open_buys", "open_fen"): partial(_not_more_than_read, "open_buys", "open_fen"),
    "(attribute_not_exists(sell) OR sell.rate_e4 <= :rate_e4)": _other_rate(1),
    "(attribute_not_exists(buy) OR buy.rate_e4 >= :rate_e4)": _other_rate(-1),
    "expires_at > :now": _least(_later),
    "expires_at <= :now": _most(_now),
    "address.added_at <= :added": _rested,
    "address.added_at = :added": _the_same_entry,
    "status IN (:approved, :blocked)": lambda _: Edge(
        [{"status": "open"}, {"status": "executed"}],
        [{"status": "approved"}, {"status": "blocked_by_finding"}],
    ),
    "day_limits = :before": lambda _: Edge([{"day_limits": {"another": 1}}]),
    "attribute_not_exists(day_limits) OR day_limits = :before": lambda _: Edge(
        [{"day_limits": {"another": 1}}], [{"day_limits": None}, {"day_limits": {}}]
    ),
    "(attribute_not_exists(fen) OR fen <= :left)": _or_absent(_asked(":left")),
    "(attribute_not_exists(orders) OR orders < :most)": _or_absent(_asked(":most", -1)),
    "reveal_until <= :now": _most(_now),
    "reveal_until > :now": _least(_later),
    "attribute_not_exists(spent_micro) OR spent_micro <= :left": _or_absent(
        lambda asked: SOLO_MICRO - asked.added("spent_micro")
    ),
    "attribute_not_exists(webhook_id) OR version = :version": _version_or_gone,
    "(attribute_not_exists(lane_) OR lane_ < :asked)": _or_absent(lambda asked: _ms(asked) - 1),
    "(attribute_not_exists(paid_us) OR paid_us < :burst)": _or_absent(
        lambda asked: asked.now_us + 10**6 - 1
    ),
    "(attribute_not_exists(width) OR width = :seen)": _width,
    "(attribute_not_exists(until_) OR until_ < :now)": _or_absent(lambda asked: _ms(asked) - 1),
    "attribute_not_exists(taken_until) OR taken_until < :now": _or_absent(
        lambda asked: _ms(asked) - 1
    ),
    "(attribute_not_exists(drawings) OR drawings < :most)": _or_absent(lambda _: FILES_MOST - 1),
    "attribute_not_exists(failures) OR failures < :most": _or_absent(_asked(":most", -1)),
    "attribute_not_exists(failed)": lambda _: Edge([{"failed": frozenset({"another"})}]),
    "attribute_not_exists(used_until_ns) OR used_until_ns <= :now": _or_absent(
        lambda asked: asked.now * 10**9
    ),
    "used_until_ns BETWEEN :now AND :latest": _bucket,
}
_BY_FORM: Mapping[str, Rule] = {
    r"\w+ = :\w+": same,
    r"attribute_not_exists\(\w+\)": absent,
    r"attribute_exists\(\w+\)": present,
    r"\w+ >= :least_\w+": covered,
}


def _of(error: _Error | tuple[_Error, ...], *terms: str) -> dict[str, tuple[Row, ...]]:
    errors = error if isinstance(error, tuple) else (error,)
    return {term: (Row(_rule(term), errors),) for term in terms}


def _rule(term: str) -> Rule:
    of_form = (rule for form, rule in _BY_FORM.items() if re.fullmatch(form, term))
    return RULES.get(term) or next(of_form)


def _counter(rules: tuple[Rule, Rule], orders: str, used: str, used_fen: str) -> Any:
    epoch, full = rules
    term = f"(attribute_not_exists({orders}) OR ({_FITS.format(used, used_fen)}))"
    return {term: (Row(epoch, (SharesChanged,)), Row(full, (ShareFull,)))}


_FREE_NAME = "attribute_not_exists(owners) OR owners = :owners"
_NEW, _NEW_CALLBACK = "attribute_not_exists(pk)", "attribute_not_exists(webhook_id)"
_EXISTS = "attribute_exists(pk)"
_IMPOSSIBLE = partial(_of, OrderdeskError)
_CHANGED = partial(_of, ChangedMeanwhile)
_OF_TRADER = (
    *("attribute_exists(trader_id)", "held_micro >= :least_held_micro"),
    *("open_orders >= :least_open_orders", "s_ >= :least_s_"),
)
_ACTIVE, _ENOUGH = "suspended = :not_suspended", "available_micro >= :least_available_micro"
_OPEN_BUYS = ("open_buys >= :least_open_buys", "open_fen >= :least_open_fen")
_SLOT_FREE = "(attribute_not_exists(s_) OR s_ < :slots)"
_OTHER_DAY = ("daily_day < :day", "(attribute_not_exists(d_) OR d_ < :acct_day)")
_SAME_DAY = ("daily_day >= :day", "d_ >= :acct_day")
_NO_PROPOSAL, _ITS_PROPOSAL = "attribute_not_exists(proposal_no)", "proposal_no = :proposal_before"
_STATUS = "status = :status_before"
_SAME_VERSION, _NO_VERSION = "version = :version_before", "attribute_not_exists(version)"

_FEW_FAILED = (
    "attribute_not_exists(failed) OR (size(failed) < :most AND NOT contains(failed, :factors))"
)
_UNUSED_NONCE = "attribute_not_exists(pk) OR expires_at < :now"

# What a store's function writes to a table, by the function that names the error.
WRITES: Mapping[str, Mapping[str, tuple[Row, ...]]] = {
    "DeleteItem of Callbacks": _of(
        type(None), "attribute_not_exists(webhook_id) OR version = :version"
    ),
    "DeleteItem of Guards": _of(type(None), "purpose = :purpose", "expires_at > :now"),
    "PutItem of Callbacks": _of(type(None), _NEW_CALLBACK, "version = :before"),
    "PutItem of Guards": _of(type(None), _UNUSED_NONCE),
    "UpdateItem of Callbacks": _of(
        type(None),
        *("(attribute_not_exists(lane_) OR lane_ < :asked)", "lane_ = :asked"),
        "(attribute_not_exists(paid_us) OR paid_us < :burst)",
        "(attribute_not_exists(width) OR width = :seen)",
    ),
    "UpdateItem of Guards": _of(
        type(None),
        "attribute_not_exists(used_until_ns) OR used_until_ns <= :now",
        "used_until_ns BETWEEN :now AND :latest",
        *("attribute_not_exists(number)", "number = :last"),
    ),
    "audit._append of Audit": _CHANGED(_NEW),
    "audit.answered_write of Guards": _of(
        KeyUsed, "attribute_not_exists(pk) OR expires_at <= :now"
    ),
    "audit._executed_write of Ledger": _of(DecisionLost, "status = :open", "expires_at > :now"),
    "audit._solo_writes of Guards": _CHANGED("attribute_not_exists(pk) OR until <= :now"),
    "audit._spent_write of Guards": _CHANGED(
        "attribute_not_exists(spent_micro) OR spent_micro <= :left"
    ),
    "ledger.hold_writes.lost of Ledger": {
        **_counter(_SELLS, "open_sells", "used_sells", "used_sell_fen"),
        **_of(SharesChanged, "limits_epoch = :epoch"),
        **_of(ShareFull, "used_sells < :most", "used_sell_fen <= :used_before"),
        **_of(HoldLost, _ENOUGH),
    },
    "ledger.hold_writes of Ledger": _of(HoldLost, _ENOUGH),
    "ledger.shard_hold_writes of Ledger": _CHANGED(_ENOUGH),
    "callback_endpoints.EndpointStore.save of Callbacks": _CHANGED(
        _NEW_CALLBACK, "version = :before"
    ),
    "drawings._FileLost of Guards": _of(
        _FileLost,
        *("attribute_not_exists(answer_)", "(attribute_not_exists(until_) OR until_ < :now)"),
        "(attribute_not_exists(drawings) OR drawings < :most)",
    ),
    "drawings.DrawingStore._take of Guards": _of(
        _PlaceLost, "attribute_not_exists(taken_until) OR taken_until < :now"
    ),
    "drawings.DrawingStore.finish of Guards": _of(
        _PlaceLost, "until_ = :until", "taken_until = :until"
    ),
    "failure_caps.FailureCapStore._counted of Guards": _of(
        _NotCounted, "failures >= :least_failures"
    ),
    "failure_caps.FailureCapStore._merchant_write of Guards": _of(
        _MerchantCapped, "attribute_not_exists(failures) OR failures < :most"
    ),
    "failure_caps.FailureCapStore._person_write.lost of Guards": {
        **_of(_PersonCapped, "attribute_not_exists(failed)"),
        _FEW_FAILED: (Row(_failed, (_PersonCapped,)), Row(_same_factors, (_SameFactors,))),
    },
    "nonces.nonce_write.lost of Guards": {
        _UNUSED_NONCE: (Row(_used_nonce, (NonceReused,)), Row(_own_nonce, (TryAgain,)))
    },
    "withdrawals.MerchantWithdrawals.change_book of Ledger": _CHANGED("version = :before"),
    "withdrawals.MerchantWithdrawals.create.taken of Ledger": _of(RequestNoTaken, _NEW),
    "withdrawals.MerchantWithdrawals._active_merchant of Merchants": _of(
        MerchantSuspended, "status = :active"
    ),
    "withdrawals.entry_check of Ledger": _CHANGED("address.added_at <= :added"),
    "party_writes.NameWrites._take_write.lost of Merchants": _of(
        (UnacceptableTerms, NameTaken), _FREE_NAME
    ),
    "party_writes.NameWrites._take_write.lost of Traders": _of(UnacceptableTerms, _FREE_NAME),
    "party_writes.NameWrites._leave_writes of Merchants": _CHANGED(
        "owners = :owners", "owners <> :owners"
    ),
    "party_writes.NoticeBox.commit of Callbacks": _CHANGED(_NEW_CALLBACK),
    "operator.funds._sent_write of Ledger": _CHANGED(
        "status = :executed", "attribute_not_exists(txid)"
    ),
    "operator.funds.merchant_exists_write of Merchants": _of(UnknownId, _EXISTS),
    "operator.funds.trader_credit_write of Traders": _of(UnknownId, "mode = :mode"),
    "operator.funds._decided_writes of Ledger": {
        **_of(RequestDecided, _STATUS, _ITS_PROPOSAL),
        **_of(RequestDecided, "address = :address", "amount_micro = :amount"),
        **_of(RequestForged, "address.added_at = :added"),
    },
    "operator.proposals.OperatorProposals.propose of Ledger": _of(
        RequestDecided, _STATUS, _NO_PROPOSAL
    ),
    "operator.proposals.OperatorProposals.finish of Ledger": _CHANGED("status = :begun"),
    "operator.proposals.OperatorProposals.record_reveal of Ledger": _CHANGED(
        "attribute_exists(sealed)", "reveal_until > :now"
    ),
    "operator.orders.OperatorCallbacks.change of Callbacks": _CHANGED("version = :before"),
    "operator.parties.OperatorMerchants.set_day_limits of Merchants": _CHANGED(
        "day_limits = :before", "attribute_not_exists(day_limits) OR day_limits = :before"
    ),
    "operator.parties.OperatorMerchants.set_rate of Merchants": _CHANGED(
        *("attribute_not_exists(buy)", "attribute_not_exists(sell)"),
        *("buy = :before", "(attribute_not_exists(sell) OR sell.rate_e4 <= :rate_e4)"),
        *("sell = :before", "(attribute_not_exists(buy) OR buy.rate_e4 >= :rate_e4)"),
    ),
    "operator.parties.OperatorMerchants.write_blocks of Merchants": _CHANGED(
        "attribute_not_exists(blocks_version)", "blocks_version = :before"
    ),
    "operator.funds.PayoutStore._waits_write of Ledger": _CHANGED(
        "status IN (:approved, :blocked)"
    ),
    "operator.funds.OperatorFunds._moved of Ledger": _CHANGED(_ENOUGH),
    "operator.funds.OperatorFunds._moved of Traders": _CHANGED(_ENOUGH),
    "orders.creation._number_taken of Orders": _of(
        NumberTaken, "attribute_not_exists(pk) OR expire_time <= :now"
    ),
    "orders.creation.day_writes of Guards": _of(
        RefusedByDesk,
        "(attribute_not_exists(fen) OR fen <= :left)",
        "(attribute_not_exists(orders) OR orders < :most)",
    ),
    "orders.creation.new_item_write of Orders": _of(OrderIdTaken, _NEW),
    "orders.drafts.DraftStore._number_write of Orders": _of(NumberLost, "pending_no = :pending_no"),
    "orders.moves.by_active_trader of Traders": _of(TraderSuspended, _ACTIVE),
    "orders.moves._if_active.lost of Traders": {
        **_IMPOSSIBLE(*_OF_TRADER),
        **_CHANGED("version = :read", "daily_day >= :day"),
        **_of(TraderSuspended, _ACTIVE),
    },
    "open_orders.cancelled_writes of Orders": _CHANGED(
        "attribute_not_exists(cancels)", "cancels = :cancels_before", *_OPEN_BUYS
    ),
    "open_orders.count_write of Orders": {
        **_counter(_BUYS, "open_buys", "used_buys", "used_fen"),
        **_of(SharesChanged, "limits_epoch = :epoch"),
        **_of(ShareFull, "used_buys < :most", "used_fen <= :used_before"),
    },
    "orders.share_out._set_room of Ledger": _CHANGED(_LEFT.format("open_sells", "open_sell_fen")),
    "orders.share_out._set_room of Orders": _CHANGED(_LEFT.format("open_buys", "open_fen")),
    "portal.PortalSessionStore.save of Guards": _CHANGED(_NEW, "version = :before"),
    "portal._Recorded._record of Callbacks": _CHANGED("version = :before"),
    "proposals.ProposalStore.forget of Ledger": _CHANGED("reveal_until <= :now"),
    "proposals.ProposalStore.ended_writes of Ledger": _CHANGED(
        "status = :open", "expires_at > :now", "expires_at <= :now"
    ),
    "traders.amounts.amount_claim_write of Traders": _of(
        AmountTaken,
        "attribute_not_exists(open_orders)",
        "(attribute_not_exists(free_at) OR free_at <= :now OR reserved_for = :merchant)",
    ),
    "traders.claims.claim_write of Traders": _of(
        ClaimLost,
        *("last_accepted_at = :read", "attribute_exists(rotation_key)", "version = :version"),
        *("available_micro >= :usdt", "open_orders < :max_open", _SLOT_FREE, *_OTHER_DAY),
        *(*_SAME_DAY, "daily_used_fen <= :used_before", "d_ <= :acct_most"),
        "(attribute_not_exists(s_) OR s_ = :none)",
    ),
    "traders.devices.PushDevices.save of Guards": _CHANGED(_NEW, "version = :before"),
    "traders.claims.hold_again_write.lost of Traders": {
        **_CHANGED("version = :read", *_OTHER_DAY, *_SAME_DAY),
        **_of(CoverLost, "open_orders < :max_open", _SLOT_FREE, _ENOUGH),
    },
    "transactions.Write.change of Merchants": _CHANGED(_SAME_VERSION, _NO_VERSION),
    "transactions.Write.change of Orders": _CHANGED(_SAME_VERSION),
    "transactions.Write.change of Traders": _CHANGED(_SAME_VERSION, _NO_VERSION),
    "transactions.if_also of Traders": _CHANGED(
        _SAME_VERSION, "last_accepted_at = :accepted", "open_orders = :open"
    ),
    "transactions.never.lost of Ledger": _IMPOSSIBLE(
        *(_NEW, _EXISTS, "held_micro >= :least_held_micro", "open_sells >= :least_open_sells"),
        *("open_sell_fen >= :least_open_sell_fen", "status = :requested"),
        "proposal_no = :proposal_no",
    ),
    "transactions.never.lost of Orders": _IMPOSSIBLE(_EXISTS, *_OPEN_BUYS),
    "transactions.never.lost of Traders": _IMPOSSIBLE(*_OF_TRADER),
    "transactions.Write.put_new of Audit": _CHANGED(_NEW),
    "transactions.Write.put_new of Ledger": _CHANGED(_NEW, "attribute_not_exists(sk)"),
    "transactions.Write.put_new of Merchants": _CHANGED(_NEW),
    "transactions.Write.put_new of Traders": _CHANGED("attribute_not_exists(trader_id)"),
    "withdrawals.undecided_write of Ledger": _CHANGED(_STATUS, _NO_PROPOSAL, _ITS_PROPOSAL),
    "withdrawals.sent_writes of Ledger": _CHANGED(_STATUS),
    "withdrawals.take_amount.lost of Ledger": _of(
        (BalanceTooLow, WithdrawalRefused, HoldLost), _ENOUGH
    ),
    "withdrawals.take_amount.lost of Traders": _of(BalanceTooLow, _ENOUGH),
}
