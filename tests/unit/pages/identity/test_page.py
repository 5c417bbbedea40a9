"""The identity page in every state and language, for harmless and hostile values."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from aws_lambda_powertools.logging import Logger

from orderdesk.domain.pricing import Mode
from orderdesk.services.orders.complete_draft import IdentityState
from orderdesk.web.pages.frame import Page, answer_page
from orderdesk.web.pages.identity.identity_texts import IdentityTexts
from orderdesk.web.pages.identity.page import FIELDS, SITE, IdentityScene, Provider, identity_page
from orderdesk.web.pages.shared_texts import SharedTexts
from orderdesk.web.pages.texts import Language
from orderdesk.web.pages.values import MerchantView, moment_of
from tests.support.events import proxy_event
from tests.support.identities import identity
from tests.support.orders import IDENTITY_TOKEN, LIFE_SECONDS, held_draft
from tests.support.seen_page import SHOP, Seen

NOW = 1_763_700_000
MAX_BYTES = 60_000
ASKING = [IdentityState.FORM, IdentityState.UNAVAILABLE]
ALIVE = [*ASKING, IdentityState.VERIFYING, IdentityState.VERIFIED]
PAY_URL = "https://pay.example.com/pay/B1/token"
HOSTILE = """"><script>alert(1)</script>' onfocus=x {{ 7*7 }} & 张三"""
logger = Logger(service="test_page_identity", level="CRITICAL")


def show(
    state: IdentityState = IdentityState.FORM,
    language: Language = Language.EN,
    *,
    now: int = NOW,
    mode: Mode = Mode.LIVE,
    values: Mapping[str, str] | None = None,
    problems: Mapping[str, str] | None = None,
    merchant: MerchantView = SHOP,
    provider: Provider = "tencent",
) -> Seen:
    draft = held_draft(NOW, mode=mode)
    names = {"pending_no": draft.pending_no, "token": IDENTITY_TOKEN}
    event = proxy_event("GET", "/identity/{pending_no}/{token}", path_parameters=names)
    event["queryStringParameters"] = {"lang": language.value}

    def route(scene: IdentityScene) -> Page:
        return identity_page(
            draft,
            state,
            replace(scene, now=now),
            merchant=merchant,
            provider=provider,
            values=values or {},
            problems=problems or {},
            pay_url=PAY_URL if state is IdentityState.COMPLETED else None,
        )

    answer = answer_page(event, logger, route, SITE)
    assert answer["statusCode"] == status_of(state, problems)
    headers = answer["headers"]
    assert headers["Cache-Control"] == "no-store"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["X-Content-Type-Options"] == "nosniff"
    return Seen(answer["body"], headers["Content-Security-Policy"])


def status_of(state: IdentityState, problems: Mapping[str, str] | None) -> int:
    if problems:
        return 422
    return 503 if state is IdentityState.UNAVAILABLE else 200


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("state", IdentityState)
def test_every_state_says_what_it_is(state: IdentityState, language: Language) -> None:
    page = show(state, language)
    notice = IdentityTexts(language).notices[state]
    assert f"<h1>{notice.headline}</h1>" in page.html
    assert f"<title>{notice.headline} · orderdesk</title>" in page.html
    assert notice.advice in page.text
    assert "¥1,000.37" in page.text
    assert f'<html lang="{language.tag}">' in page.html
    assert f'data-state="{state.value}"' in page.html
    assert len(page.html.encode()) < MAX_BYTES
    assert page.images == []
    assert page.tags.count("link") == page.tags.count("iframe") == page.tags.count("img") == 0
    assert not {name for name in page.attributes if name.startswith("on") or name == "style"}
    assert "action" not in page.attributes
    assert IDENTITY_TOKEN not in page.html
    [nonce] = set(re.findall(r'nonce="([^"]+)"', page.html))
    assert f"script-src 'nonce-{nonce}'" in page.policy
    assert "form-action 'self'" in page.policy
    assert "frame-ancestors 'none'" in page.policy
    assert "unsafe-inline" not in page.policy


@pytest.mark.parametrize(
    ("state", "language", "shown"),
    [
        (IdentityState.VERIFYING, Language.EN, "Submitted"),
        (IdentityState.VERIFYING, Language.ZH, "提交时间"),
        (IdentityState.VERIFIED, Language.EN, "Confirmed"),
        (IdentityState.VERIFIED, Language.ZH, "验证完成时间"),
    ],
)
def test_a_state_has_the_time_since_which_it_lasts(
    state: IdentityState, language: Language, shown: str
) -> None:
    html = show(state, language, now=NOW + 90).html
    row = html.partition(f"<dt>{shown}</dt>")[2].partition("</div>")[0]
    assert moment_of(NOW, SharedTexts(language)).iso in row


@pytest.mark.parametrize("language", Language)
def test_a_long_value_is_not_shown_back_whole(language: Language) -> None:
    sent = dict.fromkeys(FIELDS, '"' * 2700)
    page = show(language=language, values=sent, problems=dict.fromkeys(FIELDS, "malformed"))
    assert len(page.html.encode()) < MAX_BYTES
    assert page.html.count("&#34;" * 255) == len(FIELDS)
    assert "&#34;" * 256 not in page.html


