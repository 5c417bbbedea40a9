"""Write what documents and the command line have from the code: `make openapi`.

docs/openapi.yaml, from it docs/postman.json and the clients' types, the contract's moves, the
modules of each subject, and operators' commands for the command line and the console.
"""

import sys

from tools import modules
from tools.openapi import clients, collection, moves
from tools.openapi.document import COMMANDS_FILE, ROOT, commands_text, document, text
from tools.openapi.texts import FILE, TextMissing

if __name__ == "__main__":
    try:
        (ROOT / "docs" / "openapi.yaml").write_text(text(), "utf-8")
        (ROOT / "docs" / "postman.json").write_text(collection.text(document()), "utf-8")
        COMMANDS_FILE.write_text(commands_text(), "utf-8")
        contract = moves.contract(moves.CONTRACT.read_text("utf-8"))
        moves.CONTRACT.write_text(contract, "utf-8")
        modules.write()
        for path, written in clients.files(document()).items():
            path.write_text(written, "utf-8")
    except TextMissing as error:
        sys.exit(f"openapi: {FILE.relative_to(ROOT)}: {error}")
