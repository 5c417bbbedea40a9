"""Actions of the console: a question first, proposals of two people, secrets, double submits."""

import re
from typing import Any

from orderdesk.domain.orders.order import LateProof, Receipt
from orderdesk.domain.orders.transitions import Actor, Move
from orderdesk.domain.pricing import Mode
from orderdesk.web.operator.declare import Role
from tests.integration.console.conftest import GuestAs
from tests.support import receipt_samples as samples
from tests.support.console_guest import Guest
from tests.support.market import Market, funded_books
from tests.support.offices import api_on
from tests.support.payer import Payer
from tests.support.requesting import TRON, Person
from tests.support.seed import with_changes
from tests.support.visitors import hidden_fields
from tests.support.world import World


def trail(market: Market, subject: str) -> list[Any]:
    """Return what finance-1 did with a merchant or trader, the newest first."""
    api = api_on(market.world)
    return [*api.items("audit.list", subject=subject, operator="finance-1", newest_first=True)]


def test_a_dispute_is_asked_about_and_resolved_with_a_reason(
    world: World, guest: Guest, guest_as: GuestAs
) -> None:
    payer = Payer.of_new_order(world)
    payer.upload(samples.png())
    order = f"orders/{payer.order_no}"
    disputed = guest.submit(f"{order}/dispute", reason="the trader calls")
    assert "Done." in disputed.text
    question = guest.text(f"{order}/complete")
    assert "-138." in question
    assert "cannot be undone" in question
    missing = guest.submit(f"{order}/complete")
    assert (missing.status_code, ">must not be empty<" in missing.text) == (422, True)
    own = guest.submit(f"{order}/complete", reason="the bank confirms")
    assert "waits for a second person" in own.text, "who opened the dispute does not end it alone"
    done = guest_as("support-2", Role.SUPPORT).submit(f"{order}/complete", reason="it arrived")
    assert "chip-completed" in done.text
    entries = guest.text("audit", subject=payer.order_no)
    assert entries.index("it arrived") < entries.index("the trader calls")
    assert guest.get(f"{order}/complete").status_code == 409
    late = guest.post(f"{order}/resolve-cancelled", key="b" * 32, reason="no")
    assert late.status_code == 409
    assert "is completed; operators cannot move it now" in late.text


def test_a_refusal_is_chinese_with_its_english_detail(market: Market, guest: Guest) -> None:
    order = f"orders/{market.sell()}"
    guest.submit(f"{order}/cancel", reason="the customer asked")
    guest.get("language", to="zh")
    refused = guest.post(f"{order}/unassign", key="d" * 32, reason="again")
    assert refused.status_code == 409
    assert '<h1 id="problem">无法执行</h1>' in refused.text
    assert ">当前状态不允许此操作</p>" in refused.text
    [detail] = re.findall(r'lang="en"><small>([^<]+)</small>', refused.text)
    assert "is cancelled; operators cannot move it now" in detail
    guest.get("language", to="en")
    english = guest.post(f"{order}/unassign", key="e" * 32, reason="again")
    assert "当前状态不允许此操作" not in english.text


def test_a_sell_is_assigned_to_a_trader_that_it_fits(market: Market, guest: Guest) -> None:
    small = market.world.add_trader(name="small", max_cny_fen=1_00)
    order = f"orders/{market.sell()}"
    question = guest.text(f"{order}/assign")
    assert f'value="{market.trader_id}"' in question
    assert small.trader_id not in question
    assert guest.submit(f"{order}/assign").status_code == 422
    misfit = guest.submit(f"{order}/assign", trader_id=small.trader_id)
    assert (misfit.status_code, "it takes 1.00 to 1.00 CNY" in misfit.text) == (409, True)
    guest.submit(f"{order}/assign", trader_id=market.trader_id)
    assert market.order(order.removeprefix("orders/")).status.value == "assigned"
    bought = f"orders/{market.buy()}"
    assert "Traders that it fits" not in guest.text(bought)


def test_one_proposes_and_another_approves(market: Market, guest_as: GuestAs) -> None:
    first, second = (guest_as(person, Role.FINANCE) for person in ("finance-1", "finance-2"))
    merchant = f"merchants/{market.merchant.merchant_id}"
    proposed = first.submit(f"{merchant}/withdraw", amount="120", memo="to the bank")
    assert "waits for a second person" in proposed.text
    proposal = proposed.url.path.split("/", 2)[2]
    assert proposal.startswith("proposals/P")
    assert f"Pay 120.000000 USDT to {market.merchant.name}" in proposed.text
    assert "880.000000" in proposed.text, "what it makes of the balance"
    assert f"{proposal}/approve" not in proposed.text, "not by its proposer"
    own = first.post(f"{proposal}/approve", key="c" * 32)
    assert own.status_code == 403
    assert proposal.removeprefix("proposals/") in second.text("proposals", open_only="yes")
    button = second.text(f"{proposal}/approve").partition('type="submit">Approve')[2]
    assert button.startswith(f": Pay 120.000000 USDT to {market.merchant.name}</button>")
    second.get("language", to="zh")
    button = second.text(f"{proposal}/approve").partition('type="submit">批准')[2]
    assert button.startswith(f"：向 {market.merchant.name} 支付 120.000000 USDT</button>")
    second.get("language", to="en")
    done = second.submit(f"{proposal}/approve")
    assert "chip-executed" in done.text
    assert "finance-2" in done.text
    assert f"{proposal}/approve" not in done.text
    entries = second.text("audit", subject=market.merchant.merchant_id)
    assert proposal.removeprefix("proposals/") in entries


