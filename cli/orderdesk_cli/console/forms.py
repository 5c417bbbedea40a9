"""The console's forms: inputs, and actions that are asked about before they run."""

import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from starlette.responses import Response

from orderdesk_cli.console.site import BadForm, Visit
from orderdesk_cli.options import since, until
from orderdesk_cli.sheets.sheet import Json, Label, Sheet, objects

if TYPE_CHECKING:
    from orderdesk_cli.console.pages import Page

_WHOLE = re.compile(r"[0-9]{1,9}\Z")
_KEY_BYTES = 16


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


def whole(text: str) -> int:
    """Read a whole number."""
    if _WHOLE.match(text) is None:
        raise BadForm(f"{text!r}: 1, 2, 3 …")
    return int(text)


def flag(text: str) -> bool:
    """Read yes or no."""
    return text == "yes"


WHY = Input("reason", ("Reason", "原因"), required=True)
WHY_IF_ANY = Input("reason", ("Reason", "原因"))
YES_NO = (("yes", ("yes", "是")), ("no", ("no", "否")))
SINCE = Input(
    "since", ("Since", "起始"), hint=("2026-01-31, 24h, 7d", "2026-01-31、24h、7d"), read=since
)
UNTIL = Input("until", ("Until", "截止"), read=until)


def read_all(inputs: Sequence[Input], sent: Mapping[str, str], visit: Visit) -> dict[str, Json]:
    """Return the API parameters of a form or query. Raises: BadForm, click.BadParameter."""
    missing = [visit.text(each.label) for each in inputs if each.required and each.name not in sent]
    if missing:
        raise BadForm(f"{', '.join(missing)}: {visit.words.required}")
    return {each.name: each.read(sent[each.name]) for each in inputs if each.name in sent}


@dataclass(frozen=True, slots=True)
class Action:
    """A command that changes something.

    `path` is relative to its page's. `states` are the values of the page's `status` in which it is
    offered; always if empty. `present` fills the inputs from the page's answer.
    """

    path: str
    command: str
    label: Label
    text: Label = ("", "")
    inputs: Sequence[Input] = ()
    fixed: Mapping[str, Json] = field(default_factory=dict)
    states: frozenset[str] = frozenset()
    look: str = "soft"
    present: str = ""
    answer: Sheet | None = None


def is_offered(action: Action, data: Json, visit: Visit) -> bool:
    """Return whether the operator may run an action in the state that a page shows."""
    if not visit.may(action.command):
        return False
    if not action.states:
        return True
    return isinstance(data, Mapping) and str(data.get("status")) in action.states


def ask(visit: Visit, page: "Page", action: Action, data: Mapping[str, Json]) -> Response:
    """Show what an action will do, its fields and one button."""
    own = next(
        (
            each
            for each in objects(data.get("actions"))
            if each.get("command") == action.command and each.get("parameters") == action.fixed
        ),
        None,
    )
    return visit.page(
        "ask.html",
        section=page.section,
        title=visit.text(action.label),
        text=visit.text(action.text),
        shown=page.drawn(visit, data, brief=True),
        effect=[_line(each) for each in objects((own or {}).get("lines"))],
        inputs=list(_filled(_inputs(action, own), data.get(action.present), visit)),
        traders=objects(data.get("fitting_traders")) if action.command == "order.assign" else None,
        look=action.look,
        back=visit.to(page.address(visit)),
        key=secrets.token_hex(_KEY_BYTES),
    )


def run(visit: Visit, page: "Page", action: Action) -> Response:
    """Run an action; show its proposal or its secrets, or return to its page."""
    known = {each.name for each in action.inputs}
    inputs = [*action.inputs]
    if action.command == "order.assign" and "trader_id" not in known:
        inputs.append(Input("trader_id", ("Trader", "交易员"), required=True))
    given = read_all(inputs, visit.form, visit)
    parameters = {**page.parameters(visit), **action.fixed, **given}
    key = {"idempotency_key": visit.form["key"]} if "key" in visit.form else {}
    answer = visit.site.api.write(action.command, **parameters, **key)
    proposal = answer.get("proposal")
    if isinstance(proposal, Mapping):
        return visit.go(f"proposals/{proposal['proposal_no']}", waits="1")
    if action.answer is not None:
        return visit.page(
            "sheet.html",
            section=page.section,
            title=visit.text(action.label),
            lead=visit.words.shown_once,
            drawn=visit.drawn(action.answer, answer),
            back=visit.to(page.address(visit)),
        )
    return visit.go(page.address(visit))


def _inputs(action: Action, own: Mapping[str, Json] | None) -> Sequence[Input]:
    """Return an action's inputs; only those may be asked whom the order's state allows."""
    allowed = (own or {}).get("to")
    if not isinstance(allowed, Sequence) or isinstance(allowed, str):
        return action.inputs
    return [
        each
        if each.name != "to"
        else Input(
            each.name,
            each.label,
            [(value, label) for value, label in each.choices if value in allowed],
            required=True,
        )
        for each in action.inputs
    ]


def _filled(inputs: Sequence[Input], present: Json, visit: Visit) -> "list[dict[str, object]]":
    values = present if isinstance(present, Mapping) else {}
    return [shown(each, _text(values.get(each.name)) or each.value, visit) for each in inputs]


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


def _line(line: Mapping[str, Json]) -> str:
    owner = line.get("merchant_name") or line.get("trader_name") or ""
    return f"{line.get('account')} {owner}: {line.get('usdt')} USDT".replace(" :", ":")
