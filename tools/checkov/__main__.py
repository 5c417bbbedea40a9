"""Write the template as JSON for checkov, which does not support CloudFormation's loops."""

import json
import sys
from pathlib import Path

from local.templates import read_template

# Only SAM's: read_template has expanded the loops of the other transform.
TRANSFORM = "AWS::Serverless-2016-10-31"

template = read_template(Path("template.yaml"))
json.dump({**template, "Transform": TRANSFORM}, sys.stdout, default=str)
