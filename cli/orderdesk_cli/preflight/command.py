"""`orderdesk preflight`: what would fail in a first deployment (contract section 9)."""

from pathlib import Path
from typing import TYPE_CHECKING

from orderdesk_cli.answering import Answer
from orderdesk_cli.commands import administers
from orderdesk_cli.doctor.command import report
from orderdesk_cli.options import option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from orderdesk_cli.doctor.checks import Finding
    from orderdesk_cli.facts import Facts
    from orderdesk_cli.installation import Installation
    from orderdesk_cli.preflight.plan import Plan


@administers(
    "preflight",
    option("config_env", "NAME", "The environment of samconfig.toml to deploy.", default="default"),
    option("template", "FILE", "The template.", Path, default="template.yaml"),
    option("samconfig", "FILE", "SAM's settings.", Path, default="samconfig.toml"),
)
def preflight(
    installation: "Installation", config_env: str, template: Path, samconfig: Path
) -> Answer:
    """Report what would fail if this environment were deployed for the first time, a line each.

    Exit code 1 if something is wrong. It needs no stack, and changes nothing.
    """
    from orderdesk_cli.preflight.plan import read_plan  # noqa: PLC0415 loaded only by this command

    plan = read_plan(template, samconfig, config_env)
    return report(checks(plan, installation.facts))


def checks(plan: "Plan", facts: "Facts") -> "Iterator[tuple[str, Callable[[], Iterable[Finding]]]]":
    """Give each check's name and what does it. Nothing is read before it is called."""
    from orderdesk_cli.doctor import checks as deployed  # noqa: PLC0415 as above
    from orderdesk_cli.preflight import checks as judge  # noqa: PLC0415 as above

    rate, burst = float(plan.value("ThrottleRate")), int(plan.value("ThrottleBurst"))
    arn, domain = plan.value("CertificateArn"), plan.value("DomainName")

    def names() -> "Iterator[Finding]":
        status = facts.stack_status(plan.stack_name)
        yield from judge.stack(plan.stack_name, status)
        if judge.is_new(status):
            yield from judge.names(set(facts.taken_names(plan.stack_name, domain)))

    yield "parameters", lambda: judge.parameters(plan, facts.account())
    yield "account", lambda: judge.place(plan, facts.account(), facts.region)
    yield "throttle", lambda: deployed.throttle(rate, burst, *facts.throttle())
    yield "concurrency", lambda: deployed.concurrency(rate, facts.containers_max())
    yield "roles", lambda: judge.roles(*facts.roles())
    yield "log role", lambda: judge.log_role(plan, facts.log_role())
    yield "SnapStart", lambda: judge.snapshots(plan, facts.region)
    if secret := plan.value("TencentSecretArn"):
        yield "secret", lambda: judge.secret(exists=facts.has_secret(secret))
    if arn:
        yield "certificate", lambda: judge.certificate(domain, *facts.certificate(arn))
    yield "names", names


COMMANDS = {"": [preflight]}
