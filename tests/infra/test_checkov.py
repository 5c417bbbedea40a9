"""Each of checkov's findings that the configuration skips has an answer in a decision."""

import re
import sys

import yaml

from tests.infra.markdown import read_document
from tests.support.programs import printed
from tests.support.template import ROOT

CONFIG = yaml.safe_load((ROOT / "tools" / "checkov" / "config.yaml").read_text("utf-8"))


def test_each_skipped_finding_is_answered() -> None:
    decision = read_document("docs/decisions/0039-checkov-findings.md")
    answered = re.findall(r"^\| (CKV_AWS_\d+): ", decision, re.MULTILINE)
    assert answered == CONFIG["skip-check"]


def test_checkov_reads_the_expanded_loops() -> None:
    read = printed(sys.executable, "-m", "tools.checkov")
    assert '"PayPageLogGroup"' in read
    assert "Fn::ForEach" not in read
