"""The desk's block list: add, list and remove (contract sections 3 and 11).

One person blocks; two people remove a block. A value is hashed and masked before it is stored, and
is in no audit entry.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from orderdesk.domain.audit import AuditEntry
from orderdesk.domain.authority import Effect, Power
from orderdesk.domain.errors import FieldProblem
from orderdesk.domain.ids import RANDOM_BITS, numbered, time_ordered_id
from orderdesk.domain.operators import OperatorRefusal, ReasonMissing, UnacceptableTerms, UnknownId
from orderdesk.domain.orders.blocks import BLOCKS_MAX, Block, BlockKind, digest_of, mask, normal
from orderdesk.domain.proposals import Plan
from orderdesk.domain.times import US_PER_SECOND
from orderdesk.services.operator.actions import Operator

_LETTER = "K"
_US_PER_MS = 1_000


class BlockBoard(Protocol):
    """Reads and writes the block list."""

    def blocks(self) -> tuple[int, Sequence[Block]]:
        """Return the list's version and its entries. Raises: TryAgain."""

    def write_blocks(
        self, version: int, blocks: Sequence[Block], entry: AuditEntry, token: str
    ) -> None:
        """Write the list. Raises: ChangedMeanwhile if its version is another one."""


def add_block(
    board: BlockBoard,
    operator: Operator,
    key: Callable[[], bytes],
    kind: BlockKind,
    value: str,
    *,
    until: int | None,
    reason: str,
) -> Block:
    """Block a value from now on, until a time (Unix seconds); once, as long as it is in force.

    Raises: ReasonMissing, UnacceptableTerms, OperatorRefusal, TryAgain.
    """
    text, now = normal(kind, value), operator.now()
    if not reason.strip():
        raise ReasonMissing
    if not text:
        raise UnacceptableTerms([FieldProblem("value", f"is no {kind.value}")])
    if until is not None and until <= now:
        raise UnacceptableTerms([FieldProblem("until", "must be in the future")])
    digest = digest_of(key(), (kind, text))

    def attempt() -> Block:
        version, listed = board.blocks()
        kept = [each for each in listed if each.holds_at(operator.now())]
        known = next((each for each in kept if each.digest == digest), None)
        if known is not None:
            return known
        if len(kept) >= BLOCKS_MAX:
            raise OperatorRefusal(f"the list has {BLOCKS_MAX} blocks, which is the most")
        at_us, chance = operator.now_us(), operator.chance.below(1 << RANDOM_BITS)
        number = _number(at_us, chance)
        what = (number, kind, digest, mask(kind, text), reason)
        block = Block(*what, operator.who, at_us // US_PER_SECOND, until or 0)
        plan = Plan(number, f"Block {kind.value} {block.masked}", _shown(block), reason=reason)
        entry = operator.permit(plan, Effect(Power.STOP)).entry("block.add", plan.after)
        board.write_blocks(version, [*kept, block], entry, operator.chance.token())
        return block

    return operator.commit(attempt)


def remove_block(board: BlockBoard, operator: Operator, number: str, reason: str) -> Block:
    """Remove a block, which needs two people.

    Raises: UnknownId, UnacceptableTerms, ProposalNeeded, TryAgain.
    """

    def attempt() -> Block:
        version, listed = board.blocks()
        block = next((each for each in listed if each.number == number), None)
        if block is None:
            raise UnknownId("block", number)
        shown = _shown(block)
        plan = Plan(
            number, f"Remove the block of {block.kind.value} {block.masked}", {}, shown, reason
        )
        permit = operator.permit(plan, Effect(Power.PRICE, is_grave=True))
        entry = permit.entry("block.remove", shown)
        others = [each for each in listed if each.number != number]
        board.write_blocks(version, others, entry, operator.chance.token())
        return block

    return operator.commit(attempt)


def _shown(block: Block) -> dict[str, str]:
    return {"kind": block.kind.value, "value": block.masked}


def _number(at_us: int, chance: int) -> str:
    identifier = time_ordered_id(at_us // _US_PER_MS, chance)
    return numbered(_LETTER, identifier, at_us // US_PER_SECOND)
