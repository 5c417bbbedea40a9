"""The life of an order as an SVG picture and a table, from the transition table.

words.yaml has the position of each status and arrow of the transition table (a test checks it).
"""

from collections.abc import Mapping
from typing import Literal

from orderdesk.domain.orders.order import OrderStatus
from orderdesk.domain.orders.transitions import TRANSITIONS, Actor, Transition
from tools.markdown import table
from tools.site.reference import WRITTEN, words

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
    title = _WORDS[language]["life"].format(_WORDS[language][kind])
    boxes = [_box(status, *place) for status, place in PLACES[kind].items()]
    arrows = [_arrow(kind, arrow, number) for number, arrow in enumerate(moves(kind), 1)]
    svg = (
        f'<svg class="life" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">'
        f'<defs><marker id="tip-{kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker></defs>'
        '<circle class="dot" cx="200" cy="12" r="6"/>'
        f'<path d="M200 18V40" marker-end="url(#tip-{kind})"/>'
        f"{''.join(arrows)}{''.join(boxes)}</svg>"
    )
    return f"{svg}\n\n{_table(kind, language)}"


def _box(status: str, x: int, y: int) -> str:
    end = ' class="end"' if status in _ENDS else ""
    left, top = x - BOX_WIDTH // 2, y - BOX_HEIGHT // 2
    return (
        f'<g{end}><rect x="{left}" y="{top}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6"/>'
        f'<text x="{x}" y="{y}">{status}</text></g>'
    )


def _arrow(kind: Kind, arrow: Arrow, number: int) -> str:
    path, x, y = ARROWS[kind][arrow]
    return (
        f'<path d="{path}" marker-end="url(#tip-{kind})"/><g class="number">'
        f'<circle cx="{x}" cy="{y}" r="10"/><text x="{x}" y="{y}">{number}</text></g>'
    )


def _table(kind: Kind, language: str) -> str:
    heads = [_WORDS[language][name] for name in ("number", "from", "to", "move", "by")]
    found = []
    for place, ((start, end), rows) in enumerate(moves(kind).items(), 1):
        for row in rows:
            move, by = _MOVES[language][row.move.value], _by(row, language)
            found.append((str(place), f"`{start}`", f"`{end}`", move, by))
    return table(heads, found)


def _by(row: Transition, language: str) -> str:
    said = _WORDS[language]

    def named(actor: Actor, seconds: int) -> str:
        name = _ACTORS[language][actor.value]
        if seconds >= 3600 * 2:
            return f"{name} ({said['hours'].format(seconds // 3600)})"
        return f"{name} ({said['minutes'].format(seconds // 60)})" if seconds else name

    return ", ".join(named(actor, seconds) for actor, seconds in row.actors.items())
