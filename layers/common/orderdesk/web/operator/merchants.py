"""`merchant.*`: merchants, their terms, limits, secrets and suspension.

A secret is only in the answer that creates it.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BeforeValidator, StringConstraints, WithJsonSchema

from orderdesk.domain.authority import Power
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.merchant import Merchant, MerchantStatus, MerchantTerms
from orderdesk.domain.merchants.notices import TERM_POWERS
from orderdesk.domain.merchants.signing import JsonValue
from orderdesk.domain.merchants.team import MemberRole
from orderdesk.domain.merchants.terms import (
    TermsChange,
    changed_terms,
    wanted_events,
    written_fees,
    written_name,
)
from orderdesk.domain.operators import UnacceptableTerms
from orderdesk.domain.pricing import FEE_TERMS, Mode
from orderdesk.services.merchants.statement import merchant_balance
from orderdesk.services.operator import merchants
from orderdesk.services.operator.actions import ProposalNeeded
from orderdesk.services.operator.merchants import Revoked, invite_member
from orderdesk.services.operator.orders import unpaid_buys
from orderdesk.services.operator.proposals import SentCommand, propose
from orderdesk.web.merchant import views
from orderdesk.web.merchant.parameters import NOT_TEXT, problem
from orderdesk.web.merchant.views import present_of, row_of
from orderdesk.web.operator import parameters as wire
from orderdesk.web.operator.declare import Json, OperatorPorts, Role, Row, command, powers
from orderdesk.web.operator.parameters import CommandParameters, WriteParameters, told
from orderdesk.web.operator.parties import PageParameters, page_of
from orderdesk.web.operator.proposals import proposed


def _events(value: JsonValue) -> tuple[str, ...] | None:
    if not isinstance(value, str):
        raise problem(NOT_TEXT)
    return wanted_events(value)


_EVENTS = WithJsonSchema({"type": "string"})
Events = Annotated[tuple[str, ...] | None, BeforeValidator(_events), _EVENTS]
Cidr = Annotated[str, StringConstraints(strict=True)]


class TermsParameters(WriteParameters):
    """The terms of `merchant.add` and `merchant.set`; those that are not sent stay as they are."""

    identity: wire.Flag | None = told("Customers must prove their identity.", None)
    callback_url: wire.FreeText | None = told('Default callback target; "" for none.', None)
    service_bps: wire.Whole | None = told("Fee, 1/10000.", None, minimum=0, maximum=10000)
    service_fixed: wire.UsdtMicro | None = told("Fixed service fee, USDT.", None)
    deposit_bps: wire.Whole | None = told("Deposit, 1/10000.", None, minimum=0, maximum=10000)
    spread_bps: wire.Whole | None = told(
        "Spread on the base rate, 1/10000.", None, minimum=0, maximum=9999
    )
    min_cny: wire.CnyFen | None = told("Smallest order; 0.01 by default.", None)
    max_cny: wire.CnyFen | None = told("Largest order; 1000000.00 by default.", None)
    max_open_buys: wire.Whole | None = told(
        "Most buys open at once, a mode; 100 by default.", None, minimum=1
    )
    max_open_cny: wire.CnyFen | None = told(
        "Most CNY in open buys, a mode; 1000000.00 by default.", None
    )
    max_open_sells: wire.Whole | None = told(
        "Most sells open at once, a mode; 100 by default.", None, minimum=1
    )
    max_open_sell_cny: wire.CnyFen | None = told(
        "Most CNY in open sells, a mode; 1000000.00 by default.", None
    )
    slot_share: wire.Whole | None = told(
        "Most of a trader's slots, percent; 50 by default.", None, minimum=1, maximum=100
    )
    require_receipt: wire.Flag | None = told("Payers report a payment by a receipt only.", None)
    allow_cidr: list[Cidr] | None = told('Network that may call, repeatable; "" for any.', None)
    events: Events | None = told("Callbacks it wants: all, none, or order.paid,… (commas).", None)
    max_rps: wire.Whole | None = told("Calls a second; 50 by default.", None, minimum=1)
    max_callback_rps: wire.Whole | None = told(
        "Callbacks a second at most; 200 by default.", None, minimum=1
    )
    balance_shards: wire.Whole | None = told(
        "Items that each account is split over; 1 by default.", None, minimum=1
    )
    other_sums: wire.FreeText | None = told(
        "Another sum may arrive: no, operator, or agreed:PERCENT.", None
    )
    display_name: wire.FreeText | None = told('Its name on the pages; "" for none.', None)
    support: wire.FreeText | None = told('Whom payers ask, on the pages; "" for nobody.', None)
    reason: wire.Reason = ""


_RENAMED = {
    "identity": "identity_required",
    "min_cny": "min_cny_fen",
    "max_cny": "max_cny_fen",
    "max_open_cny": "max_open_cny_fen",
    "max_open_sell_cny": "max_open_sell_cny_fen",
    "allow_cidr": "allowed_cidrs",
    **{written_name(name): "fees" for name in FEE_TERMS},
}
"""The terms of the parameters that have another name."""

_TERMS: Mapping[str, str] = MappingProxyType(
    {
        name: _RENAMED.get(name, name)
        for name in TermsParameters.model_fields.keys() - {"idempotency_key", "reason"}
    }
)
"""The term of each field of `merchant.add` and `merchant.set`."""

_POWERS = {name: TERM_POWERS[term] for name, term in _TERMS.items()}


class AddMerchantParameters(TermsParameters):
    """Parameters of `merchant.add`; `admin` is the name of its first admin, else the merchant's."""

    name: wire.FreeText = told("For people.")
    admin: wire.FreeText = told("Its first admin; the merchant's name if absent.", "")


