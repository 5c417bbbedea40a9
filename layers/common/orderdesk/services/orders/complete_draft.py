"""The identity page's one attempt: from the customer's data to an order (contract section 8).

The attempt is taken in the store before the call of the provider, so that two concurrent submits
cannot both have it. It is returned if the provider does not answer. If this process dies, the sweep
returns it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from orderdesk.domain.errors import ChangedMeanwhile, OrderdeskError
from orderdesk.domain.identity import (
    Identity,
    VerificationOutcome,
    identity_problems,
    parse_identity,
    typed_factors,
)
from orderdesk.domain.ids import PAY_LINK, is_pending_no, link_token, token_matches
from orderdesk.domain.merchants.merchant import Merchant, MerchantStatus
from orderdesk.domain.orders import drafts as steps
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.orders.order import IdentityRecord
from orderdesk.domain.orders.order_errors import (
    AmountOutOfRange,
    NoTraderAvailable,
    NumberLost,
    OpenLimitReached,
    OrderNotFound,
    RateUnavailable,
    RefusedByDesk,
)
from orderdesk.domain.orders.requests import request_of_draft
from orderdesk.domain.pricing import OrderType
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.orders.place_buy import (
    MatchingPorts,
    count_of,
    day_digest,
    place_buy,
    price,
    refuse_blocked,
)
from orderdesk.services.orders.verify_customer import CustomerCheck, VerifyPorts, verify_customer
from orderdesk.services.ports import Drafts, NewBuy
from orderdesk.services.retrying import until_committed


class IdentityState(StrEnum):
    """What the page shows.

    VERIFYING: another submit is being verified. VERIFIED: the customer passed, but no order could
    be created yet: no trader fits, or the merchant's open buys are at a limit. UNAVAILABLE: the
    provider did not answer, and the attempt was returned.
    """

    FORM = "form"
    VERIFYING = "verifying"
    VERIFIED = "verified"
    UNAVAILABLE = "unavailable"
    LOCKED = "locked"
    EXPIRED = "expired"
    COMPLETED = "completed"


@dataclass(frozen=True, slots=True)
class CompleteDraftPorts:
    drafts: Drafts
    verify: VerifyPorts
    matching: MatchingPorts


@dataclass(frozen=True, slots=True)
class IdentityForm:
    """The customer's input."""

    customer_name: str = field(repr=False)
    id_card: str = field(repr=False)
    mobile: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Submission:
    """The result of a submit: `problems` by field, or the order and the token of its pay page."""

    state: IdentityState
    draft: Draft
    problems: Mapping[str, str] = field(default_factory=dict)
    order_no: str | None = None
    pay_token: str | None = field(default=None, repr=False)


class _DraftMoved(OrderdeskError):
    """Another process changed the draft. The page shows the draft's present state."""


def open_draft(drafts: Drafts, pending_no: str, token: str) -> Draft:
    """Find the draft of an identity page's link.

    Raises: OrderNotFound, the same for a wrong number and for a wrong token.
    """
    draft = drafts.draft(pending_no) if is_pending_no(pending_no) else None
    stored = None if draft is None else draft.identity_token_hash
    if not token_matches(token, stored) or draft is None:
        raise OrderNotFound
    return draft


def identity_state(draft: Draft, now: int) -> IdentityState:
    """Return what the page shows of a draft at a time (Unix seconds)."""
    match draft.status_at(now):
        case DraftStatus.LOCKED:
            return IdentityState.LOCKED
        case DraftStatus.EXPIRED:
            return IdentityState.EXPIRED
        case DraftStatus.COMPLETED:
            return IdentityState.COMPLETED
        case DraftStatus.HELD:
            if draft.identity is not None:
                return IdentityState.VERIFIED
            is_verifying = draft.is_verifying_at(now)
            return IdentityState.VERIFYING if is_verifying else IdentityState.FORM


def completed_link(draft: Draft, ports: CompleteDraftPorts) -> tuple[str, str] | None:
    """Return a completed draft's order_no and the token of its pay page; None if not completed."""
    merchant = ports.matching.directory.find(draft.merchant_id)
    if draft.order_no is None or merchant is None:
        return None
    secret = ports.matching.directory.secrets(merchant).link_secret
    return draft.order_no, link_token(secret, PAY_LINK, draft.order_no)