def test_half_a_secret_is_read_by_its_proposer_and_on_no_other_page(
    market: Market, guest_as: GuestAs
) -> None:
    first, second = (guest_as(person, Role.FINANCE) for person in ("finance-1", "finance-2"))
    trader = f"traders/{market.trader_id}"
    proposed = first.submit(f"{trader}/reset-code", reason="a lost phone")
    proposal = proposed.url.path.split("/", 2)[2]
    second.submit(f"{proposal}/approve")
    shown = first.submit(f"{proposal}/reveal")
    [secret] = re.findall(r"<dt>secret</dt><dd>([^ <]+)", shown.text)
    assert "shown only once" in shown.text
    assert f'data-copy="{secret}"' in shown.text
    for guest in (first, second):
        for path in (proposal, trader, "audit", "proposals"):
            assert secret not in guest.text(path)


def test_a_secret_is_shown_once_and_a_repeat_shows_none(guest: Guest) -> None:
    form = {**hidden_fields(guest.get("merchants/add").text), "name": "晨光商城"}
    first = guest.post("merchants/add", **form)
    assert "sk_" in first.text
    again = guest.post("merchants/add", **form)
    assert (again.status_code, "sk_" in again.text) == (200, False)
    assert "done before" in again.text
    assert guest.text("merchants").count(">晨光商城<") == 1


def test_a_form_that_is_sent_twice_is_executed_once(market: Market, guest: Guest) -> None:
    path = f"merchants/{market.merchant.merchant_id}/withdraw"
    form = {**hidden_fields(guest.get(path).text), "amount": "120", "memo": "to the bank"}
    first, again = guest.post(path, **form), guest.post(path, **form)
    assert first.url.path == again.url.path
    assert len(set(re.findall(r"P[0-9]{20,}", guest.text("proposals")))) == 1
    other = guest.post(path, **{**form, "amount": "121"})
    assert other.status_code == 409
    assert guest.post(path, amount="1", memo="no key").status_code == 422


def test_a_request_is_taken_up_without_typing_its_number(world: World, guest: Guest) -> None:
    books = funded_books(world)
    mei = Person(world, books.merchant.merchant_id).with_rested_address()
    request_no = mei.request(100 * 1_000_000).request_no
    page = guest.text("withdrawals/take-up")
    assert "No withdrawals." not in page
    assert f'type="radio" name="request_no" value="{request_no}"' in page
    assert f"Pay 100.000000 USDT to {books.merchant.name} (TRC20, {TRON[:4]}…" in page
    assert ", in the address book since 20" in page
    assert TRON in page
    taken = guest.submit("withdrawals/take-up", request_no=request_no)
    assert "waits for a second person" in taken.text
    assert request_no not in guest.text("withdrawals/take-up")


def test_only_changed_terms_are_sent(world: World, market: Market, guest: Guest) -> None:
    trader_id = world.add_trader(mode=Mode.TEST).trader_id
    trader = f"traders/{trader_id}"
    page = guest.text(f"{trader}/limits")
    assert 'name="max_cny" type="text" value="1000000.00"' in page
    present = {"min_cny": "1.00", "max_cny": "1000000.00", "unique_amounts": "no"}
    guest.submit(f"{trader}/limits", **present | {"max_cny": "5000.00", "max_open": "3"})
    entry = trail(market, trader_id)[0]
    assert (entry["action"], sorted(entry["details"])) == ("trader.set", ["max_cny", "max_open"])
    guest.submit(f"{trader}/limits", **present | {"max_cny": "5000.00"})
    assert sorted(trail(market, trader_id)[0]["details"]) == ["max_open"], (
        "an emptied cap is removed"
    )
    unchanged = guest.submit(f"{trader}/limits", **present | {"max_cny": "5000.00"})
    assert unchanged.status_code == 422


