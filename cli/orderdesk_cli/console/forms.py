"""The console's forms: inputs, and actions that are asked about before they run."""

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Protocol

from starlette.responses import Response

from orderdesk_cli.console.site import BadForm, Visit
from orderdesk_cli.options import MODES, SIDES, since, until
from orderdesk_cli.sheets.operators import REPEATED
from orderdesk_cli.sheets.orders import MOVING
from orderdesk_cli.sheets.sheet import Json, Label, Sheet, objects
from orderdesk_cli.sheets.words import CHINESE, STATUSES, label_of

_KEY_BYTES = 16
_KEY = re.compile(r"[0-9a-f]{32}\Z")
_WAS = "was-"


@dataclass(frozen=True, slots=True)
class Input:
    """A field of a form; `name` is the API parameter. `choices` are values with their labels."""

    name: str
    label: Label
    choices: Sequence[tuple[str, Label]] = ()
    hint: Label = ("", "")
    required: bool = False
    read: Callable[[str], Json] = str
    kind: str = "text"
    value: str = ""


_CHOICES = {
    "mode": MODES,
    "order_type": SIDES,
    "status": STATUSES,
    "to": ("payer", "trader", "both"),
}
_FLAGS = frozenset({"identity", "is_test", "open_only", "require_receipt", "unique_amounts"})
_YES_NO = (("yes", ("yes", "是")), ("no", ("no", "否")))


def inputs(names: str) -> list[Input]:
    """Return inputs by the names of their labels, with spaces between.

    One with an exclamation mark is required. What follows a colon is only part of the label's name.
    """
    return [_input(each.rstrip("!"), required=each.endswith("!")) for each in names.split()]


def _input(label_name: str, *, required: bool) -> Input:
    name = label_name.partition(":")[0]
    english, chinese = label_of(label_name)
    made = Input(name, (english[:1].upper() + english[1:], chinese), required=required)
    match name:
        case "since":
            hint = ("2026-01-31, 24h, 7d", "2026-01-31、24h、7d")
            return replace(made, hint=hint, read=since)
        case "until":
            return replace(made, read=until)
        case "date":
            return replace(made, kind="date")
        case _ if name in _FLAGS:
            return replace(made, choices=_YES_NO, read=lambda text: text == "yes")
    choices = [(value, (value, CHINESE[value])) for value in _CHOICES.get(name, ())]
    return replace(made, choices=choices)


def read_all(inputs: Sequence[Input], sent: Mapping[str, str], visit: Visit) -> dict[str, Json]:
    """Return the API parameters of a form or query; a present value that was left is not sent.

    Raises: BadForm, click.BadParameter.
    """
    missing = [visit.text(each.label) for each in inputs if each.required and each.name not in sent]
    if missing:
        raise BadForm(f"{', '.join(missing)}: {visit.words.required}")
    return {
        each.name: each.read(sent[each.name]) if each.name in sent else ""
        for each in inputs
        if sent.get(each.name) != sent.get(f"{_WAS}{each.name}")
    }


@dataclass(frozen=True, slots=True)
class Action:
    """A command that changes something.

    `asks` has the names of its inputs. It is offered in `states` of the page's thing, always if
    empty, and to its `proposer`, to others or to both (None). With `fills` the inputs show the
    present values. `answer` is the sheet of an answer with secrets.
    """

    command: str
    label: Label
    asks: str = ""
    text: Label = ("", "")
    look: str = "soft"
    states: str = ""
    name: str = ""
    fixed: Mapping[str, Json] = field(default_factory=dict)
    fills: bool = False
    proposer: bool | None = None
    answer: Sheet | None = None

    @property
    def path(self) -> str:
        """The path below its page's: its name, or else the command's last word."""
        return self.name or self.command.rpartition(".")[2]

    @property
    def inputs(self) -> Sequence[Input]:
        """The fields that are asked for."""
        return inputs(self.asks)


def is_offered(action: Action, data: Mapping[str, Json], visit: Visit) -> bool:
    """Return whether the operator may run an action in the state that a page shows."""
    state = str(data.get("duty") or data.get("status"))
    if not visit.may(action.command) or (action.states and state not in action.states.split()):
        return False
    if "actions" in data and _own(action, data) is None:
        return False
    is_proposer = str(data.get("proposed_by")).casefold() == visit.site.person.casefold()
    return action.proposer in {None, is_proposer}


