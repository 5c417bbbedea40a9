"""Actions of the console: a question first, proposals of two people, secrets, double submits."""

import re
from typing import Any

import pytest

from orderdesk.web.codes import CODES
from orderdesk.web.operator.commands import Role
from orderdesk.web.operator.refusals import OPERATOR_CODES
from orderdesk_cli.console.words import REFUSALS
from tests.integration.console.conftest import GuestAs
from tests.support import receipt_samples as samples
from tests.support.console_guest import Guest
from tests.support.market import Market
from tests.support.offices import api_on
from tests.support.payer import Payer
from tests.support.visitors import hidden_fields
from tests.support.world import World


def trail(market: Market, subject: str) -> list[Any]:
    """Return what finance-1 did with a merchant or trader, the newest first."""
    api = api_on(market.world)
    return [*api.items("audit.list", subject=subject, operator="finance-1", newest_first=True)]


def test_a_dispute_is_asked_about_and_resolved_with_a_reason(world: World, guest: Guest) -> None:
    payer = Payer.of_new_order(world)
    payer.upload(samples.png())
    order = f"orders/{payer.order_no}"
    disputed = guest.submit(f"{order}/dispute", reason="the trader calls")
    assert "Done." in disputed.text
    question = guest.text(f"{order}/complete")
    assert "-138." in question
    assert "cannot be undone" in question
    missing = guest.submit(f"{order}/complete")
    assert (missing.status_code, "Reason: must not be empty" in missing.text) == (422, True)
    assert f'{order}/complete">Back<' in missing.text
    done = guest.submit(f"{order}/complete", reason="the bank confirms")
    assert "chip-completed" in done.text
    entries = guest.text("audit", subject=payer.order_no)
    assert entries.index("the bank confirms") < entries.index("the trader calls")
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


def test_every_code_of_the_api_has_its_chinese() -> None:
    """The console cannot import the table, because it installs without the functions' package."""
    assert {code.code: code.zh for code in OPERATOR_CODES.values()}.items() <= REFUSALS.items()
    merchants = {code.code: code.zh for code in CODES.values()}
    own = {code.code for code in OPERATOR_CODES.values()}
    others = {code: text for code, text in REFUSALS.items() if code not in own}
    assert others.items() <= merchants.items()
    assert {"try_again", "internal_error"} <= {
        reason for reason, code in CODES.items() if code.code in others
    }


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
    assert "Withdraw 120.000000 USDT" in proposed.text
    assert "880.000000" in proposed.text, "what it makes of the balance"
    assert f"{proposal}/approve" not in proposed.text, "not by its proposer"
    own = first.post(f"{proposal}/approve", key="c" * 32)
    assert own.status_code == 403
    assert proposal.removeprefix("proposals/") in second.text("proposals", open_only="yes")
    done = second.submit(f"{proposal}/approve")
    assert "chip-executed" in done.text
    assert "finance-2" in done.text
    assert f"{proposal}/approve" not in done.text
    entries = second.text("audit", subject=market.merchant.merchant_id)
    assert proposal.removeprefix("proposals/") in entries


def test_a_rejection_needs_a_reason(market: Market, guest_as: GuestAs) -> None:
    first, second = (guest_as(person, Role.FINANCE) for person in ("finance-1", "finance-2"))
    merchant = f"merchants/{market.merchant.merchant_id}"
    proposed = first.submit(f"{merchant}/withdraw", amount="120", memo="to the bank")
    proposal = proposed.url.path.split("/", 2)[2]
    assert second.submit(f"{proposal}/reject").status_code == 422
    rejected = second.submit(f"{proposal}/reject", reason="a wrong account")
    assert "chip-rejected" in rejected.text
    assert "1,000.000000" in second.text(merchant)


def test_a_new_secret_is_read_by_its_proposer_and_on_no_other_page(
    market: Market, guest_as: GuestAs
) -> None:
    first, second = (guest_as(person, Role.FINANCE) for person in ("finance-1", "finance-2"))
    merchant = f"merchants/{market.merchant.merchant_id}"
    proposed = first.submit(f"{merchant}/rotate-secret", reason="a leak")
    proposal = proposed.url.path.split("/", 2)[2]
    executed = second.submit(f"{proposal}/approve")
    assert f"{proposal}/reveal" not in executed.text
    shown = first.submit(f"{proposal}/reveal")
    [secret] = re.findall(r"<dt>secret</dt><dd>([^ <]+)", shown.text)
    assert "shown only once" in shown.text
    assert f'data-copy="{secret}"' in shown.text
    for guest in (first, second):
        for path in (proposal, merchant, "audit", "proposals"):
            assert secret not in guest.text(path)


