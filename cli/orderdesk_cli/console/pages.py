"""How a page of the console is made: a command of the API, and the sheet that shows its answer."""

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus

from starlette.responses import Response

from orderdesk_cli.api import Refused
from orderdesk_cli.commands import DECLARED, is_done_too
from orderdesk_cli.console import forms
from orderdesk_cli.console.console_texts import Names
from orderdesk_cli.console.forms import Action, Input
from orderdesk_cli.console.site import BadForm, Visit
from orderdesk_cli.language import Language
from orderdesk_cli.sheets.layout import decision_of, duration_text, title_of
from orderdesk_cli.sheets.ledger import CHARTS
from orderdesk_cli.sheets.operators import REPEATED, RESULTS
from orderdesk_cli.sheets.orders import MOVING
from orderdesk_cli.sheets.sheet import (
    Facts,
    Json,
    Kind,
    Label,
    Sheet,
    Table,
    members,
    objects,
    value_at,
)
from orderdesk_cli.sheets.words import WARNINGS

PAGE_SIZE = 50
_KEY_BYTES = 16
_SECTIONS = Names.labels(lambda names: names.sections)
_TITLES = Names.labels(lambda names: names.titles)
_KEY = re.compile(r"[0-9a-f]{32}\Z")
_BEGUN = ("createtime", "created_at", "proposed_at")
"""Where an answer says since when its thing exists."""
_SECTION_OF = {"drafts/{pending_no}": "orders"}
_MAIN = frozenset({Kind.WORD, Kind.MERCHANT, Kind.TRADER, Kind.ORDER, Kind.CALLBACK})
_MAIN_PATHS = frozenset({"cny_amount", "usdt_amount", "available", "held"})

_CHART_WIDTH, _CHART_HEIGHT = 360, 110
_TICKS_MAX = 8


