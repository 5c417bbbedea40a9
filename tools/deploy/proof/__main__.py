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
import sys

from local.places import REPOSITORY
from local.templates import read_template
from tools.deploy.proof.deployment import deploy, translate, values_of
from tools.deploy.proof.proof import RELEASE, linting, prove
from tools.deploy.proof.release import record, written


def main(words: list[str]) -> int:
    """Run the proof or record a release; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.deploy.proof")
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
