"""Finds merchants and traders by name, where a command takes an id (contract section 9)."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from orderdesk_cli.api import Api

_ID = {"merchant": re.compile(r"m[a-z0-9]{12}\Z"), "trader": re.compile(r"t[a-z0-9]{12}\Z")}


class UnknownName(Exception):
    """No merchant or trader has the name, or more than one has."""


def id_of(api: "Api", kind: str, text: str) -> str:
    """Return the id that a text means: an id itself, or the one with this name in any case.

    `kind` is merchant or trader. Raises: UnknownName, and what the API raises.
    """
    if _ID[kind].match(text):
        return text
    wanted = text.strip().casefold()
    found = [
        str(each[f"{kind}_id"])
        for each in api.items(f"{kind}.list")
        if wanted in {str(each.get("name", "")).strip().casefold(), each[f"{kind}_id"]}
    ]
    match found:
        case [only]:
            return only
        case []:
            raise UnknownName(f"no {kind} has the id or name {text}")
    raise UnknownName(f"{len(found)} {kind}s have the name {text}: {', '.join(found)}")
