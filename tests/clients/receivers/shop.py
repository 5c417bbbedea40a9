"""The shop of a receiver under test."""

from typing import Any

HANDLED: list[list[str]] = []


def handle(webhook_id: str, event: dict[str, Any]) -> None:
    HANDLED.append([webhook_id, event["type"]])
