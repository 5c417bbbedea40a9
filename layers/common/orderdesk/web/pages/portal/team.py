"""The team: members, invitations, the member's own passkeys, sessions, the audit trail."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.merchants.team import LastAdmin, LastPasskey, MemberRole, user_handle
from orderdesk.domain.plain_text import NAME_LENGTH_MAX, plain_line, text_problems
from orderdesk.services.merchants.portal import sessions_of
from orderdesk.services.merchants.team import TeamChange
from orderdesk.web.pages.frame import Page, SeeOther, Shown, status_of
from orderdesk.web.pages.portal.gate import ADMINS, PORTAL, PortalGate, PortalScene, Routes
from orderdesk.web.pages.portal.portal_texts import PortalTexts
from orderdesk.web.pages.portal.sign_in import registration
from orderdesk.web.pages.routing import RoleNotAllowed, Route
from orderdesk.web.pages.scene import chosen, read_form
from orderdesk.web.pages.texts import Notice

TEAM = f"{PORTAL}/team"
_MEMBER = f"{TEAM}/members/{{member_id}}"
_ENTRIES = 50
_TIME_US = re.compile(r"[0-9]{1,16}")


@dataclass(frozen=True, slots=True)
class TeamPage:
    """The page and its forms."""

    gate: PortalGate

    def routes(self) -> Routes:
        return (
            Route("GET", TEAM, self.show),
            Route("POST", f"{TEAM}/invite", self.invite, ADMINS, fresh=True),
            Route(
                "POST",
                f"{TEAM}/invitations/{{member_id}}/withdraw",
                self.withdraw,
                ADMINS,
                fresh=True,
            ),
            Route("POST", f"{_MEMBER}/role", self.change_role, ADMINS, fresh=True),
            Route("POST", f"{_MEMBER}/remove", self.remove, ADMINS, fresh=True),
            Route("POST", f"{TEAM}/passkeys/new", self.ask_for_passkey, fresh=True),
            Route("POST", f"{TEAM}/passkeys", self.add_passkey),
            Route("POST", f"{TEAM}/passkeys/{{passkey_id}}/revoke", self.revoke, fresh=True),
            Route("POST", f"{TEAM}/sessions/{{member_id}}/{{session_id}}/end", self.end_session),
        )

    def show(
        self,
        scene: PortalScene,
        *,
        new_link: str = "",
        problem: str = "",
        refused: Notice | None = None,
        status: int = HTTPStatus.OK,
    ) -> Page:
        """Show the team."""
        ports, who = self.gate.ports, scene.who
        team = ports.teams.team(who.merchant_id)
        sessions = sessions_of(ports, team, scene.now)
        entries, older = self._entries(scene)
        view = {
            "may_change": scene.may(tuple(MemberRole)),  # the own passkeys and sessions
            "may_change_all": scene.may(ADMINS),
            "members": team.members,
            "invitations": team.open_invitations(scene.now),
            "sessions": [(each, sessions[each.member_id]) for each in team.members],
            "entries": entries,
            "older": older,
            "new_link": new_link,  # shown once
            "refused": refused,
            "problem": problem,
        }
        here = scene.links.here("team")
        return Page("portal/team.html", view, here, section="team", status=status)

    def invite(self, scene: PortalScene) -> Page:
        """Invite a person, and show the link."""
        form = read_form(scene.request, ("name", "role"))
        name, role = plain_line(form["name"]), chosen(form, "role", MemberRole)
        if not name or text_problems("name", name, NAME_LENGTH_MAX):
            return self.show(scene, problem=scene.texts.team.wrong_name, status=422)
        token = self._change(scene).invite(name, role)
        url = f"{self.gate.pages_url(scene.request)}{PORTAL}/invite/{token}"
        return self.show(scene, new_link=url)

    def withdraw(self, scene: PortalScene) -> SeeOther:
        """Withdraw an invitation."""
        self._change(scene).withdraw(scene.request.path_parameters["member_id"])
        return _to_team(scene)

    def change_role(self, scene: PortalScene) -> Shown:
        """Change a member's role."""
        role = chosen(read_form(scene.request, ("role",)), "role", MemberRole)
        member_id = scene.request.path_parameters["member_id"]
        return self._changed(scene, lambda change: change.change_role(member_id, role))

    def remove(self, scene: PortalScene) -> Shown:
        """Remove a member."""
        member_id = scene.request.path_parameters["member_id"]
        return self._changed(scene, lambda change: change.remove(member_id))

    def ask_for_passkey(self, scene: PortalScene) -> Page:
        """Ask for one more passkey, after the use of one that the member has."""
        who, challenge = scene.who, self._change(scene).begin_passkey()
        options = registration(
            challenge,
            self.gate.party(scene.request),
            user_handle(who.merchant_id, who.member.member_id),
            f"{who.member.name} · {who.merchant.name}",
            tuple(each.credential_id for each in who.member.passkeys),
        )
        view = {"options": json.dumps(options)}
        here = scene.links.here("team")
        return Page("portal/passkey.html", view, here, section="team")

    def add_passkey(self, scene: PortalScene) -> SeeOther:
        """Register one more passkey."""
        self._change(scene).add_passkey(self.gate.presented(scene))
        return _to_team(scene)

    def revoke(self, scene: PortalScene) -> Shown:
        """Revoke a passkey of the member."""
        passkey_id = scene.request.path_parameters["passkey_id"]
        return self._changed(scene, lambda change: change.revoke_passkey(passkey_id))

    def end_session(self, scene: PortalScene) -> SeeOther:
        """End an own session, or as an admin anybody's."""
        names = scene.request.path_parameters
        if names["member_id"] != scene.who.member.member_id and scene.role not in ADMINS:
            raise RoleNotAllowed
        self._change(scene).end_session(names["member_id"], names["session_id"])
        return _to_team(scene)

    def _changed(self, scene: PortalScene, make: Callable[[TeamChange], object]) -> Shown:
        """Make a change and redirect; a team or member that would lose its last one stays."""
        try:
            make(self._change(scene))
        except (LastAdmin, LastPasskey) as refused:
            notice, status = scene.texts.problems[refused.reason], status_of(refused.reason)
            return self.show(scene, refused=notice, status=status)
        return _to_team(scene)

    def _change(self, scene: PortalScene) -> TeamChange:
        return TeamChange(self.gate.ports, scene.who, scene.browser, scene.now)

    def _entries(self, scene: PortalScene) -> tuple[Sequence[tuple[AuditEntry, str]], str | None]:
        """Return a page of the audit trail, newest first, with details, and the link to older ones.

        Entries of the same microsecond are on the same page or on both.
        """
        texts, before = scene.texts, scene.asked("before", _TIME_US)
        until_us = self.gate.ports.now_us() if before is None else int(before) - 1
        merchant_id = scene.who.merchant_id
        found = self.gate.ports.teams.trail(merchant_id, until_us, _ENTRIES + 1)
        rows = [
            (each, " · ".join(_detail(name, value, texts) for name, value in each.details.items()))
            for each in found[:_ENTRIES]
        ]
        if len(found) <= _ENTRIES:
            return rows, None
        return rows, scene.links.to("team", before=str(found[_ENTRIES].at_us + 1))


def _detail(name: str, value: str, texts: PortalTexts) -> str:
    """Return a detail of an entry as the page shows it."""
    if name == "role":
        return texts.roles[MemberRole(value)]
    fields = texts.settings.fields
    return f"{fields[name]}: {value}" if name in fields else value


def _to_team(scene: PortalScene) -> SeeOther:
    return SeeOther(scene.links.to("team"))
