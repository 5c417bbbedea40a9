"""Write what documents and the command line have from the code: `make openapi`.

docs/openapi.yaml, from it docs/postman.json and the clients' types, the contract's moves, the
modules of each subject, and operators' commands for the command line and the console.
"""

import sys
from pathlib import Path

from tools import modules
from tools.openapi import clients, collection, moves
from tools.openapi.document import COMMANDS_FILE, ROOT, commands_text, document, text
from tools.openapi.texts import FILE, TextMissing


def files() -> dict[Path, str]:
    """Return the text of each file. Raises: TextMissing."""
    whole = document()
    return {
        ROOT / "docs" / "openapi.yaml": text(whole),
        ROOT / "docs" / "postman.json": collection.text(whole),
        COMMANDS_FILE: commands_text(),
        moves.CONTRACT: moves.contract(moves.CONTRACT.read_text("utf-8")),
        modules.MODULES: modules.page(),
        modules.ARCHITECTURE: modules.architecture(modules.ARCHITECTURE.read_text("utf-8")),
        **clients.files(whole),
    }


if __name__ == "__main__":
    try:
        for path, written in files().items():
            path.write_text(written, "utf-8")
    except TextMissing as error:
        sys.exit(f"openapi: {FILE.relative_to(ROOT)}: {error}")