def test_a_merchant_and_a_trader_are_added_with_their_secrets_shown_once(guest: Guest) -> None:
    added = guest.submit(
        "merchants/add", name="晨光商城", identity="yes", allow_cidr="192.0.2.0/24"
    )
    assert ("sk_" in added.text, "whsec_" in added.text) == (True, False)
    [merchant_id] = re.findall(r'title="(m[0-9a-z]+)">晨光商城<', guest.text("merchants"))
    merchant = guest.text(f"merchants/{merchant_id}")
    assert "192.0.2.0/24" in merchant
    assert "whsec_" not in merchant
    wrong = guest.submit("traders/add", name="people-wang", min_cny="1", max_cny="much")
    assert (wrong.status_code, "&#39;much&#39; is no amount" in wrong.text) == (422, True)
    assert 'name="name" type="text" value="people-wang"' in wrong.text, "the form is kept"
    assert 'value="much" required aria-invalid="true"' in wrong.text
    added = guest.submit("traders/add", name="people-wang", min_cny="1", max_cny="50")
    assert "waits for a second person" in added.text


def test_a_merchants_statement_and_the_use_of_its_limits_are_pages(
    market: Market, guest: Guest
) -> None:
    merchant = f"merchants/{market.merchant.merchant_id}"
    page = guest.text(merchant)
    assert f'{merchant}/statement"' in page
    assert "1,000.000000" in guest.text(f"{merchant}/statement")
    assert "1,000.000000" not in guest.text(f"{merchant}/statement", mode="test")
    assert "100" in guest.text(f"{merchant}/use")


def test_the_open_orders_of_a_stopped_account_get_one_decision(
    market: Market, guest: Guest, guest_as: GuestAs
) -> None:
    kept, *numbers = (market.disputed_buy() for _ in range(3))
    for number in (kept, *numbers):
        market.put(with_changes(market.order(number), payee_stopped_at=1))
    page = f"traders/{market.trader_id}/stopped"
    assert f"{page}" in guest.text(f"traders/{market.trader_id}")
    listed = guest.text(page)
    assert all(number in listed for number in (kept, *numbers))
    assert listed.count("1970-01-01 08:00") == listed.count('"chip chip-disputed"') == 3
    form = guest.text(f"{page}/return")
    assert form.count('type="checkbox"') == form.count(" checked") == 3
    fields = hidden_fields(form)
    missing = guest.post(f"{page}/return", **fields, reason="frozen")
    assert missing.status_code == 422
    done = guest.post(f"{page}/return", **fields, reason="frozen", order_nos=" ".join(numbers))
    assert done.text.count("chip-cancelled") == 2
    assert [market.order(each).status.value for each in (kept, *numbers)] == [
        *("disputed", "cancelled", "cancelled")
    ]
    market.world.put("Guards", {"pk": f"hands#{kept}#finance-1", "until": 4_000_000_000})
    waits = guest.submit(f"{page}/pay-out", reason="it came", order_nos=kept)
    assert "waits for a second person" in waits.text
    number = re.findall(r"proposals/(P[0-9]+)", str(waits.url))[0]
    approved = guest_as("support-2", Role.SUPPORT).submit(f"proposals/{number}/approve")
    assert "chip-completed" in approved.text


def test_a_claim_is_decided_with_both_proofs_beside_each_other(
    world: World, market: Market, guest: Guest, guest_as: GuestAs
) -> None:
    number, other = market.sell(), world.add_trader(available_micro=200_000_000)
    proof = Receipt("drawn/late", "image/png", 1, market.order(number).since, 1)
    market.move(number, Move.CANCEL, Actor.MERCHANT)
    order = market.order(number)
    late = (LateProof(market.trader_id, proof), LateProof(other.trader_id, proof))
    market.put(with_changes(order, late_proofs=late))
    assert number in guest.text("claims")
    counted = r"Late proofs to decide</a></dt><dd[^>]*>(\d+)"
    assert re.findall(counted, guest.text("waiting")) == ["1"]
    form = guest.text(f"orders/{number}/claim-paid")
    assert form.count("<img") == 2
    assert form.count('type="radio"') == 2
    waits = guest.submit(
        f"orders/{number}/claim-paid", trader_id=market.trader_id, reason="the bank says so"
    )
    [proposal] = re.findall(r"proposals/(P[0-9]+)", str(waits.url))
    before = market.trader_money()[0]
    done = guest_as("finance-2", Role.FINANCE).submit(f"proposals/{proposal}/approve")
    assert "chip-executed" in done.text
    assert market.trader_money()[0] > before
    left = guest.text(f"orders/{number}/claim-rejected")
    assert left.count('type="radio"') == 1
    assert guest.get(f"orders/{number}/claim-paid").status_code == 409
    guest.get("language", to="zh")
    page = guest.text(f"orders/{number}")
    for text in ("原交易员的逾期凭证", ">待裁定<", ">已付款<"):
        assert text in page, text
