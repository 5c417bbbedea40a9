"""`orderdesk order evidence`: what payers and traders sent, as links or as files."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from orderdesk_cli.answering import Answer
from orderdesk_cli.commands import Commands, Said
from orderdesk_cli.orders.commands import OrderNumber
from orderdesk_cli.sheets.orders import EVIDENCE

if TYPE_CHECKING:
    from orderdesk_cli.api import Api
    from orderdesk_cli.sheets.sheet import Json

_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL

commands = Commands()
group = commands.typer


@commands.runs("evidence")
def evidence(
    api: "Api",
    _: Said,
    order_no: OrderNumber,
    save: Annotated[
        Path | None,
        typer.Option(metavar="DIR", file_okay=False, help="Save the files here instead."),
    ] = None,
) -> Answer:
    """Show what payer and trader sent: the files as they came, and the pictures drawn from them.

    Links are good for five minutes. Open an original with care: it is whatever its sender chose.
    """
    data = api.call("order.evidence", order_no=order_no)
    sent = data["evidence"]
    assert isinstance(sent, Sequence)
    links = dict(link for each in sent for link in _links(each))
    if save is None:
        return Answer(data, EVIDENCE, lines=[*links.values()])
    places = {name: _saved(api, url, save / name) for name, url in links.items()}
    gone = [f"{name}: no longer kept" for name, place in places.items() if place is None]
    saved = [_with_places(each, places) for each in sent]
    lines = [str(place) for place in places.values() if place is not None]
    return Answer({**data, "evidence": saved}, EVIDENCE, gone, lines=lines)


def _links(each: "Json") -> Iterator[tuple[str, str]]:
    """Yield the names and links of a file and of the pictures that were drawn from it."""
    assert isinstance(each, Mapping)
    names, urls = each["picture_names"], each["pictures"]
    assert isinstance(names, Sequence)
    assert isinstance(urls, Sequence)
    yield str(each["file_name"]), str(each["original"])
    yield from zip(map(str, names), map(str, urls), strict=True)


def _saved(api: "Api", url: str, path: Path) -> str | None:
    """Save a file, readable by the operator alone; None if it is gone. Overwrites nothing.

    Raises: NoAnswer, OSError.
    """
    content = api.file(url)
    if content is None:
        return None
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(path, _NEW_FILE, 0o600), "wb") as opened:
        opened.write(content)
    return str(path)


def _with_places(each: "Json", places: "Mapping[str, str | None]") -> "Mapping[str, Json]":
    assert isinstance(each, Mapping)
    names = each["picture_names"]
    assert isinstance(names, Sequence)
    pictures = [places[str(name)] for name in names]
    return {**each, "original": places[str(each["file_name"])], "pictures": pictures}
