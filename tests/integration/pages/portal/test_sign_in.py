"""The portal's invitation, login, sessions and fresh passkeys (contract section 12)."""

import html
import json
import time
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from orderdesk.domain.merchants.team import MemberRole
from orderdesk.services.attempt_limits import LINK_POSTS, PORTAL_LOGINS, PORTAL_LOOKUPS
from orderdesk.services.merchants.portal import CHALLENGE_SECONDS, SESSION_SECONDS, SESSIONS_MAX
from tests.support.portal import Authenticator, PortalVisit, invite
from tests.support.visitors import OWN_PAGE, Answer
from tests.support.world import World


def later(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    now = time.time() + seconds
    monkeypatch.setattr(time, "time", lambda: now)


def to_login(answer: Answer) -> bool:
    location = answer["headers"].get("Location", "")
    return bool(
        answer["statusCode"] == 303 and location.partition("?")[0].rpartition("/")[2] == "login"
    )


def with_plain_cookie(visit: PortalVisit) -> Answer:
    cookie = {"Cookie": f"portal={visit.cookie}"}
    return replace(visit, cookie="").send("GET", "", headers=cookie)


def test_an_invitation_is_used_up_by_the_passkey_and_not_by_a_preview(world: World) -> None:
    visit = PortalVisit(world, world.add_merchant()[0])
    token = invite(world, visit.merchant, MemberRole.FINANCE, "李四")
    for _ in range(3):
        shown = visit.get(f"invite/{token}")
        assert shown["statusCode"] == 200
        assert "李四" in shown["body"]
    answer = visit.join(token)
    assert answer["statusCode"] == 303
    assert answer["headers"]["Location"] == "../../portal"
    assert visit.is_in()
    assert (visit.member.name, visit.member.role) == ("李四", MemberRole.FINANCE)
    second = PortalVisit(world, visit.merchant)
    assert second.join(token)["statusCode"] == 404
    assert second.get(f"invite/{token}")["statusCode"] == 404
    assert len(visit.team.members) == 1


def test_two_posts_with_one_invitation_register_one_passkey(world: World) -> None:
    merchant, _ = world.add_merchant()
    token = invite(world, merchant, MemberRole.ADMIN)
    visits = [PortalVisit(world, merchant) for _ in range(2)]
    asked = [json.loads(visit.post(f"invite/{token}/challenge")["body"]) for visit in visits]
    answers = [
        visit.post(f"invite/{token}", credential=visit.authenticator.register(options))
        for visit, options in zip(visits, asked, strict=True)
    ]
    assert [answer["statusCode"] for answer in answers] == [303, 404]
    assert not visits[1].is_in()


def test_only_hashes_of_tokens_are_stored(world: World) -> None:
    merchant, _ = world.add_merchant()
    waiting = invite(world, merchant, MemberRole.VIEWER)
    visit = PortalVisit.of_new_member(world, merchant=merchant)
    stored = "".join(
        str(world.client.scan(TableName=table)["Items"])
        for table in (world.tables.merchants, world.tables.guards, world.tables.audit)
    )
    assert visit.member.member_id in stored
    for token in (waiting, visit.cookie):
        assert token.rpartition(".")[2] not in stored


def test_the_sign_in_page_says_whom_a_member_asks_after_a_loss(world: World) -> None:
    visit = PortalVisit(world, world.add_merchant()[0])
    english, chinese = (visit.get("login", lang=each)["body"] for each in ("en", "zh"))
    for shown in ("Lost your device?", "ask an admin of your team", "your contact at the operator"):
        assert shown in english, shown
    for shown in ("设备遗失？", "团队中的管理员", "联系平台"):
        assert shown in chinese, shown


def test_the_cookie_follows_the_contract(world: World) -> None:
    visit = PortalVisit.of_new_member(world)
    cookie = visit.log_in()["headers"]["Set-Cookie"]
    parts = {part.strip() for part in cookie.split(";")}
    assert {"HttpOnly", "Secure", "SameSite=Lax", f"Max-Age={SESSION_SECONDS}", "Path=/"} <= parts


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_on_this_machine_the_cookie_is_not_secure(
    world: World, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    monkeypatch.setenv("PUBLIC_BASE_URL", f"http://{host}:4566/_aws/execute-api/orderdesk/v1")
    authenticator = Authenticator(origin=f"http://{host}:4566")
    visit = PortalVisit(world, world.add_merchant()[0], authenticator)
    answer = visit.join(invite(world, visit.merchant, MemberRole.ADMIN))
    assert answer["statusCode"] == 303
    assert answer["headers"]["Set-Cookie"].startswith("portal=")
    assert "Secure" not in answer["headers"]["Set-Cookie"]
    assert visit.is_in()
    assert with_plain_cookie(visit)["statusCode"] == 200


def test_a_cookie_that_a_sibling_domain_can_set_is_no_session(world: World) -> None:
    """A browser takes a `__Host-` cookie from its own host only."""
    visit = PortalVisit.of_new_member(world)
    assert to_login(with_plain_cookie(visit))
    assert visit.is_in()


def test_a_session_ends_after_twelve_hours(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    visit = PortalVisit.of_new_member(world)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + SESSION_SECONDS - 5)
    assert visit.is_in()
    monkeypatch.setattr(time, "time", lambda: now + SESSION_SECONDS + 5)
    assert to_login(visit.get())


def test_a_member_has_few_sessions(world: World) -> None:
    first = PortalVisit.of_new_member(world)
    latest = replace(first, cookie="")
    for _ in range(SESSIONS_MAX):
        assert latest.log_in()["statusCode"] == 303
    assert latest.is_in()
    assert to_login(first.get())


@pytest.mark.parametrize(
    "changes",
    [
        {"verifies": False},
        {"origin": "https://evil.example.com"},
        {"credential_id": b"another"},
        {"user_handle": ""},
    ],
)
def test_a_wrong_answer_of_a_passkey_signs_nobody_in(world: World, changes: dict[str, Any]) -> None:
    visit = PortalVisit.of_new_member(world)
    wrong = replace(visit, authenticator=replace(visit.authenticator, **changes), cookie="")
    assert wrong.log_in()["statusCode"] == 401
    assert not wrong.is_in()


@pytest.mark.parametrize("credential", ["", "{}", "null", "[1]", '{"id":"a"}', "x" * 7000])
def test_a_malformed_answer_signs_nobody_in(world: World, credential: str) -> None:
    visit = PortalVisit(world, world.add_merchant()[0])
    assert visit.post("login", credential=credential)["statusCode"] == 401


@pytest.mark.usefixtures("standing_clock")
def test_an_address_presents_few_wrong_passkeys_and_any_right_one(world: World) -> None:
    visit = PortalVisit.of_new_member(world)
    guest = replace(visit, cookie="")
    statuses = [
        guest.post("login", credential="{}")["statusCode"] for _ in range(PORTAL_LOGINS.most + 1)
    ]
    assert statuses == [401] * PORTAL_LOGINS.most + [429]
    assert guest.post("login", credential="{}")["headers"]["Retry-After"] == "600"
    assert visit.is_in()
    assert guest.log_in()["statusCode"] == 303
    [row] = [r for r in world.items("Guards") if str(r["pk"]).startswith("attempts#portal_login")]
    world.put("Guards", {**row, "attempts": PORTAL_LOOKUPS.most})
    assert guest.log_in()["statusCode"] == 429
    assert replace(guest, source_ip="203.0.113.9").log_in()["statusCode"] == 303


@pytest.mark.usefixtures("standing_clock")
def test_a_neighbours_attempts_keep_no_passkey_and_no_invitation_out(world: World) -> None:
    visit = PortalVisit.of_new_member(world)
    token = invite(world, visit.merchant, MemberRole.VIEWER)
    stranger = replace(visit, cookie="")
    for _ in range(PORTAL_LOGINS.most + 1):
        assert stranger.post("login/challenge")["statusCode"] == 200
        stranger.get("invite/m.x")
        stranger.post("login", credential="{}")
    assert stranger.get("invite/m.x")["statusCode"] == 429
    assert replace(visit, cookie="").log_in()["statusCode"] == 303
    assert replace(visit, cookie="", authenticator=Authenticator()).join(token)["statusCode"] == 303


@pytest.mark.usefixtures("standing_clock")
def test_one_invitation_takes_few_posts(world: World) -> None:
    visit = PortalVisit(world, world.add_merchant()[0])
    token = invite(world, visit.merchant, MemberRole.VIEWER)
    statuses = [
        visit.post(f"invite/{token}/challenge")["statusCode"] for _ in range(LINK_POSTS.most + 1)
    ]
    assert statuses == [200] * LINK_POSTS.most + [429]


def test_a_challenge_is_used_once_within_five_minutes(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    visit = PortalVisit.of_new_member(world)
    visit.cookie = ""
    options = json.loads(visit.post("login/challenge")["body"])
    answer = visit.authenticator.use(options)
    assert visit.post("login", credential=answer)["statusCode"] == 303
    visit.cookie = ""
    again = visit.authenticator.use(options)
    assert visit.post("login", credential=again)["statusCode"] == 401
    late = json.loads(visit.post("login/challenge")["body"])
    later(monkeypatch, CHALLENGE_SECONDS + 5)
    assert visit.post("login", credential=visit.authenticator.use(late))["statusCode"] == 401


def test_a_challenge_is_for_one_purpose(world: World) -> None:
    visit = PortalVisit.of_new_member(world)
    options = json.loads(visit.post("challenge")["body"])
    visit.cookie = ""
    answer = visit.authenticator.use(options)
    assert visit.post("login", credential=answer)["statusCode"] == 401


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_after_the_sign_in_the_page_asked_for_is_shown(world: World, lang: str) -> None:
    visit = PortalVisit.of_new_member(world)
    guest = replace(visit, cookie="")
    asked = guest.get("orders", status="paid", lang=lang)
    query = dict(parse_qsl(urlsplit(asked["headers"]["Location"]).query))
    assert query == {"back": "orders?status=paid", "lang": lang}
    page = guest.get("login", **query)["body"]
    action = f"login?{urlencode(query)}"
    assert f'action="{html.escape(action)}"' in page
    other = f"login?{urlencode({**query, 'lang': {'en': 'zh', 'zh': 'en'}[lang]})}"
    assert f'class="switch" href="{html.escape(other)}"' in page
    refused = guest.send("POST", "login", query=query, headers=OWN_PAGE)
    assert refused["statusCode"] == 401
    assert f'action="{html.escape(action)}"' in refused["body"]
    signed_in = guest.log_in(**query)
    assert signed_in["headers"]["Location"] == f"orders?status=paid&lang={lang}"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_form_without_a_session_says_that_nothing_was_changed(world: World, lang: str) -> None:
    guest = PortalVisit(world, world.add_merchant()[0])
    form = guest.send("POST", "settings/payers", query={"lang": lang}, headers=OWN_PAGE)
    query = dict(parse_qsl(urlsplit(form["headers"]["Location"]).query))
    assert query == {"back": "settings", "lost": "1", "lang": lang}
    page = guest.get("login", **query)["body"]
    assert {"en": "Nothing was changed", "zh": "刚才的操作未生效"}[lang] in page


@pytest.mark.parametrize("token", ["x", "m1.x", "M/..", "m" * 40 + ".x", "merchant.%00"])
def test_a_wrong_link_is_not_found(world: World, token: str) -> None:
    visit = PortalVisit(world, world.add_merchant()[0])
    assert visit.get(f"invite/{token}")["statusCode"] in {303, 404}
