"""A merchant's people change its own terms (contract section 12)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from orderdesk.domain.audit import differences
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.merchants.merchant import Merchant, MerchantTerms
from orderdesk.domain.merchants.own_terms import (
    OwnTermsChange,
    changed_own_terms,
    describe_own_terms,
    own_term_problems,
)
from orderdesk.services.merchants.keys import OwnMerchant
from orderdesk.services.merchants.portal import Browser, PortalPorts, SignedIn
from orderdesk.services.retrying import change_until_committed


@dataclass(frozen=True, slots=True)
class OwnTermsPorts:
    """`allow_loopback` is the deployment's AllowLocalTargets."""

    portal: PortalPorts
    merchants: OwnMerchant
    allow_loopback: bool

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

        change_until_committed(
            lambda: self.merchants.merchant(who.merchant_id),
            changed,
            write,
            self.portal.chance,
            self.portal.pause_ms,
        )
        return ()
