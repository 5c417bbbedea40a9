"""Write docs/openapi.yaml: `make openapi`."""

from pathlib import Path

from tools.openapi.document import ROOT, text

TARGET: Path = ROOT / "docs" / "openapi.yaml"

if __name__ == "__main__":
    TARGET.write_text(text(), "utf-8")
