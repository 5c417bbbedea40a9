"""The receivers of the page Callbacks accept an authentic callback, and no other.

FastAPI, Django and Express come from their registries. Next calls a route handler with the types of
the platform, as the test does. Laravel and Symfony run on the few classes that they use here.
Spring's receiver is compiled only.
"""

import json
import os
import re
import shutil
import sqlite3
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from docs.make_signing_vectors import CALLBACK_SECRET
from local.places import VENV_BIN
from local.processes import free_port
from tests.clients.languages import CLIENTS, LANGUAGES
from tests.clients.scripted_server import ScriptedServer, answer
from tests.support.merchant_receiver import signed
from tests.support.programs import printed
from tests.support.template import ROOT

RECEIVERS = ROOT / "docs" / "receivers"
DRIVERS = Path(__file__).with_name("receivers")
BODY = json.dumps({"type": "order.completed", "data": {"merchant_order_no": "订单"}})
EXPRESS = "express@5"
SPRING = {
    "beans/factory/annotation": {"Value": "@interface Value { String value(); }"},
    "web/bind/annotation": {
        "PostMapping": "@interface PostMapping { String value(); }",
        "RequestBody": "@interface RequestBody {}",
        "RequestHeader": "@interface RequestHeader {}",
        "RestController": "@interface RestController {}",
    },
    "http": {
        "HttpHeaders": "abstract class HttpHeaders { public abstract String getFirst(String n); }",
        "ResponseEntity": """abstract class ResponseEntity<T> {
            public interface Builder { <T> ResponseEntity<T> build(); }
            public static Builder noContent() { return null; }
            public static Builder badRequest() { return null; }
        }""",
    },
}


def callbacks() -> str:
    """Return an authentic callback and a forged one, as the drivers read them."""
    headers = signed(BODY, CALLBACK_SECRET)
    return json.dumps([[headers, BODY], [headers, BODY + " "]])


def run(
    *command: str | Path, cwd: Path, text: str = "", more: Mapping[str, str] | None = None
) -> str:
    settings = {
        "ORDERDESK_CALLBACK_SECRET": CALLBACK_SECRET,
        "PORT": str(free_port()),
        "PYTHONPATH": str(CLIENTS / "python"),
    }
    environment = {**os.environ, **settings, **(more or {})}
    return printed(*command, cwd=cwd, env=environment, input=text)


def answers(folder: Path, *command: str | Path, **files: Path) -> list[object]:
    """Run a driver beside the files; return the statuses, and what was handled."""
    for place, file in files.items():
        target = folder / place.replace("__", "/")
        target = target.with_suffix(file.suffix)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, target)
    answered: list[object] = json.loads(run(*command, cwd=folder, text=callbacks()))
    return answered


RIGHT = [[204, 400], [["msg_B1_3", "order.completed"]]]
CLIENT = {language.name: language.files[0] for language in LANGUAGES}


@pytest.mark.parametrize(
    ("name", "packages"), [("fastapi", ["fastapi", "httpx"]), ("django", ["django"])]
)
def test_python(tmp_path: Path, name: str, packages: list[str]) -> None:
    uv: list[str | Path] = [VENV_BIN / "uv", "run", "--no-project", "--python", sys.executable]
    given = [word for package in packages for word in ("--with", package)]
    files = {
        "receiver": RECEIVERS / f"{name}_receiver.py",
        "shop": DRIVERS / "shop.py",
        "driver": DRIVERS / f"drive_{name}.py",
    }
    assert answers(tmp_path, *uv, *given, "driver.py", **files) == RIGHT


@pytest.mark.parametrize(
    ("receiver", "place", "driver"),
    [
        ("express_receiver", "receiver", "drive_express"),
        ("next_route", "app__callbacks__receiver", "drive_next"),
    ],
)
def test_node(tmp_path: Path, receiver: str, place: str, driver: str) -> None:
    if driver == "drive_express":
        run("npm", "install", "--silent", "--no-audit", "--no-fund", EXPRESS, cwd=tmp_path)
    files = {
        "node_modules__orderdesk-client__orderdesk": CLIENT["javascript"],
        "node_modules__orderdesk-client__package": CLIENTS / "javascript" / "package.json",
        place: RECEIVERS / f"{receiver}.mjs",
        "shop": DRIVERS / "shop.mjs",
        "driver": DRIVERS / f"{driver}.mjs",
    }
    assert answers(tmp_path, "node", "driver.mjs", **files) == RIGHT


@pytest.mark.parametrize(
    ("receiver", "place"),
    [("laravel_routes", "receiver"), ("symfony_controller", "Controller__receiver")],
)
def test_php(tmp_path: Path, receiver: str, place: str) -> None:
    files = {
        "Orderdesk": CLIENT["php"],
        place: RECEIVERS / f"{receiver}.php",
        "http_foundation": DRIVERS / "http_foundation.php",
        "driver": DRIVERS / f"drive_{receiver.partition('_')[0]}.php",
    }
    assert answers(tmp_path, "php", "driver.php", **files) == RIGHT


