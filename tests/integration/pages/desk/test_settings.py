"""A trader's own settings at the desk: changes, refusals, and the notice of a changed account."""

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from orderdesk.adapters.dynamodb.audit import AuditStore, audit_item
from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.payment_methods import MethodType
from orderdesk.domain.traders.settings import CHANGED_ACCOUNT_SECONDS, settings_version
from orderdesk.domain.traders.trader import NO_CHOICE, AccountTerms, OwnLimits, Trader
from orderdesk.web.pages.values import code_picture
from tests.integration.pages.conftest import Meanwhile
from tests.integration.pages.desk.test_returned import everything, suspend
from tests.support import receipt_samples as samples
from tests.support.merchant_client import buy
from tests.support.seed import BANK_METHOD, with_changes
from tests.support.trader import TraderVisit
from tests.support.visitors import Answer, UploadForm, hidden_fields, query_of_return
from tests.support.world import World

SETTINGS, LIMITS = "/trader/settings", "/trader/settings/limits"
METHOD = "/trader/settings/methods/{method_type}"
REMOVE = f"{METHOD}/remove"
NEW_CARD = "6222020200112345678"
BANK = {"real_name": "李四", "bank": "新银行", "sub_bank": "新支行", "card_number": NEW_CARD}
WALLET = {"real_name": "李四", "account": "li-four", "qr_code": "https://qr.alipay.com/fkx4"}
NO_LIMITS = {"min_cny": "", "max_cny": "", "max_open": "", "daily_cny": ""}


@pytest.fixture
def desk(world: World) -> TraderVisit:
    world.clear_rotation()
    return TraderVisit.of_new_trader(world, min_cny_fen=10_00, max_cny_fen=5_000_00, max_open=9)


def trader_of(desk: TraderVisit) -> Trader:
    return desk.seed.trader(desk.trader.trader_id)


def version(desk: TraderVisit) -> str:
    """Read the version from the settings page, as a browser sends it back."""
    return hidden_fields(desk.get(SETTINGS)["body"])["version"]


def set_limits(desk: TraderVisit, seen: str | None = None, /, **limits: str) -> Answer:
    form = {**NO_LIMITS, **limits, "version": version(desk) if seen is None else seen}
    return desk.post(LIMITS, form=form, lang="en")


def set_method(
    desk: TraderVisit, form: Mapping[str, str] = BANK, method_type: str = "bank", **more: str
) -> Answer:
    whole = {"version": version(desk), "access_code": desk.code, **form, **more}
    return desk.post(METHOD, form=whole, method_type=method_type, lang="en")


def audit(desk: TraderVisit) -> list[Any]:
    return desk.seed.items(desk.seed.tables.audit)


def test_own_limits_narrow_what_comes(world: World, desk: TraderVisit) -> None:
    _, client = world.add_merchant(slot_share=100)
    assert set_limits(desk, min_cny="100", max_cny="1,000.50", max_open="2")["statusCode"] == 303
    assert trader_of(desk).own == OwnLimits(100_00, 1000_50, 2, None)
    assert (trader_of(desk).terms.min_cny_fen, trader_of(desk).terms.max_open) == (10_00, 9)
    answers = [client.create(buy(cny_amount=cny)) for cny in ("99.99", "1000.51", "100", "1000.50")]
    assert [answer.code for answer in answers] == [2101, 2101, 1, 1]
    assert client.create(buy(cny_amount="500")).code == 2101, "two are open"
    page = desk.get(SETTINGS, lang="en")["body"]
    assert 'value="1000.50"' in page
    assert "Your operator allows 10.00 to 5,000.00." in page
    now = trader_of(desk)
    world.put_trader(with_changes(now, max_cny_fen=99_00, version=now.version + 1))
    assert client.create(buy(cny_amount="99")).code == 2101, (
        "what the operator lowers counts at once"
    )
    assert "No order fits your limits" in desk.get(SETTINGS, lang="en")["body"]


@pytest.mark.parametrize(
    "limits",
    [
        {"min_cny": "9.99"},
        {"max_open": "10"},
        {"max_open": "1.5"},
        {"daily_cny": "9"},
        {"max_cny": "ten"},
        {"max_cny": "9" * 30},
    ],
)
def test_wider_and_unreadable_limits_change_nothing(
    desk: TraderVisit, limits: dict[str, str]
) -> None:
    before = trader_of(desk)
    answer = set_limits(desk, **limits)
    assert answer["statusCode"] == 422
    assert 'aria-invalid="true"' in answer["body"]
    for typed in limits.values():
        assert f'value="{typed}"' in answer["body"]
    assert trader_of(desk) == before
    assert audit(desk) == []


