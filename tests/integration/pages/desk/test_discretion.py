"""The desk logs no personal data, no access code and no session token."""

import json
from dataclasses import replace

import pytest

from tests.support import receipt_samples as samples
from tests.support.trader import ORDER, TraderVisit
from tests.support.world import World


@pytest.mark.parametrize("log_level", ["INFO", "DEBUG"])
def test_logs_name_no_code_no_token_and_nobody(
    world: World,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    log_level: str,
) -> None:
    monkeypatch.setenv("LOG_LEVEL", log_level)
    trader = TraderVisit.of_new_trader(world)
    buy, sell = trader.buy(), trader.sell()
    capsys.readouterr()
    caplog.set_level(log_level)
    trader.log_in("wrong-access-code")
    trader.log_in()
    for route in ("/trader/orders", "/trader/status", "/trader/history", "/trader/balance"):
        trader.get(route)
    key = trader.upload_fields(sell.order_no)["key"]
    trader.upload(sell.order_no, samples.HTML)
    trader.upload(sell.order_no, samples.png())
    replace(trader, cookie="").come_back(sell.order_no, key)
    for order in (buy, sell):
        trader.get(ORDER, order.order_no)
        trader.post(f"{ORDER}/confirm", order.order_no)
    trader.post("/trader/offline", headers={})
    token = trader.cookie
    trader.post("/trader/logout")
    captured = capsys.readouterr()
    logged = captured.out + captured.err
    assert logged.count('"route"') >= 14
    logged += caplog.text
    methods = [buy.payment_method, sell.payment_method]
    personal = {value for m in methods if m for value in m.fields().values()} - {"bank", ""}
    secrets = {token or "", trader.code, "wrong-access-code", trader.source_ip, trader.trader.name}
    for text in secrets | personal:
        assert text not in logged
        assert json.dumps(text).strip('"') not in logged
