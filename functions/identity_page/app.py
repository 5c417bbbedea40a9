"""GET, POST /identity/{pending_no}/{token}: the customer's page for a held buy order."""

from orderdesk import cold_start

# isort: split
import os
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.logging import Logger
from botocore.session import Session

from orderdesk.adapters.dynamodb.client import dynamodb_client
from orderdesk.adapters.dynamodb.guards import AttemptCounter
from orderdesk.adapters.dynamodb.orders.drafts import DraftStore
from orderdesk.adapters.kms import KmsSecrets
from orderdesk.adapters.system import now_us
from orderdesk.domain.orders.drafts import Draft, DraftStatus
from orderdesk.domain.orders.errors import OrderNotFound
from orderdesk.services.attempt_limits import LINK_POSTS, WRONG_LINKS, require_within
from orderdesk.services.orders.complete_draft import (
    CompleteDraftPorts,
    IdentityForm,
    IdentityState,
    completed_link,
    identity_state,
    open_draft,
    submit_identity,
)
from orderdesk.settings.merchants import IdentityPageSettings
from orderdesk.web.http import Request
from orderdesk.web.merchant.views import pay_url
from orderdesk.web.pages.forms import read_form, require_same_origin
from orderdesk.web.pages.identity.page import FIELDS, identity_page
from orderdesk.web.pages.links import asked_language
from orderdesk.web.pages.merchants import MerchantView, merchant_view
from orderdesk.web.pages.page import Page, SeeOther, answer_page, language_of
from orderdesk.web.pages.templates import load_templates
from orderdesk.wiring.ports import matching_ports, merchant_directory, new_order_store, verify_ports

logger = Logger(use_rfc3339=True)
settings = IdentityPageSettings.read(os.environ)
session = Session()
dynamodb = dynamodb_client(session)
kms = KmsSecrets(session, settings.secrets_key_arn)
attempts = AttemptCounter(dynamodb, settings.guards_table)
load_templates("identity")

directory = merchant_directory(kms, dynamodb, settings)
ports = CompleteDraftPorts(
    drafts=DraftStore(dynamodb, settings.tables),
    verify=verify_ports(session, dynamodb, settings, logger),
    matching=matching_ports(new_order_store(dynamodb, settings), directory, settings),
)
cold_start.over()


def handler(event: Mapping[str, Any], context: object) -> dict[str, Any]:
    """Answer one API Gateway event."""
    return answer_page(event, logger, submit if event["httpMethod"] == "POST" else show)


def show(request: Request, now: int) -> Page:
    """Find and render. It changes nothing, because link previews open the page too."""
    draft = find(request, now)
    state = identity_state(draft, now)
    return identity_page(
        draft,
        state,
        now,
        language_of(request),
        merchant=merchant_of(draft),
        provider=settings.identity_provider,
        pay_url=link_of(request, draft),
    )


def submit(request: Request, now: int) -> Page | SeeOther:
    """Parse, use the attempt, and redirect to the pay page or show the result."""
    require_same_origin(request, settings.public_base_url)
    draft = find(request, now)
    require_within(attempts, LINK_POSTS, draft.pending_no, now)
    values = read_form(request, FIELDS)
    done = submit_identity(draft, IdentityForm(**values), request.request_id, ports, now_us())
    url = None
    if done.order_no is not None and done.pay_token is not None:
        url = pay_url(base_url(request), done.order_no, done.pay_token)
        if done.draft.status is not DraftStatus.COMPLETED:
            return SeeOther(url + asked_language(request))
    sent_back = {} if done.state is IdentityState.VERIFIED else values
    return identity_page(
        done.draft,
        done.state,
        now,
        language_of(request),
        merchant=merchant_of(done.draft),
        provider=settings.identity_provider,
        values=sent_back,
        problems=done.problems,
        pay_url=url and url + asked_language(request),
    )


def find(request: Request, now: int) -> Draft:
    """Find the draft of the link. Raises: OrderNotFound, TooManyRequests, TryAgain."""
    link = request.path_parameters
    try:
        return open_draft(ports.drafts, link["pending_no"], link["token"])
    except OrderNotFound:
        require_within(attempts, WRONG_LINKS, request.source_ip, now)
        raise


def link_of(request: Request, draft: Draft) -> str | None:
    """Give the address of a completed draft's pay page."""
    link = completed_link(draft, ports) if draft.status is DraftStatus.COMPLETED else None
    return link and pay_url(base_url(request), *link) + asked_language(request)


def merchant_of(draft: Draft) -> MerchantView:
    """Give what the page shows of the draft's merchant."""
    return merchant_view(directory.find(draft.merchant_id), draft.return_url)


def base_url(request: Request) -> str:
    """Give the address at which payers reach the pages."""
    return settings.public_base_url or request.stage_url
