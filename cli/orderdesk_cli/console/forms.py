"""The console's forms: inputs, and actions that are asked about before they run."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import click

from orderdesk_cli.commands import DECLARED
from orderdesk_cli.console.console_texts import Names
from orderdesk_cli.console.site import BadForm, Visit
from orderdesk_cli.options import asked_by
from orderdesk_cli.sheets.layout import View, decision_of, plain
from orderdesk_cli.sheets.sheet import Json, Label, members, objects
from orderdesk_cli.sheets.words import CHINESE, label_of

_WAS = "was-"
_ACTIONS = Names.labels(lambda names: names.actions)
_EFFECTS = Names.labels(lambda names: names.effects)
_REQUESTED, _PAID = "requested", "executed"


@dataclass(frozen=True, slots=True)
class Input:
    """A field of a form; `name` is the API parameter. `choices` are values with their labels.

    `was` is the present value of what the form changes; `problem` is what was wrong with the value.
    """

    name: str
    label: Label
    choices: Sequence[tuple[str, Label]] = ()
    hint: Label = ("", "")
    required: bool = False
    read: Callable[[str], Json] = str
    kind: str = "text"
    value: str = ""
    was: str = ""
    problem: str = ""


_YES_NO = (("yes", ("yes", "是")), ("no", ("no", "否")))
_SPANS = ("2026-01-31, 24h, 7d", "2026-01-31、24h、7d")
_ANSWERED = {"allow_cidr": "allowed_cidrs"}  # values with another name in answers


def inputs(command: str, names: str, path: str, fixed: Collection[str]) -> list[Input]:
    """Return inputs for what a command asks for: all, or these names (`options.asked_by`).

    Those that a page's path or `fixed` has are left out.
    """
    made = [_input(command, asked) for asked in asked_by(command, names)]
    return [each for each in made if each.name not in fixed and f"{{{each.name}}}" not in path]


def _input(command: str, asked: click.Parameter) -> Input:
    name = str(asked.name)
    places = (command, command.partition(".")[0], "asked")
    english, chinese = label_of(name, *(f"{name}:{place}" for place in places))
    is_flag = isinstance(asked, click.Option) and asked.is_flag
    default = asked.default if isinstance(asked.default, str) else ""
    values = asked.type.choices if isinstance(asked.type, click.Choice) else ()
    return Input(
        name,
        (english[:1].upper() + english[1:], chinese),
        _YES_NO if is_flag else [(value, (value, CHINESE[value])) for value in values],
        _SPANS if name == "since" else ("", ""),
        asked.required or bool(default),
        (lambda text: text == "yes") if is_flag else partial(_read, asked),
        "date" if name == "date" else "text",
        default,
    )


def _read(asked: click.Parameter, text: str) -> Json:
    """Read a value as the command line does. Raises: click.BadParameter."""
    if asked.multiple:
        return [asked.type(each) for each in text.replace(",", " ").split()]
    value: Json = asked.type(text)
    return value


def read_all(inputs: Sequence[Input], sent: Mapping[str, str], visit: Visit) -> dict[str, Json]:
    """Return the API parameters of a form or query; a present value that was left is not sent.

    Raises: BadForm, which has what is wrong with each field.
    """
    found: dict[str, Json] = {}
    problems = {
        each.name: visit.words.required
        for each in inputs
        if each.required and each.name not in sent
    }
    for each in inputs:
        if sent.get(each.name) != sent.get(f"{_WAS}{each.name}"):
            try:
                found[each.name] = each.read(sent[each.name]) if each.name in sent else ""
            except click.BadParameter as error:
                problems[each.name] = error.message
    if problems:
        labels = {each.name: visit.text(each.label) for each in inputs}
        told = [f"{labels[name]}: {problem}" for name, problem in problems.items()]
        raise BadForm("; ".join(told), problems)
    return found


@dataclass(frozen=True, slots=True)
class Action:
    """A command that changes something.

    It asks for what the command asks for, or only for the names in `asks`. It is offered in
    `states` of the page's thing, always if empty, and to its `proposer`, to others or to both
    (None). With `fills` the inputs show the present values. `is_shown` shows the answer, which has
    secrets. `seen` is a value of the page that is sent along, to prove what was decided on.
    `of_orders` are the states of a list's orders that can be chosen. With `has_pictures` the form
    shows those of the order's evidence beside each other.
    """

    command: str
    look: str = "soft"
    states: str = ""
    name: str = ""
    fixed: Mapping[str, Json] = field(default_factory=dict)
    asks: str = ""
    fills: bool = False
    proposer: bool | None = None
    is_shown: bool = False
    seen: str = ""
    of_orders: str = ""
    has_pictures: bool = False

    @property
    def key(self) -> str:
        """What names its texts in the catalogue."""
        return f"{self.command}:{self.name}" if self.name else self.command

    @property
    def label(self) -> Label:
        return _ACTIONS[self.key]

    @property
    def effect(self) -> Label:
        return _EFFECTS.get(self.key, ("", ""))

    @property
    def path(self) -> str:
        """The path below its page's: its name, or else the command's last word."""
        return self.name or self.command.rpartition(".")[2]

    def inputs(self, page: str) -> list[Input]:
        """Return the fields that are asked for on a page."""
        asks = self.asks or DECLARED[self.command].asks
        return inputs(self.command, asks, page, {*self.fixed, self.seen})


def is_offered(action: Action, data: Mapping[str, Json], visit: Visit) -> bool:
    """Return whether the operator may run an action in the state that a page shows."""
    state = str(data.get("duty") or data.get("status"))
    if not visit.may(action.command) or (action.states and state not in action.states.split()):
        return False
    if "actions" in data and own_of(action, data) is None:
        return False
    return action.proposer in {None, visit.is_proposer_of(data)}


def own_of(action: Action, data: Mapping[str, Json]) -> Mapping[str, Json] | None:
    """Return what the answer says of an action; None if it is not possible now."""
    named = {"command": action.command, "parameters": dict(action.fixed)}
    for each in objects(data.get("actions")):
        if {name: each.get(name) for name in named} == named:
            return each
    return None


def allowed_inputs(
    action: Action, page: str, data: Mapping[str, Json], visit: Visit
) -> Iterator[Input]:
    """Yield an action's inputs on a page, to choose only from what the page's data allow."""
    own = own_of(action, data) or {}
    allowed = own.get("to")
    for each in action.inputs(page):
        match each.name:
            case "to" if isinstance(allowed, Sequence):
                kept = [(value, label) for value, label in each.choices if value in allowed]
                yield replace(each, choices=kept)
            case "trader_id" if "traders" in own:
                yield replace(each, choices=list(_claiming(own, data)), kind="radio")
            case "trader_id":
                yield replace(each, choices=list(_fitting(data, visit)), kind="radio")
            case "order_nos":
                orders = list(_orders(data, action.of_orders))
                chosen = " ".join(number for number, _ in orders)
                yield replace(each, choices=orders, kind="checkbox", value=chosen)
            case "request_no" | "withdrawal_no" if "items" in data:
                yield replace(each, choices=list(_waiting(each.name, data, visit)), kind="radio")
            case _:
                yield each


def _claiming(own: Mapping[str, Json], data: Mapping[str, Json]) -> Iterator[tuple[str, Label]]:
    """Yield the traders whose late proof is not decided."""
    named = {each.get("trader_id"): each.get("trader_name") for each in objects(data.get("claims"))}
    for trader_id in members(own["traders"]):
        name = str(named.get(trader_id) or trader_id)
        yield str(trader_id), (name, name)


def _fitting(data: Mapping[str, Json], visit: Visit) -> Iterator[tuple[str, Label]]:
    for each in objects(data.get("fitting_traders")):
        state = "online" if each.get("online") else "offline"
        words = (state, CHINESE[state])[visit.language]
        count = f"{visit.words.open_orders} {each.get('open_orders')}"
        text = " · ".join([str(each.get("trader_name")), words, count])
        yield str(each.get("trader_id")), (text, text)


def _orders(data: Mapping[str, Json], states: str) -> Iterator[tuple[str, Label]]:
    """Yield the orders of a list that are in one of the states."""
    for each in objects(data.get("items")):
        status, number = str(each.get("status")), str(each.get("order_no"))
        if status in states.split():
            rest = f"{each.get('cny_amount')} CNY · {number}"
            yield number, (f"{status} · {rest}", f"{CHINESE[status]} · {rest}")


def _waiting(name: str, data: Mapping[str, Json], visit: Visit) -> Iterator[tuple[str, Label]]:
    """Yield requests that can be taken up, or those paid whose transaction is not recorded."""
    is_request = name == "request_no"
    for each in objects(data.get("items")):
        wanted = (_REQUESTED, None) if is_request else (_PAID, each.get("proposal_no"))
        is_waiting = (each.get("status"), each.get("proposal_no")) == wanted
        if is_waiting and each.get("request_no") and not each.get("txid"):
            number = str(each["request_no" if is_request else "proposal_no"])
            said = decision_of(each, visit.view)
            parts = (said, each.get("network"), each.get("address"), number)
            text = " · ".join(str(part) for part in parts if part)
            yield number, (text, text)


def filled(
    each: Input,
    present: Mapping[str, Json],
    sent: Mapping[str, str],
    problems: Mapping[str, str] | None,
) -> Input:
    """Return an input with its present value, or with the one sent and what was wrong with it."""
    was = plain(present.get(_ANSWERED.get(each.name, each.name)), View())
    required = each.required or bool(was and each.choices)
    value, problem = was or each.value, ""
    if problems is not None:
        value, problem = sent.get(each.name, ""), problems.get(each.name, "")
    return replace(each, value=value, was=was, required=required, problem=problem)
