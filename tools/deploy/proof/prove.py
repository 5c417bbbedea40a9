"""`make deploy-proof`: what an AWS account would refuse or lose, found without an account.

For stacks that cover all pairs of the template's switches: expand the loops as
AWS::LanguageExtensions does, translate with SAM's translator, resolve the conditions, follow the
references, compare with AWS's quotas and with the last release. Lint two of them. Exit code 1 and a
line for each finding.

`--record VERSION` writes the stateful resources of a release; `--deployed` notes that a stack of it
exists.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from allpairspy import AllPairs

from local.places import REPOSITORY, SAM_BIN
from local.templates import read_template
from tools.deploy.proof.deployment import broken_rules, deploy, translate, values_of
from tools.deploy.proof.quotas import exceeded
from tools.deploy.proof.references import dangling, faults_of_apis, references
from tools.deploy.proof.release import lost, record, written

type Template = Mapping[str, Any]

RELEASE = Path(__file__).with_name("release.json")
LINT = (str(SAM_BIN / "cfn-lint"), "--regions", "us-east-1", "--ignore-checks", "W", "I")
_FILE = Path(__file__).with_name("together.yaml")
TOGETHER: list[list[dict[str, str]]] = [
    [{}, *choices] for choices in yaml.safe_load(_FILE.read_text("utf-8"))
]
"""Parameters that are valid only together. Each choice is valid with every choice of the others."""


def switches(template: Template) -> list[Sequence[dict[str, str]]]:
    """Return the choices of each parameter that changes what is deployed, the default first.

    A parameter with a list of texts is a switch of its own; TOGETHER has the others.
    """
    grouped = {name for group in TOGETHER for choice in group for name in choice}
    own = [
        [{}, *({name: value} for value in each["AllowedValues"] if value != each["Default"])]
        for name, each in template["Parameters"].items()
        if each["Type"] == "String" and "AllowedValues" in each and name not in grouped
    ]
    return [*own, *TOGETHER]


def stacks(template: Template) -> Iterator[dict[str, str]]:
    """Yield the parameters of each stack to prove: any two choices meet in one of them."""
    yield {}
    for row in AllPairs(switches(template)):
        yield {name: value for choice in row for name, value in choice.items()}


def not_varied(template: Template) -> Iterator[str]:
    """Yield a finding for each parameter of a condition or rule that no switch changes."""
    varied = {name for each in switches(template) for choice in each for name in choice}
    asked = {*references(template["Conditions"]), *references(template["Rules"])}
    for name in sorted(asked & template["Parameters"].keys() - varied):
        yield f"parameter {name} decides what is deployed, and tools/deploy/proof never varies it"


def prove(
    template: Template, last: Mapping[str, Any], given: Sequence[Mapping[str, str]] | None = None
) -> Iterator[str]:
    """Yield each finding once, with the parameters of the first stack that has it.

    `last` is the record of the last release. `given` are the parameters of the stacks, by default
    those that cover all pairs.
    """
    yield from faults_of_apis(template)
    yield from not_varied(template)
    found: dict[str, Mapping[str, str]] = {}
    for parameters in stacks(template) if given is None else given:
        stack = deploy(template, translate(template, values_of(template, parameters)), parameters)
        for finding in (
            *(
                f"the template's rules refuse it: {says}"
                for says in broken_rules(template, parameters)
            ),
            *dangling(template, stack),
            *exceeded(template, stack),
            *lost(last, stack.resources),
        ):
            found.setdefault(finding, parameters)
    for finding, parameters in found.items():
        shown = " ".join(f"{name}={value}" for name, value in parameters.items())
        yield f"{finding} [{shown or 'defaults'}]"


@contextmanager
def linting(template: Template) -> Iterator[Iterator[str]]:
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


def main(words: list[str]) -> int:
    """Run the proof or record a release; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.deploy.proof.prove")
    parser.add_argument("--record", metavar="VERSION")
    parser.add_argument("--deployed", action="store_true")
    options = parser.parse_args(words)
    template = read_template(REPOSITORY / "template.yaml")
    if options.record:
        stack = deploy(template, translate(template, values_of(template, {})), {})
        kept = record(options.record, stack.resources, is_deployed=options.deployed)
        RELEASE.write_text(written(kept), "utf-8")
        return 0
    with linting(template) as errors:
        findings = [*prove(template, json.loads(RELEASE.read_text("utf-8"))), *errors]
    sys.stdout.write("\n".join([*findings, f"deploy-proof: {len(findings)} findings\n"]))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
