"""Runs a command: opens the stack, prints the answer, or prints a refusal in one line.

A command is a function `(office, …) -> Answer`, or `-> Listed` where there may be many answers.
Registering it adds `--json` and `--stack`, so that
both are understood before and after the command's name. One that names `as_json` among its
parameters is told whether programs read its answer.
"""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, get_args, get_type_hints

import typer

if TYPE_CHECKING:
    from orderdesk_cli.api import Api
    from orderdesk_cli.installation import Installation
    from orderdesk_cli.listings import Listed
    from orderdesk_cli.output import Answer
    from orderdesk_cli.wiring import Office

    type Told = Answer | Listed[Any]

DEFAULT_STACK = "orderdesk"
PLAIN = None  # help without frames: drawing them takes longer than all the rest of `--help`
_AS_JSON = "as_json"

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
StackName = Annotated[
    str | None,
    typer.Option("--stack", help=f"The deployed stack; {DEFAULT_STACK} if absent."),
]


def _open_office(stack_name: str) -> "Office":
    from orderdesk_cli.wiring import open_office  # noqa: PLC0415 botocore is loaded only by a command that needs it

    return open_office(stack_name)


def _open_api(stack_name: str) -> "Api":
    from orderdesk_cli.api import Api  # noqa: PLC0415 botocore is loaded only by a command that needs it
    from orderdesk_cli.signing import SignedTransport  # noqa: PLC0415 as above
    from orderdesk_cli.stacks import session_from_environment  # noqa: PLC0415 as above

    transport = SignedTransport(session_from_environment(), stack_name)
    return Api(transport, fetch=transport.fetch)


def _open_installation(stack_name: str, open_api: "Callable[[], Api]") -> "Installation":
    from orderdesk_cli.installation import open_installation  # noqa: PLC0415 as above

    return open_installation(stack_name, open_api)


@dataclass(slots=True)
class Invocation:
    """What was said before the command's name, and how its stack is reached."""

    open_office: "Callable[[str], Office]" = _open_office
    open_api: "Callable[[str], Api]" = _open_api
    open_installation: "Callable[[str, Callable[[], Api]], Installation]" = _open_installation
    stack: str | None = None
    as_json: bool = False


def new_group() -> typer.Typer:
    """Make a group of commands; `main` names it and has its help."""
    return typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=PLAIN)


def command[**P](
    group: typer.Typer, name: str
) -> "Callable[[Callable[Concatenate[Office, P], Told]], Callable[Concatenate[Office, P], Told]]":
    """Register a function as a command of a group."""

    def register(
        action: "Callable[Concatenate[Office, P], Told]",
    ) -> "Callable[Concatenate[Office, P], Told]":
        group.command(name)(_runner(action))
        return action

    return register


def _runner(action: "Callable[..., Told]") -> Callable[..., None]:
    def run(
        context: typer.Context, json_after: bool, stack_after: str | None, **given: Any
    ) -> None:
        said = context.ensure_object(Invocation)

        def answer() -> "Told":
            office = said.open_office(stack_after or said.stack or DEFAULT_STACK)
            return action(office, **given, **told)

        as_json = said.as_json or json_after
        told = {_AS_JSON: as_json} if asks_for_json else {}
        _tell(answer, as_json=as_json)

    # Typer reads the command's parameters off this signature: all but the office, and the two
    # options that every command has.
    own = list(_own_parameters(action))
    asks_for_json = any(p.name == _AS_JSON for p in own)
    named = inspect.Parameter.KEYWORD_ONLY
    added = [
        inspect.Parameter("context", named, annotation=typer.Context),
        inspect.Parameter("json_after", named, annotation=JsonFlag, default=False),
        inspect.Parameter("stack_after", named, annotation=StackName, default=None),
    ]
    parameters = [p.replace(kind=named) for p in own if p.name != _AS_JSON] + added
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    run.__name__, run.__doc__ = action.__name__, action.__doc__
    return run


def _own_parameters(action: "Callable[..., Told]") -> Iterator[inspect.Parameter]:
    """Give a command's own parameters; `**options` of a TypedDict are one for each of its keys."""
    for parameter in list(inspect.signature(action).parameters.values())[1:]:
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            yield parameter
            continue
        [options] = get_args(parameter.annotation)
        for name, annotation in get_type_hints(options, include_extras=True).items():
            named = inspect.Parameter.KEYWORD_ONLY
            yield inspect.Parameter(name, named, annotation=annotation, default=None)


def _tell(answer: "Callable[[], Told]", *, as_json: bool) -> None:
    from orderdesk_cli.listings import Listed, show_listed  # noqa: PLC0415 rich is loaded only to show something
    from orderdesk_cli.output import complain, show  # noqa: PLC0415 as above

    try:
        told = answer()
        if isinstance(told, Listed):
            show_listed(told, as_json=as_json)
            return
        show(told, as_json=as_json)
    except Exception as error:
        from orderdesk_cli.refusals import complaint_about  # noqa: PLC0415 as above

        complaint = complaint_about(error)
        if complaint is None:
            raise
        complain(f"orderdesk: {complaint.message}")
        raise typer.Exit(complaint.exit_code) from None
    if told.complaints:
        raise typer.Exit(1)
