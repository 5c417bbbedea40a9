"""GET, POST /identity/{pending_no}/{token}: the customer's page for a held buy order."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session
from pydantic import Field

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.guards import AttemptCounter
from orderdesk.adapters.dynamodb.orders.drafts import DraftStore
from orderdesk.adapters.kms import KmsSecrets
from orderdesk.adapters.system import now_us
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.services.orders.complete_draft import (
    CompleteDraftPorts,
    IdentityForm,
    IdentityState,
    completed_link,
    identity_state,
    open_draft,
    submit_identity,
)
from orderdesk.settings import S3Settings
from orderdesk.settings.merchants import PlacementSettings
from orderdesk.web.merchant.views import pay_url
from orderdesk.web.pages.frame import Page, SeeOther
from orderdesk.web.pages.identity.identity_texts import IdentityTexts
from orderdesk.web.pages.identity.page import FIELDS, SITE, IdentityScene, identity_page
from orderdesk.web.pages.routing import LinkGate, Route
from orderdesk.web.pages.scene import Scene, read_form
from orderdesk.web.pages.templates import load_templates
from orderdesk.web.pages.values import MerchantView, merchant_view
from orderdesk.wiring.ports import logo_signer, matching_ports, merchant_directory, verify_ports


class IdentityPageSettings(PlacementSettings, S3Settings):
    """Further settings of the identity page: the bucket of the merchants' logos."""

    receipts_bucket: str = Field(min_length=1)


logger = Logger(use_rfc3339=True)
settings = IdentityPageSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
kms = KmsSecrets(session, settings.secrets_key_arn)
load_templates("identity")

directory = merchant_directory(kms, dynamodb, settings.merchants_table, settings.cache_seconds)
drafts = DraftStore(dynamodb, settings.tables)
ports = CompleteDraftPorts(
    drafts=drafts,
    verify=verify_ports(session, dynamodb, settings, logger),
    matching=matching_ports(drafts, dynamodb, directory, settings, session),
)
sign_logo = logo_signer(session, settings.receipts_bucket, emulated=settings.emulated)


@dataclass(frozen=True, slots=True)
class CustomerScene(Scene[IdentityTexts]):
    """A request with the link of a draft."""

    draft: Draft


def opened(guest: IdentityScene) -> CustomerScene:
    """Return the scene of a right link. Raises: OrderNotFound, TryAgain."""
    link = guest.request.path_parameters
    draft = open_draft(ports.drafts, link["pending_no"], link["token"])
    return CustomerScene(*guest.parts, draft)


def show(scene: CustomerScene) -> Page:
    """Return the page. It changes nothing, because link previews open the page too."""
    draft = scene.draft
    return identity_page(
        draft,
        identity_state(draft, scene.now),
        scene,
        merchant=merchant_of(draft),
        provider=settings.identity_provider,
        pay_url=link_of(scene, draft),
    )


def submit(scene: CustomerScene) -> Page | SeeOther:
    """Use the attempt, then redirect to the pay page or show the result."""
    values = read_form(scene.request, FIELDS)
    done = submit_identity(scene.draft, IdentityForm(**values), ports, now_us())
    url = None
    if done.order_no is not None and done.pay_token is not None:
        url = pay_url(base_url(scene), done.order_no, done.pay_token) + scene.links.query
        if done.draft.status is not DraftStatus.COMPLETED:
            return SeeOther(url)
    sent_back = {} if done.state is IdentityState.VERIFIED else values
    return identity_page(
        done.draft,
        done.state,
        scene,
        merchant=merchant_of(done.draft),
        provider=settings.identity_provider,
        values=sent_back,
        problems=done.problems,
        pay_url=url,
    )


def link_of(scene: IdentityScene, draft: Draft) -> str | None:
    """Return the address of a completed draft's pay page; None for any other draft."""
    link = completed_link(draft, ports) if draft.status is DraftStatus.COMPLETED else None
    return link and pay_url(base_url(scene), *link) + scene.links.query


def merchant_of(draft: Draft) -> MerchantView:
    """Return what the page shows of the draft's merchant."""
    merchant = directory.find(draft.merchant_id)
    return merchant_view(merchant, draft.given.return_url, draft.merchant_order_no or "", sign_logo)


def base_url(scene: IdentityScene) -> str:
    """Return the address at which payers reach the pages."""
    return settings.public_base_url or scene.request.stage_url


attempts = AttemptCounter(dynamodb, settings.guards_table)
gate = LinkGate(SITE, attempts, settings.public_base_url, opened, "pending_no")
ROUTES = gate.table(Route("GET", SITE.base, show), Route("POST", SITE.base, submit))
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Handle an API Gateway event."""
    return gate.serve(event, logger)
