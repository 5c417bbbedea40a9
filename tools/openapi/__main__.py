"""Write docs/openapi.yaml, and from it docs/postman.json and the clients' types: `make openapi`."""

import sys

from tools.openapi import clients, collection
from tools.openapi.document import ROOT, document, text
from tools.openapi.texts import FILE, TextMissing

if __name__ == "__main__":
    try:
        (ROOT / "docs" / "openapi.yaml").write_text(text(), "utf-8")
        (ROOT / "docs" / "postman.json").write_text(collection.text(document()), "utf-8")
        for path, written in clients.files(document()).items():
            path.write_text(written, "utf-8")
    except TextMissing as error:
        sys.exit(f"openapi: {FILE.relative_to(ROOT)}: {error}")
