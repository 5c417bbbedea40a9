"""A collection for Postman and Bruno, created from the document; its script signs requests."""

import json
from pathlib import Path
from typing import Any

SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
SCRIPT = Path(__file__).with_name("sign.js")
COMMON = ("api_key", "timestamp", "nonce", "signature")


def text(document: dict[str, Any]) -> str:
    """Return docs/postman.json as text."""
    variables = {"base_url": "http://localhost:4566", "api_key": "", "api_secret": ""}
    collection = {
        "info": {"name": document["info"]["title"], "schema": SCHEMA},
        "variable": [{"key": key, "value": value} for key, value in variables.items()],
        "event": [_before_each()],
        "item": [_folder(path, item["post"]) for path, item in document["paths"].items()],
    }
    return json.dumps(collection, ensure_ascii=False, indent=2) + "\n"


def _before_each() -> dict[str, Any]:
    lines = SCRIPT.read_text("utf-8").splitlines()
    return {"listen": "prerequest", "script": {"type": "text/javascript", "exec": lines}}


def _folder(path: str, operation: dict[str, Any]) -> dict[str, Any]:
    examples = operation["requestBody"]["content"]["application/json"]["examples"]
    requests = [_request(path, name, each["value"]) for name, each in examples.items()]
    return {"name": path, "description": operation["description"], "item": requests}


def _request(path: str, name: str, example: dict[str, Any]) -> dict[str, Any]:
    """Return one request without the common parameters, which the script adds."""
    own = {key: value for key, value in example.items() if key not in COMMON}
    parts = path.strip("/").split("/")
    return {
        "name": f"{parts[-1]}: {name}",
        "request": {
            "method": "POST",
            "header": [{"key": "Content-Type", "value": "application/json"}],
            "url": {"raw": "{{base_url}}" + path, "host": ["{{base_url}}"], "path": parts},
            "body": {"mode": "raw", "raw": json.dumps(own, ensure_ascii=False, indent=2)},
        },
    }
