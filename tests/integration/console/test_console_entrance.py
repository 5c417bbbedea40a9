"""Access to the console: one browser, once, on this machine, from the console's own pages."""

import socket
import threading
from urllib.parse import urlsplit

import httpx
import pytest

from orderdesk_cli.api import Refused
from orderdesk_cli.console.entrance import COOKIE
from orderdesk_cli.console.server import Console, opened
from tests.support.console_guest import Guest
from tests.support.offices import Terminal, api_on
from tests.support.world import World


def ask(url: str, method: str = "GET", **headers: str) -> httpx.Response:
    return httpx.request(method, url, headers=headers, trust_env=False, timeout=None)


def with_cookie(guest: Guest, **headers: str) -> dict[str, str]:
    return {"Cookie": f"{COOKIE}={guest.client.cookies[COOKIE]}", **headers}


def test_the_address_opens_once(console: Console) -> None:
    first = ask(console.url)
    assert first.status_code == 303
    cookie = first.headers["set-cookie"]
    root = f"/{urlsplit(console.url).path.split('/')[1]}"
    assert cookie.split("; ", 1)[1] == f"HttpOnly; Path={root}; SameSite=strict"
    again = ask(console.url)
    assert (again.status_code, "set-cookie" in again.headers) == (403, False)
    assert "used before" in again.text


def test_of_many_that_use_it_at_once_one_gets_in(console: Console) -> None:
    statuses: list[int] = []
    threads = [
        threading.Thread(target=lambda: statuses.append(ask(console.url).status_code))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [303, *[403] * 7]


def test_a_wrong_token_does_not_use_it_up(console: Console) -> None:
    assert ask(f"{console.url}x").status_code == 403
    assert ask(console.url, "HEAD").status_code == 401
    assert ask(console.url).status_code == 303


def test_nothing_without_the_cookie(guest: Guest) -> None:
    for path in ("", "orders", "disputes", "nowhere", "orders/B1/evidence/0/original"):
        assert ask(f"{guest.root}/{path}").status_code == 401
    wrong = ask(f"{guest.root}/orders", Cookie=f"{COOKIE}=wrong")
    assert (wrong.status_code, "orders" in wrong.text) == (401, False)
    assert ask(f"{guest.origin}/orders", **with_cookie(guest)).status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "localhost", "127.0.0.1", "127.0.0.1:1", ""])
def test_another_host_is_refused(guest: Guest, host: str) -> None:
    answer = ask(f"{guest.root}/orders", **with_cookie(guest, Host=host))
    assert answer.status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "https://evil.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost"},
        {"Origin": "OWN", "Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_of_another_page_is_refused(guest: Guest, headers: dict[str, str]) -> None:
    sent = {name: value.replace("OWN", guest.origin) for name, value in headers.items()}
    answer = ask(f"{guest.root}/proposals/P1/approve", "POST", **with_cookie(guest, **sent))
    assert answer.status_code == 403
    assert "page of this console" in answer.text


def test_the_headers_of_every_answer(console: Console, guest: Guest) -> None:
    answers = [guest.get("orders"), guest.get("nowhere"), ask(console.url), ask(guest.root)]
    assert [answer.status_code for answer in answers] == [200, 404, 403, 401]
    for answer in answers:
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "server" not in answer.headers


def test_it_listens_on_the_loopback_address_only(console: Console) -> None:
    host, port = console._listener.getsockname()
    assert host == "127.0.0.1"
    with socket.socket() as other:
        # Free, as it would not be if the console listened on all addresses.
        other.bind(("127.0.0.2", port))


def test_a_port_that_is_taken_is_told(console: Console, world: World) -> None:
    port = console._listener.getsockname()[1]
    with pytest.raises(Refused, match=f"cannot listen on 127.0.0.1:{port}"):
        opened(api_on(world), port)


def test_a_large_form_is_refused(guest: Guest) -> None:
    assert guest.post("proposals/P1/reject", reason="x" * 100_000).status_code == 413


def test_the_command_prints_the_address_and_nothing_else(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Console, "serve", lambda self: self._listener.close())
    terminal = Terminal(world)
    told = terminal.json("console")
    assert list(told) == ["url"]
    assert told["url"].startswith("http://127.0.0.1:")
    shown = terminal.run("console")
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert "http://127.0.0.1:" in shown.stdout
