"""`account.notice`: what a merchant is notified of when its access changes (contract section 7).

It goes to the default callback address as it was before, so that nobody hides a change by another
address.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from orderdesk.domain.authority import Power
from orderdesk.domain.merchants.merchant import Merchant, MerchantTerms
from orderdesk.domain.merchants.team import Team

OPERATOR = "operator"
"""Who made a change, for a merchant that does not know the operators' names."""

PRICED_TERMS = (
    *("min_cny_fen", "max_cny_fen", "max_open_buys", "max_open_cny_fen"),
    *("max_open_sells", "max_open_sell_cny_fen", "slot_share"),
)
"""The terms whose numbers limit money."""

TERM_POWERS: Mapping[str, Power] = MappingProxyType(
    {
        **dict.fromkeys((*PRICED_TERMS, "fees", "other_sums", "limits_epoch"), Power.PRICE),
        **dict.fromkeys(
            (
                *("identity_required", "callback_url", "require_receipt", "allowed_cidrs"),
                *("events", "display_name", "support", "logo"),
            ),
            Power.ENDPOINT,
        ),
        **dict.fromkeys(("max_rps", "max_callback_rps", "balance_shards"), Power.STOP),
    }
)
"""What a change of each term can do."""


class NoticeKind(StrEnum):
    """What was changed."""

    ENDPOINT = "endpoint"
    PERSON = "person"
    KEY = "key"


FIELDS: Mapping[str, NoticeKind | None] = MappingProxyType(
    {
        "name": NoticeKind.ENDPOINT,
        "addresses": NoticeKind.ENDPOINT,
        "api_key": NoticeKind.KEY,
        "test_api_key": NoticeKind.KEY,
        "more_keys": NoticeKind.KEY,
        "sealed_secrets": NoticeKind.KEY,
        "sealed_test_secrets": NoticeKind.KEY,
        "sealed_callback_secrets": NoticeKind.KEY,
        **dict.fromkeys(("merchant_id", "status", "created_at", "approved", "version")),
    }
)
"""What a change of each field of a merchant is, None for nothing; `terms` have their own table."""


@dataclass(frozen=True, slots=True)
class AccountNotice:
    """A change of a merchant's access.

    `by` is the member's name, or `operator`. `opens_at` is when a recovery's invitation can be
    accepted (Unix seconds), 0 for a change that is in effect.
    """

    kind: NoticeKind
    by: str
    opens_at: int = 0

    @property
    def data(self) -> dict[str, str | int | None]:
        """The fields of the event's data."""
        return {"kind": self.kind.value, "by": self.by, "opens_at": self.opens_at or None}


def changed_term_names(before: MerchantTerms, after: MerchantTerms) -> Iterator[str]:
    """Yield the names of the terms that differ."""
    return (name for name in TERM_POWERS if getattr(before, name) != getattr(after, name))


def merchant_notices(before: Merchant, after: Merchant, by: str) -> list[AccountNotice]:
    """Return the notices of a change of a merchant's item."""
    changed = {
        kind for name, kind in FIELDS.items() if getattr(before, name) != getattr(after, name)
    }
    terms = changed_term_names(before.terms, after.terms)
    if any(TERM_POWERS[name] is Power.ENDPOINT for name in terms):
        changed.add(NoticeKind.ENDPOINT)
    return [AccountNotice(kind, by) for kind in NoticeKind if kind in changed]


def team_notices(before: Team, after: Team, by: str) -> list[AccountNotice]:
    """Return the notices of a change of a merchant's team; the use of a passkey is none."""
    if _people(before) == _people(after):
        return []
    new = [each for each in after.invitations if each not in before.invitations]
    return [AccountNotice(NoticeKind.PERSON, by, max((each.opens_at for each in new), default=0))]


def _people(team: Team) -> list[object]:
    """Return who is, or can become, a member, with which role and passkeys."""
    members: list[object] = [
        (each.member_id, each.role, [passkey.credential_id for passkey in each.passkeys])
        for each in team.members
    ]
    return [*members, *(each.member_id for each in team.invitations)]