@pytest.mark.parametrize("state", IdentityState)
def test_only_a_page_that_asks_has_fields(state: IdentityState) -> None:
    page = show(state)
    assert page.tags.count("input") == (3 if state in ASKING else 0)
    assert ("form" in page.tags) == (state in {*ASKING, IdentityState.VERIFIED})
    assert ('role="timer"' in page.html) == (state in ALIVE)
    assert (PAY_URL in page.html) == (state is IdentityState.COMPLETED)
    assert ("noscript" in page.tags) == (state is IdentityState.VERIFYING)


def test_each_field_has_its_keyboard_and_its_autofill() -> None:
    name, card, mobile = re.findall(r"<input [^>]+>", show().html)
    assert 'autocomplete="name"' in name
    assert 'autocomplete="off"' in card
    assert 'inputmode="text"' in card  # phones' number pads have no X
    assert 'autocomplete="tel-national"' in mobile
    assert 'type="tel"' in mobile
    for field in (name, card, mobile):
        assert ' value=""' in field
        assert " required " in field
        assert "aria-invalid" not in field


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("state", ASKING)
@pytest.mark.parametrize("provider", ["none", "sandbox", "tencent"])
def test_consent_and_privacy_stand_above_the_button_and_name_the_provider(
    state: IdentityState, language: Language, provider: Provider
) -> None:
    page, texts = show(state, language, provider=provider), IdentityTexts(language)
    texts_of = {"none": texts.no_provider, "sandbox": texts.sandbox, "tencent": texts.tencent}
    name = texts_of[provider]
    again = state is IdentityState.UNAVAILABLE
    button = texts.submit_again if again else texts.submit
    consent = texts.consent.format(button=button, provider=name)
    assert name in consent
    assert "{" not in page.text
    places = [
        page.html.index(part)
        for part in (texts.privacy_title, name, texts.privacy[2], consent, f">{button}</button>")
    ]
    assert places == sorted(places)
    assert 'id="send" type="submit" aria-describedby="consent"' in page.html


def test_a_form_says_until_when_and_how_long() -> None:
    page = show(now=NOW + 75)
    assert "Time left 1:58:45" in page.text
    # 1 763 707 200 is 2025-11-21 06:40 UTC
    assert 'datetime="2025-11-21T06:40:00Z"' in page.html
    assert "This link works until 21 Nov 2025, 14:40 (Beijing time)" in page.text
    assert f'data-expire="{NOW + LIFE_SECONDS}"' in page.html


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize(
    ("name", "slug"),
    [
        *((name, slug) for name in FIELDS for slug in ("missing", "malformed")),
        ("id_card", "bad_birth_date"),
        ("id_card", "bad_check_digit"),
    ],
)
def test_a_problem_is_tied_to_its_field(name: str, slug: str, language: Language) -> None:
    page = show(language=language, values=identity(), problems={name: slug})
    text = IdentityTexts(language).fields[name].problems[slug]
    assert f'<p class="problem" id="{name}-problem">{text}</p>' in page.html
    [field] = re.findall(rf'<input id="{name}"[^>]+>', page.html)
    assert f'aria-describedby="{name}-hint {name}-problem" aria-invalid="true"' in field
    assert f'<a href="#{name}">' in page.html
    assert page.html.count('aria-invalid="true" data-') == 1
    for value in identity().values():
        assert f'value="{value}"' in page.html


@pytest.mark.parametrize("state", ASKING)
def test_hostile_values_stay_text(state: IdentityState) -> None:
    problems = dict.fromkeys(FIELDS, "malformed") if state is IdentityState.FORM else {}
    expected = show(state, values=dict.fromkeys(FIELDS, "x"), problems=problems)
    page = show(state, values=dict.fromkeys(FIELDS, HOSTILE), problems=problems)
    assert page.tags == expected.tags
    assert page.attributes == expected.attributes
    assert "alert(1)</script>" not in page.html


@pytest.mark.parametrize("language", Language)
def test_the_script_gets_every_problem(language: Language) -> None:
    found = re.findall(r'data-problems="([^"]+)"', show(language=language).html)
    texts = IdentityTexts(language).fields
    decoded = [json.loads(text.replace("&#34;", '"')) for text in found]
    assert decoded == [dict(texts[name].problems) for name in FIELDS]


@pytest.mark.parametrize("language", Language)
def test_a_test_order_says_so(language: Language) -> None:
    warning = SharedTexts(language).test_order
    assert warning in show(language=language, mode=Mode.TEST).text
    assert warning not in show(language=language).text


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("state", IdentityState)
def test_the_page_names_the_merchant_and_leads_back(
    state: IdentityState, language: Language
) -> None:
    page, texts = show(state, language), SharedTexts(language)
    for word in (SHOP.name, SHOP.support, texts.reference, held_draft(NOW).pending_no):
        assert word in page.text
    assert page.html.count('rel="noopener" href="https://shop.example/back?a=1&amp;b=2"') == 1
    assert page.text.count(texts.back_to_merchant) == 1
    is_over = state in {IdentityState.LOCKED, IdentityState.EXPIRED}
    assert ('class="button wide" rel="noopener" href="https://shop.example' in page.html) is is_over


@pytest.mark.parametrize("state", IdentityState)
def test_a_merchant_without_a_name_shows_none(state: IdentityState) -> None:
    page = show(state, merchant=MerchantView())
    assert SharedTexts(Language.EN).support not in page.text
    assert SharedTexts(Language.EN).back_to_merchant not in page.text
