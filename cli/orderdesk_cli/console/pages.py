"""How a page of the console is made: a command of the API, and the sheet that shows its answer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from starlette.responses import Response

from orderdesk_cli.console import forms
from orderdesk_cli.console.forms import Action, Input
from orderdesk_cli.console.site import Visit
from orderdesk_cli.sheets.layout import View, title_of
from orderdesk_cli.sheets.sheet import Json, Label, Sheet, objects

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class Page:
    """A page at a path; `{…}` in the path are parameters of its command."""

    path: str
    section: str
    command: str
    sheet: Sheet
    title: Label = ("", "")
    filters: Sequence[Input] = ()
    fixed: Mapping[str, Json] = field(default_factory=dict)
    actions: Sequence[Action] = ()
    lists: bool = False
    lead: Label = ("", "")

    def parameters(self, visit: Visit) -> dict[str, Json]:
        """Return the parameters that the path contains."""
        return {name: value for name, value in visit.parts.items() if f"{{{name}}}" in self.path}

    def address(self, visit: Visit) -> str:
        """Return the page's path with the values of a visit."""
        return self.path.format_map(visit.parts)

    def answer(self, visit: Visit) -> Mapping[str, Json]:
        """Call the page's command."""
        given = {**self.parameters(visit), **self.fixed}
        given |= forms.read_all(self.filters, visit.query, visit)
        if self.lists:
            given |= {"limit": PAGE_SIZE, "after": visit.query.get("after")}
        return visit.site.api.call(self.command, **given)

    def show(self, visit: Visit) -> Response:
        """Show the page."""
        data = self.answer(visit)
        waits = visit.words.waits if "waits" in visit.query else ""
        return visit.page(
            "sheet.html",
            section=self.section,
            title=self._title(visit, data),
            lead=waits or visit.text(self.lead),
            filters=[
                forms.shown(each, visit.query.get(each.name, each.value), visit)
                for each in self.filters
            ],
            is_filtered=any(each.name in visit.query for each in self.filters),
            here=visit.to(self.address(visit)),
            drawn=self.drawn(visit, data),
            pictures=list(pictures_of(visit, data)),
            actions=list(self._actions(visit, data)),
            **self._pager(visit, data),
        )

    def drawn(self, visit: Visit, data: Mapping[str, Json], *, brief: bool = False) -> str:
        """Render the answer; `brief` only its first part."""
        sheet = Sheet(self.sheet.parts[:1], self.sheet.title) if brief else self.sheet
        empty = self.lists and not data.get("items") and data.get("next")
        if empty:
            return visit.words.nothing_yet
        shown = data.get("items") if self.lists and "items" in data else data
        return visit.drawn(sheet, shown)

    def _title(self, visit: Visit, data: Json) -> str:
        return visit.text(self.title) or title_of(self.sheet, data, View(visit.language))

    def _actions(self, visit: Visit, data: Mapping[str, Json]) -> Iterator[dict[str, str]]:
        possible = None if "actions" not in data else objects(data.get("actions"))
        for each in self.actions:
            fixed = {"command": each.command, "parameters": dict(each.fixed)}
            is_possible = possible is None or any(
                {name: one.get(name) for name in fixed} == fixed for one in possible
            )
            if is_possible and forms.is_offered(each, data, visit):
                link = visit.to(f"{self.address(visit)}/{each.path}")
                yield {"link": link, "text": visit.text(each.label), "look": each.look}

    def _pager(self, visit: Visit, data: Mapping[str, Json]) -> dict[str, str]:
        asked = {name: value for name, value in visit.query.items() if name != "after"}
        here, next_page = self.address(visit), data.get("next")
        return {
            "older": visit.to(here, **asked, after=str(next_page)) if next_page else "",
            "newest": visit.to(here, **asked) if "after" in visit.query else "",
        }


def pictures_of(visit: Visit, data: Mapping[str, Json]) -> Iterator[dict[str, str]]:
    """Yield the pictures of an order's evidence; their files are read by the console itself."""
    number = data.get("order_no")
    for nth, each in enumerate(objects(data.get("evidence"))):
        names = each.get("picture_names")
        count = len(names) if isinstance(names, Sequence) else 0
        for page in range(count):
            place = f"orders/{number}/evidence/{nth}"
            yield {
                "label": f"{each.get('file_name')}" + (f", {page + 1}" if count > 1 else ""),
                "source": visit.to(f"{place}/pages/{page}"),
                "original": visit.to(f"{place}/original"),
            }
