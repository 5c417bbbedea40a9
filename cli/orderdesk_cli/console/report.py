"""The report of a trading day: charts of its orders, and on request every account's balances."""

from datetime import UTC, date, datetime

from starlette.responses import Response

from orderdesk.domain.ledger.day_report import Day, day_of
from orderdesk.domain.modes import Mode
from orderdesk.domain.money import format_cny
from orderdesk.domain.orders.day_figures import CLASSES_SECONDS, HOURS, PERCENT, DayFigures
from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.traders.trader import DAY_OFFSET_SECONDS
from orderdesk.services.operator.day_figures import orders_of_day
from orderdesk.services.operator.report import DayNotBegun, ReadReport, read_report
from orderdesk_cli.console.charts import Chart, bar_chart
from orderdesk_cli.console.sheets import Action, Cells, Fact, Field, Section, Table, facts, number
from orderdesk_cli.console.visits import Visit
from orderdesk_cli.report_views import MONEY, OTHERS, OWNERS, VOLUME, complaint, rows_of
from orderdesk_cli.reports import trading_date

_MINUTE_SECONDS = 60
_MEDIAN, _MOST = 50, 90


def shown(visit: Visit) -> Response:
    """Show a day's orders in charts; with `books` also what every account did."""
    day, mode, now = _day(visit), _mode(visit), visit.now
    if now < day.start:
        raise DayNotBegun(day)
    figures = DayFigures(day.start)
    for order in orders_of_day(visit.office.order_listing, day):
        if order.mode is mode:
            figures.add(order, now)
    asked = {"date": day.date.isoformat(), "mode": mode.value}
    books = Action("Read the books of this day", visit.to("report", **asked, books="1"))
    section = Section(
        heading=f"Orders created on {day.date.isoformat()} (UTC+8), {mode.value}",
        facts=_facts(figures),
        charts=_charts(figures),
        actions=[] if "books" in visit.query else [books],
    )
    sections = [section, *(_books(visit, day, mode) if "books" in visit.query else [])]
    fields = [
        Field("date", "Trading day (UTC+8)", day.date.isoformat(), kind="date", required=True),
        Field("mode", "Mode", mode.value, [each.value for each in Mode], required=True),
    ]
    return visit.page(
        "sheet.html",
        section="report",
        title="Report",
        sections=sections,
        fields=fields,
        here=visit.to("report"),
    )


def _facts(figures: DayFigures) -> list[Fact]:
    percent, median = figures.completed_percent, figures.confirmed_within(_MEDIAN)
    most = figures.confirmed_within(_MOST)
    counts = {
        status.value: number(str(figures.statuses[status]))
        for status in OrderStatus
        if figures.statuses[status]
    }
    return facts(
        orders=number(str(figures.orders)),
        completed_of_those_that_are_over=number("" if percent is None else f"{percent} %"),
        half_confirmed_within=number(_duration(median)),
        nine_of_ten_within=number(_duration(most)),
        ever_disputed=number(str(sum(figures.disputed))),
        completed_CNY=number(format_cny(sum(figures.completed_fen))),
        **counts,
    )


def _charts(figures: DayFigures) -> list[Chart]:
    hours = [f"{hour:02}" for hour in range(HOURS)]
    ends = [_duration(seconds) for seconds in CLASSES_SECONDS]
    classes = [*(f"≤{end}" for end in ends), f">{ends[-1]}"]
    rates = zip(figures.completed, figures.over, strict=True)
    percents = [done * PERCENT // over if over else 0 for done, over in rates]
    return [
        bar_chart(
            *("Completed volume by hour", "CNY"),
            [
                (hour, fen, format_cny(fen))
                for hour, fen in zip(hours, figures.completed_fen, strict=True)
            ],
        ),
        _counts("Created by hour", hours, figures.created),
        bar_chart(
            *("Completed of those that are over, by hour", "%"),
            [
                (hour, percent, str(percent) if over else "")
                for hour, percent, over in zip(hours, percents, figures.over, strict=True)
            ],
            full=PERCENT,
        ),
        _counts("Time to confirm", classes, figures.confirm_classes()),
        _counts("Disputed by hour of creation", hours, figures.disputed),
    ]


def _counts(name: str, labels: list[str], counts: list[int]) -> Chart:
    rows = [(label, count, str(count)) for label, count in zip(labels, counts, strict=True)]
    return bar_chart(name, "orders", rows)


def _books(visit: Visit, day: Day, mode: Mode) -> list[Section]:
    operator = visit.office.operator
    read = read_report(
        visit.office.day_scan,
        day,
        pause_ms=operator.pause_ms,
        now=operator.now(),
    )
    return [_verdict(read), *_tables(read, mode)]


def _verdict(read: ReadReport) -> Section:
    lines = [[complaint(account)] for account in read.differences]
    moving = ", ".join(account.account_key for account in read.moving)
    return Section(
        heading=f"Accounts that do not close: {len(lines)}" if lines else "Every account closes",
        note=f"In use while they were read, so closing may be off: {moving}" if moving else "",
        tables=[Table("Accounts that do not close", ["difference"], lines, "")] if lines else [],
    )


def _tables(read: ReadReport, mode: Mode) -> list[Section]:
    sections = []
    for kind in (*OWNERS, *OTHERS):
        names = ("id", *VOLUME, *MONEY) if kind in OWNERS else ("id", *MONEY)
        rows: list[Cells] = [
            [row["id"], *(number(row[name]) for name in names[1:])]
            for row in rows_of(read.report, mode, kind)
        ]
        table = Table(f"Accounts: {kind.value}", names, rows, "Nothing.")
        sections.append(Section(heading=kind.value.capitalize(), tables=[table]))
    return sections


def _day(visit: Visit) -> Day:
    """Read the day; today in UTC+8 if none is named. Raises: typer.BadParameter."""
    named = visit.query.get("date")
    return day_of(_today(visit.now) if named is None else date.fromisoformat(trading_date(named)))


def _today(now: int) -> date:
    return datetime.fromtimestamp(now + DAY_OFFSET_SECONDS, UTC).date()


def _mode(visit: Visit) -> Mode:
    return Mode.TEST if visit.query.get("mode") == Mode.TEST.value else Mode.LIVE


def _duration(seconds: int | None) -> str:
    if seconds is None:
        return ""
    minutes, left = divmod(seconds, _MINUTE_SECONDS)
    return f"{minutes}m{left:02}s" if left else f"{minutes}m"
