"""Declares the commands: each is a function whose signature has the API command's parameters.

    group = Commands()

    @group.reads("rate.list", RATES, name="show")
    def show() -> None:
        \"\"\"Show the base rates and since when they are set.\"\"\"

The function's parameters are the command line's arguments and options, and go to the API under
their own names. `--json`, `--stack`, and what the kind of command needs (`--csv` and `--limit`,
`--alone`, `--yes`) are added. What needs more than one call is declared by `runs`: the function
gets the API first and returns an answer.
"""

import gc
import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_type_hints

import typer

from orderdesk_cli.answering import Answer, Form, Items, complain, show
from orderdesk_cli.api import PAGE_MAX
from orderdesk_cli.confirmation import Yes, confirm
from orderdesk_cli.invocation import DEFAULT_STACK, Invocation, JsonFlag, StackName, new_group
from orderdesk_cli.sheets.proposals import PROPOSAL, REPEATED
from orderdesk_cli.sheets.words import WARNINGS

if TYPE_CHECKING:
    from rich.console import RenderableType

    from orderdesk_cli.api import Api
    from orderdesk_cli.installation import Installation
    from orderdesk_cli.sheets.sheet import Json, Sheet

    type Parameters = Mapping[str, Json]
    type Foreseen = Callable[[Api, Parameters], tuple[Json, Sheet] | None]

Alone = Annotated[
    bool,
    typer.Option("--alone", help="Without a second person; needs an administrator's rights."),
]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
Limit = Annotated[int | None, typer.Option(min=1, help="At most so many; all if absent.")]


@dataclass(frozen=True, slots=True)
class Said:
    """What was said with a command beside the API command's parameters."""

    form: Form
    is_agreed: bool = False
    alone: bool = False
    limit: int | None = None

    @property
    def needs_no_question(self) -> bool:
        """Whether the operator is not asked: it has agreed, or a program reads the answer."""
        return self.is_agreed or self.form is Form.JSON


class Commands:
    """A group of commands."""

    def __init__(self) -> None:
        self.typer = new_group()

    def join(self, app: typer.Typer) -> None:
        """Add the commands to the top level."""
        app.registered_commands += self.typer.registered_commands

    def reads(self, command: str, sheet: "Sheet", name: str = "") -> Callable[..., Any]:
        """Declare a command that reads one thing."""

        def act(api: "Api", _: Said, given: "Parameters") -> Answer:
            return Answer(api.call(command, **given), sheet)

        return self._declare(name or _last(command), act)

    def lists(self, command: str, sheet: "Sheet", name: str = "") -> Callable[..., Any]:
        """Declare a command that lists: `sheet` has one table, of the items."""

        def act(api: "Api", said: Said, given: "Parameters") -> Items:
            page = min(said.limit or PAGE_MAX, PAGE_MAX)
            items = api.items(command, **given, limit=page)
            return Items(islice(items, said.limit), sheet)

        return self._declare(name or _last(command), act, {"csv_after": AsCsv, "limit": Limit})

    def writes(
        self, command: str, sheet: "Sheet", name: str = "", asks: "Foreseen | None" = None
    ) -> Callable[..., Any]:
        """Declare a command that changes something.

        At a terminal `asks` is shown first and the operator is asked, unless it is None.
        """

        def act(api: "Api", said: Said, given: "Parameters") -> Answer:
            if asks is not None:
                question = asks
                confirm(lambda: foreseen(question(api, given)), is_agreed=said.needs_no_question)
            return Answer(api.write(command, alone=said.alone, **given), sheet)

        added: dict[str, Any] = {"alone": Alone}
        if asks is not None:
            added["is_agreed"] = Yes
        return self._declare(name or _last(command), act, added, writes=True)

    def runs(
        self, name: str, *, with_csv: bool = False, writes: bool = False
    ) -> Callable[..., Any]:
        """Declare a command that makes its calls itself; it gets the API and what was said."""

        def register(action: Callable[..., Answer | Items]) -> Callable[..., Answer | Items]:
            def act(api: "Api", said: Said, given: "Parameters") -> Answer | Items:
                return action(api, said, **given)

            added: dict[str, Any] = {"csv_after": AsCsv} if with_csv else {}
            if writes:
                added |= {"alone": Alone, "is_agreed": Yes}
            self._add(name, action, act, added, skipped=2, writes=writes)
            return action

        return register

    def administers(self, name: str) -> Callable[..., Any]:
        """Declare a command that uses AWS directly; it gets the installation."""

        def register(action: Callable[..., Answer]) -> Callable[..., Answer]:
            def act(installation: "Installation", _: Said, given: "Parameters") -> Answer:
                return action(installation, **given)

            self._add(name, action, act, {}, skipped=1, directly=True)
            return action

        return register

    def _declare(
        self,
        name: str,
        act: Callable[..., Answer | Items],
        added: Mapping[str, Any] | None = None,
        *,
        writes: bool = False,
    ) -> Callable[[Callable[..., None]], Callable[..., None]]:
        def register(declared: Callable[..., None]) -> Callable[..., None]:
            self._add(name, declared, act, added or {}, writes=writes)
            return declared

        return register

    def _add(
        self,
        name: str,
        declared: Callable[..., Any],
        act: Callable[..., Answer | Items],
        added: Mapping[str, Any],
        *,
        skipped: int = 0,
        writes: bool = False,
        directly: bool = False,
    ) -> None:
        def run(context: typer.Context, **given: Any) -> None:
            said = context.ensure_object(Invocation)
            _run(said, act, given, writes=writes, directly=directly)

        own = _own_parameters(declared, skipped)
        named = inspect.Parameter.KEYWORD_ONLY
        every = {"json_after": JsonFlag, "stack_after": StackName, **added}
        parameters = [
            inspect.Parameter("context", named, annotation=typer.Context),
            *(p.replace(kind=named) for p in own),
            *(
                inspect.Parameter(each, named, annotation=hint, default=_DEFAULTS.get(each))
                for each, hint in every.items()
            ),
        ]
        run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in parameters}
        run.__name__, run.__doc__ = declared.__name__, declared.__doc__
        self.typer.command(name)(run)