def test_a_shop_order_has_a_number_for_each_payment_attempt(
    tmp_path: Path, server: ScriptedServer
) -> None:
    first = {"order_no": "B1", "status": "pending", "pay_url": "https://pay/1"}
    taken = answer(2001, 409, {"order_no": "B1", "same": True})
    second = {"result_status": "success", **first, "order_no": "B2", "pay_url": "https://pay/2"}
    steps = [
        *(answer(1, 200, {"result_status": "success", **first}), taken, answer(1, 200, first)),
        *(taken, answer(1, 200, {**first, "status": "expired"}), answer(1, 200, second)),
        answer(2101, 409, {"reason": "no_trader_available"}),
    ]
    for name, file in {
        "Orderdesk.php": CLIENT["php"],
        "receiver.php": RECEIVERS / "woocommerce_gateway.php",
        "driver.php": DRIVERS / "drive_woocommerce.php",
    }.items():
        shutil.copy2(file, tmp_path / name)
    more = {"ORDERDESK_BASE_URL": server.play("shop", steps), "VISITS": "4"}
    paid = json.loads(run("php", "driver.php", cwd=tmp_path, more=more))
    urls = [each.get("redirect") for each in paid]
    assert urls == ["https://pay/1", "https://pay/1", "https://pay/2", None]
    created = [each.parameters for each in server.sent["shop"] if each.path.endswith("createOrder")]
    numbers = [each["merchant_order_no"] for each in created]
    assert numbers == ["wc-7-1", "wc-7-1", "wc-7-1", "wc-7-2", "wc-7-2"]
    assert {each["cny_amount"] for each in created} == {"100.50"}
    assert created[0]["metadata"] == {"wc_order": "7"}


def test_spring_compiles(tmp_path: Path) -> None:
    sources = [RECEIVERS / "CallbackController.java", *CLIENT["java"].parent.glob("*.java")]
    for folder, classes in SPRING.items():
        for name, code in classes.items():
            package = "org.springframework." + folder.replace("/", ".")
            source = tmp_path / f"{name}.java"
            source.write_text(f"package {package};\npublic {code}\n")
            sources.append(source)
    shop = tmp_path / "Shop.java"
    shop.write_text(
        "package shop;\ninterface Shop { void handle(String id, orderdesk.Api.Event event); }"
    )
    run("javac", "-Xlint:all", "-Werror", "-d", tmp_path, shop, *sources, cwd=tmp_path)


@pytest.fixture
def shop() -> Iterator[sqlite3.Connection]:
    """Return a shop's database with one order."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as opened:
        columns = "number TEXT, cny_amount DECIMAL(14, 2), status TEXT"
        opened.execute(f"CREATE TABLE shop_orders ({columns})")
        opened.execute("INSERT INTO shop_orders VALUES ('A-1', 100.00, 'new')")
        opened.executescript((RECEIVERS / "store.sql").read_text("utf-8"))
        yield opened


def test_a_callback_is_stored_and_applied_once(shop: sqlite3.Connection) -> None:
    """The page's SQL, as a program that follows its comment."""
    statements = (RECEIVERS / "handle.sql").read_text("utf-8")
    begin, insert, update, commit = filter(None, map(str.strip, statements.split(";")))

    def handle(
        webhook_id: str,
        sequence: int,
        status: str,
        amount: str = "100.00",
        asked: str | None = None,
    ) -> int:
        own = {"merchant_order_no": "A-1", "cny_amount": amount, "requested_cny_amount": asked}
        given = {"webhook_id": webhook_id, "sequence": sequence, "status": status, **own}

        def execute(statement: str) -> int:
            names = re.findall(r":(\w+)", statement)
            return shop.execute(statement, {name: given[name] for name in names}).rowcount

        execute(begin)
        applied = execute(update) if execute(insert) else 0
        execute(commit)
        return applied

    assert handle("msg_2", 2, "paid") == 1
    assert handle("msg_2", 2, "paid") == 0
    assert handle("msg_3", 3, "completed", amount="1.00") == 0
    assert handle("msg_4", 4, "completed") == 1
    assert handle("msg_1", 1, "assigned") == 0
    # Another sum arrived than the asked one, and no discount was allowed.
    assert handle("msg_5", 5, "completed", amount="99.99", asked="100.00") == 0
    shop.execute("UPDATE shop_orders SET max_discount = 0.50")
    assert handle("msg_6", 6, "completed", amount="99.50", asked="100.00") == 1
    assert handle("msg_7", 7, "completed", amount="99.49", asked="100.00") == 0
    assert handle("msg_8", 8, "completed", amount="100.00", asked="100.50") == 0
    assert shop.execute("SELECT status FROM shop_orders").fetchone() == ("completed",)
