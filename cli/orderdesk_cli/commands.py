"""Declares the commands: each is a command of the API and the sheet of its answer.

    calls("rate.list", RATES)

What it asks for and its help are those of the API's schema (`options`). `--json`, `--stack`, and
what the kind of command needs (`--csv` and `--limit`, `--alone`, `--yes`) are added. What needs
more than one call is declared by `runs`: the function gets the API first and returns an answer.
"""

import gc
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from orderdesk_cli.answering import Answer, Form, complain, confirm, show
from orderdesk_cli.api import PAGE_MAX, Api
from orderdesk_cli.complaints import REFUSED, WAITS, complaint_about
from orderdesk_cli.options import DEFAULT_STACK, asked_by, of_api, parameters
from orderdesk_cli.sheets.operators import PROPOSAL, REPEATED
from orderdesk_cli.sheets.sheet import Json, Sheet
from orderdesk_cli.sheets.words import WARNINGS

if TYPE_CHECKING:
    from orderdesk_cli.stacks import Installation

type Parameters = Mapping[str, Json]
type Foreseen = Callable[[Api, Parameters], tuple[Json, Sheet] | None]
type Act = Callable[..., Answer]
"""Gets the API or the installation, what was said, and the parameters by name."""


def _installation(stack_name: str) -> "Installation":
    from orderdesk_cli import stacks  # noqa: PLC0415 botocore is loaded only by a command that needs it

    return stacks.Installation(stacks.session_from_environment(), stack_name)


@dataclass(slots=True)
class Invocation:
    """The options before the command's name, and the function that returns a stack by its name."""

    installation: "Callable[[str], Installation]" = _installation
    stack: str | None = None
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """What was said with a command beside the API command's parameters."""

    form: Form
    is_agreed: bool = False
    alone: bool = False
    limit: int | None = None


class Declared(NamedTuple):
    """The sheet of an answer, and what the command asks for: all that the API does if empty."""

    sheet: Sheet
    asks: str = ""
    is_list: bool = False


DECLARED: dict[str, Declared] = {}
"""The commands of the API that are declared by their sheets; the console's pages use it.

If several commands call the same one of the API, the last is here.
"""


def calls(
    command: str,
    sheet: Sheet,
    *,
    name: str = "",
    asks: str = "",
    text: str = "",
    question: Foreseen | None = None,
    bounds: str = "as_csv limit",
    **fixed: Json,
) -> click.Command:
    """Declare a command that makes one call; its schema says whether it lists or changes something.

    A list's sheet is one table, of the items, and `bounds` are its options. `fixed` are parameters
    that nobody is asked for. At a terminal `question` is shown before a change and the operator is
    asked, unless it is None.
    """
    fields = of_api("schemas")[command]["properties"]
    writes, is_list = "idempotency_key" in fields, "after" in fields and len(sheet.parts) == 1
    DECLARED[command] = Declared(sheet, asks, is_list)

    def act(api: Api, said: Said, **given: Json) -> Answer:
        if is_list:
            return listed(api, command, sheet, said.limit, {**fixed, **given})
        if not writes:
            return Answer(api.call(command, **given), sheet)
        return changed(api, said, command, sheet, given, question=question)

    asked, added = asked_by(command, asks), bounds if is_list else ""
    if writes:
        added = "alone" if question is None else "alone is_agreed"
    name, text = name or command.rpartition(".")[2], text or _help(command, asked)
    return _made(name, text, asked, added, act, writes=writes)


def changed(
    api: Api,
    said: Said,
    command: str,
    sheet: Sheet,
    given: Parameters,
    *,
    question: Foreseen | None,
) -> Answer:
    """Call a command that changes something, after its question unless a program reads JSON."""
    if question is not None and said.form is not Form.JSON:
        confirm(lambda: question(api, given), is_agreed=said.is_agreed)
    return Answer(api.write(command, alone=said.alone, **given), sheet)


