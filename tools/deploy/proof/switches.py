"""The parameters that change what is deployed, and a set of stacks that covers all their pairs."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from typing import Any

import yaml

from tools.deploy.proof.references import references

_FILE = Path(__file__).with_name("together.yaml")
TOGETHER: list[list[dict[str, str]]] = [
    [{}, *choices] for choices in yaml.safe_load(_FILE.read_text("utf-8"))
]
"""Parameters that are valid only together. Each choice is valid with every choice of the others."""


def switches(template: Mapping[str, Any]) -> list[Sequence[dict[str, str]]]:
    """Return the choices of each switch, the default first.

    A parameter with a list of texts is a switch of its own; TOGETHER has the others.
    """
    grouped = {name for group in TOGETHER for choice in group for name in choice}
    own = [
        [{}, *({name: value} for value in each["AllowedValues"] if value != each["Default"])]
        for name, each in template["Parameters"].items()
        if each["Type"] == "String" and "AllowedValues" in each and name not in grouped
    ]
    return [*own, *TOGETHER]


def not_varied(template: Mapping[str, Any]) -> Iterator[str]:
    """Yield a finding for each parameter of a condition or rule that no switch changes."""
    varied = {name for each in switches(template) for choice in each for name in choice}
    asked = {*references(template["Conditions"]), *references(template["Rules"])}
    for name in sorted(asked & template["Parameters"].keys() - varied):
        yield f"parameter {name} decides what is deployed, and tools/deploy/proof never varies it"


def all_pairs[T](choices: Sequence[Sequence[T]]) -> list[tuple[T, ...]]:
    """Return rows, one choice of each switch, so that any two choices meet in a row (greedy)."""
    missing = {
        ((one, a), (other, b))
        for one, other in combinations(range(len(choices)), 2)
        for a, b in product(range(len(choices[one])), range(len(choices[other])))
    }
    rows = []
    while missing:
        row = dict(min(missing))
        for switch in range(len(choices)):
            if switch not in row:
                row[switch] = max(
                    range(len(choices[switch])),
                    key=lambda choice, at=switch: sum(  # type: ignore[misc]
                        tuple(sorted([(at, choice), each])) in missing for each in row.items()
                    ),
                )
        missing -= set(combinations(sorted(row.items()), 2))
        rows.append(tuple(each[row[switch]] for switch, each in enumerate(choices)))
    return rows


def stacks(template: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the parameters of each stack to prove: the default one, then all pairs."""
    rows = all_pairs(switches(template))
    return [{}, *({name: value for each in row for name, value in each.items()} for row in rows)]