@dataclass(frozen=True, slots=True)
class Page:
    """A page at a path; `{…}` in the path are parameters of its command.

    It asks what the command asks, and has its sheet, unless it has its own. `preset` is what a
    query asks for that does not say otherwise. `below` are pages with a button on this one.
    `beside` is the sheet of a list in the answer, by its name, that is shown above the page if it
    is not empty. `in_parts` is for long answers, whose last part has the result.
    """

    path: str
    command: str
    own_sheet: Sheet | None = None
    asks: str = ""
    preset: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, Json] = field(default_factory=dict)
    actions: Sequence[Action] = ()
    below: Sequence["Page"] = ()
    beside: tuple[str, Sheet] | None = None
    in_parts: bool = False

    @property
    def label(self) -> Label:
        """Its name in the navigation."""
        return _SECTIONS.get(self.path, ("", ""))

    @property
    def title(self) -> Label:
        """Its heading; empty if the answer's sheet has it."""
        return _TITLES.get(self.path, self.label)

    @property
    def sheet(self) -> Sheet:
        return self.own_sheet or DECLARED[self.command].sheet

    @property
    def is_list(self) -> bool:
        """Whether the answer is one page of a list."""
        return self.command in DECLARED and DECLARED[self.command].is_list

    @property
    def filters(self) -> list[Input]:
        """What the page can be asked for."""
        asked = forms.inputs(self.command, self.asks, self.path, self.fixed)
        return [replace(each, value=self.preset.get(each.name, each.value)) for each in asked]

    @property
    def section(self) -> str:
        return _SECTION_OF.get(self.path, self.path.partition("/")[0])

    def parameters(self, visit: Visit) -> dict[str, Json]:
        """Return the parameters that the path contains."""
        return {name: value for name, value in visit.parts.items() if f"{{{name}}}" in self.path}

    def address(self, visit: Visit) -> str:
        """Return the page's path with the values of a visit."""
        return self.path.format_map(visit.parts)

    def answer(self, visit: Visit) -> Mapping[str, Json]:
        filters = self.filters
        sent = {each.name: each.value for each in filters if each.value} | dict(visit.query)
        given = {**self.parameters(visit), **self.fixed, **forms.read_all(filters, sent, visit)}
        if self.is_list:
            given |= {"limit": PAGE_SIZE}
        if self.is_list or self.in_parts:
            given |= {"after": visit.query.get("after")}
        return visit.call(self.command, **given)

    def show(self, visit: Visit) -> Response:
        data, filters = self.answer(visit), self.filters
        is_disputed = data.get("status") == "disputed" and "actions" in data
        decisions = list(self._actions(visit, data)) if is_disputed else []
        values = {
            "section": self.section,
            "title": self.title_of(visit, data),
            "leads": list(_said(visit, data)),
            "filters": [
                replace(each, value=visit.query.get(each.name, each.value)) for each in filters
            ],
            "is_filtered": any(each.name in visit.query for each in filters),
            "here": visit.to(self.address(visit)),
            "drawn": self.drawn(visit, data),
            "charts": list(charts_of(data, visit.language)),
            "pictures": list(pictures_of(visit, data)),
            "actions": [] if decisions else list(self._actions(visit, data)),
            "decisions": decisions,
            **self._pager(visit, data),
        }
        return visit.page("sheet.html", values)

    def drawn(self, visit: Visit, data: Mapping[str, Json]) -> str:
        name, sheet = self.beside or ("", self.sheet)
        above = visit.drawn(sheet, data[name]) if data.get(name) else ""
        if self.is_list and not data.get("items") and data.get("next"):
            return above + visit.words.nothing_yet
        return above + visit.drawn(self.sheet, data.get("items") if self.is_list else data)

    def drawn_briefly(self, visit: Visit, data: Mapping[str, Json]) -> str:
        """Render what an action is about: a proposal whole, of others the main facts, no list."""
        first, *others = self.sheet.parts
        if self.is_list:
            return ""
        if not isinstance(first, Facts) or "before" in data:
            return visit.drawn(self.sheet, data)
        main = [each for each in first.fields if each.kind in _MAIN or each.path in _MAIN_PATHS]
        balances = [each for each in others if isinstance(each, Table) and each.at == "balances"]
        return visit.drawn(Sheet([replace(first, fields=main), *balances]), data)

    def title_of(self, visit: Visit, data: Json) -> str:
        return visit.text(self.title) or title_of(self.sheet, data, visit.view)

    def ask(
        self, action: Action, visit: Visit, problems: Mapping[str, str] | None = None
    ) -> Response:
        """Show what an action will do, its fields and one button.

        With `problems` they are what was wrong in the form that was sent, which keeps its values.
        """
        data = self.answer(replace(visit, query={}))
        if not forms.is_offered(action, data, visit):
            visit.require(action.command)
            return visit.problem(HTTPStatus.CONFLICT, visit.words.refused, [visit.words.not_now])
        own = forms.own_of(action, data)
        present = data if action.fills else {}
        asked = list(forms.allowed_inputs(action, self.path, data, visit))
        names, of_what = {each.name for each in asked}, ""
        if "summary" in data and "command" in data:  # the button of a decision says what it does
            said = decision_of(data, visit.view)
            of_what = f"{(': ', '：')[visit.language]}{said}"
        values = {
            "section": self.section,
            "title": visit.text(action.label),
            "text": visit.text(action.effect),
            "name": self.title_of(visit, data),
            "shown": "" if action.fills else self.drawn_briefly(visit, data),
            "effect": _moved(visit, own),
            "pictures": list(pictures_of(visit, data)) if action.has_pictures else [],
            "inputs": [forms.filled(each, present, visit.form, problems) for each in asked],
            "others": [text for name, text in (problems or {}).items() if name not in names],
            "go": visit.text(action.label) + of_what,
            "look": action.look,
            "back": visit.to(self.address(visit)),
            "key": secrets.token_hex(_KEY_BYTES),
            "seen": {action.seen: data.get(action.seen)} if action.seen else {},
        }
        status = HTTPStatus.UNPROCESSABLE_ENTITY if problems else HTTPStatus.OK
        return visit.page("ask.html", values, status)

    def run(self, action: Action, visit: Visit) -> Response:
        """Run an action; ask again if the form has an error."""
        visit.require(action.command)
        if _KEY.match(visit.form.get("key", "")) is None:
            raise BadForm("key")
        try:
            return self._run(action, visit)
        except BadForm as error:
            return self.ask(action, visit, error.problems)
        except Refused as refused:
            if not refused.is_usage:
                raise
            problems = dict(refused.fields) or {"": refused.detail}
            return self.ask(action, visit, problems)

    def _run(self, action: Action, visit: Visit) -> Response:
        """Run an action; show its proposal or its secrets, or return to the page."""
        key = visit.form["key"]
        given = forms.read_all(action.inputs(self.path), visit.form, visit)
        whose = {} if action.of_orders else self.parameters(visit)
        own: dict[str, Json] = {**whose, "idempotency_key": key}
        seen = {action.seen: visit.form.get(action.seen, "")} if action.seen else {}
        parameters = {**own, **action.fixed, **given, **seen}
        answer = visit.site.api.write(action.command, alone=False, **parameters)
        proposal = answer.get("proposal")
        if isinstance(proposal, Mapping) and not is_done_too(answer):
            return visit.go(f"proposals/{proposal['proposal_no']}", said="waits")
        if not action.of_orders and not action.is_shown:
            said, *_ = [*members(answer.get("warnings")), "done"]
            return visit.go(self.address(visit), said=str(said))
        is_new = action.is_shown and answer.get("repeated") is not True
        sheet = RESULTS if action.of_orders else REPEATED
        values = {
            "section": self.section,
            "title": visit.text(action.label),
            "leads": [visit.words.shown_once] if is_new else [],
            "drawn": visit.drawn(DECLARED[action.command].sheet if is_new else sheet, answer),
            "back": visit.to(self.address(visit)),
        }
        return visit.page("sheet.html", values)

    def _actions(self, visit: Visit, data: Mapping[str, Json]) -> Iterator[dict[str, str]]:
        """Yield what can be done with the page's thing, and what that does to its money."""
        for each in self.actions:
            if forms.is_offered(each, data, visit):
                own = forms.own_of(each, data) if "actions" in data else None
                yield {
                    "link": visit.to(f"{self.address(visit)}/{each.path}"),
                    "text": visit.text(each.label),
                    "look": each.look,
                    "hint": visit.text(each.effect),
                    "effect": _moved(visit, own),
                }
        plain = {"look": "soft", "hint": "", "effect": ""}
        for page in self.below:
            if visit.may(page.command):
                link = visit.to(page.address(visit))
                yield {**plain, "link": link, "text": visit.text(page.label)}
        begun = next((data[name] for name in _BEGUN if name in data), None)
        if begun is not None and visit.may("audit.list"):
            subject = str(data.get(self.path.rpartition("{")[2].rstrip("}")))
            link = visit.to("audit", subject=subject, since=str(begun))
            yield {**plain, "link": link, "text": visit.words.trail}

    def _pager(self, visit: Visit, data: Mapping[str, Json]) -> dict[str, object]:
        asked = {name: value for name, value in visit.query.items() if name != "after"}
        here, next_page = self.address(visit), data.get("next")
        following = visit.to(here, **{**asked, "after": str(next_page)}) if next_page else ""
        if self.in_parts:
            return {"following": following, "progress": data.get("progress")}
        newest = visit.to(here, **asked) if "after" in visit.query else ""
        return {"older": following, "newest": newest}