def test_another_account_is_for_new_orders(world: World, desk: TraderVisit) -> None:
    _, client = world.add_merchant()
    old = desk.order(client.create(buy()).data["order_no"])
    assert set_method(desk)["statusCode"] == 303
    new = desk.order(client.create(buy()).data["order_no"])
    assert old.payment_method == desk.order(old.order_no).payment_method == BANK_METHOD
    assert new.payment_method.fields() == {
        "method_type": "bank",
        "account": "",
        "qr_code": "",
        **BANK,
    }
    (entry,) = audit(desk)
    trader_id = desk.trader.trader_id
    assert (entry["who"], entry["target"]) == (f"trader:{trader_id}", trader_id)
    assert entry["action"] == "desk.set-method"
    assert entry["details"]["number"].endswith(f"1234 → {'*' * 15}5678")
    stored = repr(audit(desk))
    for secret in (NEW_CARD, BANK_METHOD.card_number, "李四", desk.code):
        assert secret not in stored


def test_a_wallet_is_added_and_removed(world: World, desk: TraderVisit) -> None:
    _, client = world.add_merchant()
    assert desk.get(REMOVE, method_type="wechat")["statusCode"] == 200
    form = {"version": version(desk), "access_code": desk.code}
    for _ in range(2):  # the second one changes nothing
        answer = desk.post(REMOVE, form=form, method_type="wechat")
        assert answer["statusCode"] == 303
    assert trader_of(desk).account(MethodType.WECHAT) is None
    assert client.create(buy(method_type="wechat")).code == 2101
    assert desk.get(REMOVE, method_type="wechat")["statusCode"] == 303
    assert "Add<span" in desk.get(SETTINGS, lang="en")["body"]
    assert set_method(desk, WALLET, "wechat")["statusCode"] == 303
    order = client.create(buy(method_type="wechat"))
    assert desk.order(order.data["order_no"]).payment_method == trader_of(desk).methods[-1]
    assert [entry["action"] for entry in sorted(audit(desk), key=lambda each: str(each["sk"]))] == [
        "desk.remove-method",
        "desk.set-method",
    ]


@pytest.mark.parametrize("code", ["", "a guess of mine", "abcd-" * 6 + "abcd"])
@pytest.mark.parametrize("route", [METHOD, REMOVE])
def test_a_stolen_session_changes_no_account(desk: TraderVisit, route: str, code: str) -> None:
    before = everything(desk.seed)  # type: ignore[arg-type]
    form = {**BANK, "version": version(desk), "access_code": code}
    answer = desk.post(route, form=form, lang="en")
    assert answer["statusCode"] == 422
    assert "This is not your access code" in answer["body"]
    assert everything(desk.seed) == before  # type: ignore[arg-type]
    if code:
        assert code not in answer["body"]