def submit_identity(
    draft: Draft, form: IdentityForm, ports: CompleteDraftPorts, now_us: int
) -> Submission:
    """Use the attempt if the data is well-formed and the draft still waits for it.

    `now_us` in Unix us. A verified draft is matched immediately, whatever the form contains.
    Raises: TryAgain.
    """
    state = identity_state(draft, now_us // US_PER_SECOND)
    if state is IdentityState.FORM:
        factors = typed_factors(form.customer_name, form.id_card, form.mobile)
        problems, identity = identity_problems(*factors), parse_identity(*factors)
        if identity is None:
            return Submission(state, draft, problems)
        merchant = _active_merchant(draft, ports)
        if merchant is None:
            return Submission(IdentityState.UNAVAILABLE, draft)
        state, draft = _verify(draft, identity, ports, now_us // US_PER_SECOND)
    if state is IdentityState.VERIFIED:
        return _complete(draft, ports, now_us)
    return _submission(draft, state, ports)


def _verify(
    draft: Draft, identity: Identity, ports: CompleteDraftPorts, now: int
) -> tuple[IdentityState, Draft]:
    # Read before the attempt is taken: a read that fails leaves the attempt as it is.
    is_blocked = _is_blocked(identity, ports, now)
    customer = day_digest(OrderType.BUY, identity, ports.matching)
    taken = steps.take_attempt(draft, now)
    if not _written(ports, lambda token: ports.drafts.change(draft, taken, token)):
        return _present_state(draft, ports, now)
    found: IdentityRecord | VerificationOutcome = VerificationOutcome.FAILED
    if not is_blocked:
        attempt = CustomerCheck(identity, draft.merchant_id, now, has_draft=True, mode=draft.mode)
        found = verify_customer(attempt, ports.verify)
    if isinstance(found, IdentityRecord):
        after = steps.verified(taken, found, now, customer)
        written = _written(ports, lambda token: ports.drafts.change(taken, after, token))
    elif found is VerificationOutcome.UNAVAILABLE:
        after = steps.give_attempt_back(taken, now)
        written = _written(ports, lambda token: ports.drafts.change(taken, after, token))
        if written:
            return IdentityState.UNAVAILABLE, after
    else:
        after = steps.locked(taken, now)
        written = _written(ports, lambda _: ports.drafts.end(taken, after, ports.matching.chance))
    return (identity_state(after, now), after) if written else _present_state(draft, ports, now)


def _refused(draft: Draft, ports: CompleteDraftPorts, now: int) -> Submission:
    """Lock a verified draft whose customer the desk refuses."""
    after = steps.locked(draft, now)
    if _written(ports, lambda _: ports.drafts.end(draft, after, ports.matching.chance)):
        return _submission(after, identity_state(after, now), ports)
    state, draft = _present_state(draft, ports, now)
    return _submission(draft, state, ports)


def _is_blocked(identity: Identity, ports: CompleteDraftPorts, now: int) -> bool:
    """Return whether the desk refuses the customer; the page says the same as after a failure."""
    try:
        refuse_blocked(identity, ports.matching, now)
    except RefusedByDesk:
        return True
    return False


def _complete(draft: Draft, ports: CompleteDraftPorts, now_us: int) -> Submission:
    merchant, now = _active_merchant(draft, ports), now_us // US_PER_SECOND
    if merchant is None:
        return Submission(IdentityState.VERIFIED, draft)

    def commit(buy: NewBuy, token: str) -> None:
        after = steps.completed(draft, buy.order.order_no, now)
        order = replace(buy.order, pending_no=draft.pending_no)
        try:
            ports.drafts.complete(draft, after, replace(buy, order=order), token)
        except (ChangedMeanwhile, NumberLost):
            raise _DraftMoved from None

    try:
        request = request_of_draft(draft)
        placed = price(request, merchant, ports.matching, now_us)
        day = count_of(draft.customer_hash, request, ports.matching, now)
        placed = replace(placed, identity=draft.identity, day=day)
        done = place_buy(placed, ports.matching, commit)
    except RefusedByDesk:
        return _refused(draft, ports, now)
    except (NoTraderAvailable, OpenLimitReached, RateUnavailable, AmountOutOfRange):
        return Submission(IdentityState.VERIFIED, draft)
    except _DraftMoved:
        state, draft = _present_state(draft, ports, now)
        return _submission(draft, state, ports)
    order_no = done.order.order_no
    return Submission(IdentityState.COMPLETED, draft, {}, order_no, done.pay_token)


def _submission(draft: Draft, state: IdentityState, ports: CompleteDraftPorts) -> Submission:
    link = completed_link(draft, ports) if state is IdentityState.COMPLETED else None
    return Submission(state, draft, {}, *(link or (None, None)))


def _written(ports: CompleteDraftPorts, write: Callable[[str], None]) -> bool:
    """Write a step; return False if the draft had changed. Raises: TryAgain."""

    def attempt() -> bool:
        try:
            write(ports.matching.chance.token())
        except ChangedMeanwhile:
            return False
        return True

    return until_committed(attempt, ports.matching)


def _present_state(
    draft: Draft, ports: CompleteDraftPorts, now: int
) -> tuple[IdentityState, Draft]:
    current = ports.drafts.draft(draft.pending_no)
    if current is None:
        raise OrderNotFound
    return identity_state(current, now), current


def _active_merchant(draft: Draft, ports: CompleteDraftPorts) -> Merchant | None:
    merchant = ports.matching.directory.find(draft.merchant_id)
    return merchant if merchant and merchant.status is MerchantStatus.ACTIVE else None
