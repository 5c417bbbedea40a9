"""Which power each attribute of each stored item means, for the guard of effects.

`KINDS` has the items that operators and merchants' members write. An attribute without a row is a
fault: what is unknown is not harmless. What a power needs is decided here once more, without the
services' help.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from orderdesk.domain.authority import Power
from orderdesk.domain.callbacks.events import CallbackType
from orderdesk.domain.ledger.rows import shard_of
from orderdesk.domain.merchants.notices import TERM_POWERS
from orderdesk.domain.pricing import FEE_TERMS, Mode, Quote
from orderdesk.domain.traders.terms import TRADER_TERM_POWERS

type Row = dict[str, Any]
type Powers = frozenset[Power]
"""One of these powers is needed; none for what is only kept beside a change."""


class Unknown(AssertionError):
    """An attribute has no row, or one that never changes did."""


@dataclass(frozen=True)
class Need:
    """What a change needs: one of the powers. `is_grave` asks two operators for a price.

    The member whose `own` it is needs none.
    """

    powers: Powers
    mode: Mode = Mode.LIVE
    is_grave: bool = False
    own: str = ""


@dataclass(frozen=True)
class Change:
    """An item before and after a write; {} is none. `key` has its parts, joined by a space."""

    table: str
    key: str
    before: Row
    after: Row

    @property
    def item(self) -> Row:
        return self.after or self.before

    @property
    def names(self) -> list[str]:
        both = sorted(self.before.keys() | self.after.keys())
        return [name for name in both if self.before.get(name) != self.after.get(name)]


type Meaning = Powers | Callable[[Change, str], Powers | Need]


def _one(*powers: Power) -> Powers:
    return frozenset(powers)


def _rows(meaning: Meaning, names: str) -> dict[str, Meaning]:
    return dict.fromkeys(names.split(), meaning)


FREE: Powers = frozenset()
EVERY: Powers = frozenset(Power)
MONEY, DESTINATION, SECRET = _one(Power.MONEY), _one(Power.DESTINATION), _one(Power.SECRET)
ADMISSION, PRICE = _one(Power.ADMISSION), _one(Power.PRICE)
STOP, CONTACT = _one(Power.STOP), _one(Power.CONTACT)
MOVES = _one(Power.MONEY, Power.ORDER)
_TWENTIETH = 20  # 5 %


def _is_far(value: int, base: int) -> bool:
    return abs(value - base) * _TWENTIETH > abs(base)


def _price(change: Change, name: str) -> Need:
    """Return the need of a number, compared with the approved one; a text is always far."""
    old, value = change.before.get(name, 0), change.after.get(name, 0)
    base = change.before.get("approved", {}).get(name, old)
    is_number = isinstance(value, int) and isinstance(base, int)
    begins_or_ends = change.table == "Traders" and 0 in (old, value)
    return Need(PRICE, is_grave=not is_number or begins_or_ends or _is_far(value, base))


def _approved(change: Change, name: str) -> Need:
    """Return the need of the approved numbers: one person only writes down those of before."""
    base = {**{k: v or 0 for k, v in change.before.items()}, **change.before.get(name, {})}
    is_new = any(base.get(number, 0) != value for number, value in change.after[name].items())
    return Need(PRICE, is_grave=True) if is_new else _permitted(change, name)


def _rate(change: Change, name: str) -> Need:
    old, new = change.before.get(name, {}), change.after[name]
    base = old.get("approved_e4") or old.get("rate_e4", 0)
    is_far = _is_far(new["rate_e4"], base) or new.get("approved_e4", 0) != base
    other = {name: new, **change.after}.get("sell" if name == "buy" else "buy") or new
    higher, lower = (new, other) if name == "buy" else (other, new)
    if higher["rate_e4"] < lower["rate_e4"]:
        raise Unknown("the sides cross")
    return Need(PRICE, is_grave=is_far)


def _blocks(change: Change, name: str) -> Need:
    """Return the need of the list of blocks: one that holds is only removed by two."""
    number, until = 0, 7
    old = {row[number]: row[until] for row in change.before.get(name, ())}
    new = {row[number] for row in change.after[name]}
    held = [each for each, end in old.items() if each not in new and not 0 < end <= time.time()]
    return Need(PRICE if held else STOP | PRICE, is_grave=bool(held))


def _days(change: Change, name: str) -> Need:
    approved, old = (change.before.get(each, {}) for each in ("day_approved", name))
    new = change.after[name].items()
    return Need(PRICE, is_grave=any(_is_far(v, approved.get(k, 0)) for k, v in new - old.items()))


def _approved_days(_: Change, __: str) -> Need:
    return Need(PRICE, is_grave=True)


def _live_key(change: Change, _: str) -> Powers:
    """Return the power of the key: a stop if there is none afterwards."""
    return SECRET if change.after.get("api_key") else STOP


def _test_key(change: Change, _: str) -> Need:
    return Need(SECRET if change.after.get("test_api_key") else STOP, Mode.TEST)


def _listed(change: Change, name: str) -> Need:
    """Return the need of keys or addresses: a stop if the list only becomes shorter."""
    old, new = (each.get(name) or [] for each in (change.before, change.after))
    added = [each for each in new if each not in old]
    is_test = all(each.get("mode") == Mode.TEST.value for each in added)
    return Need(SECRET if added else STOP, Mode.TEST if added and is_test else Mode.LIVE)


def _stops(change: Change, name: str) -> Powers:
    old, new = (each.get(name) or {} for each in (change.before, change.after))
    return STOP if old.keys() <= new.keys() else DESTINATION


def _members(item: Row) -> dict[str, Any]:
    return {
        each["member_id"]: (each["role"], {key["credential_id"] for key in each["passkeys"]})
        for each in item.get("members", ())
    }


def _invited(item: Row) -> dict[str, Row]:
    return {each["member_id"]: each for each in item.get("invitations", ())}


def _team(change: Change, _: str) -> Powers | Need:
    """Return the need of a team: who is new or has more, who is gone, or none.

    Nothing is needed to use a passkey or to accept an invitation that is open.
    """
    now, invited = time.time(), _invited(change.before)
    before, after = _members(change.before), _members(change.after)
    still = _invited(change.after)
    new = [each for each, invitation in still.items() if invited.get(each) != invitation]
    joined = []
    for member, (role, keys) in after.items():
        if member in before:
            had_role, had_keys = before[member]
            if had_role == role and had_keys != keys:
                return Need(ADMISSION, own=member)
            new += [member] * (had_role != role)
        else:
            invitation = invited.get(member, {"role": "", "expires_at": 0, "opens_at": 0})
            is_open = invitation["opens_at"] <= now + 1 and now - 1 < invitation["expires_at"]
            joined.append(member)
            new += [member] * (invitation["role"] != role or not is_open or member in still)
    if new:
        return ADMISSION
    over = {each for each, invitation in invited.items() if invitation["expires_at"] <= now + 1}
    gone = (before.keys() | invited.keys()) - after.keys() - still.keys() - over
    return STOP | ADMISSION if gone else FREE


def _move(change: Change, _: str) -> Powers:
    """Return the power of an order's attribute: a note's, if the order is not moved.

    An open buy's amount is reserved before its trader's term is written.
    """
    if set(change.names) <= {"unique_amount", "version"}:
        return FREE
    if "payee_stopped_at" in change.names and "timeline" not in change.names:
        return MOVES | STOP
    return MOVES if "timeline" in change.names else MOVES | CONTACT


def _delivery(change: Change, _: str) -> Powers:
    """Return the power of a delivery: none of a new notice, which hides nothing."""
    is_notice = change.after.get("type") == CallbackType.ACCOUNT_NOTICE.value
    return FREE if is_notice and not change.before else CONTACT


def _permitted(_: Change, __: str) -> Need:
    """Return the need of what only goes with a change: some permit."""
    return Need(EVERY, Mode.TEST)


def _new(powers: Powers) -> Meaning:
    """Return the meaning of what is written once."""

    def meaning(change: Change, name: str) -> Powers:
        if change.before:
            raise Unknown(f"{name} of {change.key} never changes")
        return powers

    return meaning


def _terms(powers: Mapping[str, Power]) -> dict[str, Meaning]:
    return {n: _price if p is Power.PRICE else _one(p) for n, p in powers.items()}


_MONEYS = _rows(FREE, "available_micro held_micro a0 h0 a1 h1 gathers")
"""The amounts of a balance, which `needs_of` adds up for each account."""
_MERCHANT = {
    **_terms(TERM_POWERS),
    **dict.fromkeys(FEE_TERMS, _price),
    **_rows(_permitted, "version limits_epoch"),
    **_rows(_new(ADMISSION), "merchant_id name created_at"),
    **_rows(_live_key, "api_key sealed_secrets"),
    **_rows(_test_key, "test_api_key sealed_test_secrets"),
    # A stop puts one there that nobody has seen.
    **_rows(SECRET | STOP, "sealed_callback_secrets"),
    **_rows(_listed, "addresses more_keys"),
    **_rows(STOP, "status"),
    **_rows(_approved, "approved"),
}
_TRADER = {
    **_terms(TRADER_TERM_POWERS),
    **_MONEYS,
    **_rows(_permitted, "version"),
    **_rows(_new(ADMISSION), "trader_id name mode created_at"),
    **_rows(STOP, "rotation_key shard online suspended"),
    **_rows(DESTINATION, "methods methods_changed_at account_terms access_code_hash own_limits"),
    **_rows(SECRET, "code_used"),  # by the desk's login; an operator could end a reading only
    **_rows(_stops, "stops"),
    **_rows(_approved, "approved"),
    **_rows(
        MOVES,
        "last_accepted_at open_orders daily_day daily_used_fen daily_orders daily_kept s_* d_*",
    ),
}
_DESK: dict[str, Meaning] = {
    **_rows(_rate, "buy sell"),
    **_rows(_blocks, "blocks"),
    **_rows(_days, "day_limits"),
    **_rows(_approved_days, "day_approved"),
    **_rows(_permitted, "blocks_version"),
}
_ORDER = {
    **_rows(
        _new(MOVES),
        "kind order_id order_no merchant_id merchant_order_no order_type mode createtime refund_of "
        "pay_token_hash callback_url remark metadata return_url pending_no open_shard all_key "
        "balance_shard receipt_required list_key rate_source",
    ),
    **_rows(
        _move,
        "status trader_id payment_method identity passed_over failed_offers next_offer_time "
        "assignable_from unique_amount in_slot payer_asked_at trader_asked_at payee_stopped_at "
        "reversals claims refunds reported_fen sum_answer held_fen returns late_proofs due_key "
        "due_time desk_key expire_time timeline updatetime sequence receipts notes version fees "
        "slot_share requested_fen base_rate_e4 rate_set_at",
    ),
    **dict.fromkeys(Quote.__slots__, _move),
}
_PROPOSAL = {
    **_rows(
        _new(EVERY),
        "command target summary before after memo digest account amount_micro request_no "
        "proposed_by proposed_at_us expires_at",
    ),
    **_rows(
        EVERY,
        "parameters basis whole_before whole_after status decided_by decided_at_us audit_id "
        "decision sealed reveal_until reason results executed_at_us txid sent_at_us",
    ),
}
_REQUEST = {
    **_rows(
        _new(MONEY),
        "network address label address_added_at amount_micro memo requested_by requested_at_us "
        "sealed",
    ),
    **_rows(MONEY, "agreed_at_us transfer_id"),
    **_rows(MONEY | CONTACT | STOP, "status decided_at_us"),
    **_rows(CONTACT, "proposal_no reason txid sent_at_us"),
}
KINDS: Sequence[tuple[str, str, Mapping[str, Meaning]]] = (
    ("Merchants", "merchant#", _MERCHANT),
    ("Merchants", "rates$", _DESK),
    (
        "Merchants",
        "team#",
        {**_rows(_team, "members invitations"), **_rows(FREE, "merchant_id version")},
    ),
    ("Merchants", "name#", _rows(_permitted, "owners")),  # as the party's own name
    ("Traders", "name#", _rows(_permitted, "owners")),
    (
        "Traders",
        ".+#.+#",
        # Reserved amounts are limits, not money; an open buy's is, before its trader's term.
        _rows(FREE, "kind mode open_orders version free_at expires_at reserved*"),
    ),
    ("Traders", "", _TRADER),
    ("Orders", "[BS][0-9]+$", _ORDER),
    ("Orders", ".+#notes$", _rows(MOVES | CONTACT, "kind said")),
    ("Orders", ".+#returned#", _rows(MOVES, "kind desk_key order_id")),
    ("Orders", "open_buys:", _rows(MOVES, "*")),
    ("Ledger", "[a-z]+:.* balance$", {**_MONEYS, **_rows(_permitted, "shards open_* used_*")}),
    (
        "Ledger",
        "[a-z]+:.* posting#",
        _rows(_new(MOVES), "amount_micro at_us order_no memo kind transfer_id"),
    ),
    ("Ledger", "proposals ", _PROPOSAL),
    ("Ledger", "payouts ", {}),
    ("Ledger", "requests#", _REQUEST),
    ("Ledger", "requests(:ended)? ", _rows(_permitted, "merchant_id")),
    ("Ledger", "addresses#", _rows(DESTINATION, "addresses version")),
    ("Guards", "answer#", _rows(FREE, "digest ids expires_at")),
    ("Guards", "hands#", _rows(_permitted, "until expires_at")),
    ("Guards", "solo#", _rows(MOVES, "spent_micro expires_at")),
    ("Guards", "(attempts|drawings|figures)#", _rows(FREE, "*")),
    ("Guards", "challenge#", _rows(FREE, "purpose expires_at")),
    ("Guards", "visits#", _rows(FREE, "sessions version expires_at")),
    ("Callbacks", "", _rows(_delivery, "*")),
    (
        "Audit",
        "(audit|portal)#",
        _rows(
            _new(FREE),
            "audit_id at_us who action target reason details arn source_ip request_id alone "
            "proposal_no powers",
        ),
    ),
)
"""The attributes of items by table and by the beginning of their key; `*` is any further name."""


def needs_of(changes: Sequence[Change]) -> Iterator[tuple[str, Need]]:
    """Yield what the changes of one write need, with what it is for. Raises: Unknown."""
    for change in changes:
        yield from _needs_of(change)
    is_move = any(change.table == "Orders" for change in changes)
    for account, (total, held) in _moved(changes).items():
        mode = Mode(account.rpartition(":")[2])
        if total:
            yield f"the sum of {account}", Need(MOVES if is_move else MONEY, mode)
        elif held:
            yield f"what {account} holds", Need(MOVES | CONTACT | STOP, mode)


def _needs_of(change: Change) -> Iterator[tuple[str, Need]]:
    rows = next(
        (rows for table, key, rows in KINDS if table == change.table and re.match(key, change.key)),
        {},
    )
    is_party = rows in (_MERCHANT, _TRADER)
    if is_party and not change.before:
        # Without a live key a merchant has nothing to lose yet.
        is_live = change.after.get("api_key") or change.after.get("mode") == Mode.LIVE.value
        yield change.key, Need(ADMISSION, Mode.LIVE if is_live else Mode.TEST)
    for name in change.names:
        meaning = _meaning(rows, name)
        if name in {"pk", "sk", "trader_id", "webhook_id"} and not (change.before and change.after):
            continue
        if meaning is None:
            raise Unknown(f"{name} of {change.table} {change.key} has no row")
        if is_party and not change.before:
            continue
        need = meaning(change, name) if callable(meaning) else meaning
        if not isinstance(need, Need):
            need = Need(need)
        if need.powers:
            is_test = Mode.TEST in {need.mode, _mode(change)}
            yield f"{name} of {change.key}", replace(need, mode=Mode.TEST if is_test else Mode.LIVE)


def _mode(change: Change) -> Mode:
    account, _, posting = change.key.partition(" posting#")
    return Mode(account.rpartition(":")[2] if posting else change.item.get("mode", Mode.LIVE))


def _meaning(rows: Mapping[str, Meaning], name: str) -> Meaning | None:
    if name in rows:
        return rows[name]
    prefixes = (row for row in rows if row[-1] == "*" and name.startswith(row[:-1]))
    return next((rows[each] for each in prefixes), None)


def _moved(changes: Sequence[Change]) -> dict[str, tuple[int, int]]:
    """Return the change of each account's sum and of what it holds, in micro-USDT."""
    totals, holds = Counter[str](), Counter[str]()
    for change in changes:
        if change.key.endswith(" balance"):
            account, _ = shard_of(change.key.removesuffix(" balance"))
        elif change.table == "Traders" and "mode" in change.item and "#" not in change.key:
            account = f"trader:{change.key}:{change.item['mode']}"
        else:
            continue
        available, held = (
            change.after.get(name, 0) - change.before.get(name, 0)
            for name in ("available_micro", "held_micro")
        )
        totals[account] += available + held
        holds[account] += held
    return {account: (totals[account], holds[account]) for account in totals}