class SetMerchantParameters(TermsParameters):
    merchant_id: wire.MerchantId


class MerchantParameters(CommandParameters):
    merchant_id: wire.MerchantId


class ChangeMerchantParameters(WriteParameters):
    """A merchant, and why it is changed."""

    merchant_id: wire.MerchantId
    reason: wire.Reason = ""


class RevokeParameters(ChangeMerchantParameters):
    """Parameters of `merchant.revoke-secret`: the live key's, or another one."""

    is_test: wire.Flag = told("That of its test key.", False)
    callback: wire.Flag = told("Its callback secret: callbacks get one nobody has seen.", False)


class InviteParameters(ChangeMerchantParameters):
    """Parameters of `merchant.invite`: the person's name and role."""

    name: wire.FreeText = told("The person's.")
    role: Literal[MemberRole.ADMIN, MemberRole.FINANCE, MemberRole.DEVELOPER, MemberRole.VIEWER] = (
        told("What the person may do.")
    )


@command("merchant.list", Role.VIEWER)
def list_merchants(ports: OperatorPorts, asked: PageParameters) -> Json:
    """List all merchants, the newest first."""
    return page_of(
        asked,
        ports.merchants.merchants(),
        lambda merchant: (merchant.created_at, merchant.merchant_id),
        merchant_data,
    )


@command("merchant.show", Role.VIEWER)
def show_merchant(ports: OperatorPorts, asked: MerchantParameters) -> Json:
    """Show a merchant's agreement and balances; never its secrets."""
    merchant = merchants.known_merchant(ports.merchants, asked.merchant_id)
    return {
        **merchant_data(merchant),
        "balances": views.balances(
            {mode: merchant_balance(ports.funds, merchant.merchant_id, mode) for mode in Mode}
        ),
        "recent_buys": {mode.value: _recent(ports, merchant.merchant_id, mode) for mode in Mode},
    }


@command("merchant.limits", Role.VIEWER)
def show_limits(ports: OperatorPorts, asked: MerchantParameters) -> Json:
    """Show how much of a merchant's limits its open orders take."""
    merchant = merchants.known_merchant(ports.merchants, asked.merchant_id)
    return {
        **row_of(merchant, "merchant_id name"),
        "limits": {mode.value: _used(ports, merchant, mode) for mode in Mode},
    }


@command("merchant.add", Role.FINANCE, {**_POWERS, **powers(Power.ADMISSION, "name admin")})
def add_merchant(ports: OperatorPorts, asked: AddMerchantParameters) -> Json:
    """Add a merchant; the secret of its test key is shown this one time.

    A second person approves its first admin, who makes its live key in the portal.
    """
    terms = replace(changed_terms(MerchantTerms(), change_of(asked)), limits_epoch=0)
    new = merchants.add_merchant(ports, asked.name, terms, asked.reason)
    secrets = present_of(new, "api_secret? test_api_secret? callback_secret?")
    data = {**merchant_data(new.merchant), **secrets}
    return data if new.api_secret else {**data, **_first_admin(ports, asked, new.merchant)}


def _first_admin(ports: OperatorPorts, asked: AddMerchantParameters, merchant: Merchant) -> Json:
    """Propose to let the merchant's first admin in, who makes its live key."""
    sent = {
        "merchant_id": merchant.merchant_id,
        "name": asked.admin or asked.name,
        "role": MemberRole.ADMIN.value,
        "reason": asked.reason,
    }
    keyless = ports.acting(ports.operator.without_key())
    try:
        return invite(keyless, InviteParameters.model_validate(sent))
    except ProposalNeeded as needed:
        command = SentCommand("merchant.invite", json.dumps(sent, ensure_ascii=False))
        return proposed(ports, propose(keyless, command, needed))


