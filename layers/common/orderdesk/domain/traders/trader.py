"""Traders: their limits, which orders they can take, and why one could not be assigned or moved.

A trader's own limits are stored beside the operator's, so neither overwrites the other: a limit
that the operator lowers applies immediately, and the trader's choice applies again once the
operator raises its limit. The stricter of both applies.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from orderdesk.domain.errors import CommitLost, Refusal
from orderdesk.domain.money import format_cny
from orderdesk.domain.payment_methods import MethodType, PaymentMethod
from orderdesk.domain.pricing import Mode


class LimitField(StrEnum):
    """The limits, by their names in forms and in the audit trail."""

    MIN_CNY = "min_cny"
    MAX_CNY = "max_cny"
    MAX_OPEN = "max_open"
    DAILY_CNY = "daily_cny"


@dataclass(frozen=True, slots=True)
class OwnLimits:
    """A trader's choice, in fen; `max_open` counts orders.

    None: only the operator's limit applies.
    """

    min_cny_fen: int | None = None
    max_cny_fen: int | None = None
    max_open: int | None = None
    daily_cap_fen: int | None = None

    def chosen(self) -> dict[str, int]:
        """Return the chosen limits by attribute."""
        return {name: value for name, value in asdict(self).items() if value is not None}


NO_CHOICE = OwnLimits()


def narrower(cap: int | None, own: int | None) -> int | None:
    """Return the lower of two caps; None is no cap."""
    if cap is None or own is None:
        return own if cap is None else cap
    return min(cap, own)


def describe_limits(limits: "OwnLimits | TraderTerms") -> dict[str, str]:
    """Describe limits for people and for the audit trail; an empty text means none."""
    described = {
        LimitField.MIN_CNY: limits.min_cny_fen,
        LimitField.MAX_CNY: limits.max_cny_fen,
        LimitField.MAX_OPEN: limits.max_open,
        LimitField.DAILY_CNY: limits.daily_cap_fen,
    }
    return {
        name.value: ""
        if most is None
        else str(most)
        if name is LimitField.MAX_OPEN
        else format_cny(most)
        for name, most in described.items()
    }


SLOT_HOLDER_LENGTH = 6


def slot_holder(merchant_id: str) -> str:
    """Return the name under which a trader counts a merchant's open orders.

    It is the random end of the merchant's id, so that a trader's item stays within 1 KB. Two of
    1,000 merchants have the same end with a probability of 0.02 %; they would share one part.
    """
    return merchant_id[-SLOT_HOLDER_LENGTH:]


# The sum of an account's day is stored as one number: the day times this, plus fen. So the first
# claim of a day replaces the sum of an earlier day without a read.
DAY_UNIT = 10**12


@dataclass(frozen=True, slots=True)
class AccountTerms:
    """A trader's terms of one of its accounts for future orders.

    An account that is not on gets no orders. `daily_cap_fen` limits the buys of a trading day; None
    is no cap.
    """

    is_on: bool = True
    daily_cap_fen: int | None = None


USUAL_TERMS = AccountTerms()


@dataclass(frozen=True, slots=True)
class TraderTerms:
    """The operator's limits and caps, in fen; `max_open` counts orders. None means no cap.

    With `unique_amounts` no two of a trader's buys on one account have one amount at the same time.
    """

    min_cny_fen: int
    max_cny_fen: int
    max_open: int | None = None
    daily_cap_fen: int | None = None
    unique_amounts: bool = False


@dataclass(frozen=True, slots=True)
class TraderCounts:
    """What orders and postings change of a trader.

    - `last_accepted_us` is the time of the last acceptance in Unix microseconds, or 0.
    - `slots` counts its open orders by merchant (`slot_holder`), those with `in_slot` only.
    - `account_sums` has its accounts' sums of a day (`DAY_UNIT`) by `PaymentMethod.account_key`.
    """

    available_micro: int = 0
    held_micro: int = 0
    open_orders: int = 0
    daily_day: int = 0
    daily_used_fen: int = 0
    daily_orders: int = 0
    daily_kept: int = 0
    last_accepted_us: int = 0
    slots: Mapping[str, int] = MappingProxyType({})
    account_sums: Mapping[str, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class TraderAccess:
    """A trader's access code; `code_used` is the mark of the one that last opened a session."""

    access_code_hash: str = field(default="", repr=False)
    code_used: str = ""

    @property
    def code_mark(self) -> str:
        """The first characters of the access code's hash."""
        return self.access_code_hash[:8]


