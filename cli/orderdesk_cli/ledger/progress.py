"""The progress of the ledger check: a bar on stderr, removed at the end."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from orderdesk.domain.ledger import check_run
from orderdesk.domain.ledger.check_run import PASSES_MAX
from orderdesk.services.operator.ledger import Watch


@contextmanager
def unwatched() -> Iterator[Watch]:
    """Draw nothing."""
    yield lambda _: None


@contextmanager
def drawn() -> Iterator[Watch]:
    """Draw how many parts of the present pass are read."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Reading")

        def watch(far: check_run.Progress) -> None:
            text = f"Pass {far.number} of at most {PASSES_MAX}: {far.rows} items"
            bar.update(task, description=text, completed=far.done, total=far.of)

        yield watch