def listed(api: Api, command: str, sheet: Sheet, limit: int | None, given: Parameters) -> Answer:
    """Return the first items of a list."""
    items = api.items(command, **given, limit=min(limit or PAGE_MAX, PAGE_MAX))
    return Answer(islice(items, limit), sheet)


def runs(
    name: str, asks: str = "", *, writes: bool = False, directly: bool = False
) -> Callable[[Act], click.Command]:
    """Declare a command that makes its calls itself; it gets the API and what was said.

    One that uses AWS directly gets the installation instead of the API.
    """
    asked, added = parameters(asks), "alone is_agreed" if writes else ""
    return lambda act: _made(
        name, act.__doc__ or "", asked, added, act, writes=writes, directly=directly
    )


def _help(command: str, asked: Sequence[click.Parameter]) -> str:
    """Return the help of a command, without paragraphs on parameters that are not asked for.

    The parameters that it names are shown as their flags.
    """
    schema, flags = of_api("schemas")[command], {each.name: each.opts[0] for each in asked}
    others = {f"`{name}`" for name in schema["properties"].keys() - flags.keys()}
    parts = [
        part for part in schema["description"].split("\n\n") if others.isdisjoint(part.split())
    ]
    return re.sub(r"`(\w+)`", lambda found: flags.get(found[1], found[0]), "\n\n".join(parts))


def _made(
    name: str,
    text: str,
    asked: Sequence[click.Parameter],
    added: str,
    act: Act,
    *,
    writes: bool = False,
    directly: bool = False,
) -> click.Command:
    """Return a command that acts, prints the answer, and ends with its exit code."""

    def run(*, as_json: bool, stack: str | None, as_csv: bool = False, **given: Any) -> None:
        said = click.get_current_context().ensure_object(Invocation)
        if as_csv and (as_json or said.as_json):
            raise click.BadParameter("either --csv or --json")
        form = Form.JSON if as_json or said.as_json else Form.CSV if as_csv else Form.TEXT
        stack = stack or said.stack or DEFAULT_STACK
        also = {name: given.pop(name) for name in ("alone", "is_agreed", "limit") if name in given}
        api = None
        try:
            installation = said.installation(stack)
            api = None if directly else installation.api
            gc.enable()  # `main` turns it off while everything is loaded
            code = _tell(act(api or installation, Said(form, **also), **given), form)
        except Exception as error:
            complaint = complaint_about(error, api, writes=writes)
            if complaint is None:
                raise
            for line in complaint.lines:
                complain(f"orderdesk: {line}")
            code = complaint.exit_code
        if code:
            raise click.exceptions.Exit(code)

    every = [*asked, *parameters(f"{added} as_json stack")]
    return click.Command(name, params=every, callback=run, help=text)


IDS_ONLY = ("withdrawal_no", "trader_id")
"""The ids that an answer has beside its proposal although nothing is done yet."""


def is_done_too(data: Mapping[str, Json]) -> bool:
    """Return whether something was done beside the proposal that an answer has."""
    return not (data.get("repeated") is True or data.keys() <= {"proposal", *IDS_ONLY})


def _tell(answer: Answer, form: Form) -> int:
    """Print an answer and return the exit code: 3 for a proposal that waits."""
    data = answer.data if isinstance(answer.data, dict) else {}
    for warning in data.get("warnings") or ():
        complain(f"warning: {WARNINGS[warning][0]}")
    proposal = data.get("proposal")
    if not isinstance(proposal, dict):
        is_repeated = data.get("repeated") is True
        show(Answer(data, REPEATED) if is_repeated else answer, form)
        return REFUSED if answer.complaints else 0
    if form is not Form.TEXT or is_done_too(data):
        show(answer, form)
    if form is Form.TEXT:
        show(Answer(proposal, PROPOSAL), form)
    if proposal.get("status") != "open":
        return 0
    complain(f"orderdesk: waits for a second person: {proposal['proposal_no']}")
    return WAITS