@command("merchant.set", Role.FINANCE, {**_POWERS, **powers(Power.CONTACT, "merchant_id")})
def set_terms(ports: OperatorPorts, asked: SetMerchantParameters) -> Json:
    """Change a merchant's agreement for orders to come; the rest stays as it is."""
    change = change_of(asked)
    if not change:
        raise UnacceptableTerms([FieldProblem("terms", "name at least one to change")])
    return merchant_data(merchants.set_terms(ports, asked.merchant_id, change, asked.reason))


@command("merchant.suspend", Role.FINANCE, powers(Power.STOP, "merchant_id"))
def suspend_merchant(ports: OperatorPorts, asked: ChangeMerchantParameters) -> Json:
    """Refuse a merchant's calls from now on; its open orders run their course."""
    return _in_status(ports, asked, MerchantStatus.SUSPENDED)


@command("merchant.resume", Role.FINANCE, powers(Power.STOP, "merchant_id"))
def resume_merchant(ports: OperatorPorts, asked: ChangeMerchantParameters) -> Json:
    """Answer a suspended merchant's calls again."""
    return _in_status(ports, asked, MerchantStatus.ACTIVE)


def _in_status(
    ports: OperatorPorts, asked: ChangeMerchantParameters, status: MerchantStatus
) -> Json:
    return merchant_data(merchants.set_status(ports, asked.merchant_id, status, asked.reason))


@command("merchant.revoke-secret", Role.FINANCE, powers(Power.STOP, "merchant_id is_test callback"))
def revoke_secret(ports: OperatorPorts, asked: RevokeParameters) -> Json:
    """Stop a merchant's live key, or another secret; its people make a new one in the portal."""
    if asked.is_test and asked.callback:
        problem = FieldProblem("callback", "not with is_test: name one of them")
        raise UnacceptableTerms([problem])
    what = Revoked.TEST_KEY if asked.is_test else Revoked.LIVE_KEY
    what = Revoked.CALLBACKS if asked.callback else what
    return merchant_data(merchants.revoke_secret(ports, asked.merchant_id, what, asked.reason))


@command("merchant.invite", Role.FINANCE, powers(Power.ADMISSION, "merchant_id name role"))
def invite(ports: OperatorPorts, asked: InviteParameters) -> Json:
    """Invite a person to a merchant's portal, by a link that works once within 24 hours.

    A second person approves it; then each of you reads a half with `proposal reveal`.
    """
    role = MemberRole(asked.role)
    made = invite_member(ports, asked.merchant_id, name=asked.name, role=role, reason=asked.reason)
    return {
        "merchant_id": asked.merchant_id,
        **row_of(made.invitation, "member_id member=name role"),
        "invite_url": made.invite_url,
        **row_of(made.invitation, "opens_at? expires_at"),
    }


def merchant_data(merchant: Merchant) -> Row:
    """Return a merchant without its secrets."""
    terms = merchant.terms
    return {
        **row_of(merchant, "merchant_id name api_key? test_api_key? status"),
        **row_of(terms, "identity=identity_required callback_url"),
        **written_fees(terms.fees),
        **row_of(terms, "min_cny_fen max_cny_fen max_open_buys max_open_cny_fen max_open_sells"),
        **row_of(terms, "max_open_sell_cny_fen slot_share other_sums require_receipt"),
        **row_of(terms, "allowed_cidrs events max_rps max_callback_rps balance_shards"),
        **row_of(terms, "display_name support"),
        "created_at": merchant.created_at,
    }


def change_of(asked: TermsParameters) -> TermsChange:
    """Return the terms that were sent; networks that are sent replace the present ones."""
    sent = {name: getattr(asked, name) for name in asked.model_fields_set - {"allow_cidr"}}
    fees = {term: sent.pop(name) for term in FEE_TERMS if (name := written_name(term)) in sent}
    change = {_TERMS[name]: value for name, value in sent.items() if name in _TERMS}
    if fees:
        change["fees"] = fees
    if asked.allow_cidr is not None:
        change["allowed_cidrs"] = tuple(cidr for cidr in asked.allow_cidr if cidr)
    return change


def _recent(ports: OperatorPorts, merchant_id: str, mode: Mode) -> Row:
    found = unpaid_buys(ports.order_listing, merchant_id, mode, ports.operator.now())
    return row_of(found, "ended unpaid unpaid_percent=percent")


def _used(ports: OperatorPorts, merchant: Merchant, mode: Mode) -> Row:
    _, used = ports.reads.accounts(merchant, mode)
    return {**views.open_limits(merchant.terms, used), "slot_share": merchant.terms.slot_share}
