"""The texts that the identity page needs in every language."""

from collections.abc import Mapping
from dataclasses import dataclass

from orderdesk.web.pages.texts import Notice, SharedTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldTexts:
    """A field's label, its hint, and its problems by slug."""

    label: str
    hint: str
    problems: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityTexts:
    """All texts of the identity page; `notices` by state."""

    shared: SharedTexts
    notices: Mapping[str, Notice]
    fields: Mapping[str, FieldTexts]
    amount: str
    works_until: str
    form_title: str
    problems_title: str
    submit: str
    submit_again: str
    sending: str
    try_again: str
    go_to_payment: str
    watching: str
    not_watching: str
    check_now: str
    privacy_title: str
    privacy: tuple[str, ...]