def test_a_callback_secret_is_shown_once_and_a_repeat_shows_none(
    market: Market, guest: Guest
) -> None:
    path = f"merchants/{market.merchant.merchant_id}/rotate-callback-secret"
    form = {**hidden_fields(guest.get(path).text), "reason": "a leak"}
    first = guest.post(path, **form)
    assert "whsec_" in first.text
    again = guest.post(path, **form)
    assert (again.status_code, "whsec_" in again.text) == (200, False)
    assert "done before" in again.text
    done = [entry["action"] for entry in trail(market, market.merchant.merchant_id)]
    assert done.count("merchant.rotate-callback-secret") == 1


def test_a_form_that_is_sent_twice_is_executed_once(market: Market, guest: Guest) -> None:
    path = f"merchants/{market.merchant.merchant_id}/withdraw"
    form = {**hidden_fields(guest.get(path).text), "amount": "120", "memo": "to the bank"}
    first, again = guest.post(path, **form), guest.post(path, **form)
    assert first.url.path == again.url.path
    assert len(set(re.findall(r"P[0-9]{20,}", guest.text("proposals")))) == 1
    other = guest.post(path, **{**form, "amount": "121"})
    assert other.status_code == 409
    assert guest.post(path, amount="1", memo="no key").status_code == 422


def test_only_changed_terms_are_sent(market: Market, guest: Guest) -> None:
    trader = f"traders/{market.trader_id}"
    page = guest.text(f"{trader}/limits")
    assert 'name="max_cny" type="text" value="1000000.00"' in page
    present = {"min_cny": "1.00", "max_cny": "1000000.00", "unique_amounts": "no"}
    guest.submit(f"{trader}/limits", **present | {"max_cny": "5000.00", "max_open": "3"})
    entry = trail(market, market.trader_id)[0]
    assert (entry["action"], sorted(entry["details"])) == ("trader.set", ["max_cny", "max_open"])
    guest.submit(f"{trader}/limits", **present | {"max_cny": "5000.00"})
    assert sorted(trail(market, market.trader_id)[0]["details"]) == ["max_open"], (
        "an emptied cap is removed"
    )
    unchanged = guest.submit(f"{trader}/limits", **present | {"max_cny": "5000.00"})
    assert unchanged.status_code == 422


def test_a_merchant_and_a_trader_are_added_with_their_secrets_shown_once(guest: Guest) -> None:
    added = guest.submit(
        "merchants/add", name="晨光商城", identity="yes", allow_cidr="192.0.2.0/24"
    )
    assert "whsec_" in added.text
    [merchant_id] = re.findall(r'title="(m[0-9a-z]+)">晨光商城<', guest.text("merchants"))
    merchant = guest.text(f"merchants/{merchant_id}")
    assert "192.0.2.0/24" in merchant
    assert "whsec_" not in merchant
    wrong = guest.submit("traders/add", name="people-wang", min_cny="1", max_cny="much")
    assert (wrong.status_code, "max_cny: &#39;much&#39;" in wrong.text) == (422, True)
    added = guest.submit("traders/add", name="people-wang", min_cny="1", max_cny="50")
    assert "shown only once" in added.text


def test_a_method_is_proposed_by_one_and_approved_by_another(
    market: Market, guest_as: GuestAs
) -> None:
    first, second = (guest_as(person, Role.FINANCE) for person in ("finance-1", "finance-2"))
    trader = f"traders/{market.trader_id}"
    method = {"method_type": "wechat", "real_name": "王小明", "account": "wang"}
    proposed = first.submit(f"{trader}/add-method", **method, qr_code="wxp://f2f0abc")
    assert "waits for a second person" in proposed.text
    second.submit(f"{proposed.url.path.split('/', 2)[2]}/approve")
    assert "王" in first.text(trader)
    proposed = first.submit(f"{trader}/remove-method", method_type="wechat")
    assert "waits for a second person" in proposed.text


def test_a_merchants_statement_and_the_use_of_its_limits_are_pages(
    market: Market, guest: Guest
) -> None:
    merchant = f"merchants/{market.merchant.merchant_id}"
    page = guest.text(merchant)
    assert f'{merchant}/statement"' in page
    assert "1,000.000000" in guest.text(f"{merchant}/statement")
    assert "1,000.000000" not in guest.text(f"{merchant}/statement", mode="test")
    assert "100" in guest.text(f"{merchant}/use")


@pytest.mark.parametrize("rate", ["7.3", "8.5"])
def test_a_rate_far_from_the_last_waits(guest: Guest, market: Market, rate: str) -> None:
    done = guest.submit("rates/set", order_type="buy", rate=rate, reason="the market")
    assert done.status_code == 200
    assert ("proposals/P" in str(done.url)) is (rate == "8.5")
