"""The texts that the identity page needs in every language."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, assert_never

from orderdesk.services.orders.complete_draft import IdentityState
from orderdesk.web.pages.texts import Notice, SharedTexts


class ByState[T]:
    """One value for each state of the page; a missing one is a type error."""

    def __init__(
        self,
        *,
        form: T,
        verifying: T,
        verified: T,
        unavailable: T,
        locked: T,
        expired: T,
        completed: T,
    ) -> None:
        def of(state: IdentityState) -> T:  # noqa: PLR0911 - one for each
            match state:
                case IdentityState.FORM:
                    return form
                case IdentityState.VERIFYING:
                    return verifying
                case IdentityState.VERIFIED:
                    return verified
                case IdentityState.UNAVAILABLE:
                    return unavailable
                case IdentityState.LOCKED:
                    return locked
                case IdentityState.EXPIRED:
                    return expired
                case IdentityState.COMPLETED:
                    return completed

        self._values = {state: of(state) for state in IdentityState}

    def __getitem__(self, state: IdentityState) -> T:
        return self._values[state]


type Provider = Literal["none", "sandbox", "tencent"]
"""Who verifies identities, as the deployment names it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderNames:
    """What payers are told of a provider, as a part of a sentence."""

    none: str
    sandbox: str
    tencent: str

    def __getitem__(self, provider: Provider) -> str:
        match provider:
            case "none":
                return self.none
            case "sandbox":
                return self.sandbox
            case "tencent":
                return self.tencent
            case _:
                assert_never(provider)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldTexts:
    """A field's label, its hint, and its problems by slug."""

    label: str
    hint: str
    problems: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityTexts:
    """All texts of the identity page; `notices` by state.

    `privacy` and `consent` name the provider; `consent` also names the button.
    """

    shared: SharedTexts
    notices: ByState[Notice]
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
    consent: str
    providers: ProviderNames
