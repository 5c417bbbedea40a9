"""A receipt that finds no place for decoding: its page waits, and tries again by itself."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest

from orderdesk.adapters.dynamodb.keys import Key
from orderdesk.domain.receipts.shares import Place, common_places, own_places
from tests.support import receipt_samples as samples
from tests.support.callback_functions import logged
from tests.support.payer import Payer
from tests.support.template import template
from tests.support.visitors import OWN_PAGE, Answer, hidden_fields
from tests.support.world import ENVIRONMENT, World

CONCURRENCY = int(ENVIRONMENT["DRAWING_CONCURRENCY"])
FOR_EVER_MS = 10**15
REFRESH = re.compile(
    r'<noscript><meta http-equiv="refresh" content="(\d+); url=([^"]+)"></noscript>'
)


def places(payer: Payer) -> list[str]:
    """Return the keys of all places that the order's merchant can use."""
    owner = str(payer.order()["merchant_id"])
    own = [Place(owner, number) for number in range(own_places(50, CONCURRENCY))]
    common = [Place("", number) for number in range(common_places(CONCURRENCY))]
    return [Key.place(place) for place in own + common]


@pytest.fixture
def waiting(world: World, payer: Payer, monkeypatch: pytest.MonkeyPatch) -> Answer:
    """The answer to an upload while all places are taken."""
    renderer = world.cold_start("pay_page").order.ports.receipts.renderer
    monkeypatch.setattr(renderer, "_pause_ms", lambda _: None)
    for key in places(payer):
        world.put(world.tables.guards, {"pk": key, "taken_until": FOR_EVER_MS})
    return payer.upload(samples.png(), lang="zh")


def free(world: World, payer: Payer) -> None:
    for key in places(payer):
        world.put(world.tables.guards, {"pk": key})


def address(answer: Answer) -> dict[str, str]:
    """Return the query of the address that a browser without JavaScript opens next."""
    match = REFRESH.search(answer["body"])
    assert match is not None
    return dict(parse_qsl(urlsplit(unescape(match[2])).query))


def test_the_page_waits_and_nothing_changes(world: World, payer: Payer, waiting: Answer) -> None:
    assert waiting["statusCode"] == 202
    assert "文件已收到" in waiting["body"]
    assert (
        '<form id="sent" action="?again=1&amp;lang=zh" method="post" data-pause="5">'
        in (waiting["body"])
    )
    assert payer.order()["status"] == "pending"
    assert world.files() == {}


def test_a_script_sends_the_form_again(world: World, payer: Payer, waiting: Answer) -> None:
    form = hidden_fields(waiting["body"])
    again = payer.post("/receipt", form=form, again="1", lang="zh")
    assert (again["statusCode"], address(again)["again"]) == (202, "2")
    free(world, payer)
    assert payer.post("/receipt", form=form, again="2")["statusCode"] == 303
    assert payer.order()["status"] == "paid"


def test_without_a_script_the_browser_opens_the_same_address(
    world: World, payer: Payer, waiting: Answer
) -> None:
    query = address(waiting)
    assert query == {"again": "1", "lang": "zh", "key": f"uploads/{payer.order_no}/payer/1"}
    free(world, payer)
    assert payer.send("GET", "/receipt", OWN_PAGE, query)["statusCode"] == 303
    assert payer.order()["status"] == "paid"


@pytest.mark.parametrize("headers", [{}, {"Sec-Fetch-Site": "cross-site"}])
def test_another_site_that_opens_the_address_changes_nothing(
    world: World, payer: Payer, waiting: Answer, headers: dict[str, str]
) -> None:
    free(world, payer)
    page = payer.send("GET", "/receipt", headers, address(waiting))
    assert page["statusCode"] == 200
    assert '<form id="sent"' in page["body"]
    assert payer.order()["status"] == "pending"


def test_the_pauses_grow_to_half_a_minute(payer: Payer, waiting: Answer) -> None:
    pauses, form = list[str](), hidden_fields(waiting["body"])
    query = address(waiting)
    for _ in range(7):
        answer = payer.post("/receipt", form=form, again=query["again"])
        match, query = REFRESH.search(answer["body"]), address(answer)
        assert match is not None
        pauses.append(match[1])
    assert pauses == ["10", "15", "20", "25", "30", "30", "30"]


def test_the_metric_of_the_alarm_counts_the_log_line(
    world: World, payer: Payer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    resources = template()["Resources"]
    filtered = resources["PayPageReceiptsWaiting"]["Properties"]
    alarm = resources["ReceiptsWaitingAlarm"]["Properties"]
    assert filtered["FilterPattern"] == "{ $.waits IS TRUE }"
    assert filtered["LogGroupName"] == {"Ref": "PayPageLogGroup"}
    [counted] = filtered["MetricTransformations"]
    assert counted["MetricName"] == alarm["MetricName"]
    assert alarm["Threshold"] > 1, "quiet if one file waits"
    renderer = world.cold_start("pay_page").order.ports.receipts.renderer
    monkeypatch.setattr(renderer, "_pause_ms", lambda _: None)
    for key in places(payer):
        world.put(world.tables.guards, {"pk": key, "taken_until": FOR_EVER_MS})
    capsys.readouterr()
    for tries in range(1, int(alarm["Threshold"]) + 1):
        payer.upload(samples.png())
        lines = [line for line in logged(capsys.readouterr().out) if line.get("waits") is True]
        assert len(lines) == 1, tries
    free(world, payer)
    payer.upload(samples.png())
    assert not [line for line in logged(capsys.readouterr().out) if "waits" in line]
