"""The identity page: what it shows of a draft, at a time, in a language (contract section 8)."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Literal, assert_never

from orderdesk.domain.orders.drafts import Draft
from orderdesk.services.orders.complete_draft import IdentityState
from orderdesk.web.pages.frame import Page, Site
from orderdesk.web.pages.identity.identity_texts import IdentityTexts
from orderdesk.web.pages.scene import Scene
from orderdesk.web.pages.texts import FieldTexts
from orderdesk.web.pages.values import MerchantView

SITE = Site("/identity/{pending_no}/{token}", IdentityTexts)
FIELDS = ("customer_name", "id_card", "mobile")
NOTHING: Mapping[str, str] = MappingProxyType({})

# Twice the length that a field of the form accepts. A longer value is cut before it is shown
# again, because escaping makes it up to five times as long.
_SHOWN_LENGTH_MAX = 255

type Provider = Literal["none", "sandbox", "tencent"]
"""The identity provider, as the deployment names it."""

type IdentityScene = Scene[IdentityTexts]


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
    texts, (is_alive, is_asking) = scene.texts, _alive_and_asking(state)
    left = max(0, draft.expire_time - scene.now)
    view = {  # what a customer may see of a draft, which has more, such as tokens
        "state": state.value,
        "notice": texts.notices[state],
        "cny_fen": draft.cny_fen,
        "is_test": bool(draft.mode.is_test),
        "now": scene.now,
        "since": draft.updatetime,
        # The time until the draft expires.
        "expire_time": draft.expire_time if is_alive else None,
        "seconds_left": left,
        "whole_seconds": max(draft.expire_time - draft.createtime, left),
        "fields": _fields(texts.fields, values, problems) if is_asking else (),
        "has_problems": bool(problems) and is_asking,
        **_consent(state, texts, provider),
        "pay_url": pay_url,  # set if the order exists
        "pending_no": draft.pending_no,
        "merchant": merchant,
    }
    status = HTTPStatus.OK
    if view["has_problems"]:
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


def _consent(state: IdentityState, texts: IdentityTexts, provider: Provider) -> dict[str, object]:
    """Return the privacy notice, the consent above the button, and the button."""
    name = provider_name(provider, texts)
    button = texts.submit_again if state is IdentityState.UNAVAILABLE else texts.submit
    return {
        "privacy": [point.format(provider=name) for point in texts.privacy],
        "consent": texts.consent.format(provider=name, button=button),
        "button": button,
    }


def _fields(
    texts: Mapping[str, FieldTexts], values: Mapping[str, str], problems: Mapping[str, str]
) -> list[dict[str, object]]:
    """Return each field with its sent value, and what is wrong with it."""
    return [
        {
            "name": name,
            "texts": texts[name],  # those of all problems are for the script's checks
            "value": values.get(name, "")[:_SHOWN_LENGTH_MAX],
            "problem": texts[name].problems[problems[name]] if name in problems else None,
        }
        for name in FIELDS
    ]