def _moved(visit: Visit, own: Mapping[str, Json] | None) -> str:
    """Render what an action does to an order's money."""
    return visit.drawn(MOVING, {name: own[name] for name in ("money", "lines")}) if own else ""


def _said(visit: Visit, data: Mapping[str, Json]) -> Iterator[str]:
    """Yield what the last action said, and the answer's own warnings."""
    said = visit.query.get("said")
    shown = [str(each) for each in members(data.get("warnings"))]
    match said:
        case "waits":
            yield visit.words.waits
        case "done":
            yield visit.words.done
        case str() if said in WARNINGS:
            shown = [said, *shown]
    for each in dict.fromkeys(shown):
        yield visit.text(WARNINGS[each])


def pictures_of(visit: Visit, data: Mapping[str, Json]) -> Iterator[dict[str, str]]:
    """Yield the pictures of an order's evidence; their files are read by the console itself."""
    if not visit.may("order.evidence"):
        return
    number = data.get("order_no")
    for nth, each in enumerate(objects(data.get("evidence"))):
        count = len(members(each.get("picture_names")))
        for page in range(count):
            place = f"orders/{number}/evidence/{nth}"
            parts = (each.get("trader_name"), each.get("file_name"), page + 1 if count > 1 else "")
            yield {
                "label": ", ".join(str(part) for part in parts if part),
                "source": visit.to(f"{place}/pages/{page}"),
                "original": visit.to(f"{place}/original"),
            }


def charts_of(data: Json, language: Language) -> Iterator[Mapping[str, object]]:
    """Yield the charts of a day's live orders.

    Each has a name, the largest value, bars (label, value, height), the width of a bar's place, and
    the step between the bars whose label is written below.
    """
    ends = value_at(data, "figures.live.confirm_class_seconds")
    for name, label in CHARTS.items():
        values = value_at(data, f"figures.live.{name}")
        if not isinstance(values, Sequence) or not any(map(_size, values)):
            continue
        labels = [f"{hour:02}" for hour in range(len(values))]
        if name == "confirmed_by_class" and isinstance(ends, Sequence):
            texts = [duration_text(int(str(end)), language) for end in ends]
            labels = [*(f"≤{text}" for text in texts), f">{texts[-1]}"]
        largest = max(map(_size, values))
        heights = [_size(value) * _CHART_HEIGHT // largest for value in values]
        yield {
            "name": label[language],
            "largest": str(max(values, key=_size)),
            "bars": list(zip(labels, values, heights, strict=True)),
            "place": _CHART_WIDTH // len(values),
            "step": -(-len(values) // _TICKS_MAX),
        }


def _size(value: Json) -> int:
    """Return a count, or an amount in its smallest unit."""
    return int(str(value).replace(".", ""))
