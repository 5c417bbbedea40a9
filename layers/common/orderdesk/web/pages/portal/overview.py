"""The overview, which is the portal's first page."""

from dataclasses import dataclass

from orderdesk.domain.money import format_cny
from orderdesk.domain.orders.day_figures import SHOWN_DAYS
from orderdesk.domain.orders.open_orders import OpenLimit
from orderdesk.domain.times import date_in_china
from orderdesk.services.merchants.overview import LimitUse, OverviewPorts, overview
from orderdesk.web.pages.frame import Page
from orderdesk.web.pages.portal.gate import PORTAL, PortalScene, Routes
from orderdesk.web.pages.routing import Route

_BAR_WIDTH, _BAR_STEP, _CHART_HEIGHT, _LEAST_HEIGHT = 8, 10, 100, 2
_LEAST_TOP_FEN = 1_000
_FEN_LIMITS = frozenset({OpenLimit.CNY, OpenLimit.SELL_CNY})


@dataclass(frozen=True, slots=True)
class OverviewPage:
    ports: OverviewPorts

    def routes(self) -> Routes:
        return (Route("GET", PORTAL, self.show),)

    def show(self, scene: PortalScene) -> Page:
        """Show balance, figures, and what needs attention."""
        merchant, links = scene.who.merchant, scene.links
        found = overview(self.ports, merchant, scene.now)
        top = _top(max(day.figures.completed_fen for day in found.days))
        view = {
            "merchant_id": merchant.merchant_id,
            "name": merchant.terms.display_name or merchant.name,
            "found": found,
            "disputes_link": links.to("orders", status="disputed", mode="live"),
            "near": [_use(each, scene) for each in found.near],
            "missing": sum(
                day.counted_at is None and day.date >= date_in_china(merchant.created_at)
                for day in found.days[:-1]
            ),
            "heights": [_height(day.figures.completed_fen, top) for day in found.days],
            "step": _BAR_STEP,
            "width": SHOWN_DAYS * _BAR_STEP,
            "height": _CHART_HEIGHT,
            "amounts": (top, top // 2, 0),
            "dates": [found.days[at].date.isoformat()[5:] for at in (0, SHOWN_DAYS // 2, -1)],
            "bar": _BAR_WIDTH,
        }
        return Page("portal/overview.html", view, links.here(), section="overview")


def _use(use: LimitUse, scene: PortalScene) -> tuple[str, str, str]:
    """Return a limit's name, and how much of how much is used."""
    form = format_cny if use.limit in _FEN_LIMITS else str
    return scene.texts.overview.limits[use.limit], form(use.used), form(use.most)


def _top(fen: int) -> int:
    """Return the end of the axis in fen: 10, 20 or 50 CNY, or these times a power of ten."""
    top = _LEAST_TOP_FEN
    while True:
        for times in (1, 2, 5):
            if fen <= top * times:
                return top * times
        top *= 10


def _height(fen: int, top: int) -> int:
    return max(fen * _CHART_HEIGHT // top, _LEAST_HEIGHT) if fen else 0
