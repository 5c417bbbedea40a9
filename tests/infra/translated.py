"""The template as SAM translates it, and the resources of a stack with some parameters."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from tests.support.template import template
from tools.deploy.proof.deployment import deploy, translate


@cache
def translated(gradual: str = "false") -> dict[str, Any]:
    """Translate the template. SAM itself reads one parameter, `Gradual`."""
    return translate(template(), {"Gradual": gradual})


def made(**parameters: str) -> Mapping[str, Any]:
    """Return the resources that a deployment with these parameters creates, each Fn::If decided."""
    whole = translated(parameters.get("Gradual", "false"))
    return deploy(template(), whole, parameters).resources
