"""The files that come from the document; `make openapi` writes them.

They are the clients' types of parameters and answers, and the version in the packages' manifests
and the README. The version itself is in pyproject.toml.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tools.openapi.clients.fields import Schemas, Types, joined, parameters, split
from tools.openapi.clients.languages import written

CLIENTS = Path(__file__).parents[3] / "clients"
WRITTEN: Mapping[str, Callable[[Schemas], Types]] = {
    "python/orderdesk_client/types.py": split,
    "javascript/types.d.mts": split,
    "java/src/main/java/orderdesk/Api.java": joined,
    "go/types.go": joined,
}
# The line of each file that has the version; Go has it in a tag.
VERSIONED = {
    "clients/python/pyproject.toml": r'(?m)^(version = ").*(")$',
    "clients/javascript/package.json": r'(?m)^(  "version": ").*(",)$',
    "clients/php/composer.json": r'(?m)^(    "version": ").*(",)$',
    "clients/java/pom.xml": r"(?m)^(  <version>).*(</version>)$",
    "cli/pyproject.toml": r'(?m)^(version = ").*(")$',
    "uv.lock": r'(?m)^(name = "orderdesk(?:-cli)?"\nversion = ").*(")$',
    "README.md": r"(?m)^(> \*\*Status: version )[0-9.]+(\.\*\*)",
}


def files(document: Mapping[str, Any]) -> dict[Path, str]:
    """Return the text of each file that comes from the document."""
    schemas = document["components"]["schemas"]
    requests = parameters(schemas)
    found = {
        CLIENTS / name: written(Path(name).name, requests, answers(schemas))
        for name, answers in WRITTEN.items()
    }
    for name, pattern in VERSIONED.items():
        text = (CLIENTS.parent / name).read_text("utf-8")
        version = rf"\g<1>{document['info']['version']}\g<2>"
        found[CLIENTS.parent / name] = re.sub(pattern, version, text)
    return found
