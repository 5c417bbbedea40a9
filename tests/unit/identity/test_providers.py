"""The verifier of a deployment, and the two that call no provider."""

import subprocess
import sys

import pytest

from orderdesk.adapters.identity.configured import LazyVerifier, SandboxVerifier, make_verifier
from orderdesk.domain.identity import Identity, IdentityVerifier, Verification, VerificationOutcome


@pytest.mark.parametrize(
    ("mobile", "outcome"),
    [("13800130000", "failed"), ("13800139999", "unavailable"), ("13800138000", "passed")],
)
def test_the_sandbox_answers_by_the_mobile(mobile: str, outcome: str) -> None:
    verifier = make_verifier("sandbox", load_tencent_credentials=no_credentials)
    verification = verifier.verify(Identity("张三", "", mobile))
    assert verification == Verification(VerificationOutcome(outcome), "sandbox", "sandbox")


def test_without_a_provider_everything_is_unavailable() -> None:
    verifier = make_verifier("none", load_tencent_credentials=no_credentials)
    unavailable = Verification(VerificationOutcome.UNAVAILABLE, "none", "")
    assert verifier.verify(Identity("张三", "", "13800138000")) == unavailable


def test_an_unknown_provider_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown identity provider: 'aliyun'"):
        make_verifier("aliyun", load_tencent_credentials=no_credentials)


def no_credentials() -> tuple[str, str]:
    raise AssertionError("only Tencent's verifier has credentials")


@pytest.mark.parametrize(("provider", "imported"), [("sandbox", 0), ("none", 0), ("tencent", 1)])
def test_the_sdk_is_imported_only_where_it_is_configured(provider: str, imported: int) -> None:
    script = f"""
import sys
from orderdesk.adapters.identity.configured import make_verifier
make_verifier({provider!r}, lambda: ("id", "key"))
loaded = {{name.partition(".")[0] for name in sys.modules}}
print(int("tencentcloud" in loaded), int("requests" in loaded))
"""
    done = subprocess.run(  # the test's own interpreter and script
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [str(imported)] * 2


def test_a_provider_that_cannot_be_created_is_unavailable_and_tried_again() -> None:
    troubles = [KeyError("secret_id"), TimeoutError()]

    def make() -> IdentityVerifier:
        if troubles:
            raise troubles.pop()
        return SandboxVerifier()

    verifier = LazyVerifier(make)
    outcomes = [verifier.verify(Identity("张三", "", "13800138000")).outcome for _ in range(3)]
    assert outcomes == ["unavailable", "unavailable", "passed"]
