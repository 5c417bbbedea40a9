"""Each of checkov's findings that the configuration skips has an answer in a decision."""

import re
import subprocess
import sys

import yaml

from tests.infra.markdown import read_document
from tests.support.template import ROOT

CONFIG = yaml.safe_load((ROOT / "tools" / "checkov" / "config.yaml").read_text("utf-8"))


def test_each_skipped_finding_is_answered() -> None:
    decision = read_document("docs/decisions/0039-checkov-findings.md")
    answered = re.findall(r"^\| (CKV_AWS_\d+): ", decision, re.MULTILINE)
    assert answered == CONFIG["skip-check"]


def test_checkov_reads_the_expanded_loops() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.checkov"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert '"PayPageLogGroup"' in done.stdout
    assert "Fn::ForEach" not in done.stdout
