"""The overview, which is the portal's first page."""

from orderdesk.web.pages.page import Page
from orderdesk.web.pages.portal.frame import PORTAL, PortalScene, Route, portal_page


def show_overview(scene: PortalScene) -> Page:
    """Show who the merchant is."""
    merchant = scene.who.merchant
    view = {
        "merchant_id": merchant.merchant_id,
        "name": merchant.terms.display_name or merchant.name,
    }
    return portal_page(
        "portal/overview.html",
        view,
        scene.links.here(),
        scene=scene,
        section="overview",
    )


def routes() -> tuple[Route, ...]:
    """Return the routes."""
    return (Route("GET", PORTAL, show_overview),)
