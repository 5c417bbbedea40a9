"""The page that asks before something is done: what will happen, why, and one button."""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.responses import Response

from orderdesk_cli.console.sheets import Fact, Field
from orderdesk_cli.console.visits import Visit


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several that can be chosen; `note` tells what the operator should know of it."""

    value: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked; the answer is sent to the address of the question itself."""

    title: str
    text: str
    button: str
    back: str
    facts: Sequence[Fact] = ()
    lines: Sequence[str] = ()
    lines_title: str = "What it does with USDT"
    fields: Sequence[Field] = ()
    choices: Sequence[Choice] = ()
    choices_label: str = ""
    choice_name: str = ""
    look: str = ""


WHY = Field("reason", "Why", hint="Kept in the audit trail.", required=True)
WHY_IF_ANY = Field("reason", "Why, if you want to say", hint="Kept in the audit trail.")


def ask(visit: Visit, section: str, question: Question) -> Response:
    """Show a question."""
    return visit.page("question.html", section=section, question=question)


@dataclass(frozen=True, slots=True)
class About:
    """Whom a question is about: its page, such as `merchants/ID`, and what is known of it."""

    place: str
    facts: Sequence[Fact]


def ask_about(
    visit: Visit,
    about: About,
    title: str,
    text: str,
    button: str,
    *,
    fields: Sequence[Field],
    look: str = "",
) -> Response:
    """Ask something about a merchant or a trader, whose page the way back leads to."""
    question = Question(
        title=title,
        text=text,
        button=button,
        back=visit.to(about.place),
        facts=about.facts,
        fields=fields,
        look=look,
    )
    return ask(visit, about.place.partition("/")[0], question)
