"""Every skipped finding of checkov is answered in the decisions."""

import re
import subprocess
import sys

import yaml

from tests.support.markdown import read_document
from tests.support.template import ROOT

CONFIG = yaml.safe_load((ROOT / "tools" / "checkov" / "config.yaml").read_text("utf-8"))


def test_each_skipped_finding_is_answered() -> None:
    answered = re.findall(r"^\| (CKV_AWS_\d+): ", read_document("docs/decisions.md"), re.MULTILINE)
    assert answered == CONFIG["skip-check"]


def test_checkov_reads_expanded_loops() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.checkov"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert '"PayPageLogGroup"' in done.stdout
    assert "Fn::ForEach" not in done.stdout