class Subject(Protocol):
    """The page of what an action changes."""

    @property
    def section(self) -> str:
        """The section of the navigation."""

    def parameters(self, visit: Visit) -> dict[str, Json]:
        """Return the parameters that the path contains."""

    def address(self, visit: Visit) -> str:
        """Return the page's path."""

    def title_of(self, visit: Visit, data: Mapping[str, Json]) -> str:
        """Return the page's title."""

    def drawn_briefly(self, visit: Visit, data: Mapping[str, Json]) -> str:
        """Render the first facts of an answer."""


def ask(visit: Visit, page: Subject, action: Action, data: Mapping[str, Json]) -> Response:
    """Show what an action will do, its fields and one button."""
    if not is_offered(action, data, visit):
        visit.require(action.command)
        return visit.problem(HTTPStatus.CONFLICT, visit.words.refused, [visit.words.not_now])
    own = _own(action, data)
    present = data if action.fills else {}
    values = {
        "section": page.section,
        "title": visit.text(action.label),
        "text": visit.text(action.text),
        "name": page.title_of(visit, data),
        "shown": "" if action.fills else page.drawn_briefly(visit, data),
        "effect": visit.drawn(MOVING, {"money": own["money"], "lines": own["lines"]})
        if own
        else "",
        "inputs": list(_filled(_inputs(action, own, data, visit), present, visit)),
        "look": action.look,
        "back": visit.to(page.address(visit)),
        "key": secrets.token_hex(_KEY_BYTES),
    }
    return visit.page("ask.html", values)


def run(visit: Visit, page: Subject, action: Action) -> Response:
    """Run an action; show its proposal or its secrets, or return to its page."""
    visit.require(action.command)
    key = visit.form.get("key", "")
    if _KEY.match(key) is None:
        raise BadForm("key")
    given = read_all(action.inputs, visit.form, visit)
    parameters = {**page.parameters(visit), **action.fixed, **given}
    answer = visit.site.api.write_once(action.command, parameters, key)
    proposal = answer.get("proposal")
    if isinstance(proposal, Mapping):
        return visit.go(f"proposals/{proposal['proposal_no']}", said="waits")
    if action.answer is not None:
        is_repeated = answer.get("repeated") is True
        values = {
            "section": page.section,
            "title": visit.text(action.label),
            "leads": [] if is_repeated else [visit.words.shown_once],
            "drawn": visit.drawn(REPEATED if is_repeated else action.answer, answer),
            "back": visit.to(page.address(visit)),
        }
        return visit.page("sheet.html", values)
    warnings = answer.get("warnings")
    said = warnings[0] if isinstance(warnings, Sequence) and warnings else "done"
    return visit.go(page.address(visit), said=str(said))


def _own(action: Action, data: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """Return what the answer says of an action; None if it is not possible now."""
    named = {"command": action.command, "parameters": dict(action.fixed)}
    for each in objects(data.get("actions")):
        if {name: each.get(name) for name in named} == named:
            return each
    return None


def _inputs(
    action: Action, own: Mapping[str, Json] | None, data: Mapping[str, Json], visit: Visit
) -> Iterator[Input]:
    """Yield an action's inputs, with only those to choose from whom the order's state allows."""
    allowed = (own or {}).get("to")
    for each in action.inputs:
        match each.name:
            case "to" if isinstance(allowed, Sequence):
                kept = [(value, label) for value, label in each.choices if value in allowed]
                yield replace(each, choices=kept)
            case "trader_id":
                yield replace(each, choices=list(_fitting(data, visit)), kind="radio")
            case _:
                yield each


def _fitting(data: Mapping[str, Json], visit: Visit) -> Iterator[tuple[str, Label]]:
    for each in objects(data.get("fitting_traders")):
        state = "online" if each.get("online") else "offline"
        words = (state, CHINESE[state])[visit.language]
        count = f"{visit.words.open_orders} {each.get('open_orders')}"
        text = " · ".join([str(each.get("trader_name")), words, count])
        yield str(each.get("trader_id")), (text, text)


def _filled(
    inputs: Iterable[Input], present: Mapping[str, Json], visit: Visit
) -> Iterator[dict[str, object]]:
    for each in inputs:
        value = _text(present.get(each.name))
        of = shown(each, value or each.value, visit)
        yield {**of, "was": value, "required": each.required or bool(value and each.choices)}


def shown(each: Input, value: str, visit: Visit) -> dict[str, object]:
    """Return an input for the templates."""
    return {
        "name": each.name,
        "label": visit.text(each.label),
        "choices": [(choice, visit.text(label)) for choice, label in each.choices],
        "hint": visit.text(each.hint),
        "required": each.required,
        "kind": each.kind,
        "value": value,
        "was": "",
    }


def _text(value: Json) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case str() | int():
            return str(value)
        case _:
            return ", ".join(str(each) for each in value)
