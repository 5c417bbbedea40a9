"""The team's page: invitations, roles, passkeys, sessions, and what is on record."""

import html
import json
import re
from dataclasses import replace

import pytest

from orderdesk.domain.merchants.team import MemberRole
from orderdesk.web.pages.portal import team
from tests.support.portal import Authenticator, PortalVisit
from tests.support.visitors import OWN_PAGE
from tests.support.world import World


@pytest.fixture
def admin(world: World) -> PortalVisit:
    return PortalVisit.of_new_member(world)


def colleague(admin: PortalVisit, role: MemberRole = MemberRole.VIEWER) -> PortalVisit:
    return PortalVisit.of_new_member(admin.seed, role, admin.merchant)


def actions(admin: PortalVisit) -> list[str]:
    """Return the actions of the merchant's audit trail, oldest first."""
    return [entry.action for entry in admin.trail]


def test_an_admin_invites_a_colleague_by_a_link_that_is_shown_once(admin: PortalVisit) -> None:
    answer = admin.confirmed("team/invite", name="李四", role="finance")
    assert answer["statusCode"] == 200
    shown = re.search(r"https://pay\.example\.com/portal/invite/([\w.-]+)", answer["body"])
    assert shown is not None
    assert shown[1] not in admin.get("team")["body"]
    joined = PortalVisit(admin.seed, admin.merchant)
    assert joined.join(shown[1])["statusCode"] == 303
    assert (joined.member.name, joined.member.role) == ("李四", MemberRole.FINANCE)
    assert actions(admin)[-2:] == ["member.invite", "member.join"]
    page = html.unescape(admin.get("team")["body"])
    assert page.count("李四") >= 3
    assert "invited · 李四 · Finance" in " ".join(re.sub("<[^>]+>", "", page).split())


@pytest.mark.parametrize("name", ["", "  ", "x" * 65, "a\u202eb"])
def test_an_unfit_name_is_shown_back(admin: PortalVisit, name: str) -> None:
    answer = admin.confirmed("team/invite", name=name, role="viewer")
    assert answer["statusCode"] == 422
    assert not admin.team.invitations


def test_a_role_is_one_of_four(admin: PortalVisit) -> None:
    assert admin.confirmed("team/invite", name="x", role="owner")["statusCode"] == 400


def test_a_removed_member_is_out_at_once_and_cannot_sign_in(admin: PortalVisit) -> None:
    other = colleague(admin)
    path = f"team/members/{other.member.member_id}/remove"
    assert admin.confirmed(path)["statusCode"] == 303
    assert not other.is_in()
    assert other.log_in()["statusCode"] == 401
    assert admin.confirmed(path)["statusCode"] == 404


def test_the_last_admin_stays(admin: PortalVisit) -> None:
    own = f"team/members/{admin.member.member_id}"
    refused = admin.confirmed(f"{own}/remove")
    assert refused["statusCode"] == 409
    assert "A team needs an admin" in refused["body"]
    assert f"{own}/role" in refused["body"], "the page of the team says so"
    assert admin.confirmed(f"{own}/role", role="viewer")["statusCode"] == 409
    colleague(admin, MemberRole.ADMIN)
    assert admin.confirmed(f"{own}/role", role="viewer")["statusCode"] == 303


def options_of(page: str) -> str:
    found = re.search(r'data-options="([^"]+)"', page)
    assert found is not None
    return html.unescape(found[1])


def test_a_second_passkey_signs_in_and_the_first_can_be_revoked(admin: PortalVisit) -> None:
    asked = admin.confirmed("team/passkeys/new")
    assert asked["statusCode"] == 200
    second = replace(admin, authenticator=Authenticator(), cookie="")
    credential = second.authenticator.register(json.loads(options_of(asked["body"])))
    assert admin.post("team/passkeys", credential=credential)["statusCode"] == 303
    assert second.log_in()["statusCode"] == 303
    first, _ = admin.member.passkeys
    assert second.confirmed(f"team/passkeys/{first.passkey_id}/revoke")["statusCode"] == 303
    assert not admin.is_in()
    assert admin.log_in()["statusCode"] == 401
    [last] = second.member.passkeys
    assert second.confirmed(f"team/passkeys/{last.passkey_id}/revoke")["statusCode"] == 409
    assert actions(admin) == ["member.join", "passkey.add", "member.sign-in", "passkey.revoke"]


def test_a_session_alone_adds_no_passkey(admin: PortalVisit) -> None:
    """A stolen cookie must not become a passkey of the thief."""
    thief = replace(admin, authenticator=Authenticator())
    assert thief.post("team/passkeys/new")["statusCode"] == 403
    options = json.loads(thief.post("challenge")["body"])
    made = {"challenge": options["challenge"], "rp": {"id": options["rpId"]}, "user": {"id": "eA"}}
    answer = thief.post("team/passkeys", credential=thief.authenticator.register(made))
    assert answer["statusCode"] == 403
    assert len(admin.member.passkeys) == 1


def test_sessions_are_ended_by_their_member_and_by_admins(admin: PortalVisit) -> None:
    other = colleague(admin)
    own_id = admin.member.member_id
    [session] = re.findall(rf"team/sessions/{own_id}/(\w+)/end", admin.get("team")["body"])
    ended = f"team/sessions/{own_id}/{session}/end"
    assert ended not in other.get("team")["body"]
    assert other.send("POST", ended, headers=OWN_PAGE)["statusCode"] == 403
    assert admin.is_in()
    assert admin.post(ended)["statusCode"] == 303
    assert not admin.is_in()


def test_the_trail_is_paged_so_that_nothing_leaves_it(
    admin: PortalVisit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(team, "_ENTRIES", 2)
    names = ["李四", "王五", "赵六", "孙七"]
    for name in names:
        admin.confirmed("team/invite", name=name, role="viewer")
    seen, query = list[str](), dict[str, str]()
    for _ in range(2):
        page = admin.get("team", **query)["body"]
        seen += re.findall(r"</b> invited · (\S+)", page)
        [older] = re.findall(r'href="[^"]*team\?before=(\d+)#trail"', page)
        query = {"before": older}
    last = admin.get("team", **query)["body"]
    assert seen == names[::-1]
    assert "</b> joined" in last
    assert "?before=" not in last
    assert admin.get("team", before="x")["body"].count("</b> invited") == 2


def test_an_answer_of_a_colleagues_passkey_confirms_nothing(admin: PortalVisit) -> None:
    other = colleague(admin, MemberRole.ADMIN)
    borrowed = replace(admin, authenticator=other.authenticator)
    assert borrowed.confirmed("team/invite", name="x", role="viewer")["statusCode"] == 403