@dataclass(frozen=True, slots=True)
class Trader:
    """A trader as stored in one item; a claim checks and updates it in one write.

    - `terms` are the operator's and `own` are the trader's limits. The stricter applies
      (`smallest_fen` to `most_a_day_fen`).
    - `methods_changed_at` is when the trader itself last changed a method, in Unix seconds, or 0.
    - `methods` are its accounts, up to five of a type. `account_terms` has the terms of those that
      differ from the usual ones, by `PaymentMethod.account_key`.
    - `stops` has the times (Unix seconds) since when accounts are stopped, by `PaymentMethod.mark`:
      a stop is of the number, so that setting the account again does not lift it.
    - `approved` has the numbers of the operator's limits that two people last approved, 0 for no
      cap; those that are missing are the present ones.
    - `version` grows with each change of settings by the operator or the trader, so that a claim on
      an outdated range or method fails.
    """

    trader_id: str
    name: str = field(repr=False)
    mode: Mode
    online: bool
    suspended: bool
    terms: TraderTerms
    methods: tuple[PaymentMethod, ...]
    version: int = 1
    created_at: int = 0
    own: OwnLimits = NO_CHOICE
    methods_changed_at: int = 0
    account_terms: Mapping[str, AccountTerms] = MappingProxyType({})
    stops: Mapping[str, int] = MappingProxyType({})
    approved: Mapping[str, int] = MappingProxyType({})
    counts: TraderCounts = TraderCounts()
    access: TraderAccess = TraderAccess()

    def account(self, key: str) -> PaymentMethod | None:
        """Return an account by its key; None if the trader has none."""
        return next((m for m in self.methods if m.account_key == key), None)

    def terms_of(self, key: str) -> AccountTerms:
        """Return the terms of an account."""
        return self.account_terms.get(key, USUAL_TERMS)

    def received_on(self, key: str, day: int) -> int:
        """Return the fen of the buys of an account on a trading day so far."""
        return max(0, self.counts.account_sums.get(key, 0) - day * DAY_UNIT)

    def stopped_at(self, method: PaymentMethod) -> int | None:
        """Return since when an account gets no orders, because it was stopped; None if it does."""
        return self.stops.get(method.mark) if self.stops else None

    def accounts_on(self, method_type: MethodType) -> list[PaymentMethod]:
        """Return the accounts of a type that get orders."""
        return [
            method
            for method in self.methods
            if method.method_type is method_type
            and self.terms_of(method.account_key).is_on
            and self.stopped_at(method) is None
        ]

    @property
    def smallest_fen(self) -> int:
        """The smallest order in force, in fen."""
        own = self.own.min_cny_fen
        return self.terms.min_cny_fen if own is None else max(self.terms.min_cny_fen, own)

    @property
    def largest_fen(self) -> int:
        """The largest order in force, in fen. Below the smallest, no order fits."""
        own = self.own.max_cny_fen
        return self.terms.max_cny_fen if own is None else min(self.terms.max_cny_fen, own)

    @property
    def most_open(self) -> int | None:
        """The cap of open orders in force; None is no cap."""
        return narrower(self.terms.max_open, self.own.max_open)

    @property
    def most_a_day_fen(self) -> int | None:
        """The cap of a trading day in force, in fen; None is no cap."""
        return narrower(self.terms.daily_cap_fen, self.own.daily_cap_fen)

    def slots_for(self, share_percent: int) -> int | None:
        """Return how many slots a merchant with this share may take; None is no limit.

        It is at least one (contract section 6).
        """
        most = self.most_open
        return None if most is None else max(1, most * share_percent // 100)

    def accepted_on(self, day: int) -> int:
        """Return the number of orders accepted on a trading day so far, in any status.

        A later day that has begun counts for an earlier one, as in a claim.
        """
        return self.counts.daily_orders if self.counts.daily_day >= day else 0

    def kept_on(self, day: int) -> int:
        """Return the number of the orders that `used_on` adds up: without those that were freed."""
        return max(0, self.counts.daily_kept) if self.counts.daily_day >= day else 0

    def used_on(self, day: int) -> int:
        """Return the fen accepted on a trading day so far, of a later day if that has begun."""
        return self.counts.daily_used_fen if self.counts.daily_day >= day else 0


def without_account(trader: Trader, key: str) -> Trader:
    """Return a trader without one of its accounts, its terms and its sum."""
    return replace(
        trader,
        methods=tuple(m for m in trader.methods if m.account_key != key),
        account_terms={k: terms for k, terms in trader.account_terms.items() if k != key},
        counts=replace(
            trader.counts,
            account_sums={k: total for k, total in trader.counts.account_sums.items() if k != key},
        ),
    )


def with_account(trader: Trader, method: PaymentMethod) -> Trader:
    """Return a trader with an account, which replaces the one of its key and keeps its terms."""
    others = tuple(m for m in trader.methods if m.account_key != method.account_key)
    return replace(trader, methods=(*others, method))


STOPS_MAX = 15
"""How many stops of accounts that a trader no longer has are kept; the oldest are dropped."""


def with_account_stopped(trader: Trader, method: PaymentMethod, now: int) -> Trader:
    """Return a trader whose account gets no more orders; a repeated stop changes nothing."""
    if trader.stopped_at(method) is not None:
        return trader
    own = {its.mark for its in trader.methods}
    gone = sorted(trader.stops.keys() - own, key=lambda mark: (trader.stops[mark], mark))
    dropped = set(gone[: max(0, len(gone) - STOPS_MAX)])
    kept = {mark: at for mark, at in trader.stops.items() if mark not in dropped}
    return replace(trader, stops={**kept, method.mark: now})


def with_account_resumed(trader: Trader, method: PaymentMethod) -> Trader:
    """Return a trader whose account is no longer stopped."""
    return replace(trader, stops={m: at for m, at in trader.stops.items() if m != method.mark})


def with_slot_taken(trader: Trader, merchant_id: str) -> Trader:
    """Return a trader that counts one more order of a merchant, if it has a cap."""
    if trader.most_open is None:
        return trader
    holder = slot_holder(merchant_id)
    return replace(
        trader,
        counts=replace(
            trader.counts,
            slots={**trader.counts.slots, holder: trader.counts.slots.get(holder, 0) + 1},
        ),
    )


class ClaimLost(CommitLost):
    """The trader changed since it was read; `trader` is its present state, or None if unknown."""

    def __init__(self, trader: Trader | None) -> None:
        super().__init__()
        self.trader = trader


class AmountTaken(CommitLost):
    """A trader with unique amounts has the buy's amount open or reserved."""


class CoverLost(CommitLost):
    """The trader's available USDT does not cover a late payment."""


class TraderSuspended(Refusal, reason="trader_suspended"):
    """A suspended trader cannot make a move (contract section 6)."""


class SettingsChanged(Refusal, reason="settings_changed"):
    """The settings differ from those that the page showed. Nothing was changed."""


class UnfitLimits(Refusal, reason="unfit_limits"):
    """Limits that exceed the operator's, or that no order can satisfy."""

    def __init__(self, fields: frozenset[LimitField]) -> None:
        super().__init__()
        self.fields = fields


@dataclass(frozen=True, slots=True)
class Claim:
    """A trader as read, and the claim on it for an order: its trading day and time (Unix us).

    `in_rotation`: the trader must be online. An operator may also assign to an offline one.
    """

    trader: Trader
    day: int
    now_us: int
    in_rotation: bool = True

    @property
    def accepts_us(self) -> int:
        """The trader's new acceptance time (Unix us), always later than its last one."""
        return max(self.now_us, self.trader.counts.last_accepted_us + 1)
