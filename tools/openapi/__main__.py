"""Write docs/openapi.yaml, and docs/postman.json from it: `make openapi`."""

from tools.openapi import collection
from tools.openapi.document import ROOT, document, text

if __name__ == "__main__":
    (ROOT / "docs" / "openapi.yaml").write_text(text(), "utf-8")
    (ROOT / "docs" / "postman.json").write_text(collection.text(document()), "utf-8")
