"""The template as SAM hands it to CloudFormation."""

from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from samtranslator.translator.transform import transform  # type: ignore[import-untyped]

from tests.support.template import template


class _NoPolicies:
    """SAM's managed policies; the template names none."""

    def load(self) -> dict[str, str]:
        return {}


@cache
def translated() -> dict[str, Any]:
    """Translate the template; its code is somewhere in a bucket."""
    whole = {**deepcopy(template()), "Transform": "AWS::Serverless-2016-10-31"}
    for resource in whole["Resources"].values():
        for name in {"CodeUri", "ContentUri"} & resource.get("Properties", {}).keys():
            resource["Properties"][name] = "s3://bucket/key"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        result: dict[str, Any] = transform(whole, {}, _NoPolicies())
    return result
