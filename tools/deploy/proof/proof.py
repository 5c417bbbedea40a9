"""The proof: every check on every stack of a covering set."""

import json
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from local.places import SAM_BIN
from tools.deploy.proof.deployment import Deployment, broken_rules, deploy, translate, values_of
from tools.deploy.proof.quotas import exceeded
from tools.deploy.proof.references import dangling, stage_by_parameter, undeployed
from tools.deploy.proof.release import lost
from tools.deploy.proof.switches import not_varied, stacks, switches

RELEASE = Path(__file__).with_name("release.json")
LINT = (str(SAM_BIN / "cfn-lint"), "--regions", "us-east-1", "--ignore-checks", "W", "I")


def prove(
    template: Mapping[str, Any],
    last: Mapping[str, Any],
    given: Sequence[Mapping[str, str]] | None = None,
) -> Iterator[str]:
    """Yield each finding once, with the parameters of the first stack that has it.

    `last` is the record of the last release. `given` are the parameters of the stacks, by default
    those that cover all pairs.
    """
    yield from stage_by_parameter(template)
    yield from undeployed(template)
    yield from not_varied(template)
    seen: set[str] = set()
    for parameters in stacks(template) if given is None else given:
        translated = translate(template, values_of(template, parameters))
        stack = deploy(template, translated, parameters)
        for finding in findings(template, last, stack):
            if finding not in seen:
                seen.add(finding)
                yield f"{finding} [{_written(parameters)}]"


def findings(
    template: Mapping[str, Any], last: Mapping[str, Any], stack: Deployment
) -> Iterator[str]:
    """Yield what is wrong with one stack."""
    for says in broken_rules(template, stack.given):
        yield f"the template's rules refuse it: {says}"
    yield from dangling(template, stack)
    yield from exceeded(template, stack)
    yield from lost(last, stack.resources)


def _written(parameters: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in parameters.items()) or "defaults"


@contextmanager
def linting(template: Mapping[str, Any]) -> Iterator[Iterator[str]]:
    """Start cfn-lint on two stacks, and provide an iterator that waits for its errors.

    `sam validate --lint` does not show the errors of the translated template. One stack has its
    conditions, so that cfn-lint tries both branches. The other has every switch on: SAM itself
    reads the parameter Gradual, and makes resources without conditions of it.
    """
    everything = {name: text for each in switches(template) for name, text in each[-1].items()}
    default, whole = (translate(template, values_of(template, on)) for on in ({}, everything))
    stack = deploy(template, whole, everything)
    resolved = {**whole, "Resources": stack.resources, "Outputs": stack.outputs}
    with tempfile.TemporaryDirectory() as folder:
        files = [str(Path(folder) / name) for name in ("default.json", "everything.json")]
        for file, each in zip(files, (default, resolved), strict=True):
            Path(file).write_text(json.dumps(each, default=str), "utf-8")
        command = [*LINT, "--format", "json", "--", *files]
        with subprocess.Popen(  # noqa: S603 the words are ours
            command, stdout=subprocess.PIPE, text=True
        ) as process:
            yield _errors(process)


def _errors(process: subprocess.Popen[str]) -> Iterator[str]:
    output, _ = process.communicate()
    found = json.loads(output or "[]")
    yield from dict.fromkeys(
        f"cfn-lint {each['Rule']['Id']}: {each['Message']} "
        f"({'/'.join(map(str, each['Location']['Path'] or []))})"
        for each in found
    )
