"""The overview, which is the portal's first page."""

from dataclasses import dataclass

from orderdesk.domain.money import format_cny
from orderdesk.domain.orders.day_figures import SHOWN_DAYS, MerchantDay
from orderdesk.domain.orders.open_orders import OpenLimit
from orderdesk.domain.times import date_in_china
from orderdesk.services.merchants.overview import LimitUse, OverviewPorts, ShownDay, overview
from orderdesk.web.pages.frame import Page
from orderdesk.web.pages.portal.gate import PORTAL, PortalScene, Routes, portal_page
from orderdesk.web.pages.routing import Route
from orderdesk.web.pages.values import amount_of, moment_of, usdt_of

_MINUTE = 60
_HALF = 50  # percent
_BAR_WIDTH, _BAR_STEP, _CHART_HEIGHT, _LEAST_HEIGHT = 8, 10, 100, 2
_LEAST_TOP_FEN = 1_000
_FEN_LIMITS = frozenset({OpenLimit.CNY, OpenLimit.SELL_CNY})


@dataclass(frozen=True, slots=True)
class FiguresView:
    """Figures as texts; `rate` and `median` are "" without an ended or a confirmed order."""

    orders: str
    cny: str
    rate: str
    median: str


@dataclass(frozen=True, slots=True)
class DayRow:
    """A day in the table and its bar in the chart; `is_counted` is whether it has figures."""

    date: str
    figures: FiguresView
    is_counted: bool
    x: int
    height: int


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """The page."""

    ports: OverviewPorts

    def routes(self) -> Routes:
        """Return the routes."""
        return (Route("GET", PORTAL, self.show),)

    def show(self, scene: PortalScene) -> Page:
        """Show balance, figures, and what needs attention."""
        merchant, links = scene.who.merchant, scene.links
        found = overview(self.ports, merchant, scene.now)
        today = found.days[-1]
        balance, top = found.balance, _top(max(day.figures.completed_fen for day in found.days))
        view = {
            "merchant_id": merchant.merchant_id,
            "name": merchant.terms.display_name or merchant.name,
            "available": usdt_of(balance.available_micro),
            "held": usdt_of(balance.held_micro),
            "deposit": usdt_of(balance.deposit_micro),
            "disputes": found.disputes,
            "disputes_link": links.to("orders", status="disputed", mode="live"),
            "paused": found.paused,
            "near": [_use(each, scene) for each in found.near],
            "counted": None
            if today.counted_at is None
            else moment_of(today.counted_at, scene.texts.shared),
            "today": _figures(today.figures, scene),
            "total": _figures(found.total, scene),
            "missing": sum(
                day.counted_at is None and day.date >= date_in_china(merchant.created_at)
                for day in found.days[:-1]
            ),
            "days": [_day(number, day, top, scene) for number, day in enumerate(found.days)],
            "width": SHOWN_DAYS * _BAR_STEP,
            "height": _CHART_HEIGHT,
            "amounts": [amount_of(part).whole for part in (top, top // 2, 0)],
            "dates": [found.days[at].date.isoformat()[5:] for at in (0, SHOWN_DAYS // 2, -1)],
            "bar": _BAR_WIDTH,
        }
        return portal_page(
            "portal/overview.html", view, links.here(), scene=scene, section="overview"
        )


def _use(use: LimitUse, scene: PortalScene) -> tuple[str, str, str]:
    """Return a limit's name, and how much of how much is used."""
    form = format_cny if use.limit in _FEN_LIMITS else str
    return scene.texts.overview.limits[use.limit], form(use.used), form(use.most)


def _figures(day: MerchantDay, scene: PortalScene) -> FiguresView:
    percent, texts = day.completed_percent, scene.texts.overview
    amount = amount_of(day.completed_fen)
    median = ""
    if day.completing.count:
        seconds = day.completing.within(_HALF)
        within = texts.over_an_hour if seconds is None else texts.within
        median = within.format(minutes=(seconds or 0) // _MINUTE)
    return FiguresView(
        f"{day.orders:,}",
        f"{amount.whole}{amount.fen}",
        "" if percent is None else f"{percent}%",
        median,
    )


def _top(fen: int) -> int:
    """Return the end of the axis in fen: 10, 20 or 50 CNY, or these times a power of ten."""
    top = _LEAST_TOP_FEN
    while True:
        for times in (1, 2, 5):
            if fen <= top * times:
                return top * times
        top *= 10


def _day(number: int, day: ShownDay, top: int, scene: PortalScene) -> DayRow:
    fen = day.figures.completed_fen
    height = max(fen * _CHART_HEIGHT // top, _LEAST_HEIGHT) if fen else 0
    return DayRow(
        date=day.date.isoformat(),
        figures=_figures(day.figures, scene),
        is_counted=day.counted_at is not None,
        x=number * _BAR_STEP,
        height=height,
    )
