"""Every state of the trader desk in a tab, for pictures and for axe."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from playwright.sync_api import FilePayload, Page

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.adapters.dynamodb.orders.items import order_item
from orderdesk.domain.ids import time_ordered_id
from orderdesk.domain.orders.order import DISPUTE_AFTER_SECONDS, Order, OrderStatus
from orderdesk.domain.pricing import Mode, OrderType
from orderdesk.domain.receipts.places import preview_key
from orderdesk.domain.traders.trader import OwnLimits, Trader
from tests.browser.dispute_story import store_dispute
from tests.browser.site import Site, payment_code_png
from tests.support.orders import CUSTOMERS_WALLET, STATES, desk_order, numbered, proofs
from tests.support.seed import with_changes
from tests.support.trader import add_trader_with_code

_BUY, _SELL = OrderType.BUY, OrderType.SELL
_ELAPSED_SECONDS = 75


def log_in(tab: Page, site: Site, code: str, language: str) -> None:
    """Log a trader in, in a language."""
    tab.goto(f"{site.desk_url}/login?lang={language}")
    tab.locator("#code").fill(code)
    tab.locator("main button[type=submit]").click()
    tab.wait_for_url("**/trader/orders*")


def desk_states(tab: Page, site: Site, language: str) -> Iterator[str]:
    """Show each state in the tab and yield its name."""
    trader, code = add_trader_with_code(
        site.world, name="张三", available_micro=8_204_417_035, held_micro=1_381_978_990
    )
    tab.goto(f"{site.desk_url}/login?lang={language}")
    yield "login"
    tab.locator("#code").fill("wrong")
    tab.locator("main button[type=submit]").click()
    tab.wait_for_selector("[aria-invalid]")
    yield "login-wrong"
    log_in(tab, site, code, language)
    yield "orders-none"
    for name in ("history", "balance"):
        tab.goto(f"{site.desk_url}/{name}?lang={language}")
        yield f"{name}-none"
    yield from _orders(tab, site, trader, language)
    yield from _lists(tab, site, trader, language)
    yield from _asked(tab, site, trader, language)
    yield from _settings(tab, site, trader, language)
    tab.goto(f"{site.desk_url}/orders/B{'0' * 24}?lang={language}")
    yield "not-found"


def _put(site: Site, trader: Trader, order: Order) -> Order:
    order = replace(order, trader_id=trader.trader_id)
    site.world.put("Orders", order_item(order))
    for receipt in order.receipts:
        site.bucket.files[preview_key(receipt.key)] = payment_code_png()
    return order


def _show(tab: Page, site: Site, order: Order, language: str) -> None:
    tab.goto(f"{site.desk_url}/orders/{order.order_no}?lang={language}", wait_until="load")


def _orders(tab: Page, site: Site, trader: Trader, language: str) -> Iterator[str]:
    since = site.now - _ELAPSED_SECONDS
    for side, status in STATES:
        _show(tab, site, _put(site, trader, desk_order(side, status, since)), language)
        yield f"{side.name.lower()}-{status.value}"
    buy = desk_order(_BUY, OrderStatus.PAID, since, mode=Mode.TEST)
    kept = proofs(buy, "image/png", "application/pdf", "image/jpeg")
    _show(tab, site, _put(site, trader, replace(buy, receipts=kept)), language)
    yield "buy-paid-receipts"
    sell = desk_order(_SELL, OrderStatus.ASSIGNED, since, payment_method=CUSTOMERS_WALLET)
    _show(tab, site, _put(site, trader, sell), language)
    yield "sell-assigned-wallet"
    proved = replace(sell, receipts=proofs(sell, "image/png"))
    _show(tab, site, _put(site, trader, proved), language)
    yield "sell-assigned-proved"
    late = desk_order(_SELL, OrderStatus.ASSIGNED, since, expire_time=since)
    _show(tab, site, _put(site, trader, late), language)
    yield "sell-assigned-late"


def _lists(tab: Page, site: Site, trader: Trader, language: str) -> Iterator[str]:
    now = site.now
    site.world.client.delete_item(TableName="Orders", Key={"pk": {"S": desk_number(_BUY)}})
    for number, order in enumerate(
        (
            desk_order(_BUY, OrderStatus.PENDING, now - 820, fen=88_80),
            desk_order(_BUY, OrderStatus.PAID, now - DISPUTE_AFTER_SECONDS, fen=12345_60),
            desk_order(_BUY, OrderStatus.PAID, now - 240, mode=Mode.TEST),
            desk_order(_BUY, OrderStatus.PENDING, now - 600, identity=None),
            desk_order(_BUY, OrderStatus.DISPUTED, now - 9000, fen=500_00),
            desk_order(_SELL, OrderStatus.ASSIGNED, now - 1700, fen=3_000_00),
        ),
        start=10,
    ):
        _put(site, trader, numbered(order, number))
    tab.goto(f"{site.desk_url}/orders?lang={language}")
    yield "orders"
    tab.goto(f"{site.desk_url}/orders?sort=-amount&status=paid&lang={language}")
    yield "orders-arranged"
    tab.goto(f"{site.desk_url}/statement?lang={language}")
    yield "statement"
    rows = ("2099-11-25 09:00:00,张三,1000.37,转账210123", "2099-11-25 09:00:00,李四,12345.60,")
    other = "2099-11-25 09:00:00,王五,990.37,转账888888"
    text = "\n".join(["交易时间,对方户名,收入金额,附言", *rows, other])
    file = FilePayload(name="day.csv", mimeType="text/csv", buffer=text.encode("gb18030"))
    tab.locator("#statement").set_input_files(file)
    tab.locator("#compare [type=submit]").click()
    tab.wait_for_selector("#result")
    yield "statement-compared"
    tab.goto(f"{site.desk_url}/orders?lang={language}")
    tab.locator(".duty button").click()
    tab.wait_for_selector(".duty-off")
    yield "orders-off-duty"
    changed = replace(site.world.trader(trader.trader_id), suspended=True)
    site.world.put_trader(changed)
    tab.goto(f"{site.desk_url}/orders?lang={language}")
    yield "orders-suspended"
    for number in range(21):
        side, status = STATES[number % 2 * 6 + 2] if number % 5 else STATES[3]
        past = desk_order(side, status, now - 3600 * number, fen=100_00 + 977_33 * number)
        past = replace(past, expire_time=now - 3600 * number)
        created = time_ordered_id(past.createtime * 1000, number)
        _put(site, trader, replace(numbered(past, 60 - number), order_id=created))
        _post(site, trader, past, now - 3600 * number)
    for name in ("history", "balance"):
        tab.goto(f"{site.desk_url}/{name}?lang={language}")
        yield name
        tab.locator("[rel=next]").click()
        tab.wait_for_selector(".pager a:not([rel])")
        yield f"{name}-older"
    day = datetime.fromtimestamp(now - 86_400, UTC).date().isoformat()
    until = (datetime.fromtimestamp(now, UTC) + timedelta(1)).date().isoformat()
    for name, query in (
        ("days", f"day={day}&until={until}"),
        ("unfit", "number=1&day=x&amount=ten"),
    ):
        tab.goto(f"{site.desk_url}/history?{query}&lang={language}")
        yield f"history-{name}"


def _asked(tab: Page, site: Site, trader: Trader, language: str) -> Iterator[str]:
    since = site.now - _ELAPSED_SECONDS
    active = replace(site.world.trader(trader.trader_id), suspended=False)
    site.world.put_trader(active)
    buy = _put(site, trader, desk_order(_BUY, OrderStatus.PAID, since))
    sell = desk_order(_SELL, OrderStatus.ASSIGNED, since)
    proven = replace(sell, receipts=proofs(sell, "image/png"))
    for order, parts in (
        (buy, ("confirm", "report")),
        (proven, ("confirm",)),
        (sell, ("decline",)),  # with a proof there is no way back
    ):
        _put(site, trader, order)
        for part in parts:
            name = f"{order.order_type.name.lower()}-{part}"
            tab.goto(f"{site.desk_url}/orders/{order.order_no}/{part}?lang={language}")
            yield f"{name}-asked"
            if part != "report":
                _show(tab, site, order, language)
                tab.locator(f"[data-ask=ask-{part}]").click()
                yield f"{name}-dialog"
    told = store_dispute(site, desk_order(_BUY, OrderStatus.DISPUTED, since))
    _show(tab, site, _put(site, trader, told), language)
    yield "buy-disputed-told"
    _put(site, trader, buy)
    _show(tab, site, buy, language)
    _put(site, trader, desk_order(_BUY, OrderStatus.CANCELLED, since))
    tab.locator("[data-ask=ask-confirm]").click()
    tab.locator("dialog[open] [type=submit]").click()
    tab.locator(".alert[role=alert]").wait_for()
    yield "overtaken"


def _settings(tab: Page, site: Site, trader: Trader, language: str) -> Iterator[str]:
    own = OwnLimits(min_cny_fen=100_00, max_open=5)
    now = with_changes(site.world.trader(trader.trader_id), own=own, max_open=20)
    site.world.put_trader(replace(now, methods=now.methods[:2]))
    tab.goto(f"{site.desk_url}/settings?lang={language}")
    yield "settings"
    tab.locator("#max_open").fill("21")
    tab.locator("[aria-labelledby=limits] [type=submit]").click()
    tab.wait_for_selector("[aria-invalid]")
    yield "settings-unfit"
    for method_type in ("bank", "alipay"):
        tab.goto(f"{site.desk_url}/settings/methods/{method_type}?lang={language}")
        yield f"settings-{method_type}"
    for name in ("account", "real_name", "qr_code", "code"):
        tab.locator(f"#{name}").fill("x")
    tab.locator("main form:not(#upload) [type=submit]").click()
    tab.wait_for_selector("[aria-invalid]")
    yield "settings-alipay-unfit"
    tab.goto(f"{site.desk_url}/settings/methods/bank/remove?lang={language}")
    yield "settings-remove"
    changed = replace(site.world.trader(trader.trader_id), methods_changed_at=site.now)
    site.world.put_trader(changed)
    tab.goto(f"{site.desk_url}/settings?saved=1&lang={language}")
    yield "settings-saved"
    tab.goto(f"{site.desk_url}/orders?lang={language}")
    yield "orders-account-changed"


def desk_number(side: OrderType) -> str:
    """Return the number of a side's sample order."""
    return desk_order(side, OrderStatus.DISPUTED, 0).order_no


def _post(site: Site, trader: Trader, order: Order, at: int) -> None:
    is_buy, kind = order.order_type is _BUY, "settlement" if at // 3600 % 5 else "funding"
    amount = -order.quote.trader_micro if is_buy else order.quote.usdt_micro
    site.world.put(
        "Ledger",
        {
            "pk": f"trader:{trader.trader_id}:live",
            "sk": Key.posting(at * 1_000_000, order.order_no),
            "transfer_id": order.order_no,
            "at_us": at * 1_000_000,
            "kind": kind,
            "amount_micro": amount,
            **({"order_no": order.order_no} if kind == "settlement" else {}),
            "memo": "" if kind == "settlement" else "Topped up by bank transfer 2211",
        },
    )
