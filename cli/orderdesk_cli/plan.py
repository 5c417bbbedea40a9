"""What is about to be deployed: the template, and the parameters of one environment."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from orderdesk_cli.api import StackUnavailable

_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Plan:
    """A deployment: its stack's name, its region, and its parameters, given and declared."""

    stack_name: str
    region: str
    given: Mapping[str, str]
    declared: Mapping[str, Mapping[str, Any]]

    def value(self, parameter: str) -> str:
        """Return a parameter's value, or its default."""
        default = self.declared.get(parameter, {}).get("Default", "")
        return self.given.get(parameter, str(default))

    def is_on(self, parameter: str) -> bool:
        """Return whether a switch is on."""
        return self.value(parameter) == "true"


def read_plan(template: Path, samconfig: Path, environment: str) -> Plan:
    """Read what `sam deploy --config-env ENVIRONMENT` would deploy. Raises: StackUnavailable."""
    try:
        whole = yaml.load(template.read_text("utf-8"), _Loader)  # noqa: S506 it makes plain data only
        config = tomllib.loads(samconfig.read_text("utf-8"))
    except (OSError, yaml.YAMLError, tomllib.TOMLDecodeError) as error:
        raise StackUnavailable(f"cannot read what would be deployed: {error}") from None
    if environment not in config:
        raise StackUnavailable(f"{samconfig} has no environment {environment}")
    commands = config[environment]
    settings = {
        **commands.get("global", {}).get("parameters", {}),
        **commands.get("deploy", {}).get("parameters", {}),
    }
    overrides = settings.get("parameter_overrides", [])
    words = overrides.split() if isinstance(overrides, str) else overrides
    pairs = (word.partition("=") for word in words)
    plan = Plan(
        stack_name=settings.get("stack_name", ""),
        region=settings.get("region", ""),
        given={name: value.strip('"') for name, _, value in pairs},
        declared=whole.get("Parameters", {}),
    )
    numbers = [name for name, each in plan.declared.items() if each["Type"] == "Number"]
    if wrong := [name for name in numbers if not _NUMBER.fullmatch(plan.value(name))]:
        raise StackUnavailable(f"{samconfig}: no number: {', '.join(wrong)}")
    return plan


class _Loader(yaml.CSafeLoader):
    """Reads YAML with CloudFormation's short forms, such as `!Ref x`; no parameter has one."""


_Loader.add_multi_constructor("!", lambda *_: None)
