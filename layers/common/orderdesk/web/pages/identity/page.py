"""The identity page: what it shows of a draft, at a time, in a language (contract section 8)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from types import MappingProxyType
from typing import Literal, assert_never

from orderdesk.domain.orders.drafts import Draft
from orderdesk.services.orders.complete_draft import IdentityState
from orderdesk.web.pages.frame import Page, Site
from orderdesk.web.pages.identity.identity_texts import IdentityTexts
from orderdesk.web.pages.scene import Scene
from orderdesk.web.pages.texts import FieldTexts, Notice
from orderdesk.web.pages.values import Amount, MerchantView, Moment, amount_of, clock, moment_of

SITE = Site("/identity/{pending_no}/{token}", IdentityTexts)
FIELDS = ("customer_name", "id_card", "mobile")
NOTHING: Mapping[str, str] = MappingProxyType({})

# Twice the length that a field of the form accepts. A longer value is cut before it is shown
# again, because escaping makes it up to five times as long.
_SHOWN_LENGTH_MAX = 255

type Provider = Literal["none", "sandbox", "tencent"]
"""The identity provider, as the deployment names it."""

type IdentityScene = Scene[IdentityTexts]


@dataclass(frozen=True, slots=True)
class FieldView:
    """A field: its sent value, what is wrong with it, and the texts for its script's checks."""

    name: str
    label: str
    hint: str
    problems: Mapping[str, str]
    value: str = field(repr=False)
    problem: str | None


@dataclass(frozen=True, slots=True)
class Life:
    """The time until the draft expires."""

    ends: Moment
    expire_time: int
    seconds_left: int
    clock: str
    whole_seconds: int


@dataclass(frozen=True, slots=True)
class Consent:
    """The privacy notice and the consent above the button."""

    button: str
    privacy: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class IdentityView:
    """What a customer may see of a draft, which has more, such as tokens.

    `fields` is set if the page asks for them, `pay_url` if the order exists.
    """

    state: str
    notice: Notice
    amount: Amount
    is_test: bool
    now: int
    since: Moment
    life: Life | None
    fields: tuple[FieldView, ...]
    consent: Consent
    pay_url: str | None = field(repr=False)
    pending_no: str
    merchant: MerchantView

    @property
    def has_problems(self) -> bool:
        """Whether a sent value must be corrected."""
        return any(shown.problem for shown in self.fields)


def identity_page(
    draft: Draft,
    state: IdentityState,
    scene: IdentityScene,
    *,
    merchant: MerchantView,
    provider: Provider,
    values: Mapping[str, str] = NOTHING,
    problems: Mapping[str, str] = NOTHING,
    pay_url: str | None = None,
) -> Page:
    """Return the page.

    `values` are the values just sent, shown again for correction. `problems` are slugs by field.
    """
    texts, now = scene.texts, scene.now
    alive, asking = _alive_and_asking(state)
    view = IdentityView(
        state=state.value,
        notice=texts.notices[state],
        amount=amount_of(draft.cny_fen),
        is_test=bool(draft.mode.is_test),
        now=now,
        since=moment_of(draft.updatetime, texts.shared),
        life=_life(draft, now, moment_of(draft.expire_time, texts.shared)) if alive else None,
        fields=_fields(texts.fields, values, problems) if asking else (),
        consent=_consent(state, texts, provider),
        pay_url=pay_url,
        pending_no=draft.pending_no,
        merchant=merchant,
    )
    status = HTTPStatus.OK
    if view.has_problems:
        status = HTTPStatus.UNPROCESSABLE_CONTENT
    elif state is IdentityState.UNAVAILABLE:
        status = HTTPStatus.SERVICE_UNAVAILABLE
    origins = merchant.image_origins
    return Page("identity/page.html", view, status=status, image_origins=origins)


def _alive_and_asking(state: IdentityState) -> tuple[bool, bool]:
    """Return whether the draft has not ended, and whether the page asks for the factors."""
    match state:
        case IdentityState.FORM | IdentityState.UNAVAILABLE:
            return True, True
        case IdentityState.VERIFYING | IdentityState.VERIFIED:
            return True, False
        case IdentityState.LOCKED | IdentityState.EXPIRED | IdentityState.COMPLETED:
            return False, False


def provider_name(provider: Provider, texts: IdentityTexts) -> str:
    """Return a provider's name, as a part of a sentence."""
    match provider:
        case "none":
            return texts.no_provider
        case "sandbox":
            return texts.sandbox
        case "tencent":
            return texts.tencent
        case _:
            assert_never(provider)


def _consent(state: IdentityState, texts: IdentityTexts, provider: Provider) -> Consent:
    name = provider_name(provider, texts)
    button = texts.submit_again if state is IdentityState.UNAVAILABLE else texts.submit
    return Consent(
        button=button,
        privacy=tuple(point.format(provider=name) for point in texts.privacy),
        text=texts.consent.format(provider=name, button=button),
    )


def _life(draft: Draft, now: int, ends: Moment) -> Life:
    left = max(0, draft.expire_time - now)
    return Life(
        ends=ends,
        expire_time=draft.expire_time,
        seconds_left=left,
        clock=clock(left),
        whole_seconds=max(draft.expire_time - draft.createtime, left),
    )


def _fields(
    texts: Mapping[str, FieldTexts], values: Mapping[str, str], problems: Mapping[str, str]
) -> tuple[FieldView, ...]:
    return tuple(
        FieldView(
            name=name,
            label=texts[name].label,
            hint=texts[name].hint,
            problems=texts[name].problems,
            value=values.get(name, "")[:_SHOWN_LENGTH_MAX],
            problem=texts[name].problems[problems[name]] if name in problems else None,
        )
        for name in FIELDS
    )
