"""A merchant's people change its own terms (contract section 12)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from orderdesk.domain.audit import differences
from orderdesk.domain.errors import FieldProblem, NameTaken
from orderdesk.domain.merchants.merchant import Merchant, MerchantTerms
from orderdesk.domain.merchants.own_terms import (
    OwnTermsChange,
    changed_own_terms,
    describe_own_terms,
    own_term_problems,
)
from orderdesk.domain.receipts.files import ReceiptProblem, ReceiptType, UnfitReceipt
from orderdesk.domain.receipts.places import is_logo_upload_of, logo_upload_key
from orderdesk.services.merchants.developers import OwnMerchant
from orderdesk.services.merchants.portal import Browser, PortalPorts, SignedIn
from orderdesk.services.orders.receipts import Renderer, UploadForm, UploadForms
from orderdesk.services.retrying import change_until_committed

LOGO_BYTES_MAX = 512 * 1024
_LOGO_TYPES = {ReceiptType.PNG, ReceiptType.JPEG}


@dataclass(frozen=True, slots=True)
class OwnTermsPorts:
    """`allow_loopback` is the deployment's AllowLocalTargets."""

    portal: PortalPorts
    merchants: OwnMerchant
    uploads: UploadForms
    renderer: Renderer
    allow_loopback: bool

    def logo_form(self, who: SignedIn, return_url: str, now: int) -> UploadForm:
        """Return the form that uploads a logo, and then returns to our page."""
        target = logo_upload_key(who.merchant_id, now)
        return self.uploads.upload_form(target, LOGO_BYTES_MAX, return_url)

    def set_logo(self, who: SignedIn, upload: str, browser: Browser, now: int) -> None:
        """Draw an uploaded file and make it the merchant's logo.

        Raises: UnfitReceipt, TryAgain.
        """
        if not is_logo_upload_of(upload, who.merchant_id, now):
            raise UnfitReceipt(ReceiptProblem.MISSING)
        drawn = self.renderer.render(upload, who.merchant_id)
        if drawn.size_bytes > LOGO_BYTES_MAX:
            raise UnfitReceipt(ReceiptProblem.TOO_LARGE)
        if drawn.content_type not in _LOGO_TYPES:
            raise UnfitReceipt(ReceiptProblem.WRONG_TYPE)
        self.change(who, OwnTermsChange(logo=drawn.key), browser)

    def change(
        self, who: SignedIn, change: OwnTermsChange, browser: Browser
    ) -> Sequence[FieldProblem]:
        """Change terms, with an entry of the merchant's audit trail.

        Return what is wrong with the new values; if anything is, nothing was changed. Other values
        that were stored before are not checked again. Raises: TryAgain.
        """
        alone = changed_own_terms(MerchantTerms(), change)
        problems = [*own_term_problems(alone, allow_loopback=self.allow_loopback)]
        if problems:
            return problems

        def changed(merchant: Merchant) -> Merchant:
            return replace(merchant, terms=changed_own_terms(merchant.terms, change))

        def write(before: Merchant, after: Merchant) -> None:
            name, target = who.member.name, who.merchant_id
            changes = differences(describe_own_terms(before.terms), describe_own_terms(after.terms))
            entry = self.portal.entry(name, "settings.change", target, browser, **changes)
            self.merchants.change_merchant(before, after, entry, self.portal.chance.token())

        try:
            change_until_committed(
                lambda: self.merchants.merchant(who.merchant_id), changed, write, self.portal
            )
        except NameTaken as taken:
            return [taken.problem]
        return ()
