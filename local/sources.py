"""The input of `sam build`: the template, its configuration and the code, file by file."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from local.places import REPOSITORY

MANIFEST = "requirements.txt"
LAYER = "layers/common"
_ARCHITECTURE = "architecture"

type Sources = Mapping[str, str]
"""The SHA-256 of each file by its path in the repository, and the architecture."""


def read(architecture: str) -> Sources:
    """Read the current sources for a build of an architecture."""
    hashes = {
        path.relative_to(REPOSITORY).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(_files())
    }
    return {_ARCHITECTURE: architecture, **hashes}


def to_text(sources: Sources) -> str:
    """Serialise sources."""
    return json.dumps(sources, indent=1)


def from_text(text: str) -> Sources:
    """Parse the text of `to_text`; return no sources for any other text."""
    try:
        kept = json.loads(text)
    except ValueError:
        return {}
    return kept if isinstance(kept, dict) else {}


def changed_files(before: Sources, now: Sources) -> frozenset[str]:
    """Return the files that were added, removed or changed."""
    return frozenset(path for path in {*before, *now} if before.get(path) != now.get(path))


def changed_code(before: Sources, now: Sources) -> frozenset[str] | None:
    """Return the folders of functions and layer whose code changed; None if more changed.

    That is the template, its configuration, or the requirements.
    """
    folders = set()
    for file in changed_files(before, now):
        match PurePosixPath(file).parts:
            case ("functions", function, *_, name) if name != MANIFEST:
                folders.add(f"functions/{function}")
            case ("layers", "common", "orderdesk", *_):
                folders.add(LAYER)
            case _:
                return None
    return frozenset(folders)


def _files() -> Iterator[Path]:
    yield from (REPOSITORY / "template.yaml", REPOSITORY / "samconfig.toml")
    for folder in ("functions", "layers"):
        for path in (REPOSITORY / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path
