"""The files of the clients that come from the document; `make openapi` writes them.

They are the types of parameters and answers, and the version in the packages' manifests.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tools.openapi.clients.fields import ANSWERS, REQUESTS, Types, types
from tools.openapi.clients.languages import go, java, python, typescript

CLIENTS = Path(__file__).parents[3] / "clients"
WRITTEN: Mapping[str, Callable[[Types, Types], str]] = {
    "python/orderdesk_client/types.py": python,
    "javascript/types.d.mts": typescript,
    "java/src/main/java/orderdesk/Api.java": java,
    "go/types.go": go,
}
# The line of each package's manifest that has the version; Go has it in a tag.
MANIFESTS = {
    "python/pyproject.toml": r'(?m)^(version = ").*(")$',
    "javascript/package.json": r'(?m)^(  "version": ").*(",)$',
    "php/composer.json": r'(?m)^(    "version": ").*(",)$',
    "java/pom.xml": r"(?m)^(  <version>).*(</version>)$",
}


def files(document: Mapping[str, Any]) -> dict[Path, str]:
    """Return the text of each file of the clients that comes from the document."""
    schemas = document["components"]["schemas"]
    requests, answers = types(schemas, REQUESTS), types(schemas, ANSWERS)
    found = {CLIENTS / name: write(requests, answers) for name, write in WRITTEN.items()}
    for name, pattern in MANIFESTS.items():
        text = (CLIENTS / name).read_text("utf-8")
        version = rf"\g<1>{document['info']['version']}\g<2>"
        found[CLIENTS / name] = re.sub(pattern, version, text, count=1)
    return found
