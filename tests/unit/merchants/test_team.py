"""The rules of a merchant's team: invitations, roles, passkeys (contract section 12)."""

from dataclasses import replace

import pytest

from orderdesk.domain.credentials import new_access_code
from orderdesk.domain.ids import token_hash
from orderdesk.domain.merchants.team import (
    INVITATION_SECONDS,
    MEMBERS_MAX,
    PASSKEYS_MAX,
    Invitation,
    InvitationNotFound,
    LastAdmin,
    LastPasskey,
    Member,
    MemberNotFound,
    MemberRole,
    Passkey,
    PasskeyRefused,
    Team,
    TeamFull,
    WrongInvitationCode,
    invited,
    joined,
    uninvited,
    with_passkey,
    with_role,
    with_use,
    without_member,
    without_passkey,
)

NOW = 1_800_000_000


def passkey(name: str, sign_count: int = 1) -> Passkey:
    return Passkey(name, b"key", sign_count, "Chrome", NOW, NOW)


def member(name: str, role: MemberRole, *passkeys: Passkey) -> Member:
    return Member(name, name.title(), role, NOW, passkeys or (passkey(f"{name}-1"),))


def invitation(number: int = 1, role: MemberRole = MemberRole.VIEWER) -> Invitation:
    until = NOW + INVITATION_SECONDS
    return Invitation(f"new{number}", token_hash(f"secret{number}"), "New", role, "Ann", until)


ANN, BOB = member("ann", MemberRole.ADMIN), member("bob", MemberRole.DEVELOPER)
TEAM = Team("m1", (ANN, BOB), version=3)


def test_an_invitation_by_two_people_asks_for_its_code() -> None:
    code = new_access_code(lambda bound: bound - 1)
    asking = replace(invitation(), code_hash=token_hash(code))
    asking.check(code)
    invitation().check("")
    for wrong in ("", code[:-1] + "0"):
        with pytest.raises(WrongInvitationCode):
            asking.check(wrong)


def test_an_invitation_works_once_and_makes_a_member_with_its_role() -> None:
    team = invited(TEAM, invitation(role=MemberRole.FINANCE), NOW)
    after = joined(team, token_hash("secret1"), passkey("new"), NOW + 1)
    made = after.member("new1")
    assert made == Member("new1", "New", MemberRole.FINANCE, NOW + 1, (passkey("new"),))
    assert after.invitations == ()
    with pytest.raises(InvitationNotFound):
        joined(after, token_hash("secret1"), passkey("other"), NOW + 1)


def test_an_invitation_ends_after_24_hours() -> None:
    team = invited(TEAM, invitation(), NOW)
    until = NOW + INVITATION_SECONDS
    assert team.invitation(token_hash("secret1"), until - 1) == invitation()
    with pytest.raises(InvitationNotFound):
        team.invitation(token_hash("secret1"), until)
    assert invited(team, invitation(2), until).invitations == (invitation(2),)


def test_a_withdrawn_or_unknown_invitation_is_not_found() -> None:
    team = invited(TEAM, invitation(), NOW)
    after = uninvited(team, "new1")
    with pytest.raises(InvitationNotFound):
        after.invitation(token_hash("secret1"), NOW)
    with pytest.raises(MemberNotFound):
        uninvited(after, "new1")


def test_members_and_open_invitations_share_the_room() -> None:
    team = TEAM
    for number in range(MEMBERS_MAX - len(TEAM.members)):
        team = invited(team, invitation(number), NOW)
    with pytest.raises(TeamFull):
        invited(team, invitation(99), NOW)
    assert invited(uninvited(team, "new0"), invitation(99), NOW)


def test_a_passkey_is_one_members() -> None:
    team = invited(TEAM, invitation(), NOW)
    with pytest.raises(PasskeyRefused):
        joined(team, token_hash("secret1"), passkey("bob-1"), NOW)
    with pytest.raises(PasskeyRefused):
        with_passkey(team, "ann", passkey("bob-1"))


def test_a_team_keeps_an_admin() -> None:
    with pytest.raises(LastAdmin):
        with_role(TEAM, "ann", MemberRole.VIEWER)
    with pytest.raises(LastAdmin):
        without_member(TEAM, "ann")
    two = with_role(TEAM, "bob", MemberRole.ADMIN)
    assert without_member(two, "ann").members == (replace(BOB, role=MemberRole.ADMIN),)


def test_a_team_that_has_no_admin_yet_can_change() -> None:
    team = Team("m1", (BOB,))
    assert with_role(team, "bob", MemberRole.VIEWER).members[0].role is MemberRole.VIEWER


def test_a_change_leaves_the_other_members() -> None:
    assert with_role(TEAM, "bob", MemberRole.FINANCE).members[0] == ANN
    assert without_member(TEAM, "bob").members == (ANN,)


def test_a_member_has_one_to_five_passkeys() -> None:
    team = TEAM
    for number in range(2, PASSKEYS_MAX + 1):
        team = with_passkey(team, "bob", passkey(f"bob-{number}"))
    with pytest.raises(TeamFull):
        with_passkey(team, "bob", passkey("bob-6"))
    after = without_passkey(team, "bob", passkey("bob-1").passkey_id)
    assert len(after.members[1].passkeys) == PASSKEYS_MAX - 1
    with pytest.raises(LastPasskey):
        without_passkey(TEAM, "bob", passkey("bob-1").passkey_id)
    with pytest.raises(MemberNotFound):
        without_passkey(TEAM, "bob", passkey("ann-1").passkey_id)


@pytest.mark.parametrize(("before", "after"), [(0, 0), (0, 1), (1, 2), (5, 9)])
def test_a_use_is_stored(before: int, after: int) -> None:
    team = Team("m1", (member("bob", MemberRole.VIEWER, passkey("k", before)),))
    used = replace(passkey("k", after), used_at=NOW + 60)
    assert with_use(team, "bob", used).members[0].passkeys == (used,)


@pytest.mark.parametrize(("before", "after"), [(1, 0), (1, 1), (5, 4)])
def test_a_count_that_does_not_grow_can_be_a_copys(before: int, after: int) -> None:
    team = Team("m1", (member("bob", MemberRole.VIEWER, passkey("k", before)),))
    with pytest.raises(PasskeyRefused):
        with_use(team, "bob", passkey("k", after))


@pytest.mark.parametrize(("who", "key"), [("bob", "ann-1"), ("nobody", "bob-1")])
def test_a_revoked_or_foreign_passkey_is_refused(who: str, key: str) -> None:
    with pytest.raises(PasskeyRefused):
        with_use(TEAM, who, passkey(key, 2))


def test_who_is_not_in_the_team_cannot_be_changed() -> None:
    with pytest.raises(MemberNotFound):
        with_role(TEAM, "nobody", MemberRole.ADMIN)
    with pytest.raises(MemberNotFound):
        without_member(TEAM, "nobody")
    with pytest.raises(MemberNotFound):
        with_passkey(TEAM, "nobody", passkey("new"))


def test_nothing_of_a_passkey_or_an_invitation_is_printed() -> None:
    printed = repr(invited(TEAM, invitation(), NOW))
    assert "ann-1" not in printed
    assert token_hash("secret1") not in printed
