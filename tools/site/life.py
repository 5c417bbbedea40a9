"""The life of an order as an SVG picture and a table, from the transition table.

words.yaml has the position of each status and arrow of the transition table (a test checks it).
"""

from collections.abc import Mapping
from functools import partial
from typing import Literal

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import TRANSITIONS, Actor, Transition
from tools.site.reference import WRITTEN, words, written

type Kind = Literal["buy", "sell"]
type Arrow = tuple[str, ...]
"""The statuses at its two ends."""

WIDTH, HEIGHT, BOX_WIDTH, BOX_HEIGHT = 416, 420, 104, 36


PLACES: Mapping[Kind, Mapping[str, tuple[int, int]]] = WRITTEN["places"]
"""The centre of each status's box."""
ARROWS: Mapping[Kind, Mapping[Arrow, tuple[str, int, int]]] = {
    kind: {tuple(ends.split()): drawn for ends, drawn in arrows.items()}
    for kind, arrows in WRITTEN["arrows"].items()
}
"""Each arrow: its path, and the centre of its number."""
_WORDS, _ACTORS, _MOVES = words("life"), words("actors"), words("moves")
_ENDS = {OrderStatus.COMPLETED, OrderStatus.CANCELLED, OrderStatus.EXPIRED}


def moves(kind: Kind) -> dict[Arrow, list[Transition]]:
    """Return the transitions of each arrow, in the order of the numbers."""
    rows = [row for row in TRANSITIONS if row.order_type.name.lower() == kind]
    return {
        (source, target): [row for row in rows if source in row.sources and row.target == target]
        for source, target in ARROWS[kind]
    }


def picture(kind: Kind, language: str) -> str:
    """Return the picture as SVG, and the table of its moves in Markdown."""
    words = _WORDS[language]
    return written(
        "life",
        language,
        kind=kind,
        title=words["life"].format(words[kind]),
        life=words,
        width=WIDTH,
        height=HEIGHT,
        box_width=BOX_WIDTH,
        box_height=BOX_HEIGHT,
        places=PLACES[kind],
        ends=_ENDS,
        arrows=ARROWS[kind].values(),
        moves=moves(kind),
        names=_MOVES[language],
        by=partial(_by, language=language),
    )


def _by(row: Transition, language: str) -> str:
    said = _WORDS[language]

    def named(actor: Actor, seconds: int) -> str:
        name = _ACTORS[language][actor.value]
        if seconds >= 3600 * 2:
            return f"{name} ({said['hours'].format(seconds // 3600)})"
        return f"{name} ({said['minutes'].format(seconds // 60)})" if seconds else name

    return ", ".join(named(actor, seconds) for actor, seconds in row.actors.items())