@pytest.mark.parametrize(
    ("method_type", "form", "unfit"),
    [
        ("bank", {**BANK, "card_number": "12ab"}, ["card_number"]),
        ("bank", {**BANK, "bank": "", "sub_bank": "  "}, ["bank", "sub_bank"]),
        ("bank", {**BANK, "real_name": "李" * 256}, ["real_name"]),
        ("bank", {**BANK, "real_name": "李\u202e四"}, ["real_name"]),
        ("alipay", {**WALLET, "qr_code": "https://bank.example/pay/1"}, ["qr_code"]),
        ("alipay", {**WALLET, "account": ""}, ["account"]),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_unfit_account_is_shown_back(
    desk: TraderVisit, method_type: str, form: dict[str, str], unfit: list[str], language: str
) -> None:
    before = trader_of(desk)
    whole = {"version": version(desk), "access_code": desk.code, **form}
    answer = desk.post(METHOD, form=whole, method_type=method_type, lang=language)
    assert answer["statusCode"] == 422
    for name in form:
        problem = answer["body"].partition(f'id="{name}-problem">')[2].partition("</p>")[0]
        assert bool(problem) == (name in unfit), name
    assert desk.code not in answer["body"]
    assert trader_of(desk) == before


def test_of_two_tabs_the_second_looks_again(desk: TraderVisit) -> None:
    seen = version(desk)
    assert set_limits(desk, seen, max_open="3")["statusCode"] == 303
    late = set_limits(desk, seen, max_open="4")
    assert late["statusCode"] == 409
    assert "Nothing was saved" in late["body"]
    assert 'value="3"' in late["body"]
    again = set_limits(desk, seen, max_open="3")
    assert again["statusCode"] == 303, "the same form sent twice is done already"
    account = set_method(desk, version=seen)
    assert (account["statusCode"], trader_of(desk).methods) == (409, desk.trader.methods)
    assert len(audit(desk)) == 1


def test_a_change_between_reading_and_writing_is_not_overwritten(
    desk: TraderVisit, meanwhile: Meanwhile
) -> None:
    def lower() -> None:
        now = trader_of(desk)
        desk.seed.put_trader(with_changes(now, max_open=2, version=now.version + 1))

    lowered = meanwhile("trader_desk", lower)
    answer = set_limits(desk, max_open="3")
    assert lowered
    assert answer["statusCode"] == 422, "the operator's new limit is checked before"
    assert (trader_of(desk).own, trader_of(desk).terms.max_open) == (NO_CHOICE, 2)
    changed = meanwhile("trader_desk", lambda: set_limits(desk, daily_cny="100"))
    assert set_limits(desk, max_open="1")["statusCode"] == 409
    assert changed
    assert trader_of(desk).own == OwnLimits(daily_cap_fen=100_00)


def test_a_suspended_trader_changes_nothing(world: World, desk: TraderVisit) -> None:
    seen = version(desk)
    suspend(world, desk.trader.trader_id)
    before = everything(world)
    page = desk.get(SETTINGS, lang="en")
    main = page["body"].partition("<main")[2]
    assert 'type="submit"' not in main
    assert "Suspended" in main
    assert desk.get(METHOD)["statusCode"] == desk.get(REMOVE)["statusCode"] == 303
    code = {"version": seen, "access_code": desk.code}
    for answer in (
        set_limits(desk, seen, max_open="3"),
        set_method(desk),
        desk.post(REMOVE, form=code, lang="en"),
    ):
        assert answer["statusCode"] == 403
        assert "You are suspended" in answer["body"]
    assert everything(world) == before


def test_every_tab_is_told(desk: TraderVisit, monkeypatch: pytest.MonkeyPatch) -> None:
    def told() -> Any:
        return json.loads(desk.get("/trader/status")["body"])["settings"]

    before = told()
    assert before == settings_version(trader_of(desk))
    assert f'data-settings="{before}"' in desk.get("/trader/orders")["body"]
    set_limits(desk, max_open="3")
    assert told() != before
    assert "A receiving account" not in desk.get("/trader/orders", lang="en")["body"]
    set_method(desk)
    for route in ("/trader/orders", SETTINGS):
        assert "A receiving account was changed" in desk.get(route, lang="en")["body"]
    day_ago = replace(trader_of(desk), methods_changed_at=1_800_000_000 - CHANGED_ACCOUNT_SECONDS)
    desk.seed.put_trader(day_ago)
    monkeypatch.setattr("time.time", lambda: 1_800_000_000.0)
    visit = replace(desk)
    visit.log_in()
    assert "A receiving account" not in visit.get("/trader/orders", lang="en")["body"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("method_type", MethodType)
def test_the_form_of_an_account_shows_the_old_one_masked(
    desk: TraderVisit, method_type: MethodType, language: str
) -> None:
    for route in (METHOD, REMOVE):
        page = desk.get(route, method_type=method_type.value, lang=language)
        assert page["statusCode"] == 200
        assert BANK_METHOD.card_number not in page["body"]
        assert 'type="password"' in page["body"]


def test_a_type_that_is_none_leads_back(desk: TraderVisit) -> None:
    for route in (METHOD, REMOVE):
        got = desk.get(route, method_type="cash")
        sent = desk.post(route, form={}, method_type="cash")
        assert (got["statusCode"], sent["statusCode"]) == (303, 303)


def test_what_the_desk_writes_is_never_shown_as_an_operators(desk: TraderVisit) -> None:
    """An attacker who controls the desk's function can write any text to its partition."""
    forged = AuditEntry("1", 1, "arn:aws:iam::1:user/ann", "fund", "t1")
    desk.seed.put(desk.seed.tables.audit, audit_item(forged, "desk#2025-11"))
    (entry,) = AuditStore(desk.seed.client, desk.seed.tables.audit).entries(["2025-11"], 0)
    assert (entry.who, entry.action) == ("trader:t1", "desk.fund")


def send_code(world: World, desk: TraderVisit, content: bytes) -> Answer:
    """Upload a picture of a payment code with the form of a method's page."""
    form = UploadForm.on(desk.get(METHOD, method_type="wechat")["body"])
    back = query_of_return(form.upload(world.transport(), content))
    fields = hidden_fields(desk.get(f"{METHOD}/code", method_type="wechat", **back)["body"])
    return desk.post(f"{METHOD}/code", form=fields, method_type="wechat", lang="en")


def test_a_codes_picture_fills_in_its_text_and_stores_nothing(
    world: World, desk: TraderVisit
) -> None:
    before = trader_of(desk)
    answer = send_code(world, desk, code_picture("wxp://f2f0-a-code"))
    assert answer["statusCode"] == 200
    assert 'value="wxp://f2f0-a-code"' in answer["body"]
    for picture in (samples.png(40, 40), code_picture("https://bank.example/pay/1")):
        refused = send_code(world, desk, picture)
        assert refused["statusCode"] == 422
        assert "has no payment code" in refused["body"]
    assert trader_of(desk) == before
    assert world.files() == {}


@pytest.mark.parametrize(
    "key", ["-", "uploads/code-1/{}/1", "uploads/code-{day}/t0/1", "uploads/B1/payer/1"]
)
def test_only_an_own_upload_of_these_days_is_read(desk: TraderVisit, key: str) -> None:
    day = int(time.time()) // 86_400
    form = {"key": key.format(desk.trader.trader_id, day=day)}
    answer = desk.post(f"{METHOD}/code", form=form, method_type="wechat", lang="en")
    assert answer["statusCode"] == 422
    assert "did not arrive" in answer["body"]


def set_terms(desk: TraderVisit, key: str = "bank", **form: str) -> Answer:
    whole = {"version": version(desk), "on": "1", "daily_cny": "", **form}
    return desk.post(f"{METHOD}/terms", form=whole, method_type=key, lang="en")


def test_a_second_account_stands_beside_the_first_and_is_removed_alone(desk: TraderVisit) -> None:
    assert "methods/bank2?lang=en" in desk.get(SETTINGS, lang="en")["body"]
    assert set_method(desk, BANK, "bank2")["statusCode"] == 303
    first, second = (trader_of(desk).account(key) for key in ("bank", "bank2"))
    assert first is not None
    assert second is not None
    assert (first.card_number, first.account_no) == (BANK_METHOD.card_number, 1)
    assert (second.card_number, second.account_no) == (NEW_CARD, 2)
    assert [entry["details"]["method_type"] for entry in audit(desk)] == ["bank2"]
    form = {"version": version(desk), "access_code": desk.code}
    assert desk.post(REMOVE, form=form, method_type="bank2")["statusCode"] == 303
    assert (trader_of(desk).account("bank"), trader_of(desk).account("bank2")) == (first, None)


def test_an_account_has_a_switch_and_a_daily_cap(world: World, desk: TraderVisit) -> None:
    _, client = world.add_merchant(slot_share=100)
    assert set_terms(desk, daily_cny="1,500.50")["statusCode"] == 303
    assert trader_of(desk).terms_of("bank") == AccountTerms(daily_cap_fen=1500_50)
    assert [client.create(buy()).code for _ in range(2)] == [1, 2101]
    assert "Today: ¥1,000.00 of ¥1,500.50" in desk.get(SETTINGS, lang="en")["body"]
    assert set_terms(desk, on="0", daily_cny="1500.50")["statusCode"] == 303
    assert client.create(buy(cny_amount="10")).code == 2101
    assert '<span class="chip">Off</span>' in desk.get(SETTINGS, lang="en")["body"]
    assert set_terms(desk)["statusCode"] == 303
    assert client.create(buy()).code == 1
    assert next(entry["details"] for entry in audit(desk))["account"] == "bank"


def test_terms_are_refused_with_what_was_typed(desk: TraderVisit) -> None:
    refused = set_terms(desk, daily_cny="much")
    assert refused["statusCode"] == 422
    assert 'value="much"' in refused["body"]
    assert "Enter an amount such as 50000" in refused["body"]
    assert set_terms(desk, daily_cny="0")["statusCode"] == 422
    assert set_terms(desk, version="old", on="0")["statusCode"] == 409
    assert set_terms(desk, "bank6", on="0")["statusCode"] == 303
    assert set_terms(desk, "bank4", on="0")["statusCode"] == 303
    assert trader_of(desk).account_terms == {}


def test_a_suspension_between_reading_and_writing_refuses_the_change(
    desk: TraderVisit, meanwhile: Meanwhile
) -> None:
    def suspend_as_operators_do() -> None:
        now = trader_of(desk)
        gone = replace(now, suspended=True, online=False, version=now.version + 1)
        desk.seed.put_trader(gone)

    done = meanwhile("trader_desk", suspend_as_operators_do)
    assert set_method(desk)["statusCode"] == 403
    assert done
    assert trader_of(desk).methods == desk.trader.methods
    assert audit(desk) == []


def test_a_typed_account_is_made_plain(desk: TraderVisit) -> None:
    bank = {
        **BANK,
        "real_name": "\u200e买买提．艾力\u200b",
        "bank": "工商银行\u3000",
        "card_number": "６２２２ 0299-7654 3210",
    }
    assert set_method(desk, bank)["statusCode"] == 303
    [method] = [each for each in trader_of(desk).methods if each.method_type is MethodType.BANK]
    assert (method.real_name, method.bank) == ("买买提·艾力", "工商银行")
    assert method.card_number == "6222029976543210"