_DEFAULTS = {"json_after": False, "csv_after": False, "alone": False, "is_agreed": False}


def _own_parameters(declared: Callable[..., Any], skipped: int) -> Iterator[inspect.Parameter]:
    """Yield the declared parameters; `**options` of a TypedDict are one for each of its keys."""
    for parameter in list(inspect.signature(declared).parameters.values())[skipped:]:
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            yield parameter
            continue
        [options] = get_args(parameter.annotation)
        for name, annotation in get_type_hints(options, include_extras=True).items():
            named = inspect.Parameter.KEYWORD_ONLY
            yield inspect.Parameter(name, named, annotation=annotation, default=None)


def foreseen(shown: "tuple[Json, Sheet] | None") -> "RenderableType | None":
    """Draw what will be done, for a question; None if there is nothing to ask."""
    if shown is None:
        return None
    from orderdesk_cli.sheets.layout import View, blocks_of, title_of  # noqa: PLC0415 only a question needs it
    from orderdesk_cli.sheets.text import drawn  # noqa: PLC0415 as above
    from orderdesk_cli.terminal import console  # noqa: PLC0415 as above

    (data, sheet), view, width = shown, View(), console(stderr=True).width
    return drawn(title_of(sheet, data, view), blocks_of(sheet, data, view), width)


def _last(command: str) -> str:
    return command.rpartition(".")[2]


def _run(
    said: Invocation,
    act: Callable[..., Answer | Items],
    given: dict[str, Any],
    *,
    writes: bool,
    directly: bool,
) -> None:
    """Act, print the answer, and end with its exit code."""
    from orderdesk_cli.complaints import complaint_about  # noqa: PLC0415 botocore's errors

    form = _form(
        as_json=given.pop("json_after") or said.as_json, as_csv=given.pop("csv_after", False)
    )
    stack = given.pop("stack_after") or said.stack or DEFAULT_STACK
    beside = {name: given.pop(name) for name in ("alone", "is_agreed", "limit") if name in given}
    api = None
    try:
        if directly:
            subject: Any = said.open_installation(stack, lambda: said.open_api(stack))
        else:
            subject = api = said.open_api(stack)
        gc.enable()  # `main` turns it off while everything is loaded
        code = _tell(act(subject, Said(form, **beside), given), form)
    except Exception as error:
        complaint = complaint_about(error, api, writes=writes)
        if complaint is None:
            raise
        for line in complaint.lines:
            complain(f"orderdesk: {line}")
        code = complaint.exit_code
    if code:
        raise typer.Exit(code)


def _form(*, as_json: bool, as_csv: bool) -> Form:
    if as_json and as_csv:
        raise typer.BadParameter("either --csv or --json")
    if as_json:
        return Form.JSON
    return Form.CSV if as_csv else Form.TEXT


def _tell(answer: Answer | Items, form: Form) -> int:
    """Print an answer and return the exit code: 3 for a proposal that waits."""
    from orderdesk_cli.complaints import REFUSED, WAITS  # noqa: PLC0415 as above

    if isinstance(answer, Items):
        show(answer, form)
        return 0
    data = answer.data if isinstance(answer.data, dict) else {}
    for warning in data.get("warnings") or ():
        complain(f"warning: {WARNINGS[warning][0]}")
    proposal = data.get("proposal")
    if not isinstance(proposal, dict):
        is_repeated = data.get("repeated") is True
        show(Answer(data, REPEATED) if is_repeated else answer, form)
        return REFUSED if answer.complaints else 0
    if form is Form.TEXT:
        show(Answer(proposal, PROPOSAL), form)
    else:
        show(answer, form)
    if proposal.get("status") != "open":
        return 0
    complain(f"orderdesk: waits for a second person: {proposal['proposal_no']}")
    return WAITS
