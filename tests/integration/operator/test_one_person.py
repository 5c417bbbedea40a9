"""One person alone reaches no goal over any way of commands and pages (contract section 11).

A way has what it needs, what it reaches, and the power that it uses. Powers that need two people
are closed to one person; what remains is followed to its fixpoint, from each role.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import pytest

from orderdesk.domain.authority import Effect, Power
from orderdesk.web.operator.commands import COMMANDS
from orderdesk.web.operator.declare import Role
from tests.support.commands import POWERS
from tests.support.world import load_function, open_world

GOALS = {
    "a merchant's USDT",
    "a trader's USDT",
    "a live secret",
    "a far price",
    "another's destination",
}
_ROLES = {
    Role.VIEWER: {Role.VIEWER},
    Role.SUPPORT: {Role.VIEWER, Role.SUPPORT},
    Role.FINANCE: set(Role),
}

# What each command that writes reaches, with what it needs beside its role. A price's number that
# is far from the approved one is a second way of its command.
REACHES: dict[str, tuple[str, str]] = {
    "block.add": ("", "a block"),
    "block.remove": ("", "a far price"),
    "callback.redeliver": ("", "a callback"),
    "deposit.release": ("", "a merchant's USDT"),
    "desk.set": ("", "a near price"),
    "fees.withdraw": ("", "the desk's USDT"),
    "fund.merchant": ("", "a merchant's USDT"),
    "fund.trader": ("", "a trader's USDT"),
    "ledger.acknowledge": ("", "a merchant's USDT"),
    "merchant.add": ("", "a test merchant"),
    "merchant.invite": ("", "a portal"),
    "merchant.resume": ("", "an active merchant"),
    "merchant.revoke-secret": ("", "a stopped key"),
    "merchant.set": ("", "a near price"),
    "merchant.suspend": ("", "a suspended merchant"),
    "order.ask": ("", "a question"),
    "order.assign": ("", "an assigned sell"),
    "order.cancel": ("", "a cancelled sell"),
    "order.claim": ("", "a merchant's USDT"),
    "order.dispute": ("", "an own dispute"),
    "order.resolve": ("an own dispute", "a trader's USDT"),
    "order.reverse": ("", "a merchant's USDT"),
    "order.unassign": ("", "a waiting sell"),
    "proposal.approve": ("another's proposal", "a decision"),
    "proposal.reject": ("", "a rejection"),
    "proposal.reveal": ("a decision", "half a secret"),
    "rate.set": ("", "a near price"),
    "trader.add": ("", "a desk"),
    "trader.add-method": ("", "another's destination"),
    "trader.offline": ("", "an idle trader"),
    "trader.online": ("", "a trader on duty"),
    "trader.remove-method": ("", "another's destination"),
    "trader.reset-code": ("", "a desk"),
    "trader.resume-account": ("", "another's destination"),
    "trader.set": ("", "a near price"),
    "trader.stop-account": ("", "a stopped account"),
    "trader.suspend": ("", "an idle trader"),
    "withdraw.merchant": ("", "a merchant's USDT"),
    "withdraw.sent": ("", "a txid"),
    "withdraw.trader": ("", "a trader's USDT"),
}
# The same for each POST of the pages, by its function and its path below the function's own.
PAGES: dict[str, dict[str, tuple[str, str]]] = {
    "merchant_portal": {
        "/login": ("a portal", "a session"),
        "/login/challenge": ("", "a challenge"),
        "/invite/{token}": ("an invitation", "a portal"),
        "/invite/{token}/challenge": ("", "a challenge"),
        "/challenge": ("a portal", "a challenge"),
        "/logout": ("a portal", "an ended session"),
        "/balance/requests": ("a portal", "a request"),
        "/balance/requests/{request_no}/cancel": ("a portal", "an ended request"),
        "/balance/addresses": ("a portal", "a request"),
        "/balance/addresses/remove": ("a portal", "a shorter book"),
        "/orders/{order_no}/cancel": ("a portal", "a cancelled sell"),
        "/orders/{order_no}/dispute": ("a portal", "a merchant's dispute"),
        "/orders/{order_no}/say": ("a portal", "a note"),
        "/orders/{order_no}/picture": ("a portal", "a note"),
        "/callbacks/{webhook_id}/redeliver": ("a portal", "a callback"),
        "/callbacks/test": ("a portal", "a callback"),
        "/callbacks/resume": ("a portal", "a callback"),
        "/developers/keys/{mode}/rotate": ("a portal", "a live secret"),
        "/developers/keys": ("a portal", "a live secret"),
        "/developers/keys/remove": ("a portal", "a stopped key"),
        "/developers/callback-secret/rotate": ("a portal", "a live secret"),
        "/developers/explorer": ("a portal", "a test order"),
        "/endpoints": ("a portal", "a live secret"),
        "/endpoints/remove": ("a portal", "fewer callbacks"),
        "/endpoints/rotate": ("a portal", "a live secret"),
        "/team/invite": ("a portal", "an invitation"),
        "/team/invitations/{member_id}/withdraw": ("a portal", "fewer members"),
        "/team/members/{member_id}/role": ("a portal", "a portal"),
        "/team/members/{member_id}/remove": ("a portal", "fewer members"),
        "/team/passkeys/new": ("a portal", "a challenge"),
        "/team/passkeys": ("a portal", "a passkey"),
        "/team/passkeys/{passkey_id}/revoke": ("a portal", "fewer passkeys"),
        "/team/sessions/{member_id}/{session_id}/end": ("a portal", "an ended session"),
        "/settings/payers": ("a portal", "another shown name"),
        "/settings/logo": ("a portal", "a logo"),
        "/settings/logo/remove": ("a portal", "no logo"),
        "/settings/callback": ("a portal", "a callback"),
        "/settings/networks": ("a portal", "an own network"),
    },
    "trader_desk": {
        "/login": ("a desk", "a session"),
        "/logout": ("a desk", "an ended session"),
        "/push": ("a desk", "a device"),
        "/push/off": ("a desk", "fewer devices"),
        "/online": ("a desk", "a trader on duty"),
        "/offline": ("a desk", "an idle trader"),
        "/statement": ("a desk", "a compared statement"),
        "/orders/{order_no}/confirm": ("a desk", "a confirmed order of one's own"),
        "/orders/{order_no}/report": ("a desk", "a trader's dispute"),
        "/orders/{order_no}/decline": ("a desk", "a waiting sell"),
        "/orders/{order_no}/say": ("a desk", "a note"),
        "/orders/{order_no}/sum": ("a desk", "another sum"),
        # a proof of one's own
        "/orders/{order_no}/proof": ("a desk, an assigned sell", "a merchant's USDT"),
        "/settings/limits": ("a desk", "an own limit"),
        "/settings/methods/{method_type}": ("a desk", "another's destination"),
        "/settings/methods/{method_type}/terms": ("a desk", "an own limit"),
        "/settings/methods/{method_type}/code": ("a desk", "another's destination"),
        "/settings/methods/{method_type}/remove": ("a desk", "another's destination"),
    },
    "pay_page": {
        "/paid": ("", "a paid buy"),
        "/cancel": ("", "a cancelled buy"),
        "/receipt": ("", "a receipt"),
        "/dispute": ("", "a payer's dispute"),
        "/say": ("", "a note"),
        "/agree": ("another sum", "a changed sum"),
        "/object": ("another sum", "a payer's dispute"),
    },
}
PREFIXES = {
    "merchant_portal": "/portal",
    "trader_desk": "/trader",
    "pay_page": "/pay/{order_no}/{token}",
}
API = {"a live sell to an own card": ("a live secret", "a merchant's USDT")}


@dataclass(frozen=True)
class Way:
    """A way that one person can go alone; `roles` is None for pages."""

    name: str
    needs: frozenset[str]
    reaches: str
    power: Power | None = None
    role: Role | None = None
    is_grave: bool = False


def _facts(text: str) -> frozenset[str]:
    return frozenset(filter(None, text.split(", ")))


def ways() -> Iterator[Way]:
    for command, powers in POWERS.items():
        needs, reaches = REACHES[command]
        power = _strongest(powers.values())
        # An own dispute is a hand on its order, and what is no number is always far.
        is_grave = bool(needs) or reaches == "a far price"
        role = COMMANDS[command].role
        yield Way(command, _facts(needs), reaches, power, role, is_grave)
        if reaches == "a near price":
            yield Way(f"{command}, far", _facts(""), "a far price", Power.PRICE, role, True)
    for surface, pages in {**PAGES, "API": API}.items():
        for path, (need, reaches) in pages.items():
            yield Way(f"{surface}: {path}", _facts(need), reaches)


def _strongest(powers: Collection[Power]) -> Power:
    """Return the power that needs two people if one does."""
    return max(powers, key=lambda power: Effect(power).needs_two)


def reached(role: Role, opened: Power | None = None) -> dict[str, str]:
    """Return what a role reaches alone, by which way; `opened` is a power without its rule."""
    facts: dict[str, str] = {}
    while True:
        new: dict[str, str] = {}
        for way in ways():
            if (
                way.reaches not in facts
                and way.needs <= facts.keys()
                and _is_open(way, role, opened)
            ):
                new.setdefault(way.reaches, way.name)
        if not new:
            return facts
        facts |= new


def _is_open(way: Way, role: Role, opened: Power | None) -> bool:
    if way.power is None or way.role is None:
        return True
    if way.role not in _ROLES[role]:
        return False
    return way.power is opened or not Effect(way.power, is_grave=way.is_grave).needs_two


@pytest.mark.parametrize("role", Role)
def test_one_person_alone_reaches_no_goal(role: Role) -> None:
    assert GOALS & reached(role).keys() == set()


@pytest.mark.parametrize(
    ("role", "opened", "path"),
    [
        (
            Role.FINANCE,
            Power.ADMISSION,
            {"a live secret": "merchant_portal: /developers/keys/{mode}/rotate"},
        ),
        (
            Role.FINANCE,
            Power.ADMISSION,
            {"a merchant's USDT": "trader_desk: /orders/{order_no}/proof"},
        ),
        (Role.FINANCE, Power.DESTINATION, {"another's destination": "trader.add-method"}),
        (Role.FINANCE, Power.MONEY, {"a trader's USDT": "fund.trader"}),
        (Role.FINANCE, Power.PRICE, {"a far price": "block.remove"}),
        (Role.SUPPORT, Power.ORDER, {"a trader's USDT": "order.resolve"}),
    ],
)
def test_without_a_rule_each_known_attack_is_found(
    role: Role, opened: Power, path: dict[str, str]
) -> None:
    assert path.items() <= reached(role, opened).items()


def test_each_command_that_writes_is_a_way() -> None:
    assert REACHES.keys() == POWERS.keys()


def posts_of(function: str) -> set[str]:
    """Return the paths of a function's POSTs, as PAGES has them."""
    with open_world():
        routes = load_function(function).ROUTES
    pairs = [each if isinstance(each, tuple) else (each.method, each.path) for each in routes]
    return {path.removeprefix(PREFIXES[function]) for method, path in pairs if method == "POST"}


@pytest.mark.parametrize("function", PAGES)
def test_each_post_of_a_page_is_a_way(function: str) -> None:
    assert PAGES[function].keys() == posts_of(function)
