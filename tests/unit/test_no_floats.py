"""No float on any money path: no code there names the type or contains a float literal."""

import ast
from pathlib import Path

import pytest

from tests.support.template import ROOT

PACKAGE = ROOT / "layers" / "common" / "orderdesk"
# Seconds of waiting and a language's quality are not money.
NO_MONEY = {
    "adapters/callback_http/sender.py",
    "adapters/callback_http/wire.py",
    "adapters/identity/configured.py",
    "adapters/identity/tencent.py",
    "adapters/merchant_directory.py",
    "adapters/sending.py",
    "adapters/system.py",
    "web/http.py",
    "web/pages/templates.py",
}
MODULES = sorted(
    path for path in PACKAGE.rglob("*.py") if str(path.relative_to(PACKAGE)) not in NO_MONEY
)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_float(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), ast.dump(
            node
        )
        assert not (isinstance(node, ast.Name) and node.id == "float"), node.lineno
        assert not (isinstance(node, ast.Div)), "true division makes floats"
